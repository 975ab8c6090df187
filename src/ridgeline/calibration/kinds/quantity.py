"""Dimension of a measured quantity: a time, a rate or an energy."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Measure"]


class Measure(StrEnum):
    """What a quantity measures."""

    TIME = "time"
    RATE = "rate"
    ENERGY = "energy"
