"""The loop that is compiled gives what the interpreted one does, to the last bit."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from ridgeline.simulator.capacity import capacity_of
from ridgeline.simulator.fleet import serve
from ridgeline.simulator.limits import limits_for
from ridgeline.simulator.policies import CONTINUOUS, PROMPTS_FIRST, STATIC, departures
from ridgeline.simulator.policy import Policy
from ridgeline.simulator.routers import RoundRobin
from ridgeline.simulator.simulate import fleet_of, has_compiler
from ridgeline.traces.requests import Requests
from ridgeline.verbs import deploy

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("compiled")]  # compiling takes ten seconds, by one worker

CASES: dict[str, tuple[tuple[str, str, str], Policy, int | None]] = {
    "full": (("llama-3.1-8b", "h100-sxm", "tp1"), CONTINUOUS, None),
    "windows": (("gemma-3-27b", "h100-sxm", "tp2"), PROMPTS_FIRST, None),
    "groups": (("deepseek-v3", "h200-sxm", "dp8,ep8"), CONTINUOUS, None),
    "starved": (("llama-3.1-8b", "h100-sxm", "tp1"), CONTINUOUS, 600),
    "static": (("llama-3.1-8b", "h100-sxm", "tp1"), STATIC, 2000),
    "departures": (("llama-3.1-8b", "h100-sxm", "tp1"), departures(0.02), None),
}


def requests(seed: int, count: int = 600) -> Requests:
    rng = np.random.default_rng(seed)
    return Requests(
        arrivals_s=np.cumsum(rng.exponential(0.1, count)),
        prompt_tokens=rng.integers(1, 3000, count),
        output_tokens=rng.integers(1, 300, count),
    )


@pytest.mark.parametrize("case", CASES)
def test_both_are_equal_to_the_last_bit(case: str) -> None:
    names, policy, blocks = CASES[case]
    deployment = deploy(*names)
    limits = limits_for(deployment, policy, capacity_of(deployment, 1500.0, kv_blocks=blocks))
    whole = requests(1)
    parts = [whole.only(np.arange(start, start + 200)) for start in (0, 200, 400)]
    seen = []
    for is_compiled in (False, True):
        fleet = fleet_of(deployment, limits, 2, is_compiled=is_compiled)
        done = [one for _, one in serve(fleet, RoundRobin(), parts)]
        order = np.argsort(np.concatenate([one.number for one in done]))
        times = (np.concatenate([getattr(one, name) for one in done])[order] for name in ("first_s", "done_s"))
        states = ([*replica.counts, *replica.clocks] for replica in fleet)
        seen.append([np.array(one) for one in (*times, *states)])
    assert len(seen[0][0]) == len(whole)
    for one, other in zip(*seen, strict=True):
        assert np.array_equal(one, other)


def test_users_are_released_alike() -> None:
    assert has_compiler()
    deployment = deploy("llama-3.1-8b", "h100-sxm", "tp1")
    limits = limits_for(deployment, CONTINUOUS, capacity_of(deployment, 1500.0))
    asked = dataclasses.replace(requests(2), arrivals_s=np.where(np.arange(600) < 8, 0.0, math.inf))
    seen = []
    for is_compiled in (False, True):
        fleet = fleet_of(deployment, limits, 12, is_compiled=is_compiled)  # four of them have no user
        done = [one for _, one in serve(fleet, RoundRobin(), [asked], users=8)]
        order = np.argsort(np.concatenate([one.number for one in done]))
        seen.append(np.concatenate([one.done_s for one in done])[order])
    assert len(seen[0]) == 600
    assert np.array_equal(seen[0], seen[1])
