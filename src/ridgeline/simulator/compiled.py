"""The replica's event loop compiled, on arrays, for hundreds of thousands of requests.

``play`` is compiled unchanged, so that both give the same times to the last bit. Compilation takes half a minute once,
and is cached beside the package; ``numba`` comes with the extra ``fast``.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from ridgeline.serving.surface import StepSurface
from ridgeline.simulator.limits import Limits
from ridgeline.simulator.play import NEVER, SHIFT, play
from ridgeline.simulator.replica import Clocks, Counts, Finished, bounds_of, costs_of
from ridgeline.simulator.stretches import Stretches
from ridgeline.traces.requests import STANDARD, Requests

__all__ = ["CompiledReplica"]

Whole = NDArray[np.int64]

_play = numba.njit(play, error_model="numpy", cache=True)


@numba.njit(error_model="numpy", cache=True)
def _run(  # type: ignore[no-untyped-def]  # noqa: ANN202  what it is given says what it is
    costs,  # noqa: ANN001  as ``play`` has them
    bounds,  # noqa: ANN001
    columns,  # noqa: ANN001
    curves,  # noqa: ANN001
    files,  # noqa: ANN001
    sums,  # noqa: ANN001
    counts,  # noqa: ANN001
    clocks,  # noqa: ANN001
    until_s,  # noqa: ANN001
):
    """Play with heaps as lists of the compiled code, and return them as arrays."""
    filed = [what for what in files[0]]  # noqa: C416  a list of its own kind
    waiting = [what for what in files[1]]  # noqa: C416
    reading = [what for what in files[2]]  # noqa: C416
    takes = [what for what in files[2][:0]]  # noqa: C416
    admitted = [what for what in files[3]]  # noqa: C416
    lists = (filed, waiting, reading, takes, admitted, files[4])
    counts, clocks = _play(costs, bounds, columns, curves, lists, sums, counts, clocks, until_s)
    return counts, clocks, np.array(filed), np.array(waiting), np.array(reading), np.array(admitted)


class CompiledReplica:
    """A replica like ``Replica``, without a prefix cache, for routers that do not look at its state.

    Args:
        surface: times of its steps.
        curves: entries attended to by each kind of attention, by context.
        limits: limits on its steps.
    """

    cache = tiers = None

    def __init__(self, surface: StepSurface, curves: list[Stretches], limits: Limits) -> None:
        self.limits = limits
        self.counts = Counts(0, 0, 0, 0, limits.blocks, 0, 0, 0, -1)
        self.clocks = Clocks(*[0.0] * len(Clocks._fields))
        self._costs = tuple(np.asarray(one) for one in costs_of(surface, limits))
        self._bounds = bounds_of(limits)
        stretches = max(len(one.contexts) for one in curves)
        # Its curve continues beyond its last piece here, at contexts that no request reaches.
        self._curves = (
            _padded([one.contexts for one in curves], stretches, SHIFT),
            _padded([one.entries for one in curves], stretches, 0.0),
            _padded([one.slopes for one in curves], stretches, 0.0),
        )
        self._first = 0
        whole = np.zeros(0, dtype=np.int64)
        self._columns: list[NDArray[Any]] = [np.zeros(0), *[whole] * 9, np.zeros(0), np.zeros(0)]
        self._kinds = whole
        self._stretches = np.zeros((len(curves), 0), dtype=np.int64)
        self._files: list[Whole] = [whole] * 4
        self._phases = np.zeros(2 * limits.block_tokens, dtype=np.int64)
        self._sums = (np.zeros(len(curves)), np.zeros(len(curves)), np.zeros(len(curves), dtype=np.int64))

    @property
    def under_way(self) -> int:
        """Number of requests that were given and are not finished."""
        return self._first + self.counts.requests - self.counts.finished

    def give(self, requests: Requests) -> None:
        """Add requests that arrive, none of them before those that were given earlier."""
        count = len(requests)
        none, never, unknown = (np.full(count, value) for value in (0, NEVER, -1.0))
        prompts = np.asarray(requests.prompt_tokens, dtype=np.int64)
        new = (
            np.asarray(requests.arrivals_s, dtype=np.float64),
            prompts,
            np.asarray(requests.output_tokens, dtype=np.int64),
            self.limits.policy.order(requests),
            never,
            prompts,
            none,
            never,
            never,
            none,
            unknown,
            unknown,
        )
        self._columns = [np.concatenate(both) for both in zip(self._columns, new, strict=True)]
        kinds = np.full(count, STANDARD) if requests.classes is None else requests.classes
        self._kinds = np.concatenate([self._kinds, kinds])
        self._stretches = np.concatenate(
            [self._stretches, np.zeros((len(self._stretches), count), dtype=np.int64)], axis=1
        )
        self.counts = self.counts._replace(requests=len(self._columns[0]))

    def run(self, until_s: float) -> None:
        """Play up to the first step that starts at ``until_s`` or later."""
        counts, clocks, *files = _run(
            self._costs,
            self._bounds,
            tuple(self._columns),
            (*self._curves, self._stretches),
            (*self._files, self._phases),
            self._sums,
            tuple(self.counts),
            tuple(self.clocks),
            until_s,
        )
        self.counts, self.clocks, self._files = Counts(*counts), Clocks(*clocks), files

    def take_finished(self) -> Finished:
        """Requests finished before the earliest unfinished one; they are forgotten here."""
        open_ = np.flatnonzero(self._columns[-1] < 0)
        done = int(open_[0]) if len(open_) else len(self._columns[-1])
        arrivals_s, prompts, outputs, first_s, done_s = (self._columns[place][:done] for place in (0, 1, 2, -2, -1))
        found = Finished(
            number=np.arange(self._first, self._first + done),
            arrivals_s=arrivals_s,
            prompt_tokens=prompts,
            output_tokens=outputs,
            first_s=first_s,
            done_s=done_s,
            cached_tokens=np.zeros(done, dtype=np.int64),
            classes=self._kinds[:done],
        )
        self._forget(done)
        return found

    def _forget(self, done: int) -> None:
        """Drop the first requests; the others' indices shift down."""
        self._columns = [column[done:].copy() for column in self._columns]
        self._stretches = self._stretches[:, done:].copy()
        self._kinds = self._kinds[done:].copy()
        filed, waiting, reading, admitted = self._files
        admitted = admitted[admitted >= done] - done
        self._files = [
            np.sort(filed[filed % SHIFT >= 2 * done] - 2 * done),
            waiting - done,
            reading - done,
            admitted[self._columns[4][admitted] >= 0],
        ]
        self._first += done
        released = self.counts.released
        self.counts = self.counts._replace(
            requests=len(self._columns[0]),
            upcoming=self.counts.upcoming - done,
            released=released if released < 0 else released - done,
        )


def _padded(rows: list[list[Any]], width: int, with_: float) -> NDArray[Any]:
    """Rows padded to one length."""
    return np.array([row + [type(row[0])(with_)] * (width - len(row)) for row in rows])
