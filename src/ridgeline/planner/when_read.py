"""Numbers of a result that most readers leave aside, worked out when the first of them is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

__all__ = ["WhenRead"]


class WhenRead(Mapping[str, float]):
    """Numbers by name, all worked out when the first is read."""

    def __init__(self, work_out: Callable[[], Mapping[str, float]]) -> None:
        self._work_out = work_out

    @cached_property
    def _known(self) -> Mapping[str, float]:
        return self._work_out()

    def __repr__(self) -> str:
        return repr(dict(self._known))

    def __getitem__(self, name: str) -> float:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
