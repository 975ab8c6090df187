"""How sure predictions are: where measurements have lain around them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.errors import RidgelineError

__all__ = ["PREFILL", "STEP", "Band"]

STEP = "step"
"""The band of what a whole step adds to its kernels and messages: engines, gaps, what is not modelled."""

PREFILL = "prefill"
"""The same of a pass that reads prompts, of an engine of which such were measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Where four of five measurements lie: between ``exp(-below)`` and ``exp(above)`` times the prediction.

    Attributes:
        below: half-width towards shorter times, in natural logarithms.
        above: half-width towards longer ones.
        longest_s: longest time that was measured.
        growth: by how much both widen for each factor of e beyond it.
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
