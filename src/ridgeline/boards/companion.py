"""Drawings beside curves: vessels that fill, stores of a cache, prices, bits that change, experts that a token reads.

Declarations alone, as those of ``scene``: their heights, costs and means are those of the curves.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.colour import Colour
from ridgeline.boards.generations import Generations
from ridgeline.boards.meanwhile import Meanwhile
from ridgeline.boards.shared_reading import SharedReading
from ridgeline.boards.two_networks import TwoNetworks
from ridgeline.boards.written import FLAT

__all__ = [
    "Account",
    "Companion",
    "Cost",
    "Experts",
    "Grid",
    "Grids",
    "Listed",
    "PriceList",
    "Stack",
    "Stacks",
    "Store",
    "Stores",
    "Undone",
    "Vessel",
    "Vessels",
]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One account of how many of its experts a model reads for a token, and of the batch that follows.

    Attributes:
        name: name of the account, in a few words.
        read: experts that a token reads.
        batch_text: balance batch that follows, as a calculation.
    """

    name: str
    read: int
    batch_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """Experts of a layer as dots, of which those are lit that a token reads, once for each account.

    Attributes:
        experts: experts of a layer.
        accounts: accounts in their order.
        text: summary in a few words.
    """

    experts: int
    accounts: tuple[Account, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A stack of layers and what it keeps through a training step, in which each layer's work is one step of time.

    Equal positions in ``layers``, ``since`` and ``until`` belong together.

    Attributes:
        line: name of the line of its memory.
        does_text: activity through the step, in a few words.
        layers: numbers of layers of which something is kept, from 0.
        since: first steps at which it is kept, from 1.
        until: last steps at which it is kept.
        inputs: number of the last ones of them of which the layer's input alone is kept.
    """

    line: str
    does_text: str
    layers: tuple[int, ...]
    since: tuple[int, ...]
    until: tuple[int, ...]
    inputs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stacks:
    """Stacks of layers below one another through a training step, forwards and backwards.

    Attributes:
        stacks: stacks, from the upper one down.
        depth: number of layers of each.
        text: summary in a few words.
    """

    stacks: tuple[Stack, ...]
    depth: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """A stack of which a part is reversible, with its memory, which is the bill, and its arithmetic, which lies along.

    Attributes:
        layers: number of layers.
        forward_flop: FLOP of the forward pass, per parameter and token.
        none_at_flop: FLOP of training where no layer is reversible.
        all_at_flop: FLOP of training where all layers are.
        text: summary in a few words.
    """

    layers: int
    forward_flop: float
    none_at_flop: float
    all_at_flop: float
    text: str


Companion = (
    Vessels
    | Stores
    | PriceList
    | Grids
    | Experts
    | Stacks
    | Undone
    | SharedReading
    | Generations
    | Meanwhile
    | TwoNetworks
)
"""Drawing that can stand beside curves."""
