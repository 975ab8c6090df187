"""A Feistel round there and back, and what rounds leave as it was."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.cryptography.feistel import BOARD
from ridgeline.boards.picture import Box, Colour, Curves, Schematic

LECTURE = Mode.LECTURE


def drawn(mode: Mode = LECTURE, *, view: int = 0, **turned: float) -> Curves:
    picture = BOARD.views[view].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def line(drawing: Curves, name: str) -> np.ndarray:
    return next(found.y for found in drawing.lines if found.name.startswith(name))


def mark(drawing: Curves, name: str) -> tuple[float, float]:
    return next((found.x, found.y) for found in drawing.marks if found.name == name)


def schematic(**turned: float) -> Schematic:
    picture = BOARD.views[0].compute(BOARD.values(LECTURE, turned))
    assert isinstance(picture, Schematic)
    return picture


@pytest.mark.parametrize(("exponent", "value", "out"), [(1, 3, 8), (2, 9, 14), (6, 729 % 256, 729 % 256 + 5)])
def test_a_round_is_undone_by_its_function_alone(exponent: int, value: int, out: int) -> None:
    texts = [box.text for box in schematic(exponent=exponent).boxes]
    assert texts.count(f"f(x) = {value}") == 2  # run forwards, there and back
    assert f"z = y + f(x) = {out}" in texts
    assert texts.count("x = 3") == 3
    assert [text for text in texts if text.startswith("y = ")] == ["y = 5", "y = z \N{MINUS SIGN} f(x) = 5"]


def test_arrows_into_f_leave_the_half_that_stays_and_those_out_of_it_reach_the_other() -> None:
    found = schematic()

    def reached(x: float, y: float) -> Box | None:
        inside = (box for box in found.boxes if box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height)
        return next(inside, None)

    through = [cable for cable in found.cables if cable.colour is Colour.COMPUTE]
    ends = [reached(cable.to_x, cable.to_y) for cable in through]
    assert [end.text for end in ends if end is not None] == ["f(x) = 9", "+", "f(x) = 9", "\N{MINUS SIGN}"]
    for cable in found.cables:
        assert reached(cable.to_x, cable.to_y) is not None
        assert cable.is_arrow


def test_one_round_leaves_a_half_and_three_leave_what_chance_does() -> None:
    """E2, with AES's substitution; a square is less even, and takes longer."""
    (claim,) = (one for one in CLAIMS if one.id == "E2")
    found = drawn(view=1)
    assert mark(found, "one round") == (1, claim.lecture_mode())
    assert line(found, "AES")[2] == claim.careful() == pytest.approx(2 / 256, rel=0.25)  # of some 19,000 halves
    assert np.all(line(found, "power 2") > line(found, "AES"))
