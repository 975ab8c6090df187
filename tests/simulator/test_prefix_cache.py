"""The prefix cache gives every block back, keeps what its engine would, and hits what it may and no more."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import deploy
from ridgeline.serving.surface import StepSurface
from ridgeline.serving.tabulate import step_surface
from ridgeline.simulator.limits import ReplicaLimits
from ridgeline.simulator.orders import first_come
from ridgeline.simulator.policies import CONTINUOUS
from ridgeline.simulator.policy import Policy
from ridgeline.simulator.prefix_cache import PrefixCache
from ridgeline.simulator.replica import Finished, Replica
from ridgeline.simulator.stretches import Stretches, stretches_of
from ridgeline.specs.layout import Layout
from ridgeline.traces.read import read_trace
from ridgeline.traces.requests import Requests

HASHED, BLOCK = 8, 4
LONGEST = 60
SWAPPING = Policy(name="swapping", says="caches are moved to the host", order=first_come, is_swapped=True)


@functools.cache
def surface() -> tuple[StepSurface, list[Stretches]]:
    deployment = deploy(load_model("llama-3.1-8b"), load_machine("h100-sxm"), Layout(), engine=load_engine("vllm"))
    found = step_surface(deployment, most_sequences=64, most_prompt_tokens=64)
    return found, stretches_of(found, 1 << 14)


def limits(blocks: int, **changed: Any) -> ReplicaLimits:  # noqa: ANN401  fields by name
    found = ReplicaLimits(
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
    )
    return dataclasses.replace(found, **changed)


def path_hashes(steps: Sequence[int]) -> tuple[int, ...]:
    """Hashes that name a block with all before it: the way to it through a tree of three branches, as a number."""
    found, way = [], 0
    for step in steps:
        way = way * 4 + 1 + step
        found.append(way)
    return tuple(found)


PROMPTS = st.lists(st.integers(0, 2), min_size=0, max_size=LONGEST // HASHED)


@st.composite
def traces(draw: st.DrawFn) -> Requests:
    count = draw(st.integers(1, 30))
    gaps_s = draw(st.lists(st.sampled_from([0.0, 0.001, 0.02, 0.3]), min_size=count, max_size=count))
    branches = draw(st.lists(PROMPTS, min_size=count, max_size=count))
    tails = draw(st.lists(st.integers(0, 2 * HASHED), min_size=count, max_size=count))
    outputs = draw(st.lists(st.integers(1, 40), min_size=count, max_size=count))
    # A tail may be longer than a block, which then has no hash; none of a prompt without any tokens.
    prompts = [max(HASHED * len(one) + tail, 1) for one, tail in zip(branches, tails, strict=True)]
    return Requests(
        arrivals_s=np.cumsum(gaps_s),
        prompt_tokens=np.array(prompts),
        output_tokens=np.array(outputs),
        prefix_hashes=tuple(map(path_hashes, branches)),
    )


def played(requests: Requests, bounds: ReplicaLimits) -> tuple[Replica, Finished]:
    replica = Replica(*surface(), bounds)
    replica.give(requests)
    replica.run(math.inf)
    return replica, replica.take_finished()


class Blocks:
    """The same cache as an engine has it: every block of memory by itself, and free ones in a queue."""

    def __init__(self, blocks: int, of_hash: int) -> None:
        self.queue: list[int | None] = [None] * blocks
        self.users: dict[int, int] = {}
        self.of_hash = of_hash

    def allocate(self, count: int) -> None:
        for _ in range(count):
            gone = self.queue.pop(0)
            if gone is not None:
                del self.users[gone]
                self.queue = [None if one == gone else one for one in self.queue]

    def take(self, prefix: Sequence[int], need: int, ahead: int) -> tuple[int, int]:
        known = [one for one in prefix if one in self.users]
        free = [one for one in known if not self.users[one]]
        taken = need - self.of_hash * (len(known) - len(free))
        if taken > len(self.queue) - ahead:
            return -1, 0
        for one in known:
            self.users[one] += 1
        self.queue = [one for one in self.queue if one not in free]
        self.allocate(taken - self.of_hash * len(free))
        self.users |= dict.fromkeys(prefix[len(known) :], 1)
        return taken, len(known)

    def release(self, prefix: Sequence[int], rest: int) -> None:
        self.queue += [None] * rest
        for one in reversed(prefix):
            self.users[one] -= 1
            if not self.users[one]:
                self.queue += [one] * self.of_hash


STEPS = st.lists(st.tuples(st.sampled_from(["come", "grow", "go"]), PROMPTS, st.integers(0, 6)), max_size=60)


@given(STEPS, st.integers(16, 60))
def test_runs_are_blocks_one_by_one_in_the_queue_of_an_engine(
    steps: list[tuple[str, list[int], int]], blocks: int
) -> None:
    of_hash = HASHED // BLOCK
    cache = PrefixCache(blocks=blocks, block_tokens=BLOCK, hashed_tokens=HASHED)
    model = Blocks(blocks, of_hash)
    cache.give([1], [()])
    free, places = blocks, 1
    prefixes: dict[int, tuple[int, ...]] = {}
    rests: dict[int, int] = {}
    for kind, branch, number in steps:
        prefix = path_hashes(branch)
        if kind == "come":
            tokens = HASHED * len(prefix) + BLOCK * (number + 1)
            cache.give([tokens], [prefix])
            taken, known, hashed = cache.take(places, tokens, tokens // BLOCK, free, number)
            assert (taken, known // HASHED) == model.take(prefix, tokens // BLOCK, number)
            if taken >= 0:
                assert hashed == of_hash * len(prefix)
                free -= taken
                prefixes[places], rests[places] = prefix, number + 1
            places += 1
        elif kind == "grow" and rests and free:
            rests[list(rests)[number % len(rests)]] += 1
            model.allocate(1)
            free -= 1
        elif rests:
            one = list(rests)[number % len(rests)]
            prefix, rest = prefixes.pop(one), rests.pop(one)
            model.release(prefix, rest)
            free += cache.release(one, free, HASHED * len(prefix), rest)
        assert 0 <= free == len(model.queue)
        cache.release(0, free, 0, 0)  # of nothing: the cache sees what is free
        assert cache.kept_blocks == of_hash * len(model.users)


POLICIES = st.sampled_from([CONTINUOUS, SWAPPING])


@given(traces(), st.integers(0, 60), POLICIES, st.booleans())
def test_every_block_is_given_back_and_none_twice(
    requests: Requests,
    spare: int,
    policy: Policy,
    is_reserved: bool,  # noqa: FBT001  drawn
) -> None:
    least = -(-int((requests.prompt_tokens + requests.output_tokens).max()) // BLOCK)
    swap_token_s = 1e-5 if policy.is_swapped else 0.0
    bounds = limits(least + spare, policy=policy, is_reserved=is_reserved, swap_token_s=swap_token_s)
    replica = Replica(*surface(), bounds)
    replica.give(requests)
    until_s = 0.0
    while replica.under_way:
        until_s = max(until_s + 0.004, replica.clocks.now_s + 0.004)
        replica.run(until_s)
        assert 0 <= replica.counts.free_blocks <= bounds.blocks
    assert replica.counts.free_blocks == bounds.blocks
    assert replica.cache is not None
    assert replica.cache.kept_blocks <= bounds.blocks
    assert len(replica.take_finished().number) == len(requests)


def unlimited_hits(requests: Requests) -> list[int]:
    """Tokens of each prompt that came before, but for its last one."""
    seen: set[int] = set()
    found = []
    for prefix, prompt in zip(requests.prefix_hashes or (), requests.prompt_tokens.tolist(), strict=True):
        known = sum(one in seen for one in prefix)
        found.append(min(known, (prompt - 1) // HASHED) * HASHED)
        seen.update(prefix)
    return found


@given(traces(), st.integers(0, 60))
def test_a_cache_hits_what_an_unlimited_one_would_or_less(requests: Requests, spare: int) -> None:
    bound = unlimited_hits(requests)
    least = -(-int((requests.prompt_tokens + requests.output_tokens).max()) // BLOCK)
    _, tight = played(requests, limits(least + spare))
    assert all(0 <= hit <= most for hit, most in zip(tight.cached_tokens.tolist(), bound, strict=True))
    _, wide = played(requests, limits(1 << 30))
    assert wide.cached_tokens.tolist() == bound


@given(traces(), st.integers(0, 60))
def test_where_nothing_is_shared_hashes_change_nothing(requests: Requests, spare: int) -> None:
    least = -(-int((requests.prompt_tokens + requests.output_tokens).max()) // BLOCK)
    own = tuple(
        tuple(range(1000 * at, 1000 * at + len(prefix))) for at, prefix in enumerate(requests.prefix_hashes or ())
    )
    # Enough memory that nobody gives it up: a request that is computed again finds its own blocks.
    blocks = least * len(requests) + spare
    _, hashed = played(dataclasses.replace(requests, prefix_hashes=own), limits(blocks))
    _, plain = played(dataclasses.replace(requests, prefix_hashes=None), limits(blocks, hashed_tokens=0))
    for name in ("first_s", "done_s"):
        assert np.array_equal(getattr(hashed, name), getattr(plain, name))
    assert not hashed.cached_tokens.any()


def test_a_prompt_that_was_given_up_half_read_is_not_known() -> None:
    # The second is read in chunks of 24 beside the first, which needs the memory before it is through.
    requests = Requests(
        arrivals_s=np.zeros(2),
        prompt_tokens=np.array([16, 160]),
        output_tokens=np.array([40, 1]),
        prefix_hashes=((1, 2), tuple(range(10, 30))),
    )
    replica, found = played(requests, limits(45))
    alone, first = played(requests, limits(1 << 20))
    assert replica.counts.preemptions > alone.counts.preemptions == 0
    # It is read once more from where its blocks end, and so comes later by what had to be read again.
    assert found.first_s[1] > first.first_s[1]
    assert found.cached_tokens.tolist() == [0, 0]


def test_of_a_prompt_given_up_only_what_was_read_is_known() -> None:
    cache = PrefixCache(blocks=100, block_tokens=BLOCK, hashed_tokens=HASHED)
    prefix = tuple(range(10))
    cache.give([80, 80], [prefix, prefix])
    taken, _, hashed = cache.take(0, 80, 20, 100, 0)
    assert cache.release(0, 100 - taken, 30, taken - hashed) == 20
    assert cache.known_tokens(prefix) == 24
    assert cache.take(1, 80, 20, 100, 0) == (20, 24, 20)


def test_shared_blocks_are_held_once() -> None:
    # Eight alike of 10 blocks each fit where 30 are: they share all but what is behind the hashed blocks.
    count, prefix = 8, tuple(range(4))
    requests = Requests(
        arrivals_s=np.zeros(count),
        prompt_tokens=np.full(count, 36),
        output_tokens=np.full(count, 4),
        prefix_hashes=(prefix,) * count,
    )
    replica, found = played(requests, limits(30, pass_tokens=64))
    without, _ = played(requests, limits(30, pass_tokens=64, hashed_tokens=0))
    assert replica.clocks.waiting_s == 0.0 < without.clocks.waiting_s
    assert found.cached_tokens.tolist() == [0, *[32] * (count - 1)]


def test_hashes_that_do_not_name_what_is_before_them_are_refused() -> None:
    requests = Requests(
        arrivals_s=np.zeros(2),
        prompt_tokens=np.array([17, 17]),
        output_tokens=np.array([1, 1]),
        prefix_hashes=((1, 2), (3, 2)),
    )
    with pytest.raises(RidgelineError, match=r"hash 2.*name a block with all before it"):
        played(requests, limits(100))
    with pytest.raises(RidgelineError, match="a hash names 10 tokens"):
        PrefixCache(blocks=10, block_tokens=4, hashed_tokens=10)


@pytest.fixture(scope="module")
def mooncake() -> tuple[Path, Requests]:
    path = Path(__file__).parents[3] / "shared/reference/traces/mooncake_conversation_trace.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return path, Requests(
        arrivals_s=np.array([row["timestamp"] / 1e3 for row in rows]),
        prompt_tokens=np.array([row["input_length"] for row in rows]),
        output_tokens=np.array([row["output_length"] for row in rows]),
        prefix_hashes=tuple(tuple(row["hash_ids"]) for row in rows),
    )


def test_with_unlimited_memory_a_real_trace_hits_what_its_hashes_say(mooncake: tuple[Path, Requests]) -> None:
    path, requests = mooncake
    hashed = 512
    seen: set[int] = set()
    blocks = last = 0
    for prefix, prompt in zip(requests.prefix_hashes or (), requests.prompt_tokens.tolist(), strict=True):
        full = prefix[: prompt // hashed]
        known = sum(one in seen for one in full)
        last += known * hashed == prompt
        blocks += known
        seen.update(full)
    free = 1 << 40
    cache = PrefixCache(blocks=free, block_tokens=16, hashed_tokens=hashed)
    prompts = requests.prompt_tokens.tolist()
    cache.give(prompts, requests.prefix_hashes or ())
    for one, prompt in enumerate(prompts):
        taken, _, _ = cache.take(one, prompt, -(-prompt // 16), free, 0)
        free -= taken
    hits = sum(cache.hits_tokens) // hashed
    assert hits == blocks - last
    # The reader counts the blocks that prompts do not fill, too: of those, one in a hundred is known.
    every = sum(len(prefix) for prefix in requests.prefix_hashes or ())
    assert hits / every == pytest.approx(read_trace(path).prefix_hit_fraction, abs=0.001)
