r"""Hit rates of caches of every size and of every hold time, from one pass over the blocks of a log.

In an LRU cache, blocks hit whose reuse distance is no more than its size. In a TTL cache, which evicts blocks unused
for a time :math:`T`, those hit whose reuse interval is no more than that; its mean size is

.. math:: \bar C(T) = \frac{1}{S} \sum_i \min(g_i, T)

blocks, with :math:`g_i` from each use to the block's next one, or to the end of the log, and :math:`S` the log's span.

Tiers of a hierarchy are inclusive or exclusive. An inclusive tier holds everything that those above it hold, since
blocks are written to all tiers, and evicts its own least recently used blocks: with size :math:`C_k` it has the blocks
with distances up to :math:`C_k`, of which those up to :math:`C_{k-1}` hit above it. An exclusive tier receives the
evictions of the one above, so that all together act as one cache with the sum of their sizes.

Source: Mattson et al. 1970, "Evaluation techniques for storage hierarchies"; Che et al. 2002, "Hierarchical web caching
systems" (hold times in place of sizes).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ridgeline.caching.reuse import NEVER_USED, BlockUses, reuse_distances, reuse_intervals_s
from ridgeline.errors import RidgelineError

__all__ = ["HitRates", "hit_rates"]

Array = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class HitRates:
    """Hit rates of caches of any size or hold time over the blocks of a log.

    Attributes:
        uses: uses of blocks.
        different: different blocks among them.
        distances: reuse distances of blocks that were used before, in blocks, ascending.
        intervals_s: reuse intervals of these blocks, s, ascending.
        gaps_s: time from every use to the next one of the same block, or to the end of the log, s, ascending.
        span_s: span of the log, s.
    """

    uses: int
    different: int
    distances: Whole
    intervals_s: Array
    gaps_s: Array
    span_s: float

    @property
    def unlimited(self) -> float:
        """Fraction of the uses that hit in an unlimited cache."""
        return len(self.distances) / self.uses

    @property
    def most_blocks(self) -> int:
        """Size of the smallest LRU cache that hits as much as an unlimited one, in blocks."""
        return int(self.distances[-1]) if len(self.distances) else 0

    def of_blocks(self, blocks: int | Sequence[int] | Whole) -> Array:
        """Fraction of the uses that hit in LRU caches of a given number of blocks."""
        return np.asarray(np.searchsorted(self.distances, blocks, side="right") / self.uses)

    def of_hold(self, hold_s: float | Sequence[float] | Array) -> Array:
        """Fraction of the uses that hit in TTL caches of such hold times."""
        return np.asarray(np.searchsorted(self.intervals_s, hold_s, side="right") / self.uses)

    def held_blocks(self, hold_s: float | Sequence[float] | Array) -> Array:
        """Mean size of such TTL caches over the log's span, in blocks."""
        sums_s = np.concatenate([[0.0], np.cumsum(self.gaps_s)])
        within = np.searchsorted(self.gaps_s, hold_s, side="right")
        longer = len(self.gaps_s) - within
        # Zero blocks are not multiplied by an infinite time.
        held_s = np.where(longer > 0, hold_s, 0.0) * longer
        return np.asarray((sums_s[within] + held_s) / self.span_s)

    def of_tiers(self, blocks: Sequence[int], *, is_exclusive: bool = False) -> Array:
        """Fraction of the uses that hit in each tier of a hierarchy and in none above it.

        Args:
            blocks: size of each tier in blocks, the fastest first.
            is_exclusive: whether a tier holds only what those above it have evicted.

        Raises:
            RidgelineError: an inclusive tier holds no more than the one above it.
        """
        if is_exclusive:
            blocks = np.cumsum(blocks).tolist()
        for above, below in pairwise(blocks):
            if below <= above:
                raise RidgelineError(
                    f"a tier of {below:,} blocks below one of {above:,} holds nothing else; give tiers that grow, or"
                    " exclusive ones"
                )
        return np.diff(self.of_blocks(blocks), prepend=0.0)


def hit_rates(uses: BlockUses) -> HitRates:
    """Hit rates of the blocks of a log.

    Raises:
        RidgelineError: all prompts arrived at once, so that the span is zero.
    """
    if not uses.span_s:
        raise RidgelineError("all prompts came at once, and hit rates are over time; give a log of a longer span")
    distances, intervals_s = reuse_distances(uses), reuse_intervals_s(uses)
    again = distances < NEVER_USED
    known_s = np.sort(intervals_s[np.isfinite(intervals_s)])
    return HitRates(
        uses=len(distances),
        different=int(np.count_nonzero(np.isinf(intervals_s))),
        distances=np.sort(distances[again]),
        intervals_s=known_s,
        gaps_s=np.sort(np.concatenate([known_s, _to_the_end_s(uses)])),
        span_s=uses.span_s,
    )


def _to_the_end_s(uses: BlockUses) -> Array:
    """Time from each block's last use to the end of the log, s."""
    backwards = uses.hashes[::-1]
    _, first = np.unique(backwards, return_index=True)
    prompts = uses.prompts[::-1][first]
    found: Array = uses.arrivals_s[-1] - uses.arrivals_s[prompts]
    return found
