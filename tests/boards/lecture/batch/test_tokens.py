"""Tokens a second of a rack and of a provider."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, line, mark

from ridgeline.boards.board import ControlError, Facts, Mode
from ridgeline.boards.lecture import CLAIMS, fleet
from ridgeline.boards.lecture.batch.tokens import BOARD
from ridgeline.boards.named_marks import named_marks
from ridgeline.boards.picture import Curves, Sheet
from ridgeline.catalog import load_machine, load_model

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL


drawn = partial(curves_of, BOARD)


def sheet(mode: Mode = LECTURE, **turned: float) -> list[tuple[str, ...]]:
    picture = BOARD.views[2].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Sheet)
    return list(picture.rows)


def test_tokens_are_the_batch_over_the_step_and_the_seats_over_the_period() -> None:
    found = drawn(context_tokens=1)
    assert mark(found, "seats") == pytest.approx((2000, 128_000))  # A18
    batch, rate = mark(found, "balance")
    assert batch == pytest.approx(2400, rel=1e-4)  # but for a token of context
    assert rate == pytest.approx(2400 / (37e9 * 8 / (72 * 1e15 / 300)), rel=1e-3)
    limit = np.minimum(line(found, "compute"), line(found, "KV fetch"))
    assert np.all(line(found, "B / t") <= limit * (1 + 1e-12))
    assert np.all(line(found, "trains") <= line(found, "B / t"))


def test_where_a_rack_may_run_is_told_with_the_lectures_two_periods_and_the_fleet_apart() -> None:
    """A18's 64 departures a second, the 20 ms of before, and A26's nodes."""
    rows = sheet()
    assert rows[0] == ("trains", "2k", "15.6 ms", "128k")
    assert rows[1] == ("trains", "2k", "20 ms", "100k")
    assert rows[-1] == ("DeepSeek", "12.7k", "47.6 ms", "266k")
    assert fleet.DECODE_NODES * fleet.CHIPS_PER_NODE == 144
    assert [name for name, *_ in sheet(CAREFUL)] == ["trains", "DeepSeek"]


def test_the_memorys_limit_is_named_as_no_line_shows_it() -> None:
    (picture,) = named_marks(drawn(LECTURE))
    said = {one.name: one.text.split("\n")[0] for one in picture.marks if not one.is_quiet}
    assert list(said) == ["seats", "at once", "full"]
    assert said["full"] == "memory full:"


def test_balance_and_full_memory_are_two_points_of_a_rack() -> None:
    """A20: DeepSeek-V3 on 72 chips balances in 1.16 ms; full at 1,576 tokens it holds 123,000, for 25 ms and a bit.

    7 %: past 116,000 sequences arithmetic takes longer than the sweep of the memory.
    """
    batch, rate = mark(drawn(CAREFUL, context_tokens=1), "balance")
    assert batch / rate == pytest.approx(1.165e-3, rel=0.01)
    found = drawn(CAREFUL, context_tokens=1576)
    full, rate = mark(found, "full")
    assert full == pytest.approx(123e3, rel=0.01)
    assert full / rate == pytest.approx(0.02483, rel=0.07)


def test_careful_trains_are_the_ledgers() -> None:
    """A18: seats and period of one step, so that the trains lie on B / t."""
    (claim,) = (one for one in CLAIMS if one.id == "A18")
    found = drawn(CAREFUL)
    seats, rate = mark(found, "seats")
    assert rate == pytest.approx(claim.careful())
    assert rate == pytest.approx(float(np.interp(seats, found.x, line(found, "B / t"))))


def test_racks_that_googles_months_take() -> None:
    """A19, by the lecture's 128,000 a second."""
    found = drawn(view=1)
    assert mark(found, "a thousand") == pytest.approx((128e6, 1000))
    months = {name: mark(found, name) for name in ("Oct 2025", "May 2026")}
    assert [x for x, _ in months.values()] == pytest.approx([502e6, 1235e6], rel=2e-3)  # three digits
    assert [y for _, y in months.values()] == pytest.approx([3918, 9645], rel=1e-3)


def test_no_rack_runs_a_batch_that_its_memory_does_not_hold() -> None:
    facts = Facts(model=load_model("kimi-k2"), machine=load_machine("h200-sxm"))
    rack, traffic, _ = BOARD.pictures(BOARD.values(CAREFUL, {"context_tokens": 4096}, facts))
    assert isinstance(rack, Curves)
    assert isinstance(traffic, Curves)
    assert np.all(np.diff(line(rack, "B / t")) >= 0)
    full, rate = mark(rack, "full")
    assert "balance" not in {each.name for each in rack.marks}
    assert full > mark(rack, "seats")[0]  # a shorter context than the seats are of
    assert line(traffic, "back to back") == pytest.approx(traffic.x / rate)
    # The fewest chips that hold it leave room for fewer sequences than a train has seats.
    too_small = Facts(model=load_model("megatron-1t"), machine=load_machine("h100-sxm"))
    with pytest.raises(ControlError, match="has no seats"):
        BOARD.values(CAREFUL, facts=too_small)
