"""Fleets, routers, pools and policies: leaps are steps, nobody is lost, and each means what it says."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.simulator.both_pools import simulate_two_pools

from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.equations.departures import extra_wait_s, mean_latency_s, worst_latency_s
from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import deploy
from ridgeline.serving.surface import StepSurface
from ridgeline.serving.tabulate import step_surface
from ridgeline.serving.transfer import cache_move_s
from ridgeline.simulator.capacity import capacity_of
from ridgeline.simulator.fleet import serve
from ridgeline.simulator.limits import ReplicaLimits, limits_for
from ridgeline.simulator.orders import by_class, classed_by_length, first_come, shortest_first
from ridgeline.simulator.policies import CLASSES, CONTINUOUS, PROMPTS_FIRST, STATIC, departures
from ridgeline.simulator.policy import Policy
from ridgeline.simulator.replica import Replica
from ridgeline.simulator.router import Router
from ridgeline.simulator.routers import LeastLoaded, PrefixAware, RoundRobin
from ridgeline.simulator.rows import rows_of
from ridgeline.simulator.served import ServedRequests, joined, served_of
from ridgeline.simulator.side import Side
from ridgeline.simulator.simulate import simulate
from ridgeline.simulator.stretches import Stretches, stretches_of
from ridgeline.simulator.two_pools import serve_two_pools
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.traces.requests import BATCH, FAST, STANDARD, Requests

HASHED, BLOCK, SEQUENCES, TOKENS = 8, 4, 16, 48
SAME = 1e-8
"""What sums of steps one by one are off by against a closed form, relative: rounding."""

SWAPPING = Policy(name="swapping", says="caches are moved to the host", order=first_come, is_swapped=True)
SHORTEST = Policy(name="shortest", says="short prompts come first", order=shortest_first)
POLICIES = {
    one.name: one for one in (CONTINUOUS, PROMPTS_FIRST, STATIC, departures(0.011), CLASSES, SWAPPING, SHORTEST)
}
ROUTERS: dict[str, Router] = {one.name: one for one in (RoundRobin(), LeastLoaded(), PrefixAware())}


@functools.cache
def deployment(model: str = "gemma-3-27b") -> Deployment:
    return deploy(load_model(model), load_machine("h100-sxm"), Layout(tp=2), engine=load_engine("vllm"))


@functools.cache
def surface() -> tuple[StepSurface, list[Stretches]]:
    """Of a model whose windows bend: contexts of the traces here cross 1,024."""
    found = step_surface(deployment(), most_sequences=SEQUENCES, most_prompt_tokens=TOKENS)
    return found, stretches_of(found, 1 << 12)


def limits(policy: Policy, blocks: int = 1 << 20, **changed: Any) -> ReplicaLimits:  # noqa: ANN401  fields by name
    found = ReplicaLimits(
        groups=1,
        pass_tokens=TOKENS,
        sequences=SEQUENCES,
        blocks=blocks,
        block_tokens=BLOCK,
        is_reserved=False,
        gap_steps=0,
        swap_token_s=1e-5 if policy.is_swapped else 0.0,
        policy=policy,
    )
    return dataclasses.replace(found, **changed)


def path_hashes(steps: Sequence[int]) -> tuple[int, ...]:
    found, way = [], 0
    for step in steps:
        way = way * 4 + 1 + step
        found.append(way)
    return tuple(found)


@st.composite
def traces(draw: st.DrawFn, most: int = 24) -> Requests:
    count = draw(st.integers(1, most))
    each = functools.partial(st.lists, min_size=count, max_size=count)
    gaps_s: list[float] = draw(each(st.sampled_from([0.0, 0.0007, 0.013, 0.11])))
    branches = draw(each(st.lists(st.integers(0, 2), max_size=9)))
    tails = draw(each(st.sampled_from([1, 2, 9, 40, 990])))
    outputs = draw(each(st.sampled_from([1, 2, 7, 30, 90])))
    return Requests(
        arrivals_s=np.cumsum(gaps_s),
        prompt_tokens=np.array([HASHED * len(one) + tail for one, tail in zip(branches, tails, strict=True)]),
        output_tokens=np.array(outputs),
        prefix_hashes=tuple(map(path_hashes, branches)),
        classes=np.array(draw(each(st.integers(0, 2)))),
    )


def least_blocks(requests: Requests) -> int:
    """What the largest request needs."""
    return -(-int((requests.prompt_tokens + requests.output_tokens).max()) // BLOCK)


def played(
    requests: Requests, bounds: ReplicaLimits, replicas: int = 1, router: Router | None = None
) -> ServedRequests:
    fleet = [Replica(*surface(), bounds) for _ in range(replicas)]
    parts = [
        served_of(finished, place, deployment().engine)
        for place, finished in serve(fleet, router or RoundRobin(), [requests])
    ]
    assert all(replica.counts.free_blocks == bounds.blocks for replica in fleet)
    return joined(parts)


def played_in_two(requests: Requests, reading: ReplicaLimits, making: ReplicaLimits, router: Router) -> ServedRequests:
    readers = [Replica(*surface(), reading, is_staged=True) for _ in range(2)]
    writers = [Replica(*surface(), making) for _ in range(2)]
    found = serve_two_pools(readers, writers, router, LeastLoaded(), lambda tokens: 1e-3 + 1e-5 * tokens, [requests])
    parts = [served_of(finished, place, deployment().engine) for place, finished in found]
    assert all(replica.counts.free_blocks == reading.blocks for replica in readers)
    assert all(replica.counts.free_blocks == making.blocks for replica in writers)
    return joined(parts)


def assert_same(leap: ServedRequests, step: ServedRequests) -> None:
    assert leap.number.tolist() == step.number.tolist()
    assert leap.replica.tolist() == step.replica.tolist()
    assert leap.cached_tokens.tolist() == step.cached_tokens.tolist()
    for name in ("ttft_s", "e2e_s"):
        assert np.allclose(getattr(leap, name), getattr(step, name), rtol=SAME, atol=0)


@given(
    traces(),
    st.sampled_from(sorted(POLICIES)),
    st.sampled_from(sorted(ROUTERS)),
    st.sampled_from([0, HASHED]),
    st.sampled_from([0, 20, 200, 1 << 20]),
    st.sampled_from([1, 3]),
    st.booleans(),
)
def test_leaps_are_steps(
    requests: Requests,
    policy: str,
    router: str,
    hashed: int,
    spare: int,
    groups: int,
    is_reserved: bool,  # noqa: FBT001  drawn
) -> None:
    blocks = least_blocks(requests) + spare
    bounds = limits(POLICIES[policy], blocks, hashed_tokens=hashed, is_reserved=is_reserved, groups=groups)
    leap = played(requests, bounds, 2, ROUTERS[router])
    step = played(requests, dataclasses.replace(bounds, longest_run=1), 2, ROUTERS[router])
    assert len(leap) == len(requests)
    assert_same(leap, step)


@given(
    traces(),
    st.sampled_from(["continuous", "prompts-first", "classes", "swapping"]),
    st.sampled_from(sorted(ROUTERS)),
    st.sampled_from([0, HASHED]),
    st.sampled_from([0, 20, 1 << 20]),
    st.sampled_from([0, 20, 1 << 20]),
)
def test_leaps_of_two_pools_are_steps(
    requests: Requests, policy: str, router: str, hashed: int, spare: int, room: int
) -> None:
    reading = limits(CONTINUOUS, least_blocks(requests) + spare, hashed_tokens=hashed)
    making = limits(POLICIES[policy], least_blocks(requests) + room)
    # Of those that come together two may be read together, and rounding would say which is moved first.
    requests = dataclasses.replace(requests, arrivals_s=requests.arrivals_s + 1.7e-6 * np.arange(len(requests)))
    leap = played_in_two(requests, reading, making, ROUTERS[router])
    reading_singly, making_singly = (dataclasses.replace(one, longest_run=1) for one in (reading, making))
    assert len(leap) == len(requests)
    assert_same(leap, played_in_two(requests, reading_singly, making_singly, ROUTERS[router]))


@given(traces(), st.sampled_from(sorted(ROUTERS)), st.integers(1, 7))
def test_how_a_trace_is_cut_into_blocks_changes_nothing(requests: Requests, router: str, size: int) -> None:
    bounds = limits(CONTINUOUS, least_blocks(requests) + 50, hashed_tokens=HASHED)
    whole = played(requests, bounds, 3, ROUTERS[router])
    cuts = [
        requests.only(np.arange(at, min(at + size, len(requests)), dtype=np.intp))
        for at in range(0, len(requests), size)
    ]
    fleet = [Replica(*surface(), bounds) for _ in range(3)]
    parts = [served_of(one, place, deployment().engine) for place, one in serve(fleet, ROUTERS[router], cuts)]
    assert_same(whole, joined(parts))


def alike(count: int, prompt: int, output: int, gap_s: float = 0.0) -> Requests:
    return Requests(
        arrivals_s=gap_s * np.arange(count, dtype=np.float64),
        prompt_tokens=np.full(count, prompt),
        output_tokens=np.full(count, output),
    )


def test_nobody_joins_a_static_batch() -> None:
    found = played(alike(9, 5, 20, 0.004), limits(STATIC))
    first_s, done_s = found.arrivals_s + found.ttft_s, found.arrivals_s + found.e2e_s
    # The first is alone; while it runs others come, and none of them has a token before it is done.
    assert (first_s[1:] > done_s[0]).all()
    order = np.argsort(first_s, kind="stable")
    for one, other in itertools.pairwise(order):
        together = first_s[other] == pytest.approx(first_s[one])  # of one moment, less arrivals and added again
        assert together or first_s[other] > done_s[one]
    joins = played(alike(9, 5, 20, 0.004), limits(CONTINUOUS))
    assert (joins.arrivals_s + joins.ttft_s)[1] < (joins.arrivals_s + joins.e2e_s)[0]


@given(traces())
def test_departures_leave_at_multiples_of_the_period(requests: Requests) -> None:
    period_s = 1.0  # longer than any step here, so that none is late
    found = played(requests, limits(departures(period_s)))
    host_s = deployment().engine.scheduling.first_token_s
    for times_s in (found.ttft_s, found.e2e_s):
        rides = (found.arrivals_s + times_s - host_s) / period_s
        assert np.allclose(rides, np.round(rides), atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("load", [0.5, 0.99])
def test_departures_of_poisson_arrivals_wait_as_the_lecture_says(load: float) -> None:
    seats, period_s, count = 256, 0.25, 400_000
    gaps_s = np.random.default_rng(18).exponential(period_s / (load * seats), count)
    requests = dataclasses.replace(alike(count, 1, 1), arrivals_s=np.cumsum(gaps_s))
    replica = Replica(
        *rides(seats), limits(departures(period_s), pass_tokens=seats, sequences=seats, block_tokens=1, blocks=1 << 20)
    )
    replica.give(requests)
    replica.run(math.inf)
    found = replica.take_finished()
    latency_s = found.done_s - found.arrivals_s
    extra_s = extra_wait_s(arrivals=load * seats, seats=seats, period_s=period_s)
    # Means of 1,600 trains, whose queues at 0.99 last for hundreds: the wait of those left behind is known to a half.
    assert np.mean(latency_s) == pytest.approx(
        mean_latency_s(period_s=period_s, extra_wait_s=extra_s), abs=0.01 * period_s + 0.5 * float(extra_s)
    )
    if load == 0.5:  # nobody is left behind
        assert np.max(latency_s) == pytest.approx(worst_latency_s(period_s=period_s), rel=0.001)


@functools.cache
def rides(seats: int) -> tuple[StepSurface, list[Stretches]]:
    found = step_surface(deployment(), most_sequences=seats, most_prompt_tokens=seats)
    return found, stretches_of(found, 1 << 8)


def test_a_swapped_request_pays_for_its_moves_and_computes_nothing_again() -> None:
    # Two of 16 + 60 tokens in memory for 30 blocks: the second gives way, and comes back when the first is done.
    requests, token_s = alike(2, 16, 60), 1e-3
    tight = limits(SWAPPING, 30, swap_token_s=token_s)
    replica = Replica(*surface(), tight)
    replica.give(requests)
    replica.run(math.inf)
    assert replica.counts.preemptions == 1
    found = replica.take_finished()
    alone = played(alike(1, 16, 60), limits(SWAPPING, 30))
    # Moved out and back: what it held, of which the host has no more than the memory has.
    at_once = played(requests, limits(SWAPPING))
    moved_s = replica.clocks.busy_s - replica.clocks.reading_s
    assert moved_s > 2 * token_s * 16
    assert replica.clocks.reading_s == pytest.approx(
        reading_s(requests, limits(SWAPPING)), rel=SAME
    )  # both prompts were read once
    assert found.done_s[1] > found.done_s[0]
    assert found.done_s[0] >= alone.e2e_s[0] - deployment().engine.scheduling.first_token_s
    host_s = deployment().engine.scheduling.first_token_s
    assert np.allclose(found.first_s, at_once.ttft_s - host_s, rtol=SAME)


def reading_s(requests: Requests, bounds: ReplicaLimits) -> float:
    replica = Replica(*surface(), bounds)
    replica.give(requests)
    replica.run(math.inf)
    return replica.clocks.reading_s


def test_classes_come_in_their_order_and_give_way_in_the_opposite_one() -> None:
    # All wait at once, one at a time is served: batch came first, fast last.
    requests = dataclasses.replace(alike(6, 10, 5), classes=np.array([2, 2, 1, 1, 0, 0]))
    found = played(requests, limits(CLASSES, sequences=1))
    order = np.argsort(found.e2e_s)
    assert found.classes[order].tolist() == [FAST, FAST, STANDARD, STANDARD, BATCH, BATCH]
    # Memory for one and a half: the batch request has none to itself, though it was there before the fast one.
    pair = dataclasses.replace(alike(2, 16, 60, 0.05), classes=np.array([BATCH, FAST]))
    tight = played(pair, limits(CLASSES, 30))
    alone = played(pair.only(np.array([1])), limits(CLASSES))
    in_turn = played(pair, limits(CONTINUOUS, 30))
    assert tight.e2e_s[1] < in_turn.e2e_s[1]
    assert tight.e2e_s[1] < 1.5 * alone.e2e_s[0]


def test_classes_by_length_and_without_any() -> None:
    requests = dataclasses.replace(alike(4, 1, 1), prompt_tokens=np.array([9, 10, 99, 100]))
    classed = classed_by_length(requests, standard_from_tokens=10, batch_from_tokens=100)
    assert by_class(classed).tolist() == [FAST, STANDARD, STANDARD, BATCH]
    with pytest.raises(RidgelineError, match="have no classes; give each"):
        by_class(requests)
    with pytest.raises(RidgelineError, match="standard_from_tokens=5 must be from 0 to batch_from_tokens=4"):
        classed_by_length(requests, standard_from_tokens=5, batch_from_tokens=4)


def settled(router: Router) -> Callable[[Requests], list[int]]:
    """Where a router sends requests, as a function of these."""
    return lambda requests: played(requests, limits(CONTINUOUS, hashed_tokens=HASHED), 3, router).replica.tolist()


def with_prefixes(requests: Requests, prefixes: Sequence[tuple[int, ...]]) -> Requests:
    return dataclasses.replace(requests, prefix_hashes=tuple(prefixes))


def test_prefixes_are_found_where_they_are_until_that_costs_more() -> None:
    route = settled(PrefixAware())
    kinds = [tuple(range(100 * kind, 100 * kind + 5)) for kind in range(3)]
    # Far apart, so that each is done before the next: three prompts go to the first that is idle, and then return.
    apart = with_prefixes(alike(6, 41, 2, 1.0), [*kinds, *kinds])
    assert route(apart) == [0] * 6
    # At once: load decides for the first three, prefixes for those that come when these are done.
    arrivals_s = np.array([0.0, 0.0, 0.0, 1.0, 2.0, 3.0])
    at_once = dataclasses.replace(apart, arrivals_s=arrivals_s, prefix_hashes=(*kinds, kinds[2], kinds[0], kinds[1]))
    assert route(at_once) == [0, 1, 2, 2, 0, 1]
    # A burst of one kind spreads: the 40 tokens that are known weigh less than 82 or more that wait before it.
    burst = with_prefixes(dataclasses.replace(alike(7, 41, 2), arrivals_s=np.array([0.0] + [1.0] * 6)), [kinds[0]] * 7)
    assert sorted(set(route(burst))) == [0, 1, 2]
    with pytest.raises(RidgelineError, match="reading_weight=-1 must be a number from 0 up"):
        PrefixAware(reading_weight=-1)


def test_the_least_loaded_replica_is_chosen() -> None:
    route = settled(LeastLoaded())
    assert route(alike(7, 41, 50)) == [0, 1, 2, 0, 1, 2, 0]
    # The second replica is done with its short one when the last comes.
    requests = dataclasses.replace(
        alike(4, 10, 90), output_tokens=np.array([90, 2, 90, 90]), arrivals_s=np.array([0, 0, 0, 0.1])
    )
    assert route(requests) == [0, 1, 2, 1]


@given(traces())
def test_two_pools_with_room_are_one_after_the_other(requests: Requests) -> None:
    reading, making = limits(CONTINUOUS), limits(CONTINUOUS)
    readers, writers = ([Replica(*surface(), one, is_staged=one is reading)] for one in (reading, making))

    def move_s(tokens: int) -> float:
        return 1e-3 + 1e-5 * tokens

    parts = [
        served_of(finished, place, deployment().engine)
        for place, finished in serve_two_pools(readers, writers, RoundRobin(), RoundRobin(), move_s, [requests])
    ]
    found = joined(parts)

    reader = Replica(*surface(), reading)
    reader.give(dataclasses.replace(requests, output_tokens=np.ones(len(requests), dtype=np.int64)))
    reader.run(math.inf)
    read_s = reader.take_finished().first_s
    rows = [row._replace(is_handed=True) for row in rows_of(requests, first_come)]
    ready = sorted((float(read_s[at]) + move_s(row.prompt), at) for at, row in enumerate(rows) if row.output > 1)
    writer = Replica(*surface(), making)
    for ready_s, at in ready:
        writer.give_row(rows[at]._replace(arrival_s=ready_s))
    writer.run(math.inf)
    done = writer.take_finished()
    host_s = deployment().engine.scheduling.first_token_s
    first_s, done_s = read_s.copy(), read_s.copy()
    for place, (_, at) in enumerate(ready):
        first_s[at], done_s[at] = done.first_s[place], done.done_s[place]
    assert np.allclose(found.ttft_s, first_s - requests.arrivals_s + host_s, rtol=SAME)
    assert np.allclose(found.e2e_s, done_s - requests.arrivals_s + host_s, rtol=SAME)
    # Nobody's first token comes before its prompt is read and moved.
    of_two = requests.output_tokens > 1
    moved_s = np.array([move_s(tokens) for tokens in requests.prompt_tokens.tolist()])
    assert (first_s[of_two] >= (read_s + moved_s)[of_two] * (1 - SAME)).all()


def test_prompts_stay_where_they_were_read_until_the_other_pool_has_room() -> None:
    found, moves_s = {}, 5e-3
    requests = alike(40, 40, 60, 0.001)
    for room in (26, 1 << 20):
        readers = [Replica(*surface(), limits(CONTINUOUS, 35), is_staged=True)]
        writers = [Replica(*surface(), limits(CONTINUOUS, room))]
        serving = serve_two_pools(readers, writers, RoundRobin(), RoundRobin(), lambda _: moves_s, [requests])
        found[room] = joined([served_of(one, place, deployment().engine) for place, one in serving])
        staging = readers[0].staging
        assert staging is not None
        host_s = deployment().engine.scheduling.first_token_s
        # Little's law of the staging room: what is held is the blocks of each, times its time from read to admitted.
        held_s = staging.block_s / (10 * len(requests))
        assert held_s >= moves_s * (1 - SAME)
        if room == 26:
            # One at a time is in the second pool: three are held in the first, and the others wait before it, so that
            # each is held for as long as the second pool takes for two or three.
            first_s = np.sort(requests.arrivals_s + found[room].ttft_s - host_s)
            assert 2 * np.median(np.diff(first_s)) < held_s < 3.01 * np.median(np.diff(first_s))
    assert found[26].ttft_s.max() > 10 * found[1 << 20].ttft_s.max()


def test_two_pools_give_one_account() -> None:
    here, chips = deployment("llama-3.1-8b"), 2
    requests = dataclasses.replace(
        alike(60, 2000, 100, 0.05), prefix_hashes=tuple((0, at + 1, at + 100) for at in range(60))
    )
    capacity = capacity_of(here, 2000.0)
    bounds = limits_for(here, CONTINUOUS, capacity)
    prefill = Side(
        deployment=here,
        limits=dataclasses.replace(bounds, hashed_tokens=512),
        capacity=capacity,
        usd_per_chip_s=1.0,
    )
    decode = Side(deployment=here, limits=bounds, capacity=capacity, replicas=2, usd_per_chip_s=1.0)
    told, found = simulate_two_pools(prefill, decode, requests)
    pool = told.prompt_pool
    assert pool is not None
    assert told.completed == 60
    assert told.reading_fraction == 0.0
    assert found.cached_tokens.tolist() == [0, *[512] * 59]
    assert told.cached_fraction == pytest.approx(512 * 59 / (2000 * 60))
    usd_per_input, usd_per_output = told.usd_per_input_token, told.usd_per_output_token
    assert usd_per_input is not None
    assert usd_per_output is not None
    paid = usd_per_input * told.prompt_tokens + usd_per_output * told.output_tokens
    assert paid == pytest.approx((1 + 2) * chips * told.simulated_s)
    # Light load: a first token takes reading and the move, and nobody waits for the second pool's step.
    first = requests.only(np.array([0]))
    one, _ = simulate(here, [first], limits=bounds, capacity=capacity)
    _, two = simulate_two_pools(prefill, decode, first)
    move_s = cache_move_s(here, here, 2000, chips=6)
    assert two.ttft_s[0] == pytest.approx(one.ttft_s.mean + move_s, rel=SAME)
    assert two.tpot_s[0] == pytest.approx(one.tpot_s.mean, rel=SAME)
    with pytest.raises(RidgelineError, match="the prompt pool reads prompts"):
        simulate_two_pools(decode, prefill, requests)
