"""One replica through time: requests are given to it, it is run, and finished requests are taken from it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.serving.surface import StepSurface
from ridgeline.simulator.cache_tiers import CacheTiers, Kept
from ridgeline.simulator.limits import ReplicaLimits, bounds_of
from ridgeline.simulator.play import play
from ridgeline.simulator.prefix_cache import PrefixCache
from ridgeline.simulator.rows import Row, columns_of
from ridgeline.simulator.staging import Staging
from ridgeline.simulator.state import HANDED, NEVER, SHIFT, Clocks, Columns, Curves, Queues, Sums, counts_at_start
from ridgeline.simulator.stretches import Stretches
from ridgeline.traces.requests import Requests

__all__ = ["Finished", "Replica"]

Array = NDArray[np.float64]


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
    """

    def __init__(
        self,
        surface: StepSurface,
        curves: list[Stretches],
        limits: ReplicaLimits,
        *,
        is_staged: bool = False,
        shared: dict[str, Kept] | None = None,
    ) -> None:
        self.limits = limits
        self.counts = counts_at_start(limits.blocks)
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
        self._tokens: tuple[int, int] | None = 0, 0
        self._first = 0
        self._coming: list[Row] = []
        self._kinds: list[int] = []
        self._requests = Columns(
            arrivals_s=[],
            prompts=[],
            outputs=[],
            orders=[],
            past=[],
            targets=[],
            made=[],
            due=[],
            turns=[],
            shared=[],
            first_s=[],
            done_s=[],
        )
        self._curves = Curves(
            kinds=list(range(len(curves))),
            bends=[one.contexts for one in curves],
            levels=[one.entries for one in curves],
            slopes=[one.slopes for one in curves],
            stretch=[[] for _ in curves],
        )
        self._queues = Queues(
            filed=[], waiting=[], reading=[], takes=[], admitted=[], phases=[0] * (2 * limits.block_tokens)
        )
        self._sums = Sums(entries=[0.0] * len(curves), growth=[0.0] * len(curves), pieces=[0] * len(curves))
        self._tables, self._bounds = surface.tables, bounds_of(limits)

    @property
    def under_way(self) -> int:
        """Number of requests that were given and are not finished."""
        return self._first + self.counts.requests - self.counts.finished + len(self._coming)

    @property
    def is_busy(self) -> bool:
        """Whether it has requests in prefill or decode."""
        return bool(self.counts.decoding or self._queues.reading)

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
        is_under_way = self.is_busy or self.is_fetching or self._queues.waiting or self._coming
        return not is_under_way and self.counts.upcoming == self.counts.requests

    def first_s(self, number: int) -> float:
        """Time of the first token of a request that it still keeps, s; -1 before."""
        place = number - self._first
        return self._requests.first_s[place] if 0 <= place < len(self._requests.first_s) else -1.0

    @property
    def reading(self) -> list[int]:
        """Numbers of the requests in prefill."""
        return [self._first + place for place in self._queues.reading]

    @property
    def next_start_s(self) -> float:
        """Earliest start of its next step, as far as arrivals are known, s; infinite where none are."""
        if self.is_busy or self._queues.waiting:
            return self.clocks.now_s
        upcoming = self.counts.upcoming
        known = upcoming < self.counts.requests
        coming_s = (
            self._requests.arrivals_s[upcoming]
            if known
            else min((row.arrival_s for row in self._coming), default=math.inf)
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

    def serve_users(self, users: int) -> None:
        """Begin a closed loop: as a request is finished, the next one after each user's first arrives."""
        self.counts = self.counts._replace(released=users)

    def give(self, requests: Requests) -> None:
        """Add requests that arrive, none of them before those that were given earlier."""
        if self._coming:
            self._place()
        self._add(*columns_of(requests, self.limits.policy.order))
        self._tokens = None

    def give_row(self, row: Row) -> None:
        """Add one request that arrives, not before those that were given earlier."""
        self._coming.append(row)
        if self._tokens is not None:
            unread, held = self._tokens
            self._tokens = unread + row.prompt, held + row.prompt

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
        columns = self._requests
        columns.orders.extend(orders)
        columns.arrivals_s.extend(arrivals_s)
        columns.prompts.extend(prompts)
        columns.outputs.extend(outputs)
        columns.targets.extend(prompts)
        self._kinds.extend(kinds)
        if self.cache is not None:
            self.cache.give(prompts, hashes)
        short = len(columns.prompts) - len(columns.made)
        if short > 0:
            self._widen(max(short, SPARE))
        for one, is_handed in enumerate(handed, self.counts.requests):
            if is_handed:
                columns.past[one] = HANDED
        self.counts = self.counts._replace(requests=len(columns.prompts))

    def _widen(self, count: int) -> None:
        """Extend for further requests the columns whose values are not known when these arrive."""
        columns = self._requests
        for whole in (columns.made, columns.shared, *self._curves.stretch):
            whole.extend([0] * count)
        for whole in (columns.past, columns.due, columns.turns):
            whole.extend([NEVER] * count)
        for times in (columns.first_s, columns.done_s):
            times.extend([-1.0] * count)

    def run(self, until_s: float) -> None:
        """Play up to the first step that starts at ``until_s`` or later."""
        if self._coming:
            self._place()
        if self.staging is not None:
            self.staging.is_paused = False
        if self.clocks.now_s >= until_s or self.is_idle:
            return
        self.counts, self.clocks = play(
            self._tables,
            self._bounds,
            self._requests,
            self._curves,
            self._queues,
            self._sums,
            self.counts,
            self.clocks,
            until_s,
            self.cache,
            self.staging,
            self.tiers,
        )
        self._tokens = None

    def settle(self, when_s: float) -> None:
        """Release the memory of caches transferred by a time up to which it has run."""
        if self.staging is not None:
            free = self.counts.free_blocks
            self.counts = self.counts._replace(free_blocks=free + self.staging.freed(when_s, free))
            self._tokens = None

    @property
    def unread_and_held_tokens(self) -> tuple[int, int]:
        """Prompt tokens still to be read, and tokens of cache held by requests in flight or once they are admitted."""
        if self._tokens is None:
            self._tokens = self._counted_tokens()
        return self._tokens

    def _counted_tokens(self) -> tuple[int, int]:
        """Tokens still to be read, and held, counted anew."""
        targets, past, reading, counts = self._requests.targets, self._requests.past, self._queues.reading, self.counts
        waiting = sum([targets[what % SHIFT] for what in self._queues.waiting])
        waiting += sum([row.prompt for row in self._coming])
        if counts.upcoming < counts.requests:
            waiting += sum(self._requests.prompts[counts.upcoming : counts.requests])
        read = reading if self.tiers is None else [*reading, *self.tiers.away]
        unread = waiting + sum([targets[one] - past[one] for one in read])
        return unread, waiting + (self.limits.blocks - counts.free_blocks) * self.limits.block_tokens

    def take_finished(self) -> Finished:
        """Requests finished before the earliest unfinished one; they are forgotten here."""
        columns = self._requests
        done = next((place for place, when_s in enumerate(columns.done_s) if when_s < 0), len(columns.done_s))
        if self.staging is not None:
            done = min(done, self.staging.earliest() - self._first)
        hits = [0] * done if self.cache is None else self.cache.hits_tokens[:done]
        found = Finished(
            number=np.arange(self._first, self._first + done),
            arrivals_s=np.array(columns.arrivals_s[:done]),
            prompt_tokens=np.array(columns.prompts[:done], dtype=np.int64),
            output_tokens=np.array(columns.outputs[:done], dtype=np.int64),
            first_s=np.array(columns.first_s[:done]),
            done_s=np.array(columns.done_s[:done]),
            cached_tokens=np.array(hits, dtype=np.int64),
            classes=np.array(self._kinds[:done], dtype=np.int64),
        )
        self._forget(done)
        return found

    def _forget(self, done: int) -> None:
        """Drop the first requests; the others' indices shift down."""
        for column in (*self._requests.columns(), *self._curves.stretch, self._kinds):
            del column[:done]
        if self.cache is not None:
            self.cache.forget(done)
        # Indices shift by the same amount everywhere, so that heaps stay heaps. Entries of finished requests are stale.
        past, queues = self._requests.past, self._queues
        queues.filed[:] = sorted(what - 2 * done for what in queues.filed if what % SHIFT >= 2 * done)
        queues.waiting[:] = [what - done for what in queues.waiting]
        queues.reading[:] = [place - done for place in queues.reading]
        queues.admitted[:] = [place - done for place in queues.admitted if place >= done and past[place - done] >= 0]
        self._first += done
        if self.staging is not None:
            self.staging.first += done
        released = self.counts.released
        self.counts = self.counts._replace(
            requests=len(self._requests.prompts),
            upcoming=self.counts.upcoming - done,
            released=released if released < 0 else released - done,
        )


def _tiers(surface: StepSurface, limits: ReplicaLimits, shared: dict[str, Kept] | None) -> CacheTiers:
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
