"""What a line or a mark is about."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Colour"]


class Colour(StrEnum):
    """What a line is about, the same on every board; each theme has a colour for it.

    Attributes:
        BOUND: what the board asks for.
        COMPUTE: arithmetic.
        WEIGHTS: weights, in memory or read.
        KV: keys and values, the same, and the states that some layers have in their place.
        LINKS: messages, and the cables and networks that they take.
        MONEY: prices and costs.
        OTHER: a quantity that is none of these.
        ALSO: a second such quantity.
        ASIDE: what to compare with.
    """

    BOUND = "ink"
    COMPUTE = "compute"
    WEIGHTS = "weights"
    KV = "kv"
    LINKS = "links"
    MONEY = "money"
    OTHER = "estimate"
    ALSO = "also"
    ASIDE = "muted"
