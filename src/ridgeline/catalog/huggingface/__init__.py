"""A published ``config.json`` read as a model.

A configuration names one thing in many ways and says much that changes no shape. Every key is either used, or known to
change no shape, or the import is refused by its name: a shape misread in silence would be worse than none.
"""

from __future__ import annotations

from ridgeline.catalog.huggingface.hub import fetch_config
from ridgeline.catalog.huggingface.model import import_config

__all__ = ["fetch_config", "import_config"]
