"""Caches that a prefill replica holds until their transfer: memory that it cannot use for others.

The time of a transfer depends on the decode pool, which is simulated up to a time of its own. A replica that has no
room before that time is known therefore waits until it is.
"""

from __future__ import annotations

import math
from heapq import heappop, heappush

from ridgeline.simulator.prefix_cache import PrefixCache

__all__ = ["Staging"]

NONE = 1 << 62
"""Placeholder for a request's number, where there is none."""


class Staging:
    """Caches of one replica that wait for their transfer, by the order in which the requests were given to it.

    Args:
        cache: prefix cache of the replica; None without one.

    Attributes:
        first: number of the first request that the replica still keeps.
        known_s: time up to which all transfers are known, s.
        is_paused: whether the replica waits until more is known.
        read: requests read since these were last taken, with their times.
        block_s: integral of held blocks over time, of caches already transferred.
    """

    def __init__(self, cache: PrefixCache | None) -> None:
        self.first = 0
        self.known_s = -math.inf
        self.is_paused = False
        self.read: list[tuple[int, float]] = []
        self.block_s = 0.0
        self._cache = cache
        self._held: dict[int, tuple[int, int, int, float]] = {}
        self._going: list[tuple[float, int]] = []

    def keep(self, place: int, blocks: int, hashed: int, past: int, now: float) -> None:
        """Hold a prompt's cache, with its own blocks and its hashed ones."""
        number = self.first + place
        self._held[number] = (blocks, hashed, past, now)
        self.read.append((number, now))

    def let_go(self, number: int, when_s: float) -> None:
        """Release its memory at a time."""
        heappush(self._going, (when_s, number))

    def freed(self, now: float, free: int) -> int:
        """Number of blocks that were released."""
        before = free
        if len(self._going) < len(self._held):
            now = min(now, self.known_s)
        while self._going and self._going[0][0] <= now:
            when_s, number = heappop(self._going)
            blocks, hashed, past, since_s = self._held.pop(number)
            self.block_s += (blocks + hashed) * (when_s - since_s)
            free += blocks if self._cache is None else self._cache.release(number - self.first, free, past, blocks)
        return free - before

    @property
    def going_s(self) -> float:
        """Time at which the next known transfer ends."""
        return self._going[0][0] if self._going else math.inf

    def is_known(self, now: float) -> bool:
        """Whether all transfers up to now are known."""
        return self.known_s >= now or len(self._going) == len(self._held)

    def next_s(self) -> float:
        """Next time at which there may be more room, as far as known."""
        return self.going_s if len(self._going) == len(self._held) else min(self.going_s, self.known_s)

    def earliest(self) -> int:
        """Number of the first request that it holds."""
        return min(self._held, default=NONE)
