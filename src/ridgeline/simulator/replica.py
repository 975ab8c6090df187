"""One replica through time: requests are given to it, it is run, and finished requests are taken from it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ridgeline.serving.surface import StepSurface, octaves
from ridgeline.simulator.cache_tiers import CacheTiers, Kept
from ridgeline.simulator.limits import Limits
from ridgeline.simulator.play import HANDED, NEVER, SHIFT, play
from ridgeline.simulator.policy import Order
from ridgeline.simulator.prefix_cache import PrefixCache
from ridgeline.simulator.staging import Staging
from ridgeline.simulator.stretches import Stretches
from ridgeline.traces.requests import STANDARD, Requests

__all__ = ["Clocks", "Counts", "Finished", "Replica", "Row", "bounds_of", "costs_of", "rows_of"]

Array = NDArray[np.float64]


class Row(NamedTuple):
    """A request for a replica.

    Attributes:
        order: admission key, as in ``Order``.
        arrival_s: arrival time, s.
        prompt: number of input tokens.
        output: number of output tokens.
        hashes: hashes of its prompt's blocks; empty without any.
        kind: number of its class; 0 is standard.
        is_handed: whether its prompt was read elsewhere, and its cache arrives with it.
    """

    order: int
    arrival_s: float
    prompt: int
    output: int
    hashes: tuple[int, ...]
    kind: int
    is_handed: bool = False


Columns = tuple[list[int], list[float], list[int], list[int], Sequence[tuple[int, ...]], Sequence[int]]
"""Fields of ``Row``, without the last, for many requests."""


def columns_of(requests: Requests, order: Order) -> Columns:
    """Requests field by field."""
    return (
        order(requests).tolist(),
        requests.arrivals_s.tolist(),
        requests.prompt_tokens.tolist(),
        requests.output_tokens.tolist(),
        requests.prefix_hashes or ((),) * len(requests),
        (STANDARD,) * len(requests) if requests.classes is None else requests.classes.tolist(),
    )


def rows_of(requests: Requests, order: Order) -> list[Row]:
    """Requests one by one."""
    return list(map(Row, *columns_of(requests, order)))


class Counts(NamedTuple):
    """Integers of a replica's state.

    Attributes:
        requests: number of requests that it keeps.
        upcoming: index of the next request to arrive.
        tick: number of steps that decoded.
        decoding: number of sequences that decode.
        free_blocks: free blocks of its cache.
        next_read: tick from which prompts may be read again.
        preemptions: number of preemptions of requests.
        finished: requests finished since the replica began.
        released: index of the request that arrives when the next one is finished, in a closed loop; -1 without one.
    """

    requests: int
    upcoming: int
    tick: int
    decoding: int
    free_blocks: int
    next_read: int
    preemptions: int
    finished: int
    released: int


class Clocks(NamedTuple):
    """Times of a replica, s, and integrals over its busy time.

    Attributes:
        now_s: end of its last step, s.
        busy_s: total time of its steps, s.
        reading_s: time that prompts add to steps, or take alone, s.
        sequence_s: integral of decoding sequences over time.
        free_block_s: integral of free blocks over time.
        waiting_s: integral of waiting requests over time, from their arrival on.
        read_s: integral of requests in prefill over time.
    """

    now_s: float
    busy_s: float
    reading_s: float
    sequence_s: float
    free_block_s: float
    waiting_s: float
    read_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """Requests that a replica has finished; arrays of one length, in the order of arrival.

    Attributes:
        number: number of each request in the order in which it was given to the replica, from 0 up.
        arrivals_s: arrival time of each request, s.
        prompt_tokens: input tokens of each request.
        output_tokens: output tokens of each request.
        first_s: time of its first token, s.
        done_s: time of its last token, s.
        cached_tokens: tokens of each prompt found in the prefix cache at its first admission.
        classes: class number of each request.
    """

    number: NDArray[np.int64]
    arrivals_s: Array
    prompt_tokens: NDArray[np.int64]
    output_tokens: NDArray[np.int64]
    first_s: Array
    done_s: Array
    cached_tokens: NDArray[np.int64]
    classes: NDArray[np.int64]

    def renumbered(self, number: NDArray[np.int64]) -> Finished:
        """Finished requests with other numbers."""
        return dataclasses.replace(self, number=number)


SPARE = 64
"""Number of requests for which room is made at once."""


class Replica:
    """A replica, its requests and the time.

    Args:
        surface: times of its steps.
        curves: entries attended to by each kind of attention, by context.
        limits: limits on its steps.
        is_staged: whether it holds the caches of prompts until their transfer.
        shared: blocks of the tiers that it shares with other replicas, by name.

    Attributes:
        limits: limits on its steps.
        counts: integers of its state.
        clocks: times of the replica.
        cache: prefix cache of the replica; None without one.
        tiers: cache tiers below it; None without any.
        staging: caches of prompts that it holds for transfer; None where it decodes them.
        unread_tokens: prompt tokens still to be read, of requests that wait or are in prefill.
        held_tokens: tokens of cache that requests in flight hold, or will hold once admitted.
    """

    def __init__(
        self,
        surface: StepSurface,
        curves: list[Stretches],
        limits: Limits,
        *,
        is_staged: bool = False,
        shared: dict[str, Kept] | None = None,
    ) -> None:
        self.limits = limits
        self.counts = Counts(0, 0, 0, 0, limits.blocks, 0, 0, 0, -1)
        self.clocks = Clocks(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        self.tiers = _tiers(surface, limits, shared) if limits.tiers else None
        self.cache = (
            PrefixCache(
                blocks=limits.blocks,
                block_tokens=limits.block_tokens,
                hashed_tokens=limits.hashed_tokens,
                tiers=self.tiers,
            )
            if limits.hashed_tokens
            else None
        )
        self.staging = Staging(self.cache) if is_staged else None
        self.unread_tokens = self.held_tokens = 0
        self._first = 0
        self._coming: list[Row] = []
        self._arrivals_s: list[float] = []
        self._prompts: list[int] = []
        self._outputs: list[int] = []
        self._orders: list[int] = []
        self._kinds: list[int] = []
        self._past: list[int] = []
        self._targets: list[int] = []
        self._made: list[int] = []
        self._due: list[int] = []
        self._turns: list[int] = []
        self._shared: list[int] = []
        self._first_s: list[float] = []
        self._done_s: list[float] = []
        self._stretches: list[list[int]] = [[] for _ in curves]
        self._filed: list[int] = []
        self._waiting: list[int] = []
        self._reading: list[int] = []
        self._admitted: list[int] = []
        self._columns = (
            self._arrivals_s,
            self._prompts,
            self._outputs,
            self._orders,
            self._past,
            self._targets,
            self._made,
            self._due,
            self._turns,
            self._shared,
            self._first_s,
            self._done_s,
        )
        self._bends = (
            [one.contexts for one in curves],
            [one.entries for one in curves],
            [one.slopes for one in curves],
            self._stretches,
        )
        takes: list[int] = []
        phases = [0] * (2 * limits.block_tokens)
        self._files = (self._filed, self._waiting, self._reading, takes, self._admitted, phases)
        self._sums = ([0.0] * len(curves), [0.0] * len(curves), [0] * len(curves))
        self._costs, self._bounds = costs_of(surface, limits), bounds_of(limits)

    @property
    def under_way(self) -> int:
        """Number of requests that were given and are not finished."""
        return self._first + self.counts.requests - self.counts.finished + len(self._coming)

    @property
    def is_busy(self) -> bool:
        """Whether it has requests in prefill or decode."""
        return bool(self.counts.decoding or self._reading)

    @property
    def is_fetching(self) -> bool:
        """Whether caches of its requests are being fetched from a tier."""
        return bool(self.tiers)

    @property
    def next_work_s(self) -> float:
        """Time at which it continues with admitted requests, s: now, or when a cache arrives; infinite without any."""
        if self.is_busy:
            return self.clocks.now_s
        return math.inf if self.tiers is None else max(self.clocks.now_s, self.tiers.next_s())

    @property
    def is_idle(self) -> bool:
        """Whether all requests that have arrived are finished."""
        is_under_way = self.is_busy or self.is_fetching or self._waiting or self._coming
        return not is_under_way and self.counts.upcoming == self.counts.requests

    def first_s(self, number: int) -> float:
        """Time of the first token of a request that it still keeps, s; -1 before."""
        place = number - self._first
        return self._first_s[place] if 0 <= place < len(self._first_s) else -1.0

    @property
    def reading(self) -> list[int]:
        """Numbers of the requests in prefill."""
        return [self._first + place for place in self._reading]

    @property
    def next_start_s(self) -> float:
        """Earliest start of its next step, as far as arrivals are known, s; infinite where none are."""
        if self.is_busy or self._waiting:
            return self.clocks.now_s
        upcoming = self.counts.upcoming
        known = upcoming < self.counts.requests
        coming_s = (
            self._arrivals_s[upcoming] if known else min((row.arrival_s for row in self._coming), default=math.inf)
        )
        if self.tiers is not None:
            coming_s = min(coming_s, self.tiers.next_s())
        return max(self.clocks.now_s, coming_s)

    def cached_tokens(self, number: int) -> int:
        """Prompt tokens of a request that it still keeps that were found in the prefix cache."""
        return 0 if self.cache is None else self.cache.hits_tokens[number - self._first]

    def known_tokens(self, hashes: Sequence[int]) -> int:
        """Tokens of a prompt's prefix that its prefix cache has."""
        return 0 if self.cache is None else self.cache.known_tokens(hashes)

    def give(self, requests: Requests) -> None:
        """Add requests that arrive, none of them before those that were given earlier."""
        if self._coming:
            self._place()
        columns = columns_of(requests, self.limits.policy.order)
        self._add(*columns)
        tokens = sum(columns[2])
        self.unread_tokens += tokens
        self.held_tokens += tokens

    def give_row(self, row: Row) -> None:
        """Add one request that arrives, not before those that were given earlier."""
        self._coming.append(row)
        self.unread_tokens += row.prompt
        self.held_tokens += row.prompt

    def _place(self) -> None:
        """Assign indices to the requests given since the last run."""
        columns: list[Any] = list(zip(*self._coming, strict=True))
        self._coming.clear()
        self._add(*columns)

    def _add(
        self,
        orders: Sequence[int],
        arrivals_s: Sequence[float],
        prompts: Sequence[int],
        outputs: Sequence[int],
        hashes: Sequence[tuple[int, ...]],
        kinds: Sequence[int],
        handed: Sequence[bool] = (),
    ) -> None:
        """Append requests to all columns."""
        self._orders += orders
        self._kinds += kinds
        self._arrivals_s += arrivals_s
        self._prompts += prompts
        self._outputs += outputs
        self._targets += prompts
        if self.cache is not None:
            self.cache.give(prompts, hashes)
        short = len(self._prompts) - len(self._made)
        if short > 0:
            self._widen(max(short, SPARE))
        for one, is_handed in enumerate(handed, self.counts.requests):
            if is_handed:
                self._past[one] = HANDED
        self.counts = self.counts._replace(requests=len(self._prompts))

    def _widen(self, count: int) -> None:
        """Extend for further requests the columns whose values are not known when these arrive."""
        for whole in (self._made, self._shared, *self._stretches):
            whole.extend([0] * count)
        for whole in (self._past, self._due, self._turns):
            whole.extend([NEVER] * count)
        for times in (self._first_s, self._done_s):
            times.extend([-1.0] * count)

    def run(self, until_s: float) -> None:
        """Play up to the first step that starts at ``until_s`` or later."""
        if self._coming:
            self._place()
        if self.staging is not None:
            self.staging.is_paused = False
        counts = self.counts
        if self.clocks.now_s >= until_s or self.is_idle:
            return
        counts_after, clocks = play(
            self._costs,
            self._bounds,
            self._columns,
            self._bends,
            self._files,
            self._sums,
            counts,
            self.clocks,
            until_s,
            self.cache,
            self.staging,
            self.tiers,
        )
        self.counts, self.clocks = Counts(*counts_after), Clocks(*clocks)
        self._count_tokens()

    def settle(self, when_s: float) -> None:
        """Release the memory of caches transferred by a time up to which it has run."""
        if self.staging is not None:
            free = self.counts.free_blocks
            self.counts = self.counts._replace(free_blocks=free + self.staging.freed(when_s, free))
            self._count_tokens()

    def _count_tokens(self) -> None:
        """Count the tokens still to be read and held, for routers that look at them."""
        targets, past, counts = self._targets, self._past, self.counts
        waiting = sum([targets[what % SHIFT] for what in self._waiting])
        if counts.upcoming < counts.requests:
            waiting += sum(self._prompts[counts.upcoming : counts.requests])
        read = self._reading if self.tiers is None else [*self._reading, *self.tiers.away]
        self.unread_tokens = waiting + sum([targets[one] - past[one] for one in read])
        self.held_tokens = waiting + (self.limits.blocks - counts.free_blocks) * self.limits.block_tokens

    def take_finished(self) -> Finished:
        """Requests finished before the earliest unfinished one; they are forgotten here."""
        done = next((place for place, when_s in enumerate(self._done_s) if when_s < 0), len(self._done_s))
        if self.staging is not None:
            done = min(done, self.staging.earliest() - self._first)
        hits = [0] * done if self.cache is None else self.cache.hits_tokens[:done]
        found = Finished(
            number=np.arange(self._first, self._first + done),
            arrivals_s=np.array(self._arrivals_s[:done]),
            prompt_tokens=np.array(self._prompts[:done], dtype=np.int64),
            output_tokens=np.array(self._outputs[:done], dtype=np.int64),
            first_s=np.array(self._first_s[:done]),
            done_s=np.array(self._done_s[:done]),
            cached_tokens=np.array(hits, dtype=np.int64),
            classes=np.array(self._kinds[:done], dtype=np.int64),
        )
        self._forget(done)
        return found

    def _forget(self, done: int) -> None:
        """Drop the first requests; the others' indices shift down."""
        columns: tuple[list[float] | list[int], ...] = (*self._columns, *self._stretches, self._kinds)
        for column in columns:
            del column[:done]
        if self.cache is not None:
            self.cache.forget(done)
        # Indices shift by the same amount everywhere, so that heaps stay heaps. Entries of finished requests are stale.
        self._filed[:] = sorted(what - 2 * done for what in self._filed if what % SHIFT >= 2 * done)
        self._waiting[:] = [what - done for what in self._waiting]
        self._reading[:] = [place - done for place in self._reading]
        self._admitted[:] = [
            place - done for place in self._admitted if place >= done and self._past[place - done] >= 0
        ]
        self._first += done
        if self.staging is not None:
            self.staging.first += done
        released = self.counts.released
        self.counts = self.counts._replace(
            requests=len(self._prompts),
            upcoming=self.counts.upcoming - done,
            released=released if released < 0 else released - done,
        )


