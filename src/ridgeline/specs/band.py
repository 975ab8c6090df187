"""Uncertainty of predictions: the interval around them in which measurements lie."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.errors import RidgelineError

__all__ = ["PREFILL", "RAREST", "STEP", "Band"]

STEP = "step"
"""Key of the band of a whole step's addition to its kernels and messages: engine, gaps, effects not modelled."""

PREFILL = "prefill"
"""Key of the band of a pass that reads prompts, for engines of which such passes were measured."""


RAREST = 0.001
"""Smallest probability that a band tells: some thousand errors were counted, so that rarer ones are not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Interval that holds four of five measurements: from ``exp(-below)`` to ``exp(above)`` times the prediction.

    Attributes:
        below: half-width towards shorter times, in natural logarithms.
        above: half-width towards longer times, in natural logarithms.
        longest_s: longest time that was measured, s.
        growth: increase of both half-widths for each factor of e in time beyond ``longest_s``.
    """

    below: float
    above: float
    longest_s: float = math.inf
    growth: float = 0.0

    def __post_init__(self) -> None:
        values = {"below": self.below, "above": self.above, "growth": self.growth}
        for field, value in values.items():
            if not (0 <= value < math.inf):
                raise RidgelineError(f"Band: {field}={value!r} must be a number from 0 up")
        if not self.longest_s > 0:
            raise RidgelineError(f"Band: longest_s={self.longest_s!r} must be above 0")
