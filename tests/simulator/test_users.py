"""Users of a closed loop: each request that they ask is served, whatever the router and the number of replicas."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np
import pytest

from ridgeline import RidgelineError, deploy, simulate
from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.routers import ROUTERS
from ridgeline.simulator.served import ServedRequests
from ridgeline.simulator.simulate import Sieve
from ridgeline.specs.cache_tier import CacheTier
from ridgeline.specs.deployment import Deployment
from ridgeline.traces import Requests

SAME = 1e-9
"""Sums of steps in another order."""


@functools.cache
def deployment() -> Deployment:
    return deploy("llama-3.1-8b", "h100-sxm", "tp1", engine="ideal")


def asked(count: int) -> Requests:
    rng = np.random.default_rng(7)
    return Requests(
        arrivals_s=np.zeros(count),
        prompt_tokens=rng.integers(10, 3000, count),
        output_tokens=rng.integers(1, 80, count),
    )


def played(
    router: str, replicas: int, users: int, requests: Requests | None = None
) -> tuple[Simulation, ServedRequests]:
    return simulate(
        deployment(),
        asked(5 * users) if requests is None else requests,
        users=users,
        replicas=replicas,
        router=router,
        kv_blocks=2000,
        has_bands=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("users", "replicas"), [(10, 4), (4, 8), (20, 3)])
@pytest.mark.parametrize("router", ROUTERS)
def test_each_request_is_served_with_no_more_under_way_than_users(router: str, users: int, replicas: int) -> None:
    found, served = played(router, replicas, users)
    assert found.requests == found.completed == len(served) == 5 * users
    assert sorted(served.number.tolist()) == list(range(5 * users))
    when_s = np.concatenate([served.arrivals_s, served.arrivals_s + served.e2e_s]).round(9)
    change = np.repeat([1, -1], len(served))  # of those at one time, ends come first
    assert np.cumsum(change[np.lexsort((change, when_s))]).max() == users


@pytest.mark.parametrize("router", ["least-loaded", "prefix-aware"])
def test_one_replica_serves_alike_under_any_router(router: str) -> None:
    """A router that looks runs steps one by one, and the other leaps."""
    seen = [played(name, 1, 12)[1] for name in ("round-robin", router)]
    for name in ("number", "arrivals_s", "ttft_s", "e2e_s"):
        ours, theirs = (getattr(one, name)[np.argsort(one.number)] for one in seen)
        np.testing.assert_allclose(ours, theirs, rtol=SAME, atol=SAME)


def test_the_next_request_goes_where_fewest_are_under_way() -> None:
    """In turn, each replica gets the same number; by load, the one with short answers gets more."""
    requests = asked(200)
    outputs = np.where(np.arange(200) % 2, 20, 400)
    alike = Requests(arrivals_s=requests.arrivals_s, prompt_tokens=np.full(200, 100), output_tokens=outputs)
    for router, fewest in (("round-robin", 100), ("least-loaded", 60)):
        _, served = played(router, 2, 2, alike)
        counts = np.bincount(served.replica, minlength=2)
        assert counts.sum() == 200
        assert (counts.min() == fewest) == (router == "round-robin")


def test_who_is_refused_asks_the_next_request() -> None:
    """A request that no cache holds is answered at once, and takes no user away."""
    requests = asked(60)
    requests.prompt_tokens[[0, 2, 30]] = 40_000
    for router in ROUTERS:
        found, _ = played(router, 2, 6, requests)
        assert (found.requests, found.refused, found.completed) == (60, 3, 57)


@pytest.mark.parametrize("router", ["round-robin", "prefix-aware"])
def test_users_whose_prefixes_lie_in_a_shared_tier_are_all_served(tmp_path: Path, router: str) -> None:
    log, rng = tmp_path / "log.jsonl", np.random.default_rng(3)
    row = {"timestamp": 0, "input_length": 2048, "output_length": 20}
    firsts = rng.integers(0, 5, 60).tolist()
    log.write_text(
        "\n".join(json.dumps(row | {"hash_ids": [a, a + 10, a + 20, 100 + i]}) for i, a in enumerate(firsts))
    )
    found, _ = simulate(
        deployment(),
        log,
        users=6,
        replicas=3,
        router=router,
        tiers=[CacheTier(name="pool", capacity_bytes=1e12, read_bytes_per_s=100e9, is_shared=True)],
        kv_blocks=500,
        has_bands=False,
    )
    assert found.requests == found.completed == 60
    assert found.tiers[0].hit_tokens > 0


def test_a_run_that_lost_requests_is_refused() -> None:
    sieve = Sieve(10_000)
    assert len(list(sieve.through([asked(20)]))) == 1
    sieve.require_served(20)
    with pytest.raises(RidgelineError, match="1 are unaccounted for"):
        sieve.require_served(19)
