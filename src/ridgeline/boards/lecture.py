"""Constants of the lecture that several boards and claims start from."""

from __future__ import annotations

__all__ = ["HUGE_TOKENS", "NEXT_HBM_BYTES", "STEP_TOKENS", "USD_PER_CHIP_S"]

USD_PER_CHIP_S = 2 / 3600
"""Two dollars an hour, at 13:00."""

STEP_TOKENS = 200e3
"""Context at which a price list steps, at 1:33."""

HUGE_TOKENS = 100e6
"""A context that is out of reach, at 1:54."""

NEXT_HBM_BYTES = 288e9
"""Of the next generation's chip, at 24:22."""
