"""What a user's own measurements say of predictions for one deployment."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NO_CORRECTION", "Correction"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A factor on predicted times, and how sure it leaves them.

    Attributes:
        tpot_factor: on decode steps and on the prompts read between them.
        ttft_factor: on the time to the first token.
        tpot_width: half-width of the corrected 80 % interval, in logarithms; None where nothing was measured.
        rows: measurements behind it.
    """

    tpot_factor: float = 1.0
    ttft_factor: float = 1.0
    tpot_width: float | None = None
    rows: int = 0


NO_CORRECTION = Correction()
"""Of a deployment of which nothing was measured."""
