"""Drawings beside curves that are read at one place along them: vessels that fill, stores, bits that change.

Declarations alone, as those of ``scene``: their heights, costs and means are those of the curves.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.colour import Colour
from ridgeline.boards.written import FLAT

__all__ = ["Companion", "Cost", "Grid", "Grids", "Listed", "PriceList", "Store", "Stores", "Vessel", "Vessels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vessel:
    """An item of the curves' bill, as a vessel that is filled to its cost.

    Attributes:
        part: name of the item.
        does_text: activity while it fills, in a few words; empty where all fill at once.
    """

    part: str
    does_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Vessels:
    """Vessels side by side, which fill one after another.

    Attributes:
        vessels: vessels in the order in which they fill.
        filler_text: name of the thing whose bill it is, after its size; empty where it is nothing in particular.
        text: summary in a few words.
    """

    vessels: tuple[Vessel, ...]
    filler_text: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A place in which something can wait.

    Attributes:
        line: name of the line of its cost.
        cost_text: costs of bringing it back and of holding it, in words.
        when_text: waiting times for which it is the cheapest, in words.
        is_kept: whether anything waits there; else it is dropped, and made again.
    """

    line: str
    cost_text: str
    when_text: str
    is_kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """Stores from the fastest down, in the cheapest of which a thing waits.

    Attributes:
        stores: stores from the upper one down.
        thing_text: name of what waits.
        text: summary in a few words.
    """

    stores: tuple[Store, ...]
    thing_text: str
    text: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Bits of a block, or signs of a stream, as cells: those are full that one change of the input has changed.

    Attributes:
        line: name of the line of its mean.
        name: shorter name, for little room.
        bits: number of cells, in columns of eight nibbles.
        changed: changed ones before any round and after each, as hexadecimal digits of four cells.
        substituted: changed ones within the first round, after its S-boxes; empty where there are none.
    """

    line: str = field(metadata=FLAT)
    name: str
    bits: int
    changed: tuple[str, ...]
    substituted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grids:
    """Grids side by side, after as many rounds.

    Attributes:
        grids: grids, from the left.
        change_text: change of the input, in a few words.
        text: summary in a few words.
    """

    grids: tuple[Grid, ...]
    change_text: str
    text: str


Companion = Vessels | Stores | PriceList | Grids
"""Drawing that can stand beside curves."""
