"""Belief about a quantity, as chances on a grid of equal ratios."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.inversion.intervals import SHOWN, Interval, learnt_nats

__all__ = ["Belief", "believed", "logarithms"]

POINTS = 401
"""Number of points of a grid: enough for the narrowest width that is asked of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """Chances of values.

    Attributes:
        logs: logarithms of the values, in equal steps.
        chances: chances of the cells around the values; they sum to one.
    """

    logs: NDArray[np.float64]
    chances: NDArray[np.float64]

    def interval(self) -> Interval:
        """Quantiles, with each cell's chance spread evenly over it."""
        ends = self.logs + (self.logs[1] - self.logs[0]) / 2
        below = np.cumsum(self.chances)
        return Interval.of(float(np.exp(float(np.interp(part, below, ends)))) for part in SHOWN)

    def above(self, value: float) -> float:
        """Chance of a value above ``value``."""
        return float(np.sum(np.where(self.logs > np.log(value), self.chances, 0.0)))

    def heights(self, logs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Density at other values, over its maximum; zero beyond the grid."""
        within = (logs >= self.logs[0]) & (logs <= self.logs[-1])
        found = np.interp(logs, self.logs, self.chances / np.max(self.chances))
        return np.asarray(np.where(within, found, 0.0), dtype=float)

    def learnt_nats(self, before: Belief) -> float:
        """Divergence from another belief in nats, by means and widths of logarithms: 0 where nothing was learnt."""
        return learnt_nats((np.exp(before.logs), before.chances), (np.exp(self.logs), self.chances))

    def overlap(self, other: Belief) -> float:
        """Overlap of two beliefs on one grid: 1 where they are equal, 0 where one rules out the other."""
        return float(np.sum(np.minimum(self.chances, other.chances)))


def logarithms(low: float, high: float) -> NDArray[np.float64]:
    """Grid of equal ratios between two values."""
    return np.asarray(np.linspace(np.log(low), np.log(high), POINTS), dtype=float)


def believed(logs: NDArray[np.float64], log_density: NDArray[np.float64]) -> Belief:
    """Belief from the logarithm of a density, which may be off by a constant."""
    weights = np.exp(log_density - np.max(log_density))
    return Belief(logs=logs, chances=weights / np.sum(weights))
