"""Batch, memory and queue of replicas over time, as means over slices, for traces of any length.

A replica runs up to the end of each slice, which does not change its behaviour, and its sums are sampled. Where there
are too many samples, every second one is dropped, and slices are twice as long from then on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.simulator.replica import Finished, Replica

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


class _Samples:
    """Sums of a replica, sampled at the end of each slice."""

    def __init__(self, replica: Replica) -> None:
        self.replica = replica
        self.slice_s = FIRST_SLICE_S
        self.notes: list[tuple[float, ...]] = [(0.0,) * 5]
        self._next_s = 0.0

    def run(self, until_s: float) -> None:
        """Play the replica up to a time, a slice at a time."""
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

    def to_the_end(self) -> Array:
        """Samples up to now: time, s, and the sums, by columns."""
        clocks = self.replica.clocks
        when_s = max(clocks.now_s, self.notes[-1][0])
        end = (when_s, clocks.sequence_s, clocks.waiting_s, clocks.free_block_s, clocks.busy_s)
        return np.array([*self.notes, end]).T


class TimelineWatch:
    """Watch of replicas that returns their timeline at the end.

    Attributes:
        samples: sampled sums of each replica, by its index in the fleet.
    """

    looks = False

    def __init__(self) -> None:
        self.samples: dict[int, _Samples] = {}

    def run(self, place: int, replica: Replica, until_s: float) -> None:
        """Play a replica up to a time, a slice at a time."""
        if place not in self.samples:
            self.samples[place] = _Samples(replica)
        self.samples[place].run(until_s)

    def took(self, place: int, finished: Finished) -> None:
        """Record nothing of finished requests."""

    def timeline(self, first_s: float, last_s: float) -> Timeline:
        """Timeline between two times, in slices."""
        edges_s = np.linspace(first_s, last_s, SLICES + 1)
        slice_s = (last_s - first_s) / SLICES
        batch, waiting, used = np.zeros((3, SLICES))
        for one in self.samples.values():
            blocks = one.replica.limits.blocks
            when_s, *sums = one.to_the_end()
            sequence, queued, free, busy = (np.diff(np.interp(edges_s, when_s, of)) for of in sums)
            batch += sequence / slice_s
            waiting += queued / slice_s
            used += (busy - free / blocks) / slice_s
        count = len(self.samples)
        return Timeline(
            times_s=(edges_s[1:] + edges_s[:-1]) / 2,
            batch=batch / count,
            waiting=waiting / count,
            kv_used_fraction=used / count,
            slice_s=slice_s,
        )
