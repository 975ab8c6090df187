"""Bars at one scale, in groups: what takes how long, costs how much or has room for what. Declarations alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.colour import Colour
from ridgeline.boards.written import WHERE_GIVEN

__all__ = ["Bar", "BarGroup", "Bars", "Length"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """A part of a bar.

    Attributes:
        colour: colour of the part.
        length: length of the part, in the unit of all bars.
    """

    colour: Colour
    length: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar with its name before it and its length in words behind it.

    Attributes:
        name: name in a word or two.
        parts: parts, from the left.
        ends: length in words, from the longest text to the shortest.
        is_strong: whether it decides, so that others of its group are drawn pale.
        answers: whether it answers the step's question: it is hidden as long as that is asked, with its group where all
            of its bars do.
    """

    name: str
    parts: tuple[Length, ...]
    ends: tuple[str, ...]
    is_strong: bool
    answers: bool | None = field(default=None, metadata=WHERE_GIVEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class BarGroup:
    """Bars of one thing.

    Attributes:
        names: name of the thing, from the longest text to the shortest; none for bars without a heading.
        bars: bars, from the upper one down.
    """

    names: tuple[str, ...]
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Groups of bars below one another, all at one scale.

    Attributes:
        groups: groups, from the upper one down.
        limit: length that all are held against; None for none.
        heads: heading, from the longest text to the shortest.
        text: summary in a few words.
    """

    groups: tuple[BarGroup, ...]
    limit: float | None = field(default=None, metadata=WHERE_GIVEN)
    heads: tuple[str, ...]
    text: str
