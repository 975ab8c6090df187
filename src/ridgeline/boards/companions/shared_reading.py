"""Racks that read the same weights: each chip its share, all at once, on one clock. Declarations alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.written import FLAT

__all__ = ["Reader", "SharedReading"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A rack whose chips each read a share of the weights.

    Attributes:
        line: name of the line of its time.
        name: name of its chips.
        chips: number of chips that share the weights.
        share_text: weights of one chip in words.
        rate_text: memory bandwidth of one chip in words.
        read_s: time until all weights are read, s.
        so_text: factors by which it is faster than the first rack, in words; empty for that one.
    """

    line: str = field(metadata=FLAT)
    name: str
    chips: int
    share_text: str
    rate_text: str
    read_s: float
    so_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedReading:
    """Racks below one another that read the same weights.

    Attributes:
        readers: racks, from the upper one down.
        weights_text: all weights in words.
        text: summary in a few words.
    """

    readers: tuple[Reader, ...]
    weights_text: str
    text: str
