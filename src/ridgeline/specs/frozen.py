"""Records as immutable values all the way down: mappings frozen, and hashes that are computed once."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from frozendict import frozendict

__all__ = ["KeepsHash", "freeze_mappings", "hashed_once"]

Record = TypeVar("Record", bound="KeepsHash")


class KeepsHash:
    """Room in a slotted record for its hash, which is no field: neither compared nor copied nor pickled."""

    __slots__ = ("_hash",)

    _hash: int


def hashed_once(kind: type[Record]) -> type[Record]:
    """Have a frozen record keep its hash: caches of a search ask for that of a model and its formats very often."""
    computed = kind.__hash__

    def __hash__(self: Record) -> int:  # noqa: N807  takes its place
        try:
            return self._hash
        except AttributeError:
            found = computed(self)
            object.__setattr__(self, "_hash", found)
            return found

    kind.__hash__ = __hash__  # type: ignore[method-assign,assignment]
    return kind


def freeze_mappings(record: Any) -> None:  # noqa: ANN401  any frozen dataclass
    """Replace each mapping of a record under construction by a frozen copy; called from its ``__post_init__``."""
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if isinstance(value, Mapping):
            object.__setattr__(record, field.name, frozendict(value))
