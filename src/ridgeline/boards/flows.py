"""Motion from place to place: messages over links in time, copies inside racks and between them, halves through rounds.

Quantities side by side are here, too.

Declarations alone, as those of ``scene``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.colour import Colour
from ridgeline.boards.tick import Tick

__all__ = ["Crossing", "Facet", "Facets", "Flip", "Halves", "Message", "Passage", "Stay", "Strip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """Activity of a place for a while.

    Attributes:
        row: number of the place, from 0 at the top.
        start: start on the time axis.
        end: end on the time axis.
        text: text inside it, where there is room.
        colour: colour of the activity.
    """

    row: int
    start: float
    end: float
    text: str
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Message from one place to another.

    Attributes:
        row: number of the sender, from 0 at the top.
        to_row: number of the receiver.
        start: time at which its first byte leaves.
        long: time from its first byte's leaving to its last one's: bytes over bandwidth.
        latency: time from a byte's leaving to its arrival.
        text: text beside it, in a few words.
        colour: colour of its subject.
    """

    row: int
    to_row: int
    start: float
    long: float
    latency: float
    text: str
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """Places over one axis of time.

    Attributes:
        name: name of the strip, and its scale where other strips have another one.
        places: names, from the top.
        stays: activities of the places.
        messages: messages between the places.
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
    """Messages over one or more time axes, on which widths are times.

    Attributes:
        strips: one below another.
        text: summary in a few words.
    """

    strips: tuple[Strip, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """Copies of a token inside a rack, layer by layer, while the token before it is handed to the next rack.

    Times are in hand-overs.

    Attributes:
        copies: copies of a token in a layer, each to a chip of its own.
        layers: layers of a rack.
        there: time of a layer's copies on their way to experts.
        back: time of their way back.
        link_ratio: speed of a chip's links inside the rack, over that of its link to the next rack.
        ratio_text: time inside over the hand-over, as a calculation.
        so_text: consequence of that ratio, in words.
        ticks: times that are written along the axis.
        text: summary in a few words.
    """

    copies: int
    layers: int
    there: float
    back: float
    link_ratio: float
    ratio_text: str
    so_text: str
    ticks: tuple[Tick, ...]
    text: str

    @property
    def inside(self) -> float:
        """Time of all layers of a rack."""
        return self.layers * (self.there + self.back)

    @property
    def end(self) -> float:
        """Time at which the slower of both ends, and the axis."""
        return max(1.0, self.inside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """Effect on both halves of flipping one input bit.

    Attributes:
        left: the half that passes through f next, before each round and after the last.
        right: half that the result of f is added to, at the same moments.
        differing: number of bits of both halves that differ from those without the flip, at the same moments.
        text: number of them at the end, in words.
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
        right: half that the result of f is added to, at the same moments.
        left_back: left half on the way back, from the last round to the first.
        right_back: right half on the way back, from the last round to the first.
        through: results of f on the left half, by rounds.
        function: formula of f, TeX's ``x^2`` in plain letters.
        modulus: modulus of the addition.
        bits: number of bits in a half.
        flips: flips by the flipped bit, first those of the left half, each from its highest.
        text: summary in a few words.
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
        y: values over the common x.
        top: value at which its axis ends.
        top_text: end of the axis in words.
        text: value at the chosen x, in words.
        colour: colour of the quantity.
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
        x: abscissas of all facets, ascending.
        chosen: index in ``x`` at which values are written.
        facets: quantities in their order.
        x_ticks: ticks of the horizontal axis.
        text: summary in a few words.
    """

    x: tuple[float, ...]
    chosen: int
    facets: tuple[Facet, ...]
    x_ticks: tuple[Tick, ...]
    text: str