def _tiers(surface: StepSurface, limits: Limits, shared: dict[str, Kept] | None) -> CacheTiers:
    """Cache tiers of a replica, with the time to read a prompt by itself."""

    def read_s(past: int, target: int) -> float:
        starts = range(past, target, limits.pass_tokens)
        return sum(surface.ragged_step_s(0, (), [(min(limits.pass_tokens, target - at), at)]) for at in starts)

    return CacheTiers(
        limits.tiers,
        hashed_tokens=limits.hashed_tokens,
        token_bytes=limits.tier_token_bytes,
        read_s=read_s,
        shared=shared,
    )


def costs_of(surface: StepSurface, limits: Limits) -> tuple[object, ...]:
    """Times of steps, in the form that ``play`` takes."""
    takes, last = np.arange(limits.pass_tokens + 1), len(surface.prompt_nodes) - 1
    nodes = np.minimum(np.searchsorted(surface.prompt_nodes, takes, side="right"), last)
    return (
        surface.decode_s,
        surface.rows_s,
        surface.beside_s,
        surface.prompt_s,
        surface.alone_s,
        surface.experts_s,
        surface.alone_experts_s,
        surface.least_s,
        surface.cores_s,
        surface.mixed_cores_s,
        octaves().tolist(),
        surface.prompt_nodes,
        nodes.tolist(),
        surface.prompt_cores_s,
    )


def bounds_of(limits: Limits) -> tuple[object, ...]:
    """Limits on steps, in the form that ``play`` takes."""
    policy = limits.policy
    return (
        limits.groups,
        limits.pass_tokens,
        limits.sequences,
        limits.block_tokens,
        limits.is_reserved,
        policy.reads_alone,
        policy.is_joined,
        policy.period_s,
        limits.gap_steps,
        limits.longest_run,
        limits.swap_token_s,
        policy.is_ranked,
    )
