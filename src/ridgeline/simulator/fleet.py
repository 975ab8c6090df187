"""Replicas through a trace: requests are routed to them as they arrive, and collected when they are finished."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ridgeline.simulator.replica import Finished, Replica
from ridgeline.simulator.router import Router
from ridgeline.simulator.rows import rows_of
from ridgeline.simulator.watch import UNWATCHED, Watch
from ridgeline.traces.requests import Requests

__all__ = ["serve"]


def serve(
    replicas: Sequence[Replica], router: Router, blocks: Iterable[Requests], watch: Watch = UNWATCHED
) -> Iterator[tuple[int, Finished]]:
    """Play blocks of requests, and yield finished ones: their replica's index, and requests by number in the trace.

    Memory grows with the requests in flight, and not with the trace.

    Args:
        replicas: replicas that have served nothing yet.
        router: router that chooses a request's replica.
        blocks: blocks of requests in the order of arrival, each played before the next is read.
        watch: runs the replicas, and records their state.
    """
    numbers: list[list[int]] = [[] for _ in replicas]
    begun = 0
    for block in blocks:
        if router.looks or any(tier.is_shared for tier in replicas[0].limits.tiers):
            _give_one_by_one(replicas, router, block, begun, numbers, watch)
        else:
            _give_at_once(replicas, router, block, begun, numbers, watch)
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


def _taken(place: int, replica: Replica, numbers: list[int], watch: Watch) -> Finished:
    """Requests that a replica has finished, by number in the trace; their numbers are forgotten."""
    finished = replica.take_finished()
    watch.took(place, finished)
    count = len(finished.number)
    found = finished.renumbered(np.array(numbers[:count], dtype=np.int64))
    del numbers[:count]
    return found
