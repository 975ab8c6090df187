"""Replicas through a trace: requests are spread over them as they come, and taken from them when they are done."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ridgeline.simulator.replica import Finished, Replica
from ridgeline.simulator.router import Router
from ridgeline.traces.requests import Requests

__all__ = ["serve"]


def serve(replicas: Sequence[Replica], router: Router, blocks: Iterable[Requests]) -> Iterator[tuple[int, Finished]]:
    """Play blocks of requests, and yield those that are done: their replica's place, and them by number in the trace.

    What is kept grows with the requests under way, and not with the trace.

    Args:
        replicas: that have served nothing yet.
        router: which of them a request goes to.
        blocks: of requests in the order of arrival, each begun after the one before.
    """
    numbers: list[list[int]] = [[] for _ in replicas]
    begun = 0
    for block in blocks:
        if router.looks:
            _give_one_by_one(replicas, router, block, begun, numbers)
        else:
            _give_at_once(replicas, router, block, begun, numbers)
        begun += len(block)
        for place, replica in enumerate(replicas):
            yield place, _numbered(replica.take_finished(), numbers[place])
    for place, replica in enumerate(replicas):
        replica.run(math.inf)
        yield place, _numbered(replica.take_finished(), numbers[place])


def _give_at_once(
    replicas: Sequence[Replica], router: Router, block: Requests, begun: int, numbers: list[list[int]]
) -> None:
    """Spread a block by what is known of its requests alone, and run up to its last arrival."""
    every = np.arange(begun, begun + len(block))
    if len(replicas) == 1:
        chosen = np.zeros(len(block), dtype=np.intp)
    else:
        chosen = np.array([router.choose(int(number), (), replicas) for number in every], dtype=np.intp)
    for place, replica in enumerate(replicas):
        mine = np.flatnonzero(chosen == place)
        replica.give(block.only(mine))
        numbers[place] += every[mine].tolist()
        replica.run(float(block.arrivals_s[-1]))


def _give_one_by_one(
    replicas: Sequence[Replica], router: Router, block: Requests, begun: int, numbers: list[list[int]]
) -> None:
    """Run all replicas up to each arrival, and let the router look at them."""
    hashes: Sequence[Sequence[int]] = block.prefix_hashes or [()] * len(block)
    for at, arrival_s in enumerate(block.arrivals_s.tolist()):
        for replica in replicas:
            replica.run(arrival_s)
        place = router.choose(begun + at, hashes[at], replicas)
        replicas[place].give(block.only(np.array([at])))
        numbers[place].append(begun + at)


def _numbered(finished: Finished, numbers: list[int]) -> Finished:
    """What a replica has done with, by its numbers in the trace, which are forgotten."""
    count = len(finished.number)
    found = finished.renumbered(np.array(numbers[:count], dtype=np.int64))
    del numbers[:count]
    return found
