"""Dimension of a measured quantity: a time, a rate or an energy."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Measure"]


class Measure(StrEnum):
    """Dimension of a quantity."""

    TIME = "time"
    RATE = "rate"
    ENERGY = "energy"
