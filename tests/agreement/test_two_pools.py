"""A prefill pool: the rate that plans of two pools count on beside the simulator, which plays each of its passes.

Nothing was fitted to either. What remains between them is small: plans read whole prompts in each pass, while engines
fill it to its last token, and so cut one prompt in two: up to 4 % more where that adds a tile to each expert.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from tests.simulator.both_pools import simulate_two_pools

from ridgeline.estimator.memory import limits_of
from ridgeline.serving.load import prompts_per_s
from ridgeline.serving.passes import pool_passes, pool_times
from ridgeline.serving.stages import occupied_s
from ridgeline.serving.tabulate import step_surface
from ridgeline.simulator.capacity import capacity_of
from ridgeline.simulator.limits import limits_for
from ridgeline.simulator.policies import policy_of
from ridgeline.simulator.routers import RoundRobin
from ridgeline.simulator.served import ServedRequests
from ridgeline.simulator.side import Side
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload
from ridgeline.traces.requests import Requests
from ridgeline.verbs import deploy

PROMPT, OUTPUT = 4000, 20
WORKLOAD = Workload(prompt_tokens=PROMPT, output_tokens=OUTPUT)

CUT_PROMPTS = 0.04
"""Largest difference of both rates: a cut prompt's second launches, and a tile of each expert beyond whole prompts."""

PAIRS = {
    "stages and groups": ("deepseek-v3", "gb200-nvl72", "pp2,ep2,dp2", "ep32,dp32", 2),
    "stages": ("llama-3.1-70b", "h100-sxm", "tp2,pp2", "tp8", 2),
    "groups": ("deepseek-v3", "gb200-nvl72", "ep4,dp4", "ep32,dp32", 2),
    "neither": ("llama-3.1-70b", "h100-sxm", "tp4", "tp8", 2),
}
EACH = pytest.mark.parametrize("name", PAIRS)


@functools.cache
def planned_per_s(name: str) -> float:
    """Prompts per second of the whole prefill pool, by the closed form of plans."""
    model, machine, reading, _, replicas = PAIRS[name]
    deployment = deploy(model, machine, reading)
    return replicas * float(prompts_per_s(pool_times([deployment], WORKLOAD, 1.0))[0])


def side(deployment: Deployment, replicas: int) -> Side:
    capacity = capacity_of(deployment, float(PROMPT + OUTPUT))
    limits = limits_for(deployment, policy_of(limits_of(deployment)), capacity)
    return Side(deployment=deployment, limits=limits, capacity=capacity, replicas=replicas, router=RoundRobin())


def played(name: str, part: float, count: int) -> ServedRequests:
    """Requests that arrive at a part of the planned rate, and are decoded at ease."""
    model, machine, reading, writing, replicas = PAIRS[name]
    gaps_s = np.random.default_rng(3).exponential(1 / (part * planned_per_s(name)), count)
    requests = Requests(
        arrivals_s=np.cumsum(gaps_s), prompt_tokens=np.full(count, PROMPT), output_tokens=np.full(count, OUTPUT)
    )
    sides = side(deploy(model, machine, reading), replicas), side(deploy(model, machine, writing), 4)
    return simulate_two_pools(*sides, requests)[1]


@pytest.mark.slow
@EACH
def test_a_pool_with_a_queue_reads_as_many_prompts_as_plans_count_on(name: str) -> None:
    served = played(name, 1.5, 600)
    first_s = np.sort(served.arrivals_s + served.ttft_s)
    # All that came by then wait; at the end, replicas run out of prompts one after the other.
    kept = first_s[len(first_s) // 4 : -len(first_s) // 10]
    assert len(kept) / (kept[-1] - kept[0]) == pytest.approx(planned_per_s(name), rel=CUT_PROMPTS)


@pytest.mark.slow
@EACH
def test_no_queue_grows_at_nine_tenths_of_it(name: str) -> None:
    served = played(name, 0.9, 2000)
    in_order = served.ttft_s[np.argsort(served.arrivals_s)]
    early, late = np.median(in_order[200:800]), np.median(in_order[-600:])
    assert late < 2 * early  # where one in ten could not be read, late ones would wait for 60 more than early ones


@EACH
def test_a_full_pass_takes_as_long_in_both(name: str) -> None:
    """Interpolated tables are off by 0.4 % at most, a launch of attention for each group included."""
    model, machine, reading, _, _ = PAIRS[name]
    deployment = deploy(model, machine, reading)
    passes = pool_passes(deployment, WORKLOAD, 1.0)
    stages, count = deployment.layout.pp, int(passes.prompts[-1]) // deployment.layout.pp
    closed_s = occupied_s(deployment, passes.prefill, passes.prompts.shape)[-1] / stages
    surface = step_surface(deployment, most_sequences=1)
    assert surface.ragged_step_s(0, (), [(PROMPT, 0)] * count) == pytest.approx(closed_s, rel=4e-3)
