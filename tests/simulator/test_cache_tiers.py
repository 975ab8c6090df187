"""Tiers below the prefix cache hit what the curves say, and what they fetch comes sooner than it would be read."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.caching.hit_rates import hit_rates
from ridgeline.caching.reuse import block_uses, reuse_distances
from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.catalog.storage import link_rate, storage_device
from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import deploy
from ridgeline.serving.surface import StepSurface
from ridgeline.serving.tabulate import step_surface
from ridgeline.simulator.cache_tiers import CacheTiers, Kept, tier_behind
from ridgeline.simulator.fleet import serve
from ridgeline.simulator.limits import ReplicaLimits
from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.player import Player, PromptReplicas
from ridgeline.simulator.policies import CONTINUOUS
from ridgeline.simulator.replica import Finished, Replica
from ridgeline.simulator.routers import RoundRobin
from ridgeline.simulator.stretches import Stretches, stretches_of
from ridgeline.specs.cache_tier import CacheTier
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.traces import open_trace
from ridgeline.traces.requests import Requests

HASHED, BLOCK = 8, 4
LONGEST = 60
TOKEN_BYTES = 100.0


@functools.cache
def surface() -> tuple[StepSurface, list[Stretches]]:
    deployment = deploy(load_model("llama-3.1-8b"), load_machine("h100-sxm"), Layout(), engine=load_engine("vllm"))
    found = step_surface(deployment, most_sequences=64, most_prompt_tokens=64)
    return found, stretches_of(found, 1 << 14)


def limits(blocks: int, tiers: Sequence[CacheTier]) -> ReplicaLimits:
    return ReplicaLimits(
        groups=1,
        pass_tokens=24,
        sequences=16,
        blocks=blocks,
        block_tokens=BLOCK,
        is_reserved=False,
        gap_steps=0,
        swap_token_s=0.0,
        policy=CONTINUOUS,
        hashed_tokens=HASHED,
        tiers=tuple(tiers),
        tier_token_bytes=TOKEN_BYTES,
    )


def tier(blocks: int, *, name: str = "below", bytes_per_s: float = 1e9, latency_s: float = 0.0) -> CacheTier:
    """A tier of so many blocks."""
    return CacheTier(
        name=name,
        capacity_bytes=blocks * HASHED * TOKEN_BYTES,
        read_bytes_per_s=bytes_per_s,
        latency_s=latency_s,
    )


def path_hashes(steps: Sequence[int]) -> tuple[int, ...]:
    """Hashes that name a block with all before it: the way to it through a tree of three branches, as a number."""
    found, way = [], 0
    for step in steps:
        way = way * 4 + 1 + step
        found.append(way)
    return tuple(found)


PROMPTS = st.lists(st.integers(0, 2), min_size=0, max_size=LONGEST // HASHED)


@st.composite
def traces_of(draw: st.DrawFn, gaps: Sequence[float] = (0.0, 0.001, 0.02, 0.3)) -> Requests:
    count = draw(st.integers(1, 30))
    gaps_s = draw(st.lists(st.sampled_from(gaps), min_size=count, max_size=count))
    branches = draw(st.lists(PROMPTS, min_size=count, max_size=count))
    tails = draw(st.lists(st.integers(1, HASHED - 1), min_size=count, max_size=count))
    outputs = draw(st.lists(st.integers(1, 40), min_size=count, max_size=count))
    return Requests(
        arrivals_s=np.cumsum(gaps_s),
        prompt_tokens=np.array([HASHED * len(one) + tail for one, tail in zip(branches, tails, strict=True)]),
        output_tokens=np.array(outputs),
        prefix_hashes=tuple(map(path_hashes, branches)),
    )


def played(requests: Requests, bounds: ReplicaLimits) -> tuple[Replica, Finished]:
    replica = Replica(*surface(), bounds)
    replica.give(requests)
    replica.run(math.inf)
    return replica, replica.take_finished()


def least_blocks(requests: Requests) -> int:
    return -(-int((requests.prompt_tokens + requests.output_tokens).max()) // BLOCK)


TIERS = st.lists(st.integers(1, 12), min_size=1, max_size=3).map(
    lambda more: [
        tier(blocks, name=str(at), bytes_per_s=10.0 ** (8 - at), latency_s=0.002 * at)
        for at, blocks in enumerate(np.cumsum(more).tolist())
    ]
)


@given(traces_of(), st.integers(0, 60), TIERS)
def test_every_block_is_given_back_and_every_request_is_served(
    requests: Requests, spare: int, tiers: list[CacheTier]
) -> None:
    bounds = limits(least_blocks(requests) + spare, tiers)
    replica = Replica(*surface(), bounds)
    replica.give(requests)
    until_s, finished = 0.0, 0
    while replica.under_way:
        until_s = max(until_s + 0.004, replica.clocks.now_s + 0.004)
        replica.run(until_s)
        finished += len(replica.take_finished().number)  # the first of them are forgotten while others are on their way
        assert 0 <= replica.counts.free_blocks <= bounds.blocks
    assert finished == len(requests)
    assert replica.counts.free_blocks == bounds.blocks
    assert replica.tiers is not None
    assert not replica.is_fetching
    for one, of in zip(replica.tiers.counts, tiers, strict=True):
        assert one.kept_tokens * TOKEN_BYTES <= of.capacity_bytes
        assert one.evicted_tokens <= one.written_tokens
        assert one.fetched_tokens == 0 or one.busy_s > 0


@given(traces_of(gaps=(30.0,)), st.lists(st.integers(1, 6), min_size=1, max_size=3))
def test_of_one_request_at_a_time_each_tier_hits_what_its_reuse_distances_say(
    requests: Requests, more: list[int]
) -> None:
    memory = least_blocks(requests)
    # Each has more than what is above it, memory first.
    sizes = (memory * BLOCK // HASHED + np.cumsum(more)).tolist()
    tiers = [tier(blocks, name=str(at), bytes_per_s=1e8, latency_s=0.002 * at) for at, blocks in enumerate(sizes)]
    replica, found = played(requests, limits(memory, tiers))
    assert replica.tiers is not None
    if not any(requests.prefix_hashes or ()):
        return
    distances, counts = reuse_distances(block_uses([requests])), replica.tiers.counts
    asked = len(distances) * HASHED
    for one, blocks in zip(counts, sizes, strict=True):
        assert asked - one.missed_tokens == int((distances <= blocks).sum()) * HASHED
    in_memory = asked - counts[0].hit_tokens - counts[0].missed_tokens
    assert found.cached_tokens.sum() == in_memory + sum(one.fetched_tokens for one in counts)
    for above, below in itertools.pairwise(counts):
        assert below.hit_tokens + below.missed_tokens == above.missed_tokens


def alone(tiers: Sequence[CacheTier], count: int = 7) -> tuple[Requests, ReplicaLimits]:
    """A prompt, another one that takes the memory of it, and the first one again; none meets another."""
    first, second = tuple(range(count)), tuple(range(100, 100 + count))
    requests = Requests(
        arrivals_s=np.array([0.0, 100.0, 200.0]),
        prompt_tokens=np.full(3, count * HASHED + 4),
        output_tokens=np.full(3, 2),
        prefix_hashes=(first, second, first),
    )
    return requests, limits(least_blocks(requests), tiers)


def test_what_is_fetched_comes_when_the_link_has_brought_it_and_the_rest_is_read() -> None:
    requests, bounds = alone([tier(100, bytes_per_s=1e6, latency_s=0.003)])
    replica, found = played(requests, bounds)
    moved_s = 0.003 + 7 * HASHED * TOKEN_BYTES / 1e6
    rest_s = surface()[0].ragged_step_s(0, (), [(4, 7 * HASHED)])
    assert found.cached_tokens.tolist() == [0, 0, 7 * HASHED]
    assert found.first_s[2] - found.arrivals_s[2] == pytest.approx(moved_s + rest_s)
    assert found.first_s[2] - found.arrivals_s[2] < found.first_s[0] - found.arrivals_s[0]
    assert replica.tiers is not None
    (counts,) = replica.tiers.counts
    assert counts.busy_s == pytest.approx(moved_s)
    assert (counts.hit_tokens, counts.fetched_tokens, counts.missed_tokens) == (7 * HASHED, 7 * HASHED, 14 * HASHED)


def test_what_is_quicker_to_read_is_not_fetched() -> None:
    requests, bounds = alone([tier(100, latency_s=1.0)])
    replica, found = played(requests, bounds)
    without = played(requests, dataclasses.replace(bounds, tiers=()))[1]
    assert replica.tiers is not None
    (counts,) = replica.tiers.counts
    assert (counts.hit_tokens, counts.fetched_tokens) == (7 * HASHED, 0)
    assert np.array_equal(found.first_s, without.first_s)


def test_the_slower_of_two_tiers_is_left_where_reading_is_quicker() -> None:
    # The faster one has three blocks of the prompt, the slower one all of them.
    slow = [tier(100, name="slow", latency_s=latency_s) for latency_s in (0.0, 1.0)]
    for latency_s, cached in zip((0.0, 1.0), (7, 3), strict=True):
        requests, bounds = alone([tier(10, name="fast"), slow[int(latency_s)]])
        found = played(requests, bounds)[1]
        assert found.cached_tokens.tolist() == [0, 0, cached * HASHED]


def test_others_are_served_while_a_cache_is_on_its_way() -> None:
    requests, bounds = alone([tier(100, bytes_per_s=1e6, latency_s=0.003)])
    # One that shares nothing comes just behind it; there is memory for both.
    both = Requests(
        arrivals_s=np.append(requests.arrivals_s, 200.001),
        prompt_tokens=np.append(requests.prompt_tokens, 9),
        output_tokens=np.append(requests.output_tokens, 1),
        prefix_hashes=(*(requests.prefix_hashes or ()), (500,)),
    )
    bounds = dataclasses.replace(bounds, blocks=bounds.blocks + 3)
    found = played(both, bounds)[1]
    assert found.first_s[3] < found.first_s[2]
    assert found.cached_tokens[2] == 7 * HASHED


def test_fetches_of_one_tier_follow_each_other() -> None:
    first, second = tuple(range(7)), tuple(range(100, 107))
    requests = Requests(
        arrivals_s=np.array([0.0, 0.0, 100.0, 100.0, 200.0, 200.0]),
        prompt_tokens=np.full(6, 7 * HASHED + 4),
        output_tokens=np.full(6, 2),
        prefix_hashes=(first, second, tuple(range(200, 207)), tuple(range(300, 307)), first, second),
    )
    slow = tier(100, bytes_per_s=2e6)
    replica, found = played(requests, limits(2 * least_blocks(requests), [slow]))
    each_s = 7 * HASHED * TOKEN_BYTES / slow.read_bytes_per_s
    assert found.cached_tokens.tolist() == [0, 0, 0, 0, 7 * HASHED, 7 * HASHED]
    assert found.first_s[5] - found.arrivals_s[5] > 2 * each_s
    assert found.first_s[4] < found.first_s[5]
    assert replica.tiers is not None
    assert replica.tiers.counts[0].busy_s == pytest.approx(2 * each_s)


def test_who_shares_what_is_on_its_way_waits_for_it() -> None:
    requests, bounds = alone([tier(100, bytes_per_s=1e6, latency_s=0.003)])
    both = requests.only(np.array([0, 1, 2, 2]))
    bounds = dataclasses.replace(bounds, blocks=bounds.blocks + 3)
    replica, found = played(both, bounds)
    assert found.cached_tokens.tolist() == [0, 0, 7 * HASHED, 7 * HASHED]
    assert found.first_s[3] >= found.first_s[2] > 200.003
    assert replica.tiers is not None
    # Memory has kept a block of it, and the rest is fetched once.
    assert replica.tiers.counts[0].fetched_tokens == replica.tiers.counts[0].hit_tokens == 6 * HASHED


def test_what_was_never_read_is_not_found_below() -> None:
    tiers = CacheTiers(
        [tier(100)], hashed_tokens=HASHED, token_bytes=TOKEN_BYTES, read_s=lambda past, _: 1.0 / (1 + past)
    )
    prefix = tuple(range(10))
    assert tiers.admit(0, prefix, 0, 81, 0.0, is_first=True) == 0
    tiers.release(0, prefix, 4)
    assert tiers.admit(1, prefix, 0, 81, 1.0, is_first=True) == 4
    # The four were there before it came, and stay however little it read.
    tiers.release(1, prefix, 0)
    assert tiers.admit(2, prefix, 0, 81, 2.0, is_first=False) == 4
    assert tiers.counts[0].hit_tokens == 4 * HASHED


def test_tiers_are_refused_where_they_hold_nothing_of_their_own() -> None:
    with pytest.raises(RidgelineError, match=r"'low' of 3.2 kB holds no more than 'high' above it"):
        Player(deployment=deployed(), requests=alone([])[0], tiers=(tier(5, name="high"), tier(4, name="low")))
    with pytest.raises(RidgelineError, match="holds no block of 8 tokens"):
        Replica(*surface(), limits(10, [CacheTier(name="small", capacity_bytes=10, read_bytes_per_s=1)]))
    with pytest.raises(RidgelineError, match="none are named or kept"):
        Player(deployment=deployed(), requests=alone([])[0], tiers=(tier(5),)).play()
    with pytest.raises(RidgelineError, match="none are named or kept"):
        Player(
            deployment=deployed(),
            requests=alone([])[0],
            tiers=(tier(5),),
            prompt_pool=PromptReplicas(deployment=deployed()),
        ).play()
    with pytest.raises(RidgelineError, match="latency_s=-1"):
        tier(5, latency_s=-1)
    with pytest.raises(RidgelineError, match="give its device, or both"):
        tier_behind("x", None, machine=load_machine("h100-sxm"), chips=1, capacity_bytes=1.0)


def test_each_chip_of_a_replica_has_a_device_behind_its_link() -> None:
    machine, device = load_machine("h100-sxm"), storage_device("ddr5-over-pcie")
    found = tier_behind("ddr", device, machine=machine, chips=8)
    assert device.latency_s is not None
    assert found.capacity_bytes == 8 * device.capacity()
    assert found.read_bytes_per_s == 8 * min(device.bytes_per_s.value, link_rate(device, machine))
    assert found.latency_s == device.latency_s.value
    less = tier_behind("ddr", device, machine=machine, chips=8, capacity_bytes=1e12, latency_s=1.0)
    assert (less.capacity_bytes, less.read_bytes_per_s, less.latency_s) == (1e12, found.read_bytes_per_s, 1.0)
    # Slots of an earlier generation bound what the same device gives.
    assert (
        tier_behind("ddr", device, machine=load_machine("a100-80-sxm"), chips=8).read_bytes_per_s
        < found.read_bytes_per_s
    )


@functools.cache
def deployed() -> Deployment:
    return deploy(load_model("llama-3.1-70b"), load_machine("h100-sxm"), Layout(tp=8), engine=load_engine("vllm"))


MOST_OFF = 0.01
"""Of the hit rate; requests that wait for memory pass each other, and are used in another order than they came."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["conversation", "synthetic"])
@pytest.mark.parametrize("rate_scale", [0.2, 1.0])
def test_tiers_of_a_busy_replica_hit_what_the_curves_say(traces: Path, name: str, rate_scale: float) -> None:
    source = open_trace(traces / f"mooncake_{name}_trace.jsonl")
    rates = hit_rates(block_uses(source.blocks(), full_tokens=512))
    tiers = (
        CacheTier(name="ddr", capacity_bytes=2e12, read_bytes_per_s=8 * 54e9),
        CacheTier(name="tlc", capacity_bytes=8e12, read_bytes_per_s=8 * 14e9, latency_s=60e-6),
    )
    found: Simulation = Player(deployment=deployed(), requests=source, rate_scale=rate_scale, tiers=tiers).play()
    asked = rates.uses * 512
    assert found.tiers[0].hit_tokens + found.tiers[0].missed_tokens < asked
    for one in found.tiers:
        blocks = int(one.capacity_bytes // (512 * found.tier_token_bytes))
        assert 1 - one.missed_tokens / asked == pytest.approx(float(rates.of_blocks(blocks)), rel=MOST_OFF)
        assert one.fetched_tokens > 0.99 * one.hit_tokens
    without = Player(deployment=deployed(), requests=source, rate_scale=rate_scale).play()
    assert found.ttft_s.mean < without.ttft_s.mean
    assert found.cached_fraction > without.cached_fraction


def in_turn(tiers: Sequence[CacheTier]) -> tuple[list[Replica], list[Finished]]:
    """The same prompt at two replicas, one after the other."""
    requests, bounds = alone(tiers)
    twice = dataclasses.replace(
        requests,
        arrivals_s=np.array([0.0, 100.0]),
        prompt_tokens=requests.prompt_tokens[:2],
        output_tokens=requests.output_tokens[:2],
        prefix_hashes=(requests.prefix_hashes or ())[:1] * 2,
    )
    shared: dict[str, Kept] = {}
    fleet = [Replica(*surface(), bounds, shared=shared) for _ in range(2)]
    found = [finished for _, finished in serve(fleet, RoundRobin(), [twice]) if len(finished.number)]
    return fleet, found


def test_what_one_replica_has_written_to_a_shared_tier_another_one_finds() -> None:
    for is_shared in (False, True):
        fleet, found = in_turn([dataclasses.replace(tier(50), is_shared=is_shared)])
        cached = [int(one.cached_tokens.sum()) for one in found]
        assert cached == [0, 7 * HASHED if is_shared else 0]
        counts = [replica.tiers.counts[0] for replica in fleet if replica.tiers is not None]
        assert [one.fetched_tokens for one in counts] == cached
        # One store, which holds the prompt once; of their own, each holds it.
        assert [one.kept_tokens for one in counts] == [7 * HASHED] * 2
        assert [one.written_tokens for one in counts] == [7 * HASHED, 0 if is_shared else 7 * HASHED]


def test_a_shared_tier_of_all_devices_holds_what_they_do() -> None:
    machine, device = load_machine("h100-sxm"), storage_device("ddr5-over-rdma")
    own = tier_behind("rdma", device, machine=machine, chips=8)
    shared = tier_behind("rdma", device, machine=machine, chips=8, sharing=3)
    assert (own.is_shared, shared.is_shared) == (False, True)
    assert shared.capacity_bytes == 3 * own.capacity_bytes
    assert shared.read_bytes_per_s == own.read_bytes_per_s


@pytest.mark.slow
def test_a_tier_that_replicas_share_hits_what_the_curve_of_the_whole_log_says(traces: Path) -> None:
    """Round robin sends each prompt anywhere; with a tier of its own a replica finds only what it has read itself."""
    source = open_trace(traces / "mooncake_synthetic_trace.jsonl")
    rates = hit_rates(block_uses(source.blocks(), full_tokens=512))
    asked, hits = rates.uses * 512, {}
    for is_shared in (False, True):
        pool = CacheTier(name="pool", capacity_bytes=20e12, read_bytes_per_s=100e9, is_shared=is_shared)
        played = Player(deployment=deployed(), requests=source, replicas=4, router="round-robin", tiers=(pool,)).play()
        (found,) = played.tiers
        hits[is_shared] = 1 - found.missed_tokens / asked
        assert found.kept_tokens * played.tier_token_bytes <= (1 if is_shared else 4) * pool.capacity_bytes
    assert hits[True] == pytest.approx(
        float(rates.of_blocks(int(20e12 // (512 * played.tier_token_bytes)))), rel=MOST_OFF
    )
    assert hits[False] < 0.8 * hits[True]
