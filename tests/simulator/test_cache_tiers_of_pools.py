"""Tiers below the caches of a pool of prompts: what is fetched is read, held and moved as if it had been computed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.simulator.test_cache_tiers import TIERS, deployed, least_blocks, limits, surface, traces_of

from ridgeline.catalog.engines import load_engine
from ridgeline.simulator.limits import ReplicaLimits
from ridgeline.simulator.player import Player, PromptReplicas
from ridgeline.simulator.replica import Replica
from ridgeline.simulator.routers import LeastLoaded, RoundRobin
from ridgeline.simulator.served import ServedRequests, joined, served_of
from ridgeline.simulator.two_pools import serve_two_pools
from ridgeline.specs.cache_tier import CacheTier
from ridgeline.traces.requests import Requests

SAME = 1e-9
"""Sums of the same steps in another order."""


def making(blocks: int, longest_run: int) -> ReplicaLimits:
    return dataclasses.replace(limits(blocks, []), hashed_tokens=0, tier_token_bytes=0.0, longest_run=longest_run)


def played(parts: list[Requests], reading: ReplicaLimits, room: int) -> tuple[ServedRequests, list[Replica]]:
    readers = [Replica(*surface(), reading, is_staged=True) for _ in range(2)]
    writers = [Replica(*surface(), making(room, reading.longest_run)) for _ in range(2)]
    serving = serve_two_pools(readers, writers, RoundRobin(), LeastLoaded(), lambda tokens: 1e-3 + 1e-5 * tokens, parts)
    found = joined([served_of(one, place, load_engine("vllm")) for place, one in serving])
    for one in (*readers, *writers):
        assert one.is_idle
        assert one.counts.free_blocks == one.limits.blocks
    return found, readers


def assert_same(one: ServedRequests, other: ServedRequests) -> None:
    assert one.number.tolist() == other.number.tolist()
    assert one.cached_tokens.tolist() == other.cached_tokens.tolist()
    for name in ("ttft_s", "e2e_s"):
        assert np.allclose(getattr(one, name), getattr(other, name), rtol=SAME, atol=0)


def apart(requests: Requests) -> Requests:
    """The same at times of their own: of two that are read together rounding would say which is moved first."""
    return dataclasses.replace(requests, arrivals_s=requests.arrivals_s + 1.7e-6 * np.arange(len(requests)))


@given(traces_of(), st.sampled_from([0, 5, 1 << 20]), st.sampled_from([0, 20, 1 << 20]), TIERS)
def test_leaps_are_steps_and_every_request_is_served(
    requests: Requests, spare: int, room: int, tiers: list[CacheTier]
) -> None:
    requests, least = apart(requests), least_blocks(requests)
    reading = limits(least + spare, tiers)
    leap, readers = played([requests], reading, least + room)
    step, _ = played([requests], dataclasses.replace(reading, longest_run=1), least + room)
    assert sorted(leap.number.tolist()) == list(range(len(requests)))
    assert_same(leap, step)
    for reader in readers:
        assert reader.tiers is not None
        assert not reader.is_fetching


@given(traces_of(), st.sampled_from([0, 5, 50]), st.integers(1, 5), TIERS)
def test_how_a_trace_is_cut_changes_nothing(requests: Requests, spare: int, size: int, tiers: list[CacheTier]) -> None:
    requests, least = apart(requests), least_blocks(requests)
    cuts = [
        requests.only(np.arange(at, min(at + size, len(requests)), dtype=np.intp))
        for at in range(0, len(requests), size)
    ]
    whole, _ = played([requests], limits(least + spare, tiers), least)
    assert_same(whole, played(cuts, limits(least + spare, tiers), least)[0])


@given(traces_of(), st.integers(0, 20), TIERS)
def test_with_room_in_the_other_pool_prompts_are_read_as_by_one_that_makes_no_tokens(
    requests: Requests, spare: int, tiers: list[CacheTier]
) -> None:
    """Where nothing waits for its move, memory is free as soon as a prompt was read."""
    requests = dataclasses.replace(apart(requests), output_tokens=np.ones(len(requests), dtype=np.int64))
    bounds = limits(least_blocks(requests) + spare, tiers)
    alone = Replica(*surface(), bounds)
    alone.give(requests)
    alone.run(math.inf)
    staged = Replica(*surface(), bounds, is_staged=True)
    writer = Replica(*surface(), making(bounds.blocks, bounds.longest_run))
    serving = serve_two_pools([staged], [writer], RoundRobin(), RoundRobin(), lambda _: 0.0, [requests])
    found = joined([served_of(one, place, load_engine("vllm")) for place, one in serving])
    expected = joined([served_of(alone.take_finished(), 0, load_engine("vllm"))])
    order = np.argsort(found.number)
    assert found.cached_tokens[order].tolist() == expected.cached_tokens.tolist()
    assert np.allclose(found.ttft_s[order], expected.ttft_s, rtol=SAME)
    assert staged.tiers is not None
    assert alone.tiers is not None
    assert staged.tiers.counts == alone.tiers.counts


def test_a_simulation_of_two_pools_has_the_tiers_of_the_pool_of_prompts() -> None:
    prompt = tuple(range(1, 200))
    count = 12
    requests = Requests(
        arrivals_s=20.0 * np.arange(count, dtype=np.float64),
        prompt_tokens=np.full(count, 512 * len(prompt) + 1),
        output_tokens=np.full(count, 3),
        prefix_hashes=tuple(tuple(one + 1000 * (at % 3) for one in prompt) for at in range(count)),
    )
    source = _Named(requests)
    pool = PromptReplicas(deployment=deployed(), kv_blocks=-(-512 * 2 * len(prompt) // 16))
    tiers = (CacheTier(name="ddr", capacity_bytes=1e12, read_bytes_per_s=4e11),)
    found = Player(deployment=deployed(), requests=source, prompt_pool=pool, tiers=tiers).play()
    (one,) = found.tiers
    # Of three prompts in turn memory holds one and a half: each but the first of each is fetched.
    assert one.fetched_tokens == (count - 3) * 512 * len(prompt)
    assert found.cached_fraction == pytest.approx(one.fetched_tokens / found.prompt_tokens)
    assert found.tier_token_bytes > 0
    without = Player(deployment=deployed(), requests=source, prompt_pool=pool).play()
    assert without.tiers == ()
    assert found.ttft_s.mean < without.ttft_s.mean / 2


class _Named:
    """Requests whose blocks of 512 tokens are named."""

    name = format = "made up"
    block_tokens: int | None = 512
    has_arrivals = True

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def blocks(self, most: int = 0) -> Iterator[Requests]:  # noqa: ARG002  one block, as it is small
        yield self._requests
