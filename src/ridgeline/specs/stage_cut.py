"""Placement of the layers left over where pipeline stages do not divide a model's layers evenly."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["SpareLayers"]


class SpareLayers(StrEnum):
    """Stages that hold more layers than the others.

    Attributes:
        BEFORE_LAST: one more layer in each of the stages just before the last, which has the head.
        FIRST: one more layer in each of the first stages.
        LAST: one more layer in each of the last stages.
        ALL_ON_LAST: all layers left over in the last stage.
        ROUNDED_UP: the quotient, rounded up, in each stage until layers run out; the last stages have fewer, or none.
    """

    BEFORE_LAST = "before_last"
    FIRST = "first"
    LAST = "last"
    ALL_ON_LAST = "all_on_last"
    ROUNDED_UP = "rounded_up"
