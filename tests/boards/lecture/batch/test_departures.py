"""The train's timetable, what it makes requests wait, and whom full trains leave behind."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import ControlError, Facts, Mode
from ridgeline.boards.lecture import fleet
from ridgeline.boards.lecture.batch.departures import BOARD, FULL, TRAINS
from ridgeline.boards.lecture.batch.trains import full_batch, full_train, rack_controls, step_s, sweep_s
from ridgeline.boards.picture import Curves, Timeline
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import departures

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL


def drawn(mode: Mode = LECTURE, *, view: int = 0, **turned: float) -> Curves:
    picture = BOARD.views[view].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def line(drawing: Curves, name: str) -> np.ndarray:
    return next(found.y for found in drawing.lines if found.name.startswith(name))


def mark(drawing: Curves, name: str) -> tuple[float, float]:
    return next((found.x, found.y) for found in drawing.marks if found.name == name)


def timetable(mode: Mode = LECTURE, **turned: float) -> Timeline:
    picture = BOARD.views[0].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Timeline)
    return picture


def test_trains_follow_each_other_and_take_a_period_each() -> None:
    trains = [block for block in timetable().blocks if block.row == 0]
    departures_s = [0.020 * place for place in range(1, TRAINS + 1)]
    assert [block.start for block in trains] == pytest.approx(departures_s)
    assert [block.end - block.start for block in trains] == pytest.approx([0.020] * TRAINS)


@pytest.mark.parametrize(
    ("request_row", "taken_s"), [("just\nmissed", 0.040), ("half\nway", 0.030), ("just in\ntime", 0.020)]
)
def test_a_request_waits_for_the_next_train_and_rides_it(request_row: str, taken_s: float) -> None:
    """A17: 40 ms at worst, 30 on the mean."""
    found = timetable()
    blocks = [block for block in found.blocks if block.row == found.rows.index(request_row)]
    assert max(block.end for block in blocks) - min(block.start for block in blocks) == pytest.approx(taken_s)


def test_who_is_left_behind_takes_the_next_train() -> None:
    found = timetable()
    full = [block for block in found.blocks if block.row == 0 and block.colour is FULL]
    assert [block.text for block in full] == ["2,000"]
    blocks = [block for block in found.blocks if block.row == found.rows.index("left\nbehind")]
    assert min(block.start for block in blocks) == full[0].start
    assert max(block.end for block in blocks) == pytest.approx(full[0].start + 2 * 0.020)
    assert "left\nbehind" not in timetable(load_fraction=0.9).rows


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


def test_a_model_that_does_not_fit_has_no_train() -> None:
    facts = Facts(model=load_model("kimi-k2"), machine=load_machine("h100-sxm"))
    assert full_train(facts) is None
    with pytest.raises(ControlError, match="kimi-k2 on h100-sxm has no period_s"):
        BOARD.values(CAREFUL, facts=facts)
    assert full_train(fleet.facts("gb200-nvl72")) is not None
