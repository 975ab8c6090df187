"""Records that are keys of caches again and again: their hash is computed once."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["Hashed", "hashed_once"]


class Hashed:
    """Room for a record's hash, which is no field: a copy in another process, where words hash otherwise, has its."""

    __slots__ = ("_hash",)
    _hash: int


Record = TypeVar("Record", bound=Hashed)


def hashed_once(record: type[Record]) -> type[Record]:
    """Have records of a frozen dataclass, which hash through all that they hold, keep what they found."""
    found = record.__hash__

    def kept(self: Record) -> int:
        try:
            return int(self._hash)
        except AttributeError:
            object.__setattr__(self, "_hash", found(self))
            return int(self._hash)

    record.__hash__ = kept  # type: ignore[method-assign, assignment]
    return record
