r"""Requests that arrive at random at a rate with a daily cycle.

.. math:: \lambda(t) = \bar\lambda\,(1 + s \cos(2 \pi (t - t_0) / T))

by thinning: arrivals are drawn at the highest rate, and each is kept with the ratio of the rate at its time to that.

Source: Lewis and Shedler 1979, "Simulation of nonhomogeneous Poisson processes by thinning", Naval Research Logistics
Quarterly 26.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.seconds import DAY_S
from ridgeline.traces.arrivals.arrivals import Times, require_rate, summed

__all__ = ["Daily"]


@dataclass(frozen=True, slots=True)
class Daily:
    """A Poisson process whose rate is a cosine over the day.

    Attributes:
        requests_per_s: mean rate over a day.
        swing_fraction: amplitude of the rate over its mean.
        peak_s: time of the peak after the first request, s.
        day_s: length of a day, s.
    """

    requests_per_s: float
    swing_fraction: float
    peak_s: float = 0.0
    day_s: float = DAY_S

    def __post_init__(self) -> None:
        require_rate("Daily", self.requests_per_s)
        if not 0 <= self.swing_fraction <= 1:
            raise RidgelineError(f"Daily: swing_fraction={self.swing_fraction} must be from 0 to 1; no rate is below 0")
        if not self.day_s > 0:
            raise RidgelineError(f"Daily: day_s={self.day_s} must be more than 0; leave it out for 86,400")

    def times_s(self, rng: np.random.Generator) -> Iterator[Times]:
        """Arrivals after the first, s."""
        highest = self.requests_per_s * (1 + self.swing_fraction)
        candidates = summed(lambda count: rng.exponential(1 / highest, count))
        yield next(candidates)
        for times in candidates:
            swing = self.swing_fraction * np.cos(2 * pi * (times - self.peak_s) / self.day_s)
            yield times[rng.random(len(times)) * (1 + self.swing_fraction) < 1 + swing]
