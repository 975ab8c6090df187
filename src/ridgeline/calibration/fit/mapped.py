"""Work on many parts, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

__all__ = ["Mapped"]

Given = TypeVar("Given")
Found = TypeVar("Found")


class Mapped(Protocol):
    """``map``, or an executor's: results of a function for each part, in order."""

    def __call__(self, function: Callable[[Given], Found], parts: Iterable[Given], /) -> Iterable[Found]:
        """Results of the function."""
        ...
