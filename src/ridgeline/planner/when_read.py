"""Parts of a result that are computed when they are first read: many searches are read for their plans alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar, overload

__all__ = ["MappingWhenRead", "SequenceWhenRead"]

Item_co = TypeVar("Item_co", covariant=True)
Key = TypeVar("Key")
Value_co = TypeVar("Value_co", covariant=True)


class SequenceWhenRead(Sequence[Item_co]):
    """A tuple that is computed when it is first read.

    >>> notes = SequenceWhenRead(lambda: ("as asked", "without a price"))
    >>> notes[0], len(notes), notes == ("as asked", "without a price")
    ('as asked', 2, True)
    """

    def __init__(self, work_out: Callable[[], Sequence[Item_co]]) -> None:
        self._work_out: Callable[[], Sequence[Item_co]] | None = work_out

    @cached_property
    def _items(self) -> tuple[Item_co, ...]:
        work_out, self._work_out = self._work_out, None  # with all that it holds
        return () if work_out is None else tuple(work_out())

    def __repr__(self) -> str:
        return repr(self._items)

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, place: int) -> Item_co: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Item_co, ...]: ...
    def __getitem__(self, place: int | slice) -> Item_co | tuple[Item_co, ...]:
        return self._items[place]

    def __iter__(self) -> Iterator[Item_co]:
        return iter(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (tuple, SequenceWhenRead)) and self._items == tuple(other)

    def __hash__(self) -> int:
        return hash(self._items)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self._items,)


class MappingWhenRead(Mapping[Key, Value_co]):
    """A mapping that is computed when it is first read.

    >>> changes = MappingWhenRead(lambda: {"tpot_s": -0.4})
    >>> changes["tpot_s"], dict(changes) == changes
    (-0.4, True)
    """

    def __init__(self, work_out: Callable[[], Mapping[Key, Value_co]]) -> None:
        self._work_out: Callable[[], Mapping[Key, Value_co]] | None = work_out

    @cached_property
    def _items(self) -> dict[Key, Value_co]:
        work_out, self._work_out = self._work_out, None
        return {} if work_out is None else dict(work_out())

    def __repr__(self) -> str:
        return repr(self._items)

    def __getitem__(self, key: Key) -> Value_co:
        return self._items[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (self._items,)
