"""A published ``config.json`` read as a model.

A configuration names one quantity in many ways and has many keys that do not change the shape. Every key is either
used, or known not to change the shape, or refused by name: a shape misread silently would be worse than none.
"""

from __future__ import annotations

from ridgeline.catalog.huggingface.hub import fetch_config
from ridgeline.catalog.huggingface.model import import_config

__all__ = ["fetch_config", "import_config"]
