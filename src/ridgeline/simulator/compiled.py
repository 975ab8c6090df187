"""The replica's event loop compiled, on arrays, for hundreds of thousands of requests.

``play`` and the functions that it calls are compiled unchanged, so that both give the same times to the last bit.
Compilation takes some ten seconds once, and is cached beside the package; ``numba`` comes with the extra ``fast``. The
cache is dropped where the source of any of them has changed since (``compiled_cache``).
"""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from pathlib import Path
from sys import modules
from typing import Any

import numba
import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from ridgeline.serving import step_tables
from ridgeline.serving.surface import StepSurface
from ridgeline.simulator import state
from ridgeline.simulator.attended import bend, join, leave
from ridgeline.simulator.compiled_cache import drop_stale
from ridgeline.simulator.endings import release_prompt, release_user
from ridgeline.simulator.limits import ReplicaLimits, bounds_of
from ridgeline.simulator.play import play
from ridgeline.simulator.preempt import last_ranked, preempt
from ridgeline.simulator.replica import Finished
from ridgeline.simulator.state import NEVER, SHIFT, Clocks, counts_at_start
from ridgeline.simulator.step_runs import attend_prompts_s, steps_before, steps_in_memory
from ridgeline.simulator.stretches import Stretches
from ridgeline.traces.requests import STANDARD, Requests

__all__ = ["CompiledReplica"]


def _named(record: type) -> Any:  # noqa: ANN401  a class of named tuples
    """Named tuple with a record's fields, which compiled code can take."""
    return namedtuple(record.__name__, [one.name for one in dataclasses.fields(record)])  # noqa: PYI024


StepTables = _named(step_tables.StepTables)
Bounds = _named(state.Bounds)
Columns = _named(state.Columns)
Curves = _named(state.Curves)
Queues = _named(state.Queues)
Sums = _named(state.Sums)

PIECES = (
    bend,
    join,
    leave,
    release_prompt,
    release_user,
    last_ranked,
    preempt,
    attend_prompts_s,
    steps_before,
    steps_in_memory,
)
"""Functions that ``play`` calls, compiled into it."""

SOURCES = {one.__module__: modules[one.__module__] for one in (play, *PIECES)} | {
    one.__name__: one for one in (state, step_tables)
}
"""Modules, by name, whose functions and constants are compiled into the loop."""

for piece in PIECES:
    register_jitable(error_model="numpy", forceinline=True)(piece)
_play: Any = numba.njit(play, error_model="numpy", cache=True)


@numba.njit(error_model="numpy", cache=True)
def _run(  # type: ignore[no-untyped-def]  # noqa: ANN202  what it is given says what it is
    tables,  # noqa: ANN001  as ``play`` has them
    bounds,  # noqa: ANN001
    columns,  # noqa: ANN001
    curves,  # noqa: ANN001
    queues,  # noqa: ANN001
    sums,  # noqa: ANN001
    counts,  # noqa: ANN001
    clocks,  # noqa: ANN001
    until_s,  # noqa: ANN001
):
    """Play with heaps as lists of the compiled code, and return them as arrays."""
    filed = [what for what in queues.filed]  # noqa: C416  a list of its own kind
    waiting = [what for what in queues.waiting]  # noqa: C416
    reading = [what for what in queues.reading]  # noqa: C416
    takes = [what for what in queues.reading[:0]]  # noqa: C416
    admitted = [what for what in queues.admitted]  # noqa: C416
    lists = Queues(filed, waiting, reading, takes, admitted, queues.phases)
    counts, clocks = _play(tables, bounds, columns, curves, lists, sums, counts, clocks, until_s)
    return counts, clocks, np.array(filed), np.array(waiting), np.array(reading), np.array(admitted)


drop_stale(Path(_play.stats.cache_path), SOURCES.values())


