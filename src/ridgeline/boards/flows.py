"""What moves from place to place: messages over links in time, halves through rounds; and quantities side by side.

Declarations alone, as those of ``scene``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.colour import Colour
from ridgeline.boards.tick import Tick

__all__ = ["Facet", "Facets", "Flip", "Halves", "Message", "Passage", "Stay", "Strip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """What a place does for a while.

    Attributes:
        row: which place, from 0 at the top.
        start: on the axis of time.
        end: the same.
        text: written into it where there is room.
        colour: what it is about.
    """

    row: int
    start: float
    end: float
    text: str
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What goes from one place to another.

    Attributes:
        row: where it leaves, from 0 at the top.
        to_row: where it arrives.
        start: when its first byte leaves.
        long: time from its first byte's leaving to its last one's: bytes over bandwidth.
        latency: time from a byte's leaving to its arrival.
        parts: equal parts that are sent one after another.
        text: beside it, in a few words.
        colour: what it is about.
    """

    row: int
    to_row: int
    start: float
    long: float
    latency: float
    parts: int
    text: str
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """Places over one axis of time.

    Attributes:
        name: what it shows, and its scale where other strips have another one.
        places: names, from the top.
        stays: what places do, and when.
        messages: what goes between them.
        limits: times to compare with, each with what it is.
        end: time at which the axis ends.
        ticks: times that are written along it.
    """

    name: str
    places: tuple[str, ...]
    stays: tuple[Stay, ...]
    messages: tuple[Message, ...]
    limits: tuple[Tick, ...]
    end: float
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Messages on their way in time, by one or more axes of it: widths are times.

    Attributes:
        strips: one below another.
        text: what it says, in a few words.
    """

    strips: tuple[Strip, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """What becomes of both halves where one bit that goes in is the other way.

    Attributes:
        left: the half that passes through f next, before each round and after the last.
        right: the other half, at the same moments.
        differing: bits of both halves that are other than without the flip, likewise.
        text: how many those are at the end, in words.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    differing: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """Two halves through rounds and back: one passes through f and is added to the other, then they change places.

    Attributes:
        left: the half that passes through f next, before each round and after the last.
        right: the other half, at the same moments.
        left_back: the same halves on the way back, from the last round to the first.
        right_back: the other ones.
        through: what f made of the left half, by rounds.
        function: what f is, as TeX's ``x^2`` in plain letters.
        modulus: at which halves begin anew.
        bits: of a half.
        flips: by the bit that is flipped, first those of the left half, each from its highest.
        text: what it says, in a few words.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    left_back: tuple[int, ...]
    right_back: tuple[int, ...]
    through: tuple[int, ...]
    function: str
    modulus: int
    bits: int
    flips: tuple[Flip, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """One quantity over the common x, on an upright axis of its own that begins at zero.

    Attributes:
        name: name of the quantity.
        y: its values.
        top: value at which its axis ends.
        top_text: the same in words.
        text: its value at the chosen x, in words.
        colour: what it is about.
    """

    name: str
    y: tuple[float, ...]
    top: float
    top_text: str
    text: str
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Facets:
    """Several quantities over one x, each in a small frame: which fall, which stay, which rise.

    Attributes:
        x: rising; of all of them.
        chosen: the place in ``x`` at which values are written.
        facets: quantities in their order.
        x_ticks: on the axis along.
        text: what it says, in a few words.
    """

    x: tuple[float, ...]
    chosen: int
    facets: tuple[Facet, ...]
    x_ticks: tuple[Tick, ...]
    text: str
