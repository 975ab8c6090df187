"""What can be drawn: curves over one axis, tables, timelines, schematics; and how their axes are written.

Declarations alone: the command line, the figures and the page draw the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.colour import Colour
from ridgeline.boards.flows import Facets, Halves, Passage
from ridgeline.boards.journeys import Loop, Routes
from ridgeline.boards.scene import Gantt, Multiples, Racks, Trains
from ridgeline.boards.schematic import Box, Cable, Schematic
from ridgeline.boards.written import FLAT, LEFT_OUT, WHERE_GIVEN

__all__ = [
    "Axis",
    "Block",
    "Box",
    "Cable",
    "Colour",
    "Curves",
    "Dots",
    "Line",
    "Mark",
    "Part",
    "Picture",
    "Rows",
    "Scene",
    "Schematic",
    "Series",
    "Sheet",
    "Table",
    "Timeline",
]


ROOM_ABOVE, ROOM_ABOVE_LINEAR = 1.5, 1.1
"""Times what is highest, up to which an upright axis reaches."""
ROOM_BELOW = 10**1.5
"""Times below the bold line's lowest value down to which a logarithmic axis may reach for others."""


Series = NDArray[np.float64]
"""Numbers in a row."""
Rows = Annotated[NDArray[np.float64], "by row and column"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis of the picture.

    Attributes:
        caption: in words, with its unit where the numbers do not carry one.
        dimension: in which its numbers are written.
        is_logarithmic: whether equal steps are equal ratios.
        is_whole: whether it counts what cannot be divided, so that values are read at whole ones alone.
    """

    caption: str
    dimension: str
    is_logarithmic: bool = False
    is_whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line over the drawing's x.

    Attributes:
        name: written where it ends.
        colour: what it is about.
        is_bold: whether it is what the board is about.
        is_floor: whether it is a bound that is not crossed, or a level to compare with: dashed.
        y: its values.
        high: up to where they may lie: a band above the line; None where there is none.
        out_of_reach_from: the height that stands for all that nothing reaches, where the line leaves the picture.
    """

    name: str = field(metadata=FLAT)
    colour: Colour
    is_bold: bool = False
    is_floor: bool = False
    y: Series
    high: Series | None = None
    out_of_reach_from: float | None = field(default=None, metadata=WHERE_GIVEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A point on a line, and what is written beside it.

    Attributes:
        name: of what lies there.
        x: where.
        y: how high.
        line: name of the line that it lies on.
        text: in a few words, with its number.
        colour: what it is about.
        is_fixed: whether no control moves it along its line: it cannot be dragged.
        is_quiet: whether it is a dot alone, whose text waits for the pointer.
        crosses: name of the line that its line meets there, without which it says nothing; empty for none.
    """

    name: str
    x: float
    y: float
    line: str = field(metadata=FLAT)
    text: str
    colour: Colour
    is_fixed: bool = False
    is_quiet: bool = False
    crosses: str = field(default="", metadata=FLAT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """Points on no line, each with its name: models, machines, prices.

    Attributes:
        name: what they are, together.
        is_named: whether that is written at the right, as a line's is: where colours tell groups apart.
        x: where.
        y: how high.
        labels: of each; empty for those that stay without a name.
        colour: what they are about.
    """

    name: str = field(metadata=FLAT)
    is_named: bool = False
    x: Series
    y: Series
    labels: tuple[str, ...]
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of what the bold line is paid for.

    Attributes:
        name: of what is paid.
        colour: what it is about.
        y: what it takes, over the picture's x.
    """

    name: str = field(metadata=FLAT)
    colour: Colour
    y: Series


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Lines over one x.

    Attributes:
        x: rising; of all lines; empty where no line reaches what is shown.
        lines: from the back to the front.
        marks: on them, the one that matters most first.
        dots: over the lines.
        is_whole: whether x counts what cannot be divided: each of its values is then shown as a point.
        bill: what the bold line is paid for: it is the largest of these sums, and what is in the others is had beside
            it; empty where it is no such sum.
        top: where the upright axis ends; beyond the bold line, where it is not given.
        bottom: where it begins, if it is logarithmic; below the lines' right ends, where it is not given.
        fits_to: the largest x that memory has room for: beyond it lines are faint; None where nothing limits x.
        takes_over_at: the x from which on the first sum of the bill is the largest; None where no x that is shown is.
        drawn_over: the same lines over other ends of x; None where they are known at these points alone.
    """

    x: Series
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    dots: tuple[Dots, ...] = ()
    is_whole: bool = False
    bill: tuple[tuple[Part, ...], ...] = ()
    top: float | None = field(default=None, metadata=LEFT_OUT)
    bottom: float | None = field(default=None, metadata=LEFT_OUT)
    fits_to: float | None = field(default=None, metadata=WHERE_GIVEN)
    takes_over_at: float | None = field(default=None, metadata=WHERE_GIVEN)
    drawn_over: Callable[[float, float], Curves] | None = field(
        default=None, repr=False, compare=False, metadata=LEFT_OUT
    )

    def over(self, low: float, high: float) -> Curves:
        """The same lines over other ends of x, as far as each goes there."""
        if self.drawn_over is None or (self.x.size and (low, high) == (self.x[0], self.x[-1])):
            return self
        return self.drawn_over(low, high)

    def ends(self, upright: Axis, drawn: Curves | None = None) -> tuple[float, float]:
        """Of the upright axis: from zero if it is linear; on a logarithmic one the right ends of other lines are seen.

        A linear one ends a little above what is highest, but at half as much again as the bold line at most. A
        logarithmic one has below the bold line as many decades as that spans at most, or a decade and a half.

        Args:
            upright: the axis.
            drawn: the same lines as they are drawn beside another mode's, where one that rises ends higher.
        """
        highest = [float(line.y.max()) for line in self.lines if line.is_bold] + [
            float(one.y.max()) for one in self.dots
        ]
        top = ROOM_ABOVE * max(highest) if self.top is None else self.top
        if not upright.is_logarithmic:
            reached = max(*highest, *(float(line.y.max()) for line in self.lines))
            return 0.0, min(top, ROOM_ABOVE_LINEAR * reached) if self.top is None else self.top
        if self.bottom is not None:
            return self.bottom, top
        pairs = zip(self.lines, (drawn or self).lines, strict=True)
        lowest = 0.5 * min(float(max(line.y[-1], far.y[-1] if far.y.size else 0.0)) for line, far in pairs)
        bold = [line.y for line in self.lines if line.is_bold and line.y.min() > 0]
        if not bold:
            return lowest, top
        least = float(min(y.min() for y in bold))
        spanned = min(top, float(max(y.max() for y in bold))) / least
        return max(lowest, least / max(spanned, ROOM_BELOW)), top


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Numbers by row and column, the darker the larger.

    Attributes:
        values: row after row, none below zero.
        is_written: whether each number is written into its cell; else the darkness alone shows it.
        text: what the table says, in a few words.
        first: number of the first row and of the first column.
    """

    values: Rows
    is_written: bool
    text: str
    first: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What one row of a timeline does for a while.

    Attributes:
        row: which, from 0 at the top.
        start: on the axis along.
        end: the same.
        text: written into it.
        colour: what it is about.
    """

    row: int
    start: float
    end: float
    text: str
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Who does what when; what is empty idles.

    Attributes:
        rows: names, from the top.
        blocks: none of a row over another.
        text: what it says, in a few words.
    """

    rows: tuple[str, ...]
    blocks: tuple[Block, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table of words and numbers, as one is written on a blackboard.

    Attributes:
        columns: headings, that of the rows' names first.
        rows: cells, as many as columns.
        bold: numbers of the rows that matter most, from 0.
        text: what it says, in a few words.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bold: tuple[int, ...] = ()
    text: str


Scene = Trains | Racks | Gantt | Multiples | Passage | Halves | Facets | Beliefs | Loop | Routes
"""What can be watched."""
Picture = Curves | Table | Sheet | Scene
