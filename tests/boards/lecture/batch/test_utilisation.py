"""MFU against context: full up to the crossover, half at twice that, and less where weights are read as well."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.boards.reading import curves_of, mark

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import CLAIMS, fleet
from ridgeline.boards.lecture.batch.utilisation import BOARD

drawn = partial(curves_of, BOARD)


def test_the_questions_100k_halves_at_200k() -> None:
    """A7."""
    assert mark(drawn(), "crossover") == pytest.approx((100e3, 1))
    assert mark(drawn(), "twice the crossover") == pytest.approx((200e3, 0.5))
    claim = next(one for one in CLAIMS if one.id == "A7")
    assert claim.lecture_mode() == pytest.approx(mark(drawn(), "twice the crossover")[1])


def test_three_balance_batches_are_busy_up_to_two_thirds_of_it() -> None:
    """Weights take a third of the time, and 1 / (1/3 + 2) is left at twice the crossover."""
    found = drawn(balance_batches=3.0)
    assert mark(found, "crossover of the batch") == pytest.approx((100e3 * 2 / 3, 1))
    run = next(one.y for one in found.lines if one.name.startswith("this batch"))
    assert np.interp(200e3, found.x, run) == pytest.approx(3 / 7)


@given(st.floats(0.2, 1e6), st.floats(100, 1e6))
def test_no_batch_is_busier_than_the_largest(batches: float, crossover: float) -> None:
    peak, largest, run = (one.y for one in drawn(balance_batches=batches, crossover_tokens=crossover).lines)
    assert np.all(largest <= peak)
    assert np.all(run <= largest * (1 + 1e-12))
    assert np.all(np.diff(run) <= 0)


def test_below_the_balance_batch_no_context_is_short_enough() -> None:
    found = drawn(balance_batches=0.5)
    assert "crossover of the batch" not in {one.name for one in found.marks}
    run = next(one.y for one in found.lines if one.name.startswith("this batch"))
    assert run.max() < 0.5


def test_careful_mode_is_of_the_fleet() -> None:
    values = BOARD.values(Mode.CAREFUL)
    assert values["crossover_tokens"] == pytest.approx(fleet.crossover_tokens(BOARD.machine))
    assert values["balance_batches"] == fleet.balance_batches()