class CompiledReplica:
    """A replica like ``Replica``, without a prefix cache, for routers that do not look at its state.

    Args:
        surface: times of its steps.
        curves: entries attended to by each kind of attention, by context.
        limits: limits on its steps.
    """

    cache = tiers = None

    def __init__(self, surface: StepSurface, curves: list[Stretches], limits: ReplicaLimits) -> None:
        self.limits = limits
        self.counts = counts_at_start(limits.blocks)
        self.clocks = Clocks(*[0.0] * len(Clocks._fields))
        bounds = bounds_of(limits)
        self._tables = StepTables(*[np.asarray(getattr(surface.tables, name)) for name in StepTables._fields])
        self._bounds = Bounds(*[getattr(bounds, name) for name in Bounds._fields])
        stretches, kinds = max(len(one.contexts) for one in curves), len(curves)
        whole = np.zeros(0, dtype=np.int64)
        self._curves = Curves(
            kinds=np.arange(kinds),
            # Its curve continues beyond its last piece here, at contexts that no request reaches.
            bends=_padded([one.contexts for one in curves], stretches, SHIFT),
            levels=_padded([one.entries for one in curves], stretches, 0.0),
            slopes=_padded([one.slopes for one in curves], stretches, 0.0),
            stretch=np.zeros((kinds, 0), dtype=np.int64),
        )
        self._first = 0
        times = {"arrivals_s", "first_s", "done_s"}
        self._columns = Columns(*[np.zeros(0) if name in times else whole for name in Columns._fields])
        self._kinds = whole
        self._queues = Queues(whole, whole, whole, whole, whole, np.zeros(2 * limits.block_tokens, dtype=np.int64))
        self._sums = Sums(np.zeros(kinds), np.zeros(kinds), np.zeros(kinds, dtype=np.int64))

    @property
    def under_way(self) -> int:
        """Number of requests that were given and are not finished."""
        return self._first + self.counts.requests - self.counts.finished

    def serve_users(self, users: int) -> None:
        """Begin a closed loop: as a request is finished, the next one after each user's first arrives."""
        self.counts = self.counts._replace(released=users)

    def give(self, requests: Requests) -> None:
        """Add requests that arrive, none of them before those that were given earlier."""
        count = len(requests)
        none, never, unknown = (np.full(count, value) for value in (0, NEVER, -1.0))
        prompts = np.asarray(requests.prompt_tokens, dtype=np.int64)
        new = Columns(
            arrivals_s=np.asarray(requests.arrivals_s, dtype=np.float64),
            prompts=prompts,
            outputs=np.asarray(requests.output_tokens, dtype=np.int64),
            orders=self.limits.policy.order(requests),
            past=never,
            targets=prompts,
            made=none,
            due=never,
            turns=never,
            shared=none,
            first_s=unknown,
            done_s=unknown,
        )
        self._columns = Columns(*[np.concatenate(both) for both in zip(self._columns, new, strict=True)])
        kinds = np.full(count, STANDARD) if requests.classes is None else requests.classes
        self._kinds = np.concatenate([self._kinds, kinds])
        stretch = self._curves.stretch
        stretch = np.concatenate([stretch, np.zeros((len(stretch), count), dtype=np.int64)], axis=1)
        self._curves = self._curves._replace(stretch=stretch)
        self.counts = self.counts._replace(requests=len(self._columns.prompts))

    def run(self, until_s: float) -> None:
        """Play up to the first step that starts at ``until_s`` or later."""
        self.counts, self.clocks, filed, waiting, reading, admitted = _run(
            self._tables,
            self._bounds,
            self._columns,
            self._curves,
            self._queues,
            self._sums,
            self.counts,
            self.clocks,
            until_s,
        )
        self._queues = self._queues._replace(filed=filed, waiting=waiting, reading=reading, admitted=admitted)

    def take_finished(self) -> Finished:
        """Requests finished before the earliest unfinished one; they are forgotten here."""
        columns = self._columns
        open_ = np.flatnonzero(columns.done_s < 0)
        done = int(open_[0]) if len(open_) else len(columns.done_s)
        found = Finished(
            number=np.arange(self._first, self._first + done),
            arrivals_s=columns.arrivals_s[:done],
            prompt_tokens=columns.prompts[:done],
            output_tokens=columns.outputs[:done],
            first_s=columns.first_s[:done],
            done_s=columns.done_s[:done],
            cached_tokens=np.zeros(done, dtype=np.int64),
            classes=self._kinds[:done],
        )
        self._forget(done)
        return found

    def _forget(self, done: int) -> None:
        """Drop the first requests; the others' indices shift down."""
        self._columns = Columns(*[column[done:].copy() for column in self._columns])
        self._curves = self._curves._replace(stretch=self._curves.stretch[:, done:].copy())
        self._kinds = self._kinds[done:].copy()
        queues = self._queues
        admitted = queues.admitted[queues.admitted >= done] - done
        self._queues = queues._replace(
            filed=np.sort(queues.filed[queues.filed % SHIFT >= 2 * done] - 2 * done),
            waiting=queues.waiting - done,
            reading=queues.reading - done,
            admitted=admitted[self._columns.past[admitted] >= 0],
        )
        self._first += done
        released = self.counts.released
        self.counts = self.counts._replace(
            requests=len(self._columns.prompts),
            upcoming=self.counts.upcoming - done,
            released=released if released < 0 else released - done,
        )


def _padded(rows: list[list[Any]], width: int, with_: float) -> NDArray[Any]:
    """Rows padded to one length."""
    return np.array([row + [type(row[0])(with_)] * (width - len(row)) for row in rows])
