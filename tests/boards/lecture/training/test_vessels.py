"""Bills as vessels: they are filled to the parts of the curve that they stand above."""

from __future__ import annotations

import numpy as np
import pytest
from tests.each import of_each

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import Vessels
from ridgeline.boards.lecture.training.budget import BOARD
from ridgeline.boards.picture import Curves

THREE_BILLS, TWO_COSTS = 0, 2
TURNED: tuple[dict[str, float], ...] = (
    {},
    {"served_tokens": 1e15},
    {"rl_tokens": 0.0},
    {"rising_power": 0.5, "falling_power": 2.0},
)


def drawn(view: int, mode: Mode = Mode.LECTURE, **turned: float) -> Curves:
    picture = BOARD.views[view].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


@of_each("view", [THREE_BILLS, TWO_COSTS])
@of_each("mode", Mode)
@of_each("turned", TURNED)
def test_all_vessels_together_hold_what_the_bold_line_costs(view: int, mode: Mode, turned: dict[str, float]) -> None:
    picture = drawn(view, mode, **turned)
    (bold,) = (line for line in picture.lines if line.is_bold)
    (parts,) = picture.bill
    assert isinstance(picture.companion, Vessels)
    assert [one.part for one in picture.companion.vessels] == [part.name for part in parts]
    assert np.sum([part.y for part in parts], axis=0) == pytest.approx(bold.y, rel=1e-12)  # rounding of a sum


def test_by_his_numbers_three_vessels_are_equally_full_at_his_model() -> None:
    """C5."""
    picture = drawn(THREE_BILLS)
    (here,) = (mark for mark in picture.marks if mark.name == "board")
    levels = [float(np.interp(here.x, picture.x, part.y)) for part in picture.bill[0]]
    assert levels == pytest.approx([1 / 3] * 3, rel=1e-9)


def test_two_costs_are_equally_full_where_they_are_equal() -> None:
    picture = drawn(TWO_COSTS)
    (equal,) = (mark for mark in picture.marks if mark.name == "equal")
    assert [float(np.interp(equal.x, picture.x, part.y)) for part in picture.bill[0]] == [1.0, 1.0]
