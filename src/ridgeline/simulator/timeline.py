"""Batch, memory and queue of replicas over time, as means over slices, for traces of any length.

A replica runs up to the end of each slice, which does not change its behaviour, and its sums are sampled. Where there
are too many samples, every second one is dropped, and slices are twice as long from then on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ridgeline.simulator.replica import Replica

__all__ = ["Timeline", "TimelineWatch"]

Array = NDArray[np.float64]

FIRST_SLICE_S = 1e-3
"""Initial time between samples, s."""

MOST_NOTES = 1024
"""Samples of a replica, of which every other one is dropped when there are more."""

SLICES = 200
"""Number of slices that are shown, each of several samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Means over slices of time, averaged over replicas; arrays of one length.

    Attributes:
        times_s: middle of each slice, s.
        batch: sequences that decode.
        waiting: requests that have arrived and are not admitted.
        kv_used_fraction: part of the cache that is in use.
        slice_s: length of a slice, s.
    """

    times_s: Array
    batch: Array
    waiting: Array
    kv_used_fraction: Array
    slice_s: float


class _Watched:
    """A replica whose sums are sampled as it runs, and that otherwise behaves the same."""

    def __init__(self, replica: Replica) -> None:
        self.replica = replica
        self.slice_s = FIRST_SLICE_S
        self.notes: list[tuple[float, ...]] = [(0.0,) * 5]
        self._next_s = 0.0

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever the replica has
        return getattr(self.replica, name)

    def run(self, until_s: float) -> None:
        """Play up to a time, a slice at a time."""
        while self._next_s < until_s and not (until_s == math.inf and not self.replica.under_way):
            self.replica.run(self._next_s)
            clocks = self.replica.clocks
            if clocks.now_s > self.notes[-1][0] or clocks.now_s < self._next_s:
                # An idle replica has added nothing since.
                when_s = max(clocks.now_s, self._next_s)
                self.notes.append((when_s, clocks.sequence_s, clocks.waiting_s, clocks.free_block_s, clocks.busy_s))
            if len(self.notes) > MOST_NOTES:
                del self.notes[1::2]
                self.slice_s *= 2
            self._next_s += self.slice_s
        self.replica.run(until_s)


class TimelineWatch:
    """Watch of replicas that returns their timeline at the end.

    Attributes:
        watched: replicas with their samples.
    """

    looks = False

    def __init__(self) -> None:
        self.watched: list[_Watched] = []

    def __call__(self, fleet: Sequence[Replica]) -> Sequence[Replica]:
        """Replicas to run in place of the given ones."""
        self.watched = [_Watched(replica) for replica in fleet]
        return [cast("Replica", one) for one in self.watched]

    def timeline(self, first_s: float, last_s: float) -> Timeline:
        """Timeline between two times, in slices."""
        edges_s = np.linspace(first_s, last_s, SLICES + 1)
        slice_s = (last_s - first_s) / SLICES
        batch, waiting, used = np.zeros((3, SLICES))
        for one in self.watched:
            blocks = one.replica.limits.blocks
            when_s, *sums = np.array([*one.notes, self._end(one)]).T
            sequence, queued, free, busy = (np.diff(np.interp(edges_s, when_s, of)) for of in sums)
            batch += sequence / slice_s
            waiting += queued / slice_s
            used += (busy - free / blocks) / slice_s
        count = len(self.watched)
        return Timeline(
            times_s=(edges_s[1:] + edges_s[:-1]) / 2,
            batch=batch / count,
            waiting=waiting / count,
            kv_used_fraction=used / count,
            slice_s=slice_s,
        )

    @staticmethod
    def _end(one: _Watched) -> tuple[float, ...]:
        clocks = one.replica.clocks
        when_s = max(clocks.now_s, one.notes[-1][0])
        return (when_s, clocks.sequence_s, clocks.waiting_s, clocks.free_block_s, clocks.busy_s)
