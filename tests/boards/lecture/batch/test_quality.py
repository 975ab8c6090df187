"""What experts are worth in dense parameters, and what they cost."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, line, mark

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.batch.quality import BOARD, SPARSE
from ridgeline.boards.picture import Sheet

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL


drawn = partial(curves_of, BOARD)


def test_quality_is_what_experts_are_worth_and_take() -> None:
    """A23: 64 experts at 370 million are as good as 1.37 billion, and A32: 22 times the parameters."""
    found = drawn()
    assert mark(found, "S-BASE") == pytest.approx((64, 1.37e9), rel=5e-3)  # three digits
    assert np.interp(64, found.x, line(found, "RL-R")) == pytest.approx(2.7 * 370e6, rel=0.01)
    assert np.interp(64, found.x, line(found, "Hash")) == pytest.approx(3.0 * 370e6, rel=0.01)
    assert np.all(line(found, SPARSE) < line(found, "at most")[0])
    assert set(line(found, "his dense: 1.3B")) == {1.3e9}  # the level that he draws across
    cost = drawn(view=1)
    assert mark(cost, "memory") == pytest.approx((64, 22))
    assert "6,600" in next(one.text for one in cost.marks if one.name == "memory")


def test_all_laws_are_told_side_by_side() -> None:
    picture = BOARD.views[2].compute(BOARD.values(LECTURE))
    assert isinstance(picture, Sheet)
    worth = {name: float(found.removesuffix(" times")) for name, _, found in picture.rows}
    assert worth["S-BASE"] == pytest.approx(3.7, rel=5e-3)  # three digits
    assert worth["RL-R"] < worth["Hash"] < worth["Abnar"] < worth["S-BASE"] < worth["Krajewski"] < worth["cut into 16"]


def test_quality_of_a_model_has_its_own_expansion_at_a_size_that_the_laws_know() -> None:
    """DeepSeek-V3: 8 of 256 experts, and 17.9 times as many parameters as are active."""
    cost = drawn(CAREFUL, view=1)
    assert mark(cost, "memory") == pytest.approx((32, 17.9), rel=2e-3)
    assert BOARD.values(CAREFUL)["active_params"] == 370e6
