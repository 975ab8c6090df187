"""What a drawn picture has: its marks and lines by name, as tests of boards look at them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.board import Board, Mode
from ridgeline.boards.picture import Curves

__all__ = ["curves_of", "line", "mark"]


def curves_of(board: Board, mode: Mode = Mode.LECTURE, *, view: int = 0, **turned: float) -> Curves:
    """A view of a board, its controls turned."""
    picture = board.views[view].compute(board.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def mark(picture: Curves, name: str) -> tuple[float, float]:
    """Where a mark lies."""
    return next((one.x, one.y) for one in picture.marks if one.name == name)


def line(picture: Curves, name: str) -> NDArray[np.float64]:
    """How high the first line lies whose name begins so."""
    return next(one.y for one in picture.lines if one.name.startswith(name))
