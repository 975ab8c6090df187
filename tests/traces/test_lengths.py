"""What a pool sees of lengths that differ, against averages over single tokens."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline.errors import RidgelineError
from ridgeline.estimator.attention import attended
from ridgeline.planner.plan import plan
from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import most_sequences, pool_curves
from ridgeline.specs.demand import Demand
from ridgeline.specs.passes import Lane
from ridgeline.specs.workload import Workload
from ridgeline.traces import Trace, workload_of
from ridgeline.verbs import deploy

EXACT = 1e-12
"""Sums in floats, in another order."""

requests = st.lists(st.tuples(st.integers(1, 300), st.integers(1, 80)), min_size=1, max_size=12).filter(
    lambda found: max(output for _, output in found) > 1
)


def trace(lengths: list[tuple[int, int]]) -> Trace:
    prompts, outputs = np.array(lengths, dtype=float).T
    return Trace(path="log", format="made up", prompt_tokens=prompts, output_tokens=outputs)


def lanes(workload: Workload) -> tuple[Lane, Lane]:
    return workload.decode_step(1).only_lane, workload.prompt_pass(1, 1).only_lane


def full(lane: Lane) -> float:
    return float(attended(lane, by_token=lambda place: place, over_prompt=lambda prompt: prompt * (prompt + 1) / 2))


@given(requests, st.sampled_from([0.0, 0.3, 0.9]))
@settings(deadline=None)
def test_attention_is_its_average_over_single_tokens(lengths: list[tuple[int, int]], hits: float) -> None:
    workload = workload_of(trace(lengths), hit_fraction=hits)
    step, prompt = lanes(workload)
    cached = [min(int(hits * tokens), tokens - 1) for tokens, _ in lengths]
    # A step's tokens: of each request those behind its first, which its prompt gives.
    places = [place for tokens, output in lengths for place in range(tokens + 1, tokens + output)]
    assert full(step) == pytest.approx(np.mean(places), rel=EXACT)
    read = [place for (tokens, _), there in zip(lengths, cached, strict=True) for place in range(there + 1, tokens + 1)]
    assert full(prompt) == pytest.approx(sum(read) / len(lengths), rel=EXACT)
    assert workload.read_tokens == pytest.approx(len(read) / len(lengths), rel=EXACT)


@given(requests, st.integers(1, 350))
@settings(deadline=None)
def test_a_window_is_off_by_one_part_of_the_tokens_at_most(lengths: list[tuple[int, int]], window: int) -> None:
    workload = workload_of(trace(lengths))
    if workload.lengths is None:
        return
    places = [place for tokens, output in lengths for place in range(tokens + 1, tokens + output)]
    found = np.mean(np.minimum(workload.lengths.decode_positions, window))
    # Inside the part where the cap lies, the mean of minima is below the minimum of the mean by a quarter of its width;
    # and a place stands for the whole token around it, which the cap cuts.
    slack = np.ptp(workload.lengths.decode_positions) / 256 + 0.25
    assert np.mean(np.minimum(places, window)) == pytest.approx(found, abs=slack)


@given(requests, st.sampled_from([0.0, 0.5, 1.0]))
@settings(deadline=None)
def test_what_is_held_is_that_of_the_requests_under_way(lengths: list[tuple[int, int]], part: float) -> None:
    workload = workload_of(trace(lengths))
    held = [tokens + part * output for tokens, output in lengths for _ in range(output - 1)]
    assert np.mean(workload.held_tokens(part)) == pytest.approx(np.mean(held), rel=EXACT)
    assert workload.longest_tokens == max(tokens + output for tokens, output in lengths)
    assert workload.longest_prompt_tokens == max(tokens for tokens, _ in lengths)


def test_requests_that_are_alike_are_planned_as_by_their_numbers() -> None:
    deployment = deploy("llama-3.1-8b", "h100-sxm")
    numbers = Workload(prompt_tokens=1500, output_tokens=300, ttft_s=1.0)
    alike = workload_of(trace([(1500, 300)] * 7), ttft_s=1.0)
    assert alike == numbers
    demand = Demand(requests_per_s=5.0)
    found, expected = (plan(deployment, one, demand=demand) for one in (alike, numbers))
    assert found.plans[0] == expected.plans[0]


def test_requests_nearly_alike_are_nearly_planned_so() -> None:
    """The way of lengths that differ, and that of numbers, meet."""
    deployment = deploy("llama-3.1-8b", "h100-sxm", "tp1")
    numbers = Workload(prompt_tokens=1500, output_tokens=300)
    nearly = workload_of(trace([(1500, 300)] * 999 + [(1501, 300)]))
    assert nearly.lengths is not None
    grid = [np.array([8.0, 64.0])]
    found, expected = (
        pool_curves(pool_times([deployment], one, 64), [deployment], one, grid)[0] for one in (nearly, numbers)
    )
    for field in dataclasses.fields(found):
        # A thousandth of the prompts is longer by less than a thousandth.
        assert getattr(found, field.name) == pytest.approx(getattr(expected, field.name), rel=1e-5)
    assert most_sequences(deployment, nearly) == most_sequences(deployment, numbers)


def test_longer_tails_of_the_same_mean_wait_longer_and_read_more() -> None:
    deployment = deploy("llama-3.1-8b", "h100-sxm", "tp1")
    even = workload_of(trace([(3999, 200), (4001, 200)]))
    tailed = workload_of(trace([(1000, 200)] * 3 + [(13000, 200)]))
    assert even.prompt_tokens == tailed.prompt_tokens
    times = [pool_times([deployment], one, 64) for one in (even, tailed)]
    variations = [float(np.squeeze(one.prompt_variation)) for one in times]
    assert variations[0] < 1e-6
    # That of the lengths, but for the fixed cost of a pass, which lessens it, and attention, which adds: a tenth.
    assert variations[1] == pytest.approx(1.6875, rel=0.1)
    assert times[0].lone_s[0] < times[1].lone_s[0]  # attention grows with the square
    found, other = (
        plan(deploy("llama-3.1-8b", "h100-sxm"), one, demand=Demand(requests_per_s=3.0)).plans[0]
        for one in (even, tailed)
    )
    assert found.layout == other.layout
    assert found.ttft_s < other.ttft_s


def test_the_longest_must_fit() -> None:
    found = plan(deploy("llama-3.1-8b", "h100-sxm"), workload_of(trace([(1000, 200)] * 99 + [(10**6, 200)])), chips=1)
    assert not found.plans
    assert "the longest sequence, of 1,000,200 tokens, keeps" in found.rejected[0].reason


def test_nothing_to_decode_is_refused() -> None:
    with pytest.raises(RidgelineError, match="nothing to decode"):
        workload_of(trace([(10, 1), (20, 1)]))
