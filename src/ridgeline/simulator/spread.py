"""Distribution of a stream of values: exact for a million, and in narrow bins of constant memory beyond."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["BIN_RATIO", "Spread"]

Array = NDArray[np.float64]

MOST_KEPT = 1 << 20
"""Number of values up to which each is kept."""

BIN_RATIO = 1.0005
"""Ratio of a bin's ends: beyond ``MOST_KEPT`` values, a quantile is off by at most half as much."""

LEAST, MOST = 1e-9, 1e9
"""Range of the bins; values beyond are counted in the first and the last."""

BINS = math.ceil(math.log(MOST / LEAST) / math.log(BIN_RATIO))


class Spread:
    """Values that are not negative; NaNs are left out.

    Args:
        most_kept: number of values up to which each is kept.

    Attributes:
        count: number of values.
        total: sum of values.
    """

    def __init__(self, most_kept: int = MOST_KEPT) -> None:
        self.count, self.total = 0, 0.0
        self._least = math.inf
        self._most_kept = most_kept
        self._kept: list[Array] = []
        self._in_bins: NDArray[np.int64] | None = None

    def add(self, values: Array) -> None:
        """Add values to the distribution."""
        known = values[np.isfinite(values)]
        if not len(known):
            return
        self.count += len(known)
        self.total += float(known.sum())
        self._least = min(self._least, float(known.min()))
        if self._in_bins is None:
            self._kept.append(known)
            if self.count <= self._most_kept:
                return
            known, self._in_bins = self._all(), np.zeros(BINS, dtype=np.int64)
            self._kept.clear()
        places = np.log(np.clip(known, LEAST, MOST) / LEAST) / math.log(BIN_RATIO)
        self._in_bins += np.bincount(np.minimum(places.astype(np.int64), BINS - 1), minlength=BINS)

    def min(self) -> float:
        """Smallest value; infinite where there are none."""
        return self._least

    @property
    def mean(self) -> float:
        """Mean of the values; NaN where there are none."""
        return self.total / self.count if self.count else math.nan

    def quantiles(self, parts: Sequence[float] | Array) -> Array:
        """Quantiles of the values; NaN where there are none."""
        if not self.count:
            return np.full(len(parts), math.nan)
        if self._in_bins is None:
            return np.asarray(np.quantile(self._all(), parts))
        ranks = np.asarray(parts) * (self.count - 1)
        places = np.searchsorted(np.cumsum(self._in_bins), ranks, side="right")
        return np.asarray(LEAST * BIN_RATIO ** (places + 0.5))

    def part_within(self, limit: float) -> float:
        """Part of the values that do not exceed a limit."""
        if self._in_bins is None:
            return float(np.mean(self._all() <= limit))
        place = int(math.log(min(max(limit, LEAST), MOST) / LEAST) / math.log(BIN_RATIO))
        return float(self._in_bins[:place].sum() / self.count)

    def _all(self) -> Array:
        if len(self._kept) > 1:
            self._kept = [np.concatenate(self._kept)]
        return self._kept[0] if self._kept else np.zeros(0)
