"""Results of a search in order of rank, each computed when it is accessed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

__all__ = ["Ranked"]

Chosen = TypeVar("Chosen")
Found = TypeVar("Found")


class Ranked(Sequence[Found], Generic[Chosen, Found]):
    """Plans in order of rank, each computed from its choice when it is accessed."""

    def __init__(self, choices: Sequence[Chosen], work_out: Callable[[Chosen], Found]) -> None:
        self.choices, self._work_out = tuple(choices), work_out
        self._known: dict[int, Found] = {}

    def __repr__(self) -> str:
        return f"Ranked({len(self):,} found, the best first)"

    def __len__(self) -> int:
        return len(self.choices)

    @overload
    def __getitem__(self, place: int) -> Found: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Found, ...]: ...
    def __getitem__(self, place: int | slice) -> Found | tuple[Found, ...]:
        if isinstance(place, slice):
            return tuple(self[number] for number in range(*place.indices(len(self))))
        number = range(len(self))[place]
        if number not in self._known:
            self._known[number] = self._work_out(self.choices[number])
        return self._known[number]

    def __iter__(self) -> Iterator[Found]:
        return (self[number] for number in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ranked) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(len(self))
