"""Quantiles of weighted draws, and the divergence of a posterior from its prior."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.numeric import Numeric, log, solve

__all__ = [
    "INFORMED_DEVIATIONS",
    "INFORMED_NATS",
    "INFORMED_WIDTH",
    "SHOWN",
    "Interval",
    "Weighted",
    "interval_of",
    "learnt_nats",
    "weighted_quantiles",
]

SHOWN = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Fractions below the quantiles of an interval."""

INFORMED_NATS = 0.1
"""Nats that make a posterior news."""

Weighted = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Values and their weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Quantiles of a quantity."""

    p05: float
    p25: float
    p50: float
    p75: float
    p95: float

    @classmethod
    def of(cls, quantiles: Iterable[float]) -> Interval:
        """Interval with these quantiles, as ``SHOWN`` has them."""
        p05, p25, p50, p75, p95 = quantiles
        return cls(p05=p05, p25=p25, p50=p50, p75=p75, p95=p95)


def learnt_nats(before: Weighted, after: Weighted) -> float:
    """Kullback-Leibler divergence of the posterior from the prior, both logarithms taken as normal.

    ``(s^2 + m^2 - 1 - ln s^2) / 2`` with the posterior's mean and deviation in deviations of the prior.

    >>> round(float(INFORMED_DEVIATIONS), 3), round(float(INFORMED_WIDTH), 3)
    (0.447, 0.702)
    """
    (middle, width), (now, narrow) = (_moments(*one) for one in (before, after))
    return float(_nats((now - middle) / width, narrow / width))


def _nats(moved: Numeric, ratio: Numeric) -> Numeric:
    """Divergence of a normal variable's posterior, by its mean and deviation in deviations of the prior."""
    return 0.5 * (ratio**2 + moved**2 - 1 - 2 * log(ratio))


INFORMED_DEVIATIONS = solve(lambda moved: _nats(moved, 1.0) - INFORMED_NATS, 0.0, 1.0)
"""Deviations of the prior by which a normal variable's middle moves where that alone is news."""

INFORMED_WIDTH = solve(lambda ratio: INFORMED_NATS - _nats(0.0, ratio), 0.1, 1.0)
"""Part to which a normal variable's interval narrows where that alone is news."""


def _moments(values: NDArray[np.float64], weights: NDArray[np.float64]) -> tuple[float, float]:
    logs = np.log(values)
    mean = float(np.sum(weights * logs))
    return mean, max(float(np.sqrt(np.sum(weights * (logs - mean) ** 2))), 1e-9)


def weighted_quantiles(
    values: NDArray[np.float64], weights: NDArray[np.float64], at: tuple[float, ...]
) -> NDArray[np.float64]:
    """Weighted quantiles: values below which a fraction of the weight lies.

    >>> weighted_quantiles(np.array([3.0, 1.0, 2.0]), np.array([0.2, 0.4, 0.4]), (0.3, 0.5, 0.9)).tolist()
    [1.0, 2.0, 3.0]
    """
    order = np.argsort(values)
    cumulated = np.cumsum(weights[order]) / weights.sum()
    places = np.minimum(np.searchsorted(cumulated, at), len(values) - 1)
    return np.asarray(values[order][places], dtype=float)


def interval_of(values: NDArray[np.float64], weights: NDArray[np.float64]) -> Interval:
    """Interval of weighted values, by the quantiles that are shown."""
    return Interval.of(map(float, weighted_quantiles(values, weights, SHOWN)))
