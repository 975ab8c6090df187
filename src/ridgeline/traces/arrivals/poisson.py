"""Requests that arrive at random at a constant rate: intervals are exponential."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ridgeline.traces.arrivals.arrivals import Times, require_rate, summed

__all__ = ["Poisson"]


@dataclass(frozen=True, slots=True)
class Poisson:
    """A Poisson process.

    Attributes:
        requests_per_s: mean rate of arrivals.
    """

    requests_per_s: float

    def __post_init__(self) -> None:
        require_rate("Poisson", self.requests_per_s)

    def times_s(self, rng: np.random.Generator) -> Iterator[Times]:
        """Arrivals after the first, s."""
        return summed(lambda count: rng.exponential(1 / self.requests_per_s, count))
