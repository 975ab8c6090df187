"""Bands around what a simulation found: as wide as steps are unsure, wider where queues stand."""

from __future__ import annotations

import math

import pytest

from ridgeline.serving.tabulate import step_surface
from ridgeline.simulator.bands import Intervals, with_bands
from ridgeline.simulator.capacity import capacity_of
from ridgeline.simulator.limits import limits_for
from ridgeline.simulator.outcome import Bands, Simulation
from ridgeline.simulator.policies import CONTINUOUS
from ridgeline.simulator.served import ServedRequests
from ridgeline.simulator.simulate import simulate
from ridgeline.traces import synthetic
from ridgeline.traces.arrivals import Poisson
from ridgeline.traces.request_lengths import Fixed
from ridgeline.verbs import deploy


def played(requests_per_s: float, intervals: Intervals | None) -> tuple[Simulation, Bands]:
    deployment = deploy("llama-3.1-8b", "h100-sxm", "tp1", engine="vllm")
    lengths = Fixed(prompt_tokens=800, output_tokens=80)
    source = synthetic(requests=300, arrivals=Poisson(requests_per_s), lengths=lengths, seed=3)
    capacity = capacity_of(deployment, 840.0)

    def play(step_factor: float) -> tuple[Simulation, ServedRequests]:
        return simulate(
            deployment,
            source.blocks(),
            limits=limits_for(deployment, CONTINUOUS, capacity),
            capacity=capacity,
            step_factor=step_factor,
        )

    found, _ = with_bands(play, intervals)
    assert found.bands is not None
    return found, found.bands


def interval(width: float, of_first: float) -> Intervals:
    return (math.exp(-width), math.exp(width)), (math.exp(-of_first), math.exp(of_first))


def test_bands_contain_what_was_found_and_grow_with_the_interval() -> None:
    found, narrow = played(20.0, interval(0.05, 0.1))
    _, wide = played(20.0, interval(0.1, 0.2))
    for name in ("ttft_s", "tpot_s", "e2e_s"):
        for part in ("mean", "p50", "p90", "p99"):
            ends = [getattr(end, part) for bands in (wide, narrow) for end in getattr(bands, name)]
            assert ends[0] < ends[2] < getattr(getattr(found, name), part) < ends[3] < ends[1], (name, part)
    assert wide.output_tokens_per_s[0] <= narrow.output_tokens_per_s[0] <= found.output_tokens_per_s
    assert narrow.output_tokens_per_s[1] <= wide.output_tokens_per_s[1]


def test_a_sure_estimate_has_no_band() -> None:
    found, none = played(20.0, interval(0.0, 0.0))
    assert none.tpot_s == (found.tpot_s, found.tpot_s)
    assert none.ttft_s == (found.ttft_s, found.ttft_s)


def test_alone_a_step_is_as_unsure_as_its_estimate_and_a_queue_multiplies_it() -> None:
    width = 0.1
    _, idle = played(0.05, interval(width, width))
    low, high = idle.tpot_s
    assert math.log(high.mean / low.mean) == pytest.approx(2 * width, rel=0.01)  # hardly anybody meets anybody
    found, busy = played(60.0, interval(width, width))
    assert found.busy_fraction > 0.9
    assert math.log(busy.ttft_s[1].mean / busy.ttft_s[0].mean) > 4 * width


def test_left_out_the_interval_is_that_of_the_deployment() -> None:
    found, bands = played(20.0, None)
    assert bands.tpot_s[0].mean < found.tpot_s.mean < bands.tpot_s[1].mean
    assert bands == played(20.0, None)[1]


def test_a_scaled_surface_takes_as_many_times_as_long_in_every_step() -> None:
    surface = step_surface(deploy("gemma-3-27b", "h100-sxm", "tp2"), most_sequences=32, most_prompt_tokens=512)
    twice = surface.scaled(2.0)
    for decoding, chunks in ((0, [(300, 0)]), (7, []), (12, [(100, 3000), (20, 0)])):
        entries = [one * decoding for one in surface.entries(2000)] if decoding else []
        one_s = surface.ragged_step_s(decoding, entries, chunks)
        assert twice.ragged_step_s(decoding, entries, chunks) == pytest.approx(2 * one_s, rel=1e-12)
