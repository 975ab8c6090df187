"""Replicas through a trace: requests are routed to them as they arrive, and collected when they are finished."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

import numpy as np

from ridgeline.simulator.replica import Finished, Replica
from ridgeline.simulator.router import Router
from ridgeline.simulator.rows import rows_of
from ridgeline.simulator.watch import UNWATCHED, Watch
from ridgeline.traces.requests import Requests

__all__ = ["serve"]


TAKEN_AT_ONCE = 256
"""Requests of a closed loop after which finished ones are collected."""


def serve(
    replicas: Sequence[Replica],
    router: Router,
    blocks: Iterable[Requests],
    watch: Watch = UNWATCHED,
    *,
    users: int = 0,
) -> Iterator[tuple[int, Finished]]:
    """Play blocks of requests, and yield finished ones: their replica's index, and requests by number in the trace.

    Memory grows with the requests in flight, and not with the trace.

    Args:
        replicas: replicas that have served nothing yet.
        router: router that chooses a request's replica.
        blocks: blocks of requests in the order of arrival, each played before the next is read.
        watch: runs the replicas, and records their state.
        users: users of a closed loop, whose requests are one block from ``arrivals.in_a_loop``; 0 where requests arrive
            on their own. Where the router looks at no state, each replica has its part of the users.
    """
    # What one replica does changes what others are given, or find: none may run ahead.
    is_coupled = router.looks or any(tier.is_shared for tier in replicas[0].limits.tiers)
    if users and not is_coupled:
        replicas = replicas[:users]  # a replica without a user is asked nothing
        for place, replica in enumerate(replicas):
            replica.serve_users(len(range(place, users, len(replicas))))
    numbers: list[list[int]] = [[] for _ in replicas]
    begun = 0
    for block in blocks:
        if not is_coupled:
            _give_at_once(replicas, router, block, begun, numbers, watch)
        elif users:
            yield from _give_as_answered(replicas, router, block, numbers, watch)
        else:
            _give_one_by_one(replicas, router, block, begun, numbers, watch)
        begun += len(block)
        for place, replica in enumerate(replicas):
            yield place, _taken(place, replica, numbers[place], watch)
    for place, replica in enumerate(replicas):
        watch.run(place, replica, math.inf)
        yield place, _taken(place, replica, numbers[place], watch)


def _give_at_once(
    replicas: Sequence[Replica],
    router: Router,
    block: Requests,
    begun: int,
    numbers: list[list[int]],
    watch: Watch,
) -> None:
    """Route a block by its requests alone, and run up to its last arrival."""
    if len(replicas) == 1:
        shares = [(np.arange(len(block)), block)]
    else:
        prompts, hashes = block.prompt_tokens.tolist(), block.prefix_hashes
        chosen = np.array(
            [
                router.choose(begun + at, prompt, () if hashes is None else hashes[at], replicas)
                for at, prompt in enumerate(prompts)
            ]
        )
        places = [np.flatnonzero(chosen == place) for place in range(len(replicas))]
        shares = [(mine, block.only(mine)) for mine in places]
    for place, (replica, (mine, share)) in enumerate(zip(replicas, shares, strict=True)):
        replica.give(share)
        numbers[place].extend((begun + mine).tolist())
        watch.run(place, replica, float(block.arrivals_s[-1]))


def _give_one_by_one(
    replicas: Sequence[Replica],
    router: Router,
    block: Requests,
    begun: int,
    numbers: list[list[int]],
    watch: Watch,
) -> None:
    """Run all replicas up to each arrival, so that the router sees their state, and they see what others have written.

    They are run once for all requests that arrive together.
    """
    now_s = -math.inf
    for number, row in enumerate(rows_of(block, replicas[0].limits.policy.order), begun):
        if row.arrival_s > now_s:
            now_s = row.arrival_s
            for place, replica in enumerate(replicas):
                watch.run(place, replica, now_s)
        chosen = router.choose(number, row.prompt, row.hashes, replicas)
        replicas[chosen].give_row(row)
        numbers[chosen].append(number)


def _give_as_answered(
    replicas: Sequence[Replica], router: Router, block: Requests, numbers: list[list[int]], watch: Watch
) -> Iterator[tuple[int, Finished]]:
    """Route the requests of a closed loop: the next one comes when a user begins, or when any replica finishes one.

    The replica whose next step starts first takes that step, until all that start before the next arrival are taken.
    No replica is then ahead of what the router sees, or of what others have written.
    """
    comes_s = block.arrivals_s[np.isfinite(block.arrivals_s)].tolist()
    heapify(comes_s)
    starts_s = [replica.next_start_s for replica in replicas]
    for number, row in enumerate(rows_of(block, replicas[0].limits.policy.order)):
        while True:
            start_s = min(starts_s)
            if comes_s and comes_s[0] <= start_s:
                break
            place = starts_s.index(start_s)
            first = replicas[place]
            done = first.counts.finished
            _step(place, first, watch)
            starts_s[place] = first.next_start_s
            for _ in range(first.counts.finished - done):
                heappush(comes_s, first.clocks.now_s)
        now_s = heappop(comes_s)
        place = router.choose(number, row.prompt, row.hashes, replicas)
        replicas[place].give_row(row._replace(arrival_s=now_s))
        starts_s[place] = replicas[place].next_start_s
        numbers[place].append(number)
        if number % TAKEN_AT_ONCE == 0:
            for at, replica in enumerate(replicas):
                yield at, _taken(at, replica, numbers[at], watch)


def _step(place: int, replica: Replica, watch: Watch) -> None:
    """Play one step of a replica, or up to the next cache that it waits for."""
    watch.run(place, replica, math.nextafter(replica.next_start_s, math.inf))
    if not replica.is_busy and replica.is_fetching:
        watch.run(place, replica, math.nextafter(replica.next_work_s, math.inf))


def _taken(place: int, replica: Replica, numbers: list[int], watch: Watch) -> Finished:
    """Requests that a replica has finished, by number in the trace; their numbers are forgotten."""
    finished = replica.take_finished()
    watch.took(place, finished)
    count = len(finished.number)
    found = finished.renumbered(np.array(numbers[:count], dtype=np.int64))
    del numbers[:count]
    return found
