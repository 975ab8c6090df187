"""Requests that arrive at equal intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ridgeline.traces.arrivals.arrivals import DRAWN, Times, require_rate

__all__ = ["Even"]


@dataclass(frozen=True, slots=True)
class Even:
    """A constant rate without randomness.

    Attributes:
        requests_per_s: rate of arrivals.
    """

    requests_per_s: float

    def __post_init__(self) -> None:
        require_rate("Even", self.requests_per_s)

    def times_s(self, rng: np.random.Generator) -> Iterator[Times]:  # noqa: ARG002  of processes with chance
        """Arrivals after the first, s."""
        return (np.arange(start, start + DRAWN) / self.requests_per_s for start in count(0, DRAWN))
