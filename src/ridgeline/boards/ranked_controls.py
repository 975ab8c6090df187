"""Order of the controls that move a picture, where not all can be seen at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from ridgeline.boards.board import Board, Control, View
from ridgeline.boards.documents.view import view_document
from ridgeline.boards.live_controls import height_on, live_controls, place_at

__all__ = ["ranked_controls", "tried_and_ranked"]

QUARTERS = (0.25, 0.75)
"""Positions in a control's range at which its picture is compared with its start; the larger effect counts."""
FEW = 5
"""Number of controls that fit into one row, so that none of them has to be first."""


def ranked_controls(board: Board, view: View) -> tuple[str, ...]:
    """Names of the controls that move a view, first those that move its bold lines farthest.

    In the board's order where all fit into one row, and where nothing in the picture is bold.
    """
    return view.moved_by or tried_and_ranked(board, view)


@cache  # as what moves a view
def tried_and_ranked(board: Board, view: View) -> tuple[str, ...]:
    """Names of those controls, found by trying, whatever the view says of it."""
    live = live_controls(board, view)
    # The last mode is the one whose lines stand in front.
    *_, values = board.starts(board.facts()).values()
    here = view_document(view, values)
    if len(live) <= FEW or not _bold(here):
        return live

    def distance(control: Control) -> float:
        moved = (view_document(view, {**values, control.name: place_at(control, part)}) for part in QUARTERS)
        return max(_distance(here, there) for there in moved)

    far = {name: distance(board.control(name)) for name in live}
    return tuple(sorted(live, key=far.__getitem__, reverse=True))


def _bold(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [line for line in found["lines"] if line["is_bold"]] if found["kind"] == "curves" else []


def _distance(before: Mapping[str, Any], after: Mapping[str, Any]) -> float:
    """Mean distance that the bold lines move, in parts of the upright axis before the move."""
    upright = before["axes"]["y"]
    ways = [
        abs(height_on(upright, mine) - height_on(upright, theirs))
        for one, other in zip(_bold(before), _bold(after), strict=False)
        for mine, theirs in zip(one["y"], np.interp(before["x"], after["x"], other["y"]), strict=True)
    ]
    return sum(ways) / len(ways) if ways else 0.0
