"""Arrival processes, and the parts that all of them share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError

__all__ = ["DRAWN", "Arrivals", "Times", "require_rate", "summed"]

Times = NDArray[np.float64]

DRAWN = 8192
"""Numbers that are drawn at a time."""


class Arrivals(Protocol):
    """A process of arrival times."""

    def times_s(self, rng: np.random.Generator) -> Iterator[Times]:
        """Arrivals after the first, which is at 0, s: an infinite, non-decreasing sequence, in batches."""


def require_rate(kind: str, requests_per_s: float) -> None:
    """Refuse a rate of zero, or an infinite one."""
    if not (requests_per_s > 0 and math.isfinite(requests_per_s)):
        raise RidgelineError(
            f"{kind}: requests_per_s={requests_per_s} must be more than 0 and finite; write 20 for 20/s"
        )


def summed(draw_s: Callable[[int], Times]) -> Iterator[Times]:
    """Arrivals after the first, s.

    Args:
        draw_s: draws a number of times between requests, s.
    """
    last_s = 0.0
    yield np.zeros(1)
    while True:
        times = last_s + np.cumsum(draw_s(DRAWN))
        last_s = float(times[-1])
        yield times
