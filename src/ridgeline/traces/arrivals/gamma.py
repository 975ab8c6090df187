"""Requests that arrive in bursts, or more evenly than at random: intervals follow a Gamma distribution.

The ``--burstiness`` of vLLM's and SGLang's load generators is the shape, one over the square of the coefficient of
variation: 1 is a Poisson process, less has bursts.

Source: vllm/benchmarks/serve.py, ``get_request``, as of 2026-11.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.traces.arrivals.arrivals import Times, require_rate, summed

__all__ = ["Gamma"]


@dataclass(frozen=True, slots=True)
class Gamma:
    """A renewal process with gaps of a Gamma distribution.

    Attributes:
        requests_per_s: mean rate of arrivals.
        variation: standard deviation of the intervals over their mean; 1 is at random, more gives bursts.
    """

    requests_per_s: float
    variation: float

    def __post_init__(self) -> None:
        require_rate("Gamma", self.requests_per_s)
        if not (self.variation > 0 and math.isfinite(self.variation)):
            raise RidgelineError(f"Gamma: variation={self.variation} must be more than 0; take Even where it is 0")

    def times_s(self, rng: np.random.Generator) -> Iterator[Times]:
        """Arrivals after the first, s."""
        shape = self.variation**-2
        return summed(lambda count: rng.gamma(shape, 1 / (shape * self.requests_per_s), count))
