"""A price list: kinds of tokens with their prices and costs as bars."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.colour import Colour

__all__ = ["Cost", "Listed", "PriceList"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """A part of what a token costs.

    Attributes:
        name: name of the part.
        colour: colour of the part.
        cost: the part, over the cost of a token's arithmetic.
    """

    name: str
    colour: Colour
    cost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A kind of token: its price on a list beside what it costs.

    Attributes:
        name: name of the kind.
        pass_text: how many of a sequence's tokens a pass takes, in words.
        listed: price on the list, over that of the cheapest kind.
        compute: arithmetic of the token.
        memory: reading for the token, which goes on at the same time: the longer of the two is paid.
    """

    name: str
    pass_text: str
    listed: float
    compute: tuple[Cost, ...]
    memory: tuple[Cost, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceList:
    """Kinds of tokens with their prices and costs as bars.

    Attributes:
        kinds: kinds of tokens.
        text: summary in a few words.
    """

    kinds: tuple[Listed, ...]
    text: str
