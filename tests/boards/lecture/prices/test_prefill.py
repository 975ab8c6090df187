"""The board of reading against writing."""

from __future__ import annotations

import pytest
from tests.boards.reading import mark

from ridgeline.boards.board import Mode
from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.prices.prefill import BOARD
from ridgeline.boards.picture import Curves


def drawn(mode: Mode, **turned: float) -> Curves:
    (picture,) = BOARD.pictures(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def careful(name: str) -> float:
    (claim,) = (one for one in CLAIMS if one.id == name)
    found = claim.careful()
    assert found is not None
    return found


def test_prefill_is_bound_by_compute_from_the_price_ratio_on() -> None:
    found = drawn(Mode.LECTURE)
    assert mark(found, "decode") == pytest.approx((1, 5))  # D6
    assert mark(found, "bound by compute from here") == pytest.approx((5, 1))  # D8


def test_a_large_batch_short_of_the_crossover_computes() -> None:
    """D7: without the filled-in fifth of a balance batch, decode costs what prefill does."""
    batches = BOARD.control("balance_batches").lecture
    assert isinstance(batches, Constant)
    assert batches.origin is Origin.FILLED_IN
    found = drawn(Mode.LECTURE, balance_batches=1e6)
    assert [one.name for one in found.marks] == ["decode"]
    assert mark(found, "decode") == (1, 1)


def test_the_board_and_the_claims_have_one_careful_number() -> None:
    """D7 and D8, and A26's balance batches."""
    found = drawn(Mode.CAREFUL)
    assert mark(found, "decode")[1] == pytest.approx(careful("D7"))
    assert mark(found, "bound by compute from here")[0] == pytest.approx(careful("D8"))
    assert BOARD.values(Mode.CAREFUL)["balance_batches"] == pytest.approx(careful("A26"))
