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
from ridgeline.serving.load import prompts_per_s, read_by_users_wait_s
from ridgeline.serving.open_curves import open_prefill_pools
from ridgeline.serving.passes import pool_passes, pool_times
from ridgeline.serving.stages import occupied_s
from ridgeline.serving.tabulate import step_surface
from ridgeline.simulator.capacity import capacity_of
from ridgeline.simulator.limits import limits_for
from ridgeline.simulator.player import PromptReplicas
from ridgeline.simulator.policies import policy_of
from ridgeline.simulator.routers import RoundRobin
from ridgeline.simulator.served import ServedRequests
from ridgeline.simulator.side import Side
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload
from ridgeline.traces.requests import Requests
from ridgeline.verbs import deploy, simulate

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


@pytest.mark.parametrize("part", [0.3, 0.6, 0.85])
@pytest.mark.parametrize("name", ["tokens of one pass", "long prompts", "groups of experts", "stages"])
def test_first_tokens_of_a_prefill_pool_at_random_are_those_that_are_played(name: str, part: float) -> None:
    """The closed form of one pool, whose requests go after a step; a run of this length is off by some percent."""
    model, machine, layout, prompt = {
        "tokens of one pass": ("llama-3.1-70b", "h100-sxm", "tp4", 2000),
        "long prompts": ("llama-3.1-8b", "h100-sxm", "tp1", 12000),
        "groups of experts": ("deepseek-v3", "h200-sxm", "ep8,dp8", 2000),
        "stages": ("llama-3.1-70b", "h100-sxm", "pp3", 2000),
    }[name]
    deployment, workload = deploy(model, machine, layout), Workload(prompt_tokens=prompt, output_tokens=OUTPUT)
    times = pool_times([deployment], workload, 8.0)
    rate = part * float(prompts_per_s(times)[0])
    count = 2500
    requests = Requests(
        arrivals_s=np.cumsum(np.random.default_rng(3).exponential(1 / rate, count)),
        prompt_tokens=np.full(count, prompt),
        output_tokens=np.full(count, OUTPUT),
    )
    served = simulate(
        deployment, requests, replicas=4, prompt_pool=PromptReplicas(deployment=deployment), has_bands=False
    )[1]
    ((within_s, mean_s),) = open_prefill_pools(times, [deployment], workload).first_tokens([np.array([rate])], 0.9)
    # Of stages it is late, by up to six tenths near capacity, which it takes to be a tenth lower; never too soon.
    most = 1.7 if deployment.layout.pp > 1 else 1.2
    assert 0.8 < within_s[0] / np.quantile(served.ttft_s, 0.9) < most
    assert 0.8 < mean_s[0] / served.ttft_s.mean() < most


@pytest.mark.parametrize("users", [1, 2, 10, 20, 40, 60, 80, 100, 150])
def test_users_before_a_prefill_pool_wait_as_long_as_where_their_queue_is_played(users: int) -> None:
    """Passes that take all who wait, up to four. Rates within 4 %; means that measured loops' bunches make longer."""
    once_s, more_s, most, think_s = 0.018, 0.132, 4, 10.0
    chance = np.random.default_rng(users)
    coming = sorted(chance.uniform(0, think_s, users))
    now_s = 0.0
    first_s: list[float] = []
    ends_s: list[float] = []
    while len(first_s) < 6000:
        now_s = max(now_s, coming[0])
        read = [one for one in coming[:most] if one <= now_s]
        now_s += once_s + more_s * len(read)
        coming = sorted([*coming[len(read) :], *(now_s + think_s * chance.uniform(0.7, 1.3, len(read)))])
        first_s += [now_s - one for one in read]
        ends_s += [now_s] * len(read)
    played_s, played_per_s = np.mean(first_s[1000:]), (len(ends_s) - 1000) / (ends_s[-1] - ends_s[999])
    lone_s, prompt_s = once_s + more_s, more_s + once_s / most
    wait_s = float(read_by_users_wait_s(0.0, users=users, apart_s=think_s + lone_s, prompt_s=prompt_s))
    assert users / (think_s + lone_s + wait_s) == pytest.approx(played_per_s, rel=0.04)
    assert lone_s + wait_s > 0.8 * played_s
    bunched_s = float(read_by_users_wait_s(0.4, users=users, apart_s=think_s + lone_s, prompt_s=prompt_s))
    assert wait_s <= bunched_s <= (users - 1) * prompt_s
