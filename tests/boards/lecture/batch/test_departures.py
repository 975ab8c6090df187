"""What trains make requests wait, and how often full ones leave some behind."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, line, mark

from ridgeline.boards.board import ControlError, Facts, Mode
from ridgeline.boards.lecture import fleet
from ridgeline.boards.lecture.batch.departures import BOARD
from ridgeline.boards.lecture.batch.trains import full_batch, full_train, rack_controls, step_s, sweep_s
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import departures

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL


drawn = partial(curves_of, BOARD)


def test_waits_are_as_the_equations_say() -> None:
    found = drawn(view=1)
    load, mean_s = mark(found, "load")
    extra_s = departures.extra_wait_s(arrivals=load * 2000, seats=2000, period_s=0.020)
    assert mean_s == pytest.approx(float(departures.mean_latency_s(period_s=0.020, extra_wait_s=extra_s)))
    assert line(found, "just missed")[0] == pytest.approx(0.040)
    assert np.all(line(found, "mean, bursty") >= line(found, "mean, Poisson"))


def test_overflow_is_poissons_tail_and_what_it_leaves() -> None:
    found = drawn(view=2, load_fraction=0.95, seats=2400)
    alone = departures.overfull_fraction(arrivals=0.95 * 2400, seats=2400.0)
    # 0.6 %, as the ledger's notes round it.
    assert (
        mark(found, "periods in which too many come")[1] == pytest.approx(float(alone)) == pytest.approx(6e-3, abs=5e-4)
    )
    assert mark(found, "trains that leave some behind")[1] > alone
    # The series of either is good to half a percent.
    assert np.all(line(found, "bursty") >= line(found, "Poisson") * (1 - 1e-2) - 1e-15)


def test_careful_seats_and_period_are_of_one_step_that_reads_the_whole_memory() -> None:
    """A20: the batch that fills the memory and the time to read it, not the balance batch and that time."""
    found = BOARD.values(CAREFUL)
    at = {one.name: one.start(CAREFUL, BOARD.facts()) for one in rack_controls()}
    numbers = {name: value for name, value in at.items() if value is not None}
    assert found["seats"] == full_batch(numbers)
    assert found["period_s"] == step_s(numbers, found["seats"])
    # But for a sequence that does not fit whole, and the input embedding, which lies there and is not read.
    assert found["period_s"] == pytest.approx(sweep_s("gb200-nvl72"), rel=1e-3)


def test_a_model_that_leaves_too_little_room_has_no_train() -> None:
    facts = Facts(model=load_model("megatron-1t"), machine=load_machine("h100-sxm"))
    assert full_train(facts) is None
    with pytest.raises(ControlError, match="megatron-1t on h100-sxm has no period_s"):
        BOARD.values(CAREFUL, facts=facts)
    assert full_train(fleet.facts("gb200-nvl72")) is not None
