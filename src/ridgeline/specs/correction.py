"""Corrections of predictions for one deployment, from a user's own measurements."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.specs.passes import Pass

__all__ = ["NO_CORRECTION", "Correction"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """Factors on predicted times, and the interval that remains around them.

    Attributes:
        tpot_factor: factor on decode steps, and on prompts that delay them: in the same step, or between steps.
        ttft_factor: factor on passes that read prompts alone, and on the time to the first token.
        tpot_width: half-width of the corrected 80 % interval, in logarithms; None where nothing was measured.
        rows: number of measurements that it was fitted on.
    """

    tpot_factor: float = 1.0
    ttft_factor: float = 1.0
    tpot_width: float | None = None
    rows: int = 0

    def factor(self, pass_: Pass) -> float:
        """Factor on the time of a pass."""
        return self.ttft_factor if pass_.is_prefill else self.tpot_factor


NO_CORRECTION = Correction()
"""Correction of a deployment that was not measured."""
