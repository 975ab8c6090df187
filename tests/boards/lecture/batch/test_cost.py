"""Cost against batch: the step's time over its batch, and the floor below which no batch costs."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, line, mark

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import CLAIMS, fleet
from ridgeline.boards.lecture.batch import latency
from ridgeline.boards.lecture.batch.cost import BOARD
from ridgeline.boards.picture import Curves
from ridgeline.equations import roofline

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL


drawn = partial(curves_of, BOARD)


def test_cost_is_the_steps_over_the_batch() -> None:
    """72 chips at $2 an hour, by the step of the first drawing."""
    found, step = drawn(), latency.BOARD.views[0].compute(latency.BOARD.values(LECTURE))
    assert isinstance(step, Curves)
    step_s = np.interp(1000, step.x, line(step, "step"))
    # Between two points of a curve on a logarithmic grid.
    assert np.interp(1000, found.x, line(found, "cost")) == pytest.approx(step_s * 72 / 1000 * 2 / 3600, rel=1e-3)


def test_cost_falls_to_its_floor_which_is_the_arithmetic() -> None:
    found = drawn()
    cost, floor = line(found, "cost"), line(found, "compute: the floor")
    assert np.all(np.diff(cost) <= 1e-12 * cost[:-1])
    assert cost.min() == pytest.approx(floor[0])
    assert mark(found, "balance batch")[1] == pytest.approx(floor[0])


def test_what_one_sequence_alone_costs() -> None:
    """A4, careful: the balance ratio times the floor, since it reads its active parameters and no others."""
    assert mark(drawn(context_tokens=1), "one sequence")[1] / line(drawn(), "cost").min() == pytest.approx(
        2400, rel=1e-3
    )
    found = drawn(CAREFUL, context_tokens=1)
    claimed = next(one for one in CLAIMS if one.id == "A4").careful()
    assert claimed is not None
    ratio = mark(found, "one sequence")[1] / line(found, "cost").min()
    assert ratio == pytest.approx(claimed, rel=0.01)  # the token of context
    all_read = drawn(CAREFUL, context_tokens=1, expert_share=0)
    assert mark(all_read, "one sequence")[1] > 15 * mark(found, "one sequence")[1]


def test_beyond_the_crossover_the_kv_fetch_is_the_floor_and_no_batch_balances() -> None:
    """A21: a slow mode cannot share a context, which is each sequence's own."""
    assert BOARD.values(CAREFUL)["context_tokens"] == fleet.MEAN_CONTEXT_TOKENS
    found = drawn(CAREFUL)
    floor = line(found, "KV fetch: the floor")
    assert np.ptp(floor) == 0
    assert np.all(line(found, "cost") > floor)
    assert floor[0] > line(found, "compute")[0]
    assert "balance batch" not in {one.name for one in found.marks}


def test_the_cost_is_the_sum_of_weights_and_contexts_where_reading_binds() -> None:
    found = drawn(CAREFUL)
    assert line(found, "cost") == pytest.approx(line(found, "weight fetch") + line(found, "KV fetch"))


def test_arithmetic_at_the_floor_costs_its_chip_time() -> None:
    at = BOARD.values(CAREFUL)
    token_s = roofline.compute_time_s(tokens=1, active_params=at["active_params"], flop_per_s=at["flop_per_s"])
    assert line(drawn(CAREFUL), "compute")[0] == pytest.approx(float(token_s) * at["usd_per_chip_s"])


def test_beyond_the_memory_no_batch_is_drawn_as_if_it_fitted() -> None:
    values = BOARD.values(CAREFUL, {"context_tokens": 900_000})
    left = values["chips"] * values["hbm_bytes"] - (
        values["active_params"] * values["expansion"] * values["bytes_per_param"]
    )
    most = left // (values["context_tokens"] * values["kv_bytes_per_token"])
    drawing = drawn(CAREFUL, context_tokens=900_000)
    assert drawing.fits_to == most
    assert mark(drawing, "memory is full")[0] == most


def test_compute_takes_over_where_both_sums_of_the_bill_are_equal() -> None:
    drawing = drawn(Mode.LECTURE)
    assert drawing.takes_over_at == mark(drawing, "balance batch")[0]
    place = int(np.searchsorted(drawing.x, drawing.takes_over_at))
    compute, memory = (sum(part.y[place] for part in side) for side in drawing.bill)
    assert compute == pytest.approx(memory, rel=1e-9)  # the x is among the picture's own; sums of floats
    assert drawn(CAREFUL).takes_over_at is None  # contexts are read for longer than they are computed


def test_where_weights_fill_the_memory_not_one_sequence_fits() -> None:
    drawing = drawn(CAREFUL, chips=1)
    assert drawing.fits_to == 0
    assert next(found.text for found in drawing.marks if found.name == "memory is full").endswith("not one sequence")
