"""The rack beside steps of a batch has the numbers of their boards: lines, marks and schedules."""

from __future__ import annotations

import numpy as np
import pytest
from tests.boards.lecture.racks import EXACT, STEPS, asked_at, held, known_at, painted, rack_of, seen_at, spent

from ridgeline.boards.board import Mode
from ridgeline.boards.colour import Colour
from ridgeline.boards.place import line_named
from ridgeline.boards.walk import drawn, height, mark_named


@pytest.mark.parametrize(
    ("name", "mark"),
    [("latency-0:09:10", "balance batch without contexts"), ("latency-0:20:00", "balance batch without contexts")],
)
def test_a_step_takes_the_times_that_its_lines_have(name: str, mark: str) -> None:
    seen, rack = seen_at(name)
    batch = mark_named(seen, mark).x
    step = height(seen, "step", batch)
    for line, colour in (("compute", Colour.COMPUTE), ("weight fetch", Colour.WEIGHTS), ("KV fetch", Colour.KV)):
        assert spent(rack, colour) == pytest.approx(height(seen, line, batch) / step, rel=EXACT)


def test_what_is_told_so_far_is_a_part_of_the_whole() -> None:
    whole = seen_at("latency-0:09:10")[1]
    for name, shown in (
        ("latency-0:03:45", {Colour.COMPUTE}),
        ("latency-0:05:00", {Colour.COMPUTE, Colour.WEIGHTS}),
    ):
        rack = seen_at(name)[1]
        scale = spent(whole, Colour.COMPUTE) / spent(rack, Colour.COMPUTE)
        # How long the step is with the rest is not told yet.
        assert max(spent(rack, colour) for colour in shown) == 1
        for colour in (Colour.COMPUTE, Colour.WEIGHTS, Colour.KV):
            took = spent(whole, colour) if colour in shown else 0
            assert scale * spent(rack, colour) == pytest.approx(took, rel=EXACT)
            assert held(rack, colour) == (held(whole, colour) if colour in shown else 0)


def test_one_user_costs_what_reading_the_weights_costs() -> None:
    seen, rack = seen_at("cost-0:13:00")
    cost = height(seen, "cost", 1)
    for line, colour in (("weight fetch", Colour.WEIGHTS), ("compute", Colour.COMPUTE), ("KV fetch", Colour.KV)):
        assert spent(rack, colour) == pytest.approx(height(seen, line, 1) / cost, rel=EXACT)


@pytest.mark.parametrize("name", ["cost-0:13:00", "cost-0:15:39"])
def test_cache_is_in_proportion_to_the_batch_that_a_bill_is_read_at(name: str) -> None:
    seen, rack = seen_at(name)
    assert rack.kv_of_one is not None
    values = seen.values[seen.mode]
    one = values["context_tokens"] * values["kv_bytes_per_token"]
    weights = values["active_params"] * values["expansion"] * values["bytes_per_param"]
    assert rack.kv_of_one / held(rack, Colour.WEIGHTS) == pytest.approx(one / weights, rel=EXACT)


def test_a_fast_step_is_as_much_shorter_as_it_is_sold() -> None:
    for seen, rack in (seen_at("modes-0:09:54"), known_at("modes-0:09:54")):
        regular, fast = (spent(rack, Colour.WEIGHTS, place) + spent(rack, Colour.ASIDE, place) for place in (0, 1))
        assert regular / fast == pytest.approx(mark_named(seen, "fast mode").x, rel=EXACT)
    # The share of the weights is what no price gets below, which would tell where the curve goes.
    assert not spent(rack, Colour.WEIGHTS)


def test_sparse_attention_reads_what_its_lines_have() -> None:
    seen, rack = seen_at("sparse-0:12:31")
    full, root, indexed = (track.busy[0].end for track in rack.cabinets[0].tracks)
    at = asked_at("sparse-0:12:31")
    for name, part in (("full", full), ("indexer", indexed)):
        assert part == pytest.approx(height(seen, name, at) / at, rel=EXACT)
    # A straight line on the axes that it is drawn on.
    curves = drawn(seen)
    read = np.exp(np.interp(np.log(at), np.log(curves.x), np.log(line_named(curves, "square root").y)))
    assert root == pytest.approx(float(read) / at, rel=EXACT)
    assert len(known_at("sparse-0:12:31")[1].cabinets[0].tracks) == 2


def test_a_dense_model_computes_by_its_ratio() -> None:
    seen, rack = seen_at("ratio-0:17:00")
    assert spent(rack, Colour.COMPUTE) == spent(rack, Colour.WEIGHTS) == 1
    ratio = seen.values[seen.mode]["balance_ratio"]
    turned = rack_of(STEPS["ratio-0:17:00"], Mode.LECTURE, {"balance_ratio": 2 * ratio})
    assert spent(turned, Colour.COMPUTE) == pytest.approx(0.5, rel=EXACT)


def test_who_just_missed_a_train_waits_for_all_of_it() -> None:
    seen, rack = seen_at("departures-0:21:40", view=1)
    worst = height(seen, "just missed", seen.values[seen.mode]["load_fraction"])
    assert spent(rack, Colour.BOUND) * worst == pytest.approx(seen.values[seen.mode]["period_s"], rel=EXACT)
    assert spent(rack, Colour.ASIDE) + spent(rack, Colour.BOUND) == pytest.approx(1, rel=EXACT)


def test_a_token_uses_the_part_of_the_weights_that_is_active() -> None:
    seen, rack = seen_at("quality-0:30:13", view=1)
    times = height(seen, "in memory, and balance batch", seen.values[seen.mode]["experts"])
    # To a whole chip.
    assert painted(rack, Colour.WEIGHTS) == pytest.approx(1 / times, abs=0.5 / rack.cabinets[0].chips)


def test_long_contexts_leave_compute_the_share_that_is_drawn() -> None:
    seen, rack = seen_at("utilisation-0:11:00")
    at = mark_named(seen, "twice the crossover").x
    assert spent(rack, Colour.COMPUTE) == pytest.approx(height(seen, "largest batches", at), rel=EXACT)


def test_a_trains_users_are_read_in_the_time_that_their_step_takes() -> None:
    seen, rack = seen_at("tokens-0:26:25")
    values = seen.values[seen.mode]
    seats, period_s = values["seats"], values["period_s"]
    step_s = seats / height(seen, "B / t", seats)
    read = spent(rack, Colour.WEIGHTS) + spent(rack, Colour.KV)
    assert max(read, spent(rack, Colour.COMPUTE)) * period_s == pytest.approx(step_s, rel=EXACT)
    full = mark_named(seen, "full").x
    weights, kv = held(rack, Colour.WEIGHTS), held(rack, Colour.KV) / seats
    assert weights + kv * full <= 1 < weights + kv * (full + 1)
