"""Colours of lines and marks by subject."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Colour"]


class Colour(StrEnum):
    """Subject of a line, the same on every board; each theme has a colour for it.

    Attributes:
        BOUND: quantity that the board asks for.
        COMPUTE: arithmetic and its bound.
        WEIGHTS: weights, in memory or read.
        KV: keys and values, in memory or read, and the states that some layers have in their place.
        LINKS: messages, and the cables and networks that they take.
        MONEY: prices and costs.
        OTHER: quantity of none of these subjects.
        ALSO: second quantity of none of these subjects.
        ASIDE: quantities to compare with.
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
