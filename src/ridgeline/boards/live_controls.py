"""Controls that move a picture, found by trying them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from ridgeline.boards.board import Board, Control, Values, View
from ridgeline.boards.documents.view import view_document

__all__ = ["Recorded", "height_on", "live_controls", "moves", "place_at", "places"]

PARTS = (0.25, 0.5, 0.75, 0.0, 1.0)
"""Positions in a control's range at which its view is compared."""
WIDE = 100
"""Ratio of a range's ends from which on its parts are equal ratios."""
LEAST = 0.003
"""Least move that counts, as a part of a plot's height: a pixel."""


@cache  # boards are written down, and what moves them takes a tenth of a second to try
def live_controls(board: Board, view: View) -> tuple[str, ...]:
    """Names of the controls that visibly move one of a board's views from where a mode starts, in the board's order."""
    live: set[str] = set()
    for values in board.starts(board.facts()).values():
        recorded = Recorded(values)
        here = view_document(view, recorded)
        # Nothing moves by what is not looked up.
        for control in board.controls:
            if control.name in recorded.read - live and any(
                moves(here, view_document(view, {**values, control.name: place})) for place in places(control)
            ):
                live.add(control.name)
    return tuple(control.name for control in board.controls if control.name in live)


def places(control: Control) -> Iterator[float]:
    """Values over a control's range, the ends last."""
    return (place_at(control, part) for part in PARTS)


def place_at(control: Control, part: float) -> float:
    """Value at a fraction of a control's range."""
    low, high = control.low, control.high
    found = low * (high / low) ** part if low > 0 and high / low >= WIDE else low + part * (high - low)
    return float(round(found)) if control.is_whole else found


def moves(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether two documents of a view differ visibly: lines and marks by a pixel, or any text."""
    if before["kind"] != "curves":
        return before != after
    if _words(before) != _words(after) or before["dots"] != after["dots"]:
        return True
    ends = zip(_ends(before), _ends(after), strict=True)
    if any(abs(one - other) > LEAST * max(abs(one), abs(other)) for one, other in ends):
        return True
    upright = before["axes"]["y"]
    # Most points of most lines stay, and have no height to be found.
    return any(
        len(one["y"]) != len(other["y"])
        or any(
            abs(height_on(upright, mine) - height_on(upright, theirs)) > LEAST
            for mine, theirs in zip(one["y"], other["y"], strict=True)
            if mine != theirs
        )
        for one, other in zip(before["lines"], after["lines"], strict=True)
        if one["y"] != other["y"]
    )


def _words(found: Mapping[str, Any]) -> list[str]:
    return [line["name"] for line in found["lines"]] + [mark["text"] for mark in found["marks"]]


def _ends(found: Mapping[str, Any]) -> Sequence[float]:
    return (*found["axes"]["x"]["ends"], *found["axes"]["y"]["ends"])


def height_on(axis: Mapping[str, Any], y: float) -> float:
    """Height as a part of an axis, clipped to its ends."""
    low, high = axis["ends"]
    seen = min(max(y, low), high)
    return math.log(seen / low) / math.log(high / low) if axis["is_logarithmic"] else (seen - low) / (high - low)


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
