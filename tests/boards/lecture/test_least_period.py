"""No train of the timetable leaves before the weights are read."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import ControlError, Mode
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.batch import departures
from ridgeline.boards.lecture.batch.trains import least_period_s


def test_the_least_period_is_the_time_to_read_the_weights() -> None:
    (weights,) = (one for one in CLAIMS if one.id == "A20")
    assert least_period_s() == pytest.approx(weights.lecture_mode(), rel=0.005)  # three digits


def test_a_shorter_period_is_refused() -> None:
    board = departures.BOARD
    facts = board.facts()
    assert board.values(Mode.LECTURE, {"period_s": least_period_s()}, facts)["period_s"] == least_period_s()
    with pytest.raises(ControlError):
        board.values(Mode.LECTURE, {"period_s": 133e-6}, facts)
