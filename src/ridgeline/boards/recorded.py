"""Values of controls that note which of them were looked up: what a picture depends on is seen, not declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ridgeline.boards.board import Values

__all__ = ["Recorded"]


class Recorded(Mapping[str, float]):
    """The same values.

    Attributes:
        read: names of those that were looked up.

    >>> values = Recorded({"batch": 3.0, "layers": 61.0})
    >>> values["batch"] + 1.0, values.read
    (4.0, {'batch'})
    """

    def __init__(self, values: Values) -> None:
        self._values = values
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> float:
        self.read.add(name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)
