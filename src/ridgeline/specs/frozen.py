"""Frozen mappings in records, so that records are immutable values all the way down and can be hashed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from frozendict import frozendict

__all__ = ["freeze_mappings"]


def freeze_mappings(record: Any) -> None:  # noqa: ANN401  any frozen dataclass
    """Replace each mapping of a record under construction by a frozen copy; called from its ``__post_init__``."""
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if isinstance(value, Mapping):
            object.__setattr__(record, field.name, frozendict(value))
