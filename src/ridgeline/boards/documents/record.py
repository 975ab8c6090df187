"""A picture's record as plain data."""

from __future__ import annotations

from dataclasses import Field, fields, is_dataclass
from typing import Any

import numpy as np

from ridgeline.boards.written import OPTIONAL, WRITTEN

__all__ = ["is_optional", "is_written", "record_document"]


def record_document(record: Any) -> dict[str, Any]:  # noqa: ANN401  any of a picture's records
    """Fields of a record by name, nested records included; lists for tuples and arrays."""
    return {
        one.name: _plain(one.metadata.get(WRITTEN, _as_it_is)(getattr(record, one.name)))
        for one in fields(record)
        if is_written(one) and not (is_optional(one) and getattr(record, one.name) is None)
    }


def is_written(field: Field[Any]) -> bool:
    """Whether a document has the field."""
    return field.metadata.get(WRITTEN, _as_it_is) is not None


def is_optional(field: Field[Any]) -> bool:
    """Whether a document has the field only where it is not None."""
    return OPTIONAL in field.metadata


def _as_it_is(value: Any) -> Any:  # noqa: ANN401  a field's value
    return value


def _plain(value: Any) -> Any:  # noqa: ANN401  a field's value, and what JSON has for it
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    return record_document(value) if is_dataclass(value) else value
