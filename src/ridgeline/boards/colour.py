"""Colours of lines and marks by subject.

| colour | on every board and scene | name |
|---|---|---|
| ink | what the board asks for, where it is none of the subjects below | ``BOUND`` |
| blue | arithmetic, and the time it takes | ``COMPUTE`` |
| brown | weights, in memory or read | ``WEIGHTS`` |
| orange | contexts: keys and values, in memory or read | ``KV`` |
| purple | messages, cables and networks | ``LINKS`` |
| green | prices and costs | ``MONEY`` |
| teal | another quantity of none of these subjects | ``ALSO`` |
| grey | what is there to compare with, and memory as a whole | ``ASIDE`` |
| magenta | the reader's guess and what a hand has set: the page's alone, so it has no name here | |
| red | what does not reproduce, or is refused: the page's alone | |
"""

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
        ALSO: quantity of none of these subjects.
        OTHER: the same as ``ALSO``.
        ASIDE: quantities to compare with, and memory as a whole.
    """

    BOUND = "ink"
    COMPUTE = "compute"
    WEIGHTS = "weights"
    KV = "kv"
    LINKS = "links"
    MONEY = "money"
    ALSO = "also"
    OTHER = "also"
    ASIDE = "muted"
