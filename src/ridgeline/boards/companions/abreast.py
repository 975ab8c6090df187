"""Rectangles of two numbers of things: their number by what the chart says of each. Declarations alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.written import FLAT, WHERE_GIVEN

__all__ = ["Abreast"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Abreast:
    """Two rectangles at one scale: each as high as its number of things, and as wide as the chart's line is there.

    Attributes:
        line: name of the line that says how wide.
        first: number of things of the upper rectangle, which is known from the start.
        count: number of things of the lower one; None for where the chart is read.
        things: the name of one thing, and that of several.
        limit: name of a level that both are held against; None for none.
        whole_text: load of both in words, where that is the same; None where each has its own.
        text: summary in a few words.
    """

    line: str = field(metadata=FLAT)
    first: int
    count: int | None = field(default=None, metadata=WHERE_GIVEN)
    things: tuple[str, str]
    limit: str | None = field(default=None, metadata=FLAT | WHERE_GIVEN)
    whole_text: str | None = field(default=None, metadata=WHERE_GIVEN)
    text: str
