"""What a user's own measurements say of predictions for one deployment."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.specs.passes import Pass

__all__ = ["NO_CORRECTION", "Correction"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A factor on predicted times, and how sure it leaves them.

    Attributes:
        tpot_factor: on decode steps, and on prompts as they delay tokens: beside them in a step, or between steps.
        ttft_factor: on passes that read prompts alone, and on the time to the first token.
        tpot_width: half-width of the corrected 80 % interval, in logarithms; None where nothing was measured.
        rows: measurements behind it.
    """

    tpot_factor: float = 1.0
    ttft_factor: float = 1.0
    tpot_width: float | None = None
    rows: int = 0

    def factor(self, pass_: Pass) -> float:
        """On the time of a pass."""
        return self.ttft_factor if pass_.is_prefill else self.tpot_factor


NO_CORRECTION = Correction()
"""Of a deployment of which nothing was measured."""
