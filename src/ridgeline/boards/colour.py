"""Colours of lines and marks by subject.

| colour | on every board and scene | name |
|---|---|---|
| ink | what the board asks for, where it is none of the subjects below | ``BOUND`` |
| blue | arithmetic, and the time it takes | ``COMPUTE`` |
| brown | weights, in memory or read | ``WEIGHTS`` |
| orange | contexts: keys and values, in memory or read | ``KV`` |
| purple | messages, cables and networks | ``LINKS`` |
| green | prices and costs | ``MONEY`` |
| teal | what leaves its rack: the links out of it, and what is handed over on them | ``AWAY`` |
| slate, on paper navy | another quantity of none of these subjects | ``ALSO`` |
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
        AWAY: links out of a rack, and what is handed over on them.
        ALSO: quantity of none of these subjects.
        ASIDE: quantities to compare with, and memory as a whole.
    """

    BOUND = "ink"
    COMPUTE = "compute"
    WEIGHTS = "weights"
    KV = "kv"
    LINKS = "links"
    MONEY = "money"
    AWAY = "away"
    ALSO = "also"
    ASIDE = "muted"
