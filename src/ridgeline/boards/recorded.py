"""Which controls a picture depends on: seen by what it looks up, not declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ridgeline.boards.board import Board, Values, View

__all__ = ["Recorded", "controls_read"]


def controls_read(board: Board, view: View) -> list[str]:
    """Names of the controls that one of a board's views looks up where the modes start, in the board's order."""
    found = [Recorded(values) for values in board.starts(board.facts()).values()]
    for values in found:
        view.compute(values)
    return [control.name for control in board.controls if any(control.name in values.read for values in found)]


class Recorded(Mapping[str, float]):
    """Values of controls that note which of them were looked up.

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
