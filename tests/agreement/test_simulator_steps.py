"""Runs of steps in closed form give every request the times that a replica gives it one step at a time."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import math
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline.serving.surface import StepSurface
from ridgeline.serving.tabulate import step_surface
from ridgeline.simulator.limits import ReplicaLimits
from ridgeline.simulator.orders import shortest_first
from ridgeline.simulator.policies import CONTINUOUS, PROMPTS_FIRST, STATIC, departures
from ridgeline.simulator.policy import Policy
from ridgeline.simulator.replica import Finished, Replica
from ridgeline.simulator.stretches import Stretches, stretches_of
from ridgeline.traces.requests import Requests
from ridgeline.verbs import deploy

MOST_TOKENS, MOST_SEQUENCES, LONGEST = 512, 64, 1 << 14
CASES = {
    "full": ("llama-3.1-8b", "h100-sxm", "tp1", "vllm", "measured"),
    "full, roofline": ("llama-3.1-8b", "h100-sxm", "tp2", None, "roofline"),
    "full, napkin": ("llama-3.1-8b", "h100-sxm", "tp1", None, "napkin"),
    "windows": ("gemma-3-27b", "h100-sxm", "tp2", "vllm", "measured"),
    "windows, napkin": ("gemma-3-27b", "h100-sxm", "tp2", None, "napkin"),
    "chunked attention": ("llama-4-scout", "h100-sxm", "tp8", "vllm", "measured"),
    "groups": ("gpt-oss-120b", "b200-sxm", "tp2,dp2,ep4", "vllm", "measured"),
    "latent": ("deepseek-v3", "h200-sxm", "dp8,ep8", "sglang", "measured"),
    "indexer": ("deepseek-v3.2", "h200-sxm", "tp2,dp4,ep8", "vllm", "measured"),
    "compressed": ("deepseek-v4-flash", "h200-sxm", "dp8,ep8", "vllm", "measured"),
    "states": ("qwen3.5-397b-a17b", "b200-sxm", "tp8", "tensorrt-llm", "measured"),
}
TOLERANCE = 1e-8
"""Sums of up to some ten thousand steps differ in their last digits; anything else is a fault."""


@functools.cache
def surface(case: str) -> StepSurface:
    model, machine, layout, engine, fidelity = CASES[case]
    deployment = deploy(model, machine, layout, engine=engine, fidelity=fidelity)
    return step_surface(deployment, most_sequences=MOST_SEQUENCES, most_prompt_tokens=MOST_TOKENS)


@functools.cache
def curves(case: str) -> list[Stretches]:
    return stretches_of(surface(case), LONGEST)


@pytest.fixture(scope="module")
def steps() -> Iterator[ModuleType]:
    """The step-by-step replica, which is no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
        yield importlib.import_module("step_by_step")


@st.composite
def traces(draw: st.DrawFn, step_s: float) -> Requests:
    """A dozen requests: bursts, long prompts, single tokens."""
    count = draw(st.integers(1, 12))
    spread = step_s * draw(st.sampled_from([0.0, 0.3, 3.0, 40.0, 400.0]))
    seed = draw(st.integers(0, 2**20))
    gaps = np.random.default_rng(seed).exponential(spread, count) * draw(
        st.lists(st.sampled_from([0.0, 1.0, 1.0]), min_size=count, max_size=count).map(np.array)
    )
    prompts = st.one_of(st.integers(1, 40), st.integers(1, 700), st.integers(500, 5000))
    outputs = st.one_of(st.just(1), st.integers(1, 40), st.integers(100, 600))
    return Requests(
        arrivals_s=np.cumsum(gaps),
        prompt_tokens=np.array(draw(st.lists(prompts, min_size=count, max_size=count))),
        output_tokens=np.array(draw(st.lists(outputs, min_size=count, max_size=count))),
    )


@st.composite
def policies(draw: st.DrawFn, step_s: float) -> Policy:
    """Every policy, in both orders, with a cache that is read again or moved."""
    parts = draw(st.sampled_from([0.731, 1.137, 3.377]))
    policy = draw(st.sampled_from([CONTINUOUS, PROMPTS_FIRST, STATIC, departures(step_s * parts)]))
    order = draw(st.sampled_from([policy.order, shortest_first]))
    return dataclasses.replace(policy, order=order, is_swapped=draw(st.booleans()))


