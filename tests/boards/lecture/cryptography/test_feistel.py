"""A Feistel round there and back, and what rounds leave as it was."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, line, mark

from ridgeline.boards.board import Mode
from ridgeline.boards.flows import Halves
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.cryptography.feistel import BOARD

LECTURE = Mode.LECTURE


drawn = partial(curves_of, BOARD)


def halves(**turned: float) -> Halves:
    picture = BOARD.views[0].compute(BOARD.values(LECTURE, turned))
    assert isinstance(picture, Halves)
    return picture


@pytest.mark.parametrize(("exponent", "value", "out"), [(1, 3, 8), (2, 9, 14), (6, 729 % 256, 729 % 256 + 5)])
def test_a_round_adds_f_of_one_half_to_the_other_and_changes_their_places(exponent: int, value: int, out: int) -> None:
    found = halves(exponent=exponent)
    assert (found.left[0], found.right[0], found.through[0]) == (3, 5, value)
    assert (found.left[1], found.right[1]) == (out, 3)
    assert found.right[1:] == found.left[:-1]  # what passed through f is kept


@pytest.mark.parametrize("rounds", [2, 6, 16])
def test_rounds_are_undone_by_their_function_alone(rounds: int) -> None:
    found = halves(rounds=rounds, exponent=2)
    assert len(found.through) == rounds
    for place, through in enumerate(found.through):
        assert found.left[place + 1] == (found.right[place] + through) % found.modulus
    assert found.left_back == found.left[::-1]
    assert found.right_back == found.right[::-1]
    assert (found.left_back[-1], found.right_back[-1]) == (3, 5)


def test_one_round_leaves_a_half_and_three_leave_what_chance_does() -> None:
    """E2, with AES's substitution; a square is less even, and takes longer."""
    (claim,) = (one for one in CLAIMS if one.id == "E2")
    found = drawn(view=1)
    assert mark(found, "one round") == (1, claim.lecture_mode())
    assert line(found, "AES")[2] == claim.careful() == pytest.approx(2 / 256, rel=0.25)  # of some 19,000 halves
    assert np.all(line(found, "power 2") > line(found, "AES"))


@pytest.mark.parametrize("turned", [{}, {"rounds": 16, "exponent": 3}])
def test_a_flipped_bit_goes_through_the_same_rounds(turned: dict[str, float]) -> None:
    found = halves(**turned)
    exponent = int(turned.get("exponent", 2))
    assert len(found.flips) == 2 * found.bits
    starts = [(one.left[0] << found.bits | one.right[0]) ^ (3 << found.bits | 5) for one in found.flips]
    assert starts == [1 << bit for bit in reversed(range(2 * found.bits))]
    for one in found.flips:
        for place in range(len(found.through)):
            assert one.left[place + 1] == (one.right[place] + one.left[place] ** exponent) % found.modulus
            assert one.right[place + 1] == one.left[place]
        assert one.differing[0] == 1
        other = [
            (a ^ b) << found.bits | (c ^ d)
            for a, b, c, d in zip(one.left, found.left, one.right, found.right, strict=True)
        ]
        assert list(one.differing) == [bits.bit_count() for bits in other]
        assert f"{one.differing[-1]} of {2 * found.bits} bits" in one.text
