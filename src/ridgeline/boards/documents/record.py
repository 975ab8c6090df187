"""A picture's record as plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, fields
from functools import cache
from typing import Any

import numpy as np

from ridgeline.boards.written import OPTIONAL, WRITTEN

__all__ = ["is_optional", "is_written", "record_document"]

AS_THEY_ARE = frozenset({float, int, str, bool, type(None)})
"""Types of values that JSON has as they are, of which a picture has thousands."""


def record_document(record: Any) -> dict[str, Any]:  # noqa: ANN401  any of a picture's records
    """Fields of a record by name, nested records included; lists for tuples and arrays."""
    found = {}
    for name, write, is_optional in _written(type(record)):
        value = getattr(record, name)
        if value is None and is_optional:
            continue
        found[name] = _plain(value if write is None else write(value))
    return found


def is_written(field: Field[Any]) -> bool:
    """Whether a document has the field."""
    return field.metadata.get(WRITTEN, _as_it_is) is not None


def is_optional(field: Field[Any]) -> bool:
    """Whether a document has the field only where it is not None."""
    return OPTIONAL in field.metadata


def _as_it_is(value: Any) -> Any:  # noqa: ANN401  a field's value
    return value


@cache
def _written(kind: type) -> tuple[tuple[str, Callable[[Any], Any] | None, bool], ...]:
    """Fields that documents of a kind of record have: name, how it is written (None: as it is), whether it is optional."""
    return tuple((one.name, one.metadata.get(WRITTEN), is_optional(one)) for one in fields(kind) if is_written(one))


@cache
def _is_record(kind: type) -> bool:
    return hasattr(kind, "__dataclass_fields__")


def _plain(value: Any) -> Any:  # noqa: ANN401  a field's value, and what JSON has for it
    kind = type(value)
    if kind in AS_THEY_ARE:
        return value
    if isinstance(value, tuple):
        return [one if type(one) in AS_THEY_ARE else _plain(one) for one in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    return record_document(value) if _is_record(kind) else value
