"""Two pools through time: prefill replicas read prompts, caches are transferred, and decode replicas generate tokens.

Tiers are below the caches of the prefill pool: blocks computed by the decode pool are named in no log.

A prompt stays in the memory of its prefill replica until it has been transferred and the decode pool has room for it.
Where the decode pool is full, the prefill pool fills up behind it, and then waits: what it holds is its requests per
second times the time from prefill to admission. The first token is seen when the decode pool takes the request over, as
in plans of two pools.

Both pools run ahead of each other only as far as neither can change what the other has done: the decode pool up to the
earliest time at which the other may next have read a prompt, the prefill pool for as long as it has room.

Source: Zhong et al. 2024, "DistServe" (arXiv 2401.09670); Patel et al. 2024, "Splitwise" (arXiv 2311.18677).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.estimator.divisibility import require_divides
from ridgeline.serving.stages import stage_way
from ridgeline.serving.transfer import cache_move_s
from ridgeline.simulator.outcome import PromptPool, Simulation
from ridgeline.simulator.replica import Finished, Replica
from ridgeline.simulator.router import Router
from ridgeline.simulator.rows import Row, rows_of
from ridgeline.simulator.served import ServedRequests, served_of
from ridgeline.simulator.side import Side
from ridgeline.simulator.simulate import Sieve, fleet_of, of_tiers, simulation_of
from ridgeline.simulator.staging import Staging
from ridgeline.simulator.tally import Tally
from ridgeline.traces.requests import Requests

__all__ = ["play_two_pools", "serve_two_pools"]


def play_two_pools(
    prefill: Side,
    decode: Side,
    blocks: Iterable[Requests],
    *,
    step_factor: float = 1.0,
    tally: Tally | None = None,
    each: Callable[[ServedRequests], None] | None = None,
) -> Simulation:
    """Play requests through a prefill pool and a decode pool.

    Args:
        prefill: pool that reads prompts.
        decode: pool that decodes; it keeps no prefixes, and recomputes preempted requests.
        blocks: blocks of requests, in the order of arrival.
        step_factor: factor on the estimated time of each step of both.
        tally: collects finished requests; left out, one of its own.
        each: called with finished requests, block by block.

    Raises:
        RidgelineError: there are no requests, none was served, or a layout's steps cannot be tabulated.
    """
    begun_s = time.perf_counter()
    if decode.limits.hashed_tokens:
        raise RidgelineError(
            "two pools: the prompt pool reads prompts, and keeps prefixes; give hashed_tokens to its limits alone"
        )
    for one in (prefill, decode):
        require_divides(one.deployment.model, one.deployment.machine, one.deployment.layout)
    readers = fleet_of(prefill.deployment, prefill.limits, prefill.replicas, is_staged=True, step_factor=step_factor)
    writers = fleet_of(decode.deployment, decode.limits, decode.replicas, step_factor=step_factor)
    stated = decode.capacity.block_tokens if decode.capacity.is_stated else 0
    sieve = Sieve(decode.capacity.tokens, prefill.capacity.tokens, stated_block_tokens=stated)
    tally = tally or Tally()
    chips = sum(one.deployment.layout.chips * one.replicas for one in (prefill, decode))
    way = stage_way(prefill.deployment, prefill.limits.pass_tokens)
    move_s = partial(cache_move_s, prefill.deployment, decode.deployment, chips=chips)
    for place, finished in serve_two_pools(
        readers, writers, prefill.router, decode.router, move_s, sieve.through(blocks)
    ):
        done = served_of(finished, place, decode.deployment.engine, prefill.deployment.engine, way)
        tally.add(done)
        if each is not None:
            each(done)
    sieve.require_served(tally.completed)
    simulated_s = tally.last_s - tally.first_s
    return simulation_of(
        decode,
        writers,
        sieve=sieve,
        tally=tally,
        wall_s=time.perf_counter() - begun_s,
        prompt_pool=_prompt_pool(prefill, readers, simulated_s),
        tiers=of_tiers(readers, prefill.limits, simulated_s),
    )


def _prompt_pool(side: Side, readers: Sequence[Replica], simulated_s: float) -> PromptPool:
    """Results of the prefill pool."""
    busy_s = sum(one.clocks.busy_s for one in readers)
    whole = side.limits.blocks * simulated_s * len(readers)
    return PromptPool(
        deployment=side.deployment,
        limits=side.limits,
        capacity=side.capacity,
        replicas=side.replicas,
        router=side.router.name,
        busy_fraction=busy_s / (len(readers) * simulated_s),
        staged_fraction=sum(one.staging.block_s for one in readers if one.staging is not None) / whole,
        mean_waiting=sum(one.clocks.waiting_s for one in readers) / busy_s,
        evicted_blocks=sum(one.cache.evicted_blocks for one in readers if one.cache is not None),
        usd_per_s=side.usd_per_s,
    )


def serve_two_pools(
    readers: Sequence[Replica],
    writers: Sequence[Replica],
    prompt_router: Router,
    token_router: Router,
    move_s: Callable[[int], float],
    blocks: Iterable[Requests],
) -> Iterator[tuple[int, Finished]]:
    """Play blocks of requests, and yield finished ones: their replica's index, and requests by number in the trace.

    Args:
        readers: prefill replicas, which hold caches until their transfer.
        writers: decode replicas, which receive the caches.
        prompt_router: router that chooses a request's prefill replica.
        token_router: router that chooses a request's decode replica.
        move_s: time to transfer the cache of a prompt of a given number of tokens, s.
        blocks: blocks of requests in the order of arrival, each played before the next is read.
    """
    pools = _Pools(readers, writers, token_router, move_s)
    one_by_one = prompt_router.looks or any(tier.is_shared for tier in readers[0].limits.tiers)
    begun = 0
    for block in blocks:
        orders = writers[0].limits.policy.order(block).tolist()
        for at, row in enumerate(rows_of(block, readers[0].limits.policy.order)):
            number = begun + at
            if one_by_one and row.arrival_s > pools.now_s:
                pools.run(row.arrival_s)
            pools.give(prompt_router.choose(number, row.prompt, row.hashes, readers), number, row, orders[at])
        begun += len(block)
        pools.run(float(block.arrivals_s[-1]))
        yield from pools.take_finished()
    pools.run(math.inf)
    yield from pools.take_finished()


@dataclass(slots=True, kw_only=True)
class _UnderWay:
    """A request with its state in the prefill pool."""

    row: Row
    cached_tokens: int = 0


def _staging(reader: Replica) -> Staging:
    if reader.staging is None:
        raise RidgelineError("serve_two_pools: a replica that reads prompts must be staged (is_staged=True)")
    return reader.staging


class _Pools:
    """Both pools, and caches in transfer between them."""

    def __init__(
        self,
        readers: Sequence[Replica],
        writers: Sequence[Replica],
        router: Router,
        move_s: Callable[[int], float],
    ) -> None:
        self.now_s = -math.inf
        self._readers, self._writers, self._router, self._move_s = readers, writers, router, move_s
        self._known_s = -math.inf
        self._under_way: dict[int, _UnderWay] = {}
        self._read: list[dict[int, int]] = [{} for _ in readers]
        self._given = [0] * (len(readers) + len(writers))
        self._ready: list[tuple[float, int, int, int]] = []
        self._handed: list[list[tuple[int, int, int]]] = [[] for _ in writers]
        self._made: list[dict[int, int]] = [{} for _ in writers]
        self._of_one: list[tuple[int, int, float]] = []

    def give(self, place: int, number: int, row: Row, order: int) -> None:
        """Add a request that arrives at a prefill replica, with the decode pool's order."""
        self._under_way[number] = _UnderWay(row=row._replace(order=order))
        self._read[place][self._given[place]] = number
        self._given[place] += 1
        self._readers[place].give_row(row._replace(output=1))

    def run(self, until_s: float) -> None:
        """Run both pools up to a time."""
        self.now_s = until_s
        while True:
            for reader in self._readers:
                reader.run(until_s)
            self._collect()
            known_s = self._next_known_s(until_s)
            self._hand_over(known_s)
            self._admitted()
            for reader in self._readers:
                _staging(reader).known_s = known_s
            self._known_s = known_s
            if not any(_staging(reader).is_paused for reader in self._readers):
                break
        for reader in self._readers:
            reader.settle(until_s)

    def take_finished(self) -> Iterator[tuple[int, Finished]]:
        """Finished requests; they are forgotten here."""
        for reader in self._readers:
            reader.take_finished()
        for place, writer in enumerate(self._writers):
            found = writer.take_finished()
            numbers = [self._made[place].pop(mine) for mine in found.number.tolist()]
            yield place, self._finished(numbers, found.first_s, found.done_s)
        for number, place, read_s in self._of_one:
            yield place, self._finished([number], np.array([read_s]), np.array([read_s]))
        self._of_one.clear()

    def _finished(self, numbers: list[int], first_s: NDArray[np.float64], done_s: NDArray[np.float64]) -> Finished:
        known = [self._under_way.pop(number) for number in numbers]
        return Finished(
            number=np.array(numbers, dtype=np.int64),
            arrivals_s=np.array([one.row.arrival_s for one in known]),
            prompt_tokens=np.array([one.row.prompt for one in known], dtype=np.int64),
            output_tokens=np.array([one.row.output for one in known], dtype=np.int64),
            first_s=first_s,
            done_s=done_s,
            cached_tokens=np.array([one.cached_tokens for one in known], dtype=np.int64),
            classes=np.array([one.row.kind for one in known], dtype=np.int64),
        )

    def _collect(self) -> None:
        """Start the transfer of caches that were read."""
        for place, reader in enumerate(self._readers):
            staging = _staging(reader)
            for mine, read_s in staging.read:
                number = self._read[place].pop(mine)
                found = self._under_way[number]
                found.cached_tokens = reader.cached_tokens(mine)
                if found.row.output == 1:
                    staging.let_go(mine, read_s)
                    self._of_one.append((number, place, read_s))
                else:
                    heappush(self._ready, (read_s + self._move_s(found.row.prompt), number, place, mine))
            staging.read.clear()

    def _next_known_s(self, until_s: float) -> float:
        """Time up to which all arrivals at the decode pool are known, s."""
        paused = [reader for reader in self._readers if _staging(reader).is_paused]
        works_s = [reader.next_work_s for reader in paused]
        known_s = min(works_s, default=until_s)
        if all(math.isfinite(work_s) for work_s in works_s):
            return min(known_s, until_s)
        # A full prefill replica continues when the decode pool has taken some caches: at its next step.
        steps_s = [writer.clocks.now_s for writer in self._writers if not writer.is_idle]
        if self._ready:
            steps_s.append(self._ready[0][0])
        steps_s += [max(_staging(one).going_s, one.clocks.now_s) for one in paused]
        next_s = max(min(steps_s, default=until_s), self._known_s)
        return min(known_s, until_s, math.nextafter(next_s, math.inf))

    def _hand_over(self, known_s: float) -> None:
        """Run the decode pool up to a time, with all arrivals until then."""
        while self._ready and self._ready[0][0] < known_s:
            ready_s, number, place, mine = heappop(self._ready)
            row = self._under_way[number].row
            if self._router.looks:
                for writer in self._writers:
                    writer.run(ready_s)
            chosen = self._router.choose(number, row.prompt, (), self._writers)
            at = self._given[len(self._readers) + chosen]
            self._given[len(self._readers) + chosen] += 1
            self._handed[chosen].append((at, place, mine))
            self._made[chosen][at] = number
            self._writers[chosen].give_row(row._replace(arrival_s=ready_s, hashes=(), is_handed=True))
        for writer in self._writers:
            writer.run(known_s)

    def _admitted(self) -> None:
        """Release the memory of caches that the decode pool has admitted."""
        for chosen, writer in enumerate(self._writers):
            waiting = []
            for mine, place, theirs in self._handed[chosen]:
                when_s = writer.first_s(mine)
                if when_s < 0:
                    waiting.append((mine, place, theirs))
                else:
                    _staging(self._readers[place]).let_go(theirs, when_s)
            self._handed[chosen] = waiting