@st.composite
def runs(draw: st.DrawFn, case: str) -> tuple[ReplicaLimits, Requests]:
    """A trace, and what bounds the replica that serves it."""
    step_s, groups = surface(case).tables.decode_s[1], surface(case).deployment.layout.dp
    requests, policy = draw(traces(step_s)), draw(policies(step_s))
    block = draw(st.sampled_from([1, 7, 16, 64]))
    longest = math.ceil(int(np.max(requests.prompt_tokens + requests.output_tokens)) / block)
    every = int(np.sum(np.ceil((requests.prompt_tokens + requests.output_tokens) / block)))
    return ReplicaLimits(
        groups=groups,
        pass_tokens=draw(st.sampled_from([5, 64, 300, MOST_TOKENS])),
        sequences=draw(st.one_of(st.integers(1, 6), st.just(16 * groups))),
        blocks=draw(st.one_of(st.integers(longest, longest + 20), st.integers(longest, max(longest, every)))),
        block_tokens=block,
        is_reserved=draw(st.sampled_from([False, False, True])),
        gap_steps=draw(st.sampled_from([0, 0, 1, 5])),
        swap_token_s=draw(st.sampled_from([1e-7, 1e-5])) if policy.is_swapped else 0.0,
        policy=policy,
    ), requests


def leapt(case: str, limits: ReplicaLimits, requests: Requests) -> tuple[Finished, Replica]:
    replica = Replica(surface(case), curves(case), limits)
    replica.give(requests)
    replica.run(math.inf)
    return replica.take_finished(), replica


def same(found: Finished, wanted: Finished) -> None:
    assert found.first_s == pytest.approx(wanted.first_s, rel=TOLERANCE)
    assert found.done_s == pytest.approx(wanted.done_s, rel=TOLERANCE)


OFTEN = {"full", "groups", "latent"}
EACH = pytest.mark.parametrize(
    "case", [one if one in OFTEN else pytest.param(one, marks=pytest.mark.slow) for one in CASES]
)


@EACH
@settings(max_examples=20)
@given(data=st.data())
def test_every_token_comes_when_it_comes_step_by_step(steps: ModuleType, case: str, data: st.DataObject) -> None:
    limits, requests = data.draw(runs(case))
    found, replica = leapt(case, limits, requests)
    slow = steps.Scheduler(surface(case), steps.attended(curves(case)), limits, requests)
    slow.run()
    assert found.first_s == pytest.approx([one.first_s for one in slow.requests], rel=TOLERANCE)
    assert found.done_s == pytest.approx([one.done_s for one in slow.requests], rel=TOLERANCE)
    assert replica.counts.preemptions == slow.preemptions
    assert replica.counts.free_blocks == limits.blocks == slow.free


@EACH
@settings(max_examples=8)
@given(data=st.data())
def test_neither_shorter_runs_nor_stops_between_change_times(case: str, data: st.DataObject) -> None:
    limits, requests = data.draw(runs(case))
    whole, _ = leapt(case, limits, requests)
    single, _ = leapt(case, dataclasses.replace(limits, longest_run=data.draw(st.sampled_from([1, 7]))), requests)
    same(single, whole)
    stopping = Replica(surface(case), curves(case), limits)
    for at, arrival_s in enumerate(requests.arrivals_s.tolist()):
        stopping.run(arrival_s)
        stopping.give(requests.only(np.array([at])))
    for stop_s in data.draw(st.lists(st.floats(0, float(whole.done_s.max())), max_size=5).map(sorted)):
        stopping.run(stop_s)
    stopping.run(math.inf)
    same(stopping.take_finished(), whole)


SHORT = ReplicaLimits(
    groups=1,
    pass_tokens=300,
    sequences=5,
    blocks=10,
    block_tokens=16,
    is_reserved=False,
    gap_steps=0,
    swap_token_s=0.0,
    policy=CONTINUOUS,
)
FOUND = {
    # Somebody gave up memory, and who waited was let in only when the run ended, and not with the next step.
    "short of memory": (
        dataclasses.replace(SHORT, policy=departures(0.0044)),
        ([0.0073, 0.0151, 0.0245, 0.0247], [24, 120, 24, 16], [29, 29, 1, 29]),
    ),
    # The same, with caches on their way to the host.
    "moved": (
        dataclasses.replace(
            SHORT,
            sequences=16,
            blocks=83,
            block_tokens=7,
            swap_token_s=1e-5,
            policy=dataclasses.replace(PROMPTS_FIRST, is_swapped=True),
        ),
        ([0.00105, 0.0025, 0.0025, 0.0025, 0.0029, 0.0029], [22, 10, 20, 8, 8, 500], [16, 441, 1, 27, 101, 32]),
    ),
    # A departure at a multiple of its period that is rounded to less than the arrival: time stood still.
    "a departure at the arrival": (
        dataclasses.replace(SHORT, policy=departures(0.1)),
        ([0.9000000000000001], [20], [3]),
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_was_wrong_once(steps: ModuleType, name: str) -> None:
    limits, (arrivals_s, prompts, outputs) = FOUND[name]
    requests = Requests(
        arrivals_s=np.array(arrivals_s), prompt_tokens=np.array(prompts), output_tokens=np.array(outputs)
    )
    found, replica = leapt("full", limits, requests)
    slow = steps.Scheduler(surface("full"), steps.attended(curves("full")), limits, requests)
    slow.run()
    assert found.done_s == pytest.approx([one.done_s for one in slow.requests], rel=TOLERANCE)
    assert replica.counts.preemptions == slow.preemptions
