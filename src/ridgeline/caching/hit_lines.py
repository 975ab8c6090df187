"""Hit rates of a log as the lines of a picture: over sizes, over hold times, and at the times that providers sell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.caching.hit_rates import HitRates

__all__ = ["HeldFor", "HitLines", "hit_lines"]

Array = NDArray[np.float64]

POINTS = 300
"""Points of each line."""

MARKED_S = (10.0, 60.0, 300.0, 1800.0, 3600.0)
"""Hold times that are marked, where the log is as long: those that providers sell, and others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldFor:
    """Hit rate of a cache that keeps blocks for a time.

    Attributes:
        hold_s: hold time, s.
        blocks: mean size, in blocks.
        hit_rate: fraction of the uses that hit.
    """

    hold_s: float
    blocks: float
    hit_rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HitLines:
    """Hit rates of caches over their size; arrays of one length.

    Attributes:
        blocks: sizes of LRU caches, in blocks.
        of_blocks: fraction of the uses that hit in them.
        held_blocks: mean sizes of TTL caches, in blocks.
        of_hold: fraction of the uses that hit in those.
        unlimited: fraction of the uses that hit in an unlimited cache.
        marked: TTL caches whose hold times are marked.
    """

    blocks: Array
    of_blocks: Array
    held_blocks: Array
    of_hold: Array
    unlimited: float
    marked: tuple[HeldFor, ...]


def hit_lines(rates: HitRates) -> HitLines:
    """Lines from one block to all of a log, and from the shortest hold time that shows to the log's span."""
    blocks = np.unique(np.geomspace(1, max(rates.different, 2), POINTS).astype(np.int64))
    holds_s = np.geomspace(max(rates.span_s * 1e-4, 1e-3), rates.span_s, POINTS)
    return HitLines(
        blocks=blocks.astype(float),
        of_blocks=rates.of_blocks(blocks),
        held_blocks=rates.held_blocks(holds_s),
        of_hold=rates.of_hold(holds_s),
        unlimited=rates.unlimited,
        marked=tuple(
            HeldFor(hold_s=hold_s, blocks=float(rates.held_blocks(hold_s)), hit_rate=float(rates.of_hold(hold_s)))
            for hold_s in MARKED_S
            if hold_s <= rates.span_s
        ),
    )
