"""What a measured number is of: a time, or what is the smaller the longer a time."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Measure"]


class Measure(StrEnum):
    """What a quantity measures."""

    TIME = "time"
    RATE = "rate"
    ENERGY = "energy"
