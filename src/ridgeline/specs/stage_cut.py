"""Where an engine puts the layers that are left over when its pipeline stages do not divide a model's layers."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["SpareLayers"]


class SpareLayers(StrEnum):
    """Stages that hold more layers than the others.

    Attributes:
        BEFORE_LAST: one more in each of the stages just before the last, which has the head.
        FIRST: one more in each of the first stages.
        LAST: one more in each of the last stages.
        ALL_ON_LAST: all of them in the last stage.
        ROUNDED_UP: the quotient, rounded up, in each stage as long as layers last; the last stages have fewer, or none.
    """

    BEFORE_LAST = "before_last"
    FIRST = "first"
    LAST = "last"
    ALL_ON_LAST = "all_on_last"
    ROUNDED_UP = "rounded_up"
