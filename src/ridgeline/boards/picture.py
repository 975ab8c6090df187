"""Pictures of boards: curves over one axis, tables, timelines, schematics; and how their axes are written.

Declarations alone: the command line, the figures and the page draw the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.bubble import Bubble
from ridgeline.boards.colour import Colour
from ridgeline.boards.companions import Companion
from ridgeline.boards.flows import Crossing, Facets, Halves, Passage
from ridgeline.boards.journeys import Loop, Routes
from ridgeline.boards.row_of_racks import RowOfRacks
from ridgeline.boards.scene import Gantt, Multiples, Racks, Trains
from ridgeline.boards.schematic import Box, Cable, Schematic
from ridgeline.boards.two_chips import TwoChips
from ridgeline.boards.written import FLAT, LEFT_OUT, WHERE_GIVEN

__all__ = [
    "ROOM_ABOVE_LINEAR",
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
"""Top of a logarithmic and of a linear upright axis, as multiples of the highest value."""
ROOM_BELOW = 10**1.5
"""Factor below the bold line's lowest value down to which a logarithmic axis may reach for others."""


Series = NDArray[np.float64]
"""Numbers in a row."""
Rows = Annotated[NDArray[np.float64], "by row and column"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis of the picture.

    Attributes:
        caption: caption in words, with the unit where the numbers do not carry one.
        dimension: dimension of its numbers.
        is_logarithmic: whether equal steps are equal ratios.
        is_whole: whether it counts what cannot be divided, so that values are read at whole ones alone.
        is_relative: whether its unit is what controls set, so that numbers of two settings are not compared.
    """

    caption: str
    dimension: str
    is_logarithmic: bool = False
    is_whole: bool = False
    is_relative: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line over the drawing's x.

    Attributes:
        name: written where it ends.
        colour: colour of its subject.
        is_bold: whether it is what the board is about.
        is_floor: whether it is a bound that is not crossed, or a level to compare with: dashed.
        y: values over the drawing's x.
        high: up to where they may lie: a band above the line; None where there is none.
        out_of_reach_from: ordinate from which on values are unreachable, and the line leaves the picture.
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
        name: name of the point.
        x: abscissa of the point.
        y: ordinate of the point.
        line: name of the line that it lies on.
        text: text in a few words, with its number.
        colour: colour of its subject.
        is_fixed: whether no control moves it along its line: it cannot be dragged.
        is_quiet: whether it is only a dot, whose text is shown on hover.
        crosses: name of the line that meets its line there, without which the mark is hidden; empty for none.
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
        name: name of the group.
        is_named: whether a key has its name: where colours tell groups apart.
        x: abscissas of the points.
        y: ordinates of the points.
        labels: label of each point; empty for points that stay without one.
        colour: colour of the group.
        names: name of each point, for the pointer; None where labels name all.
        told: labels of which text or drawings speak, so that they have places before all others; None where none do.
    """

    name: str = field(metadata=FLAT)
    is_named: bool = False
    x: Series
    y: Series
    labels: tuple[str, ...]
    colour: Colour
    names: tuple[str, ...] | None = field(default=None, metadata=WHERE_GIVEN)
    told: tuple[str, ...] | None = field(default=None, metadata=WHERE_GIVEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Summand of the bold line.

    Attributes:
        name: name of the item that is paid.
        colour: colour of the item.
        y: cost of the item over the picture's x.
    """

    name: str = field(metadata=FLAT)
    colour: Colour
    y: Series


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Lines over one x.

    Attributes:
        x: abscissas of all lines, ascending; empty where no line reaches the frame.
        lines: lines from back to front.
        marks: marks on the lines, the most important first.
        dots: points that lie on no line.
        is_whole: whether x counts what cannot be divided: each of its values is then shown as a point.
        bill: items of the bold line, which is the largest of these sums; the items of the other sums overlap with it.
            Empty where it is no such sum.
        top: top of the upright axis; above the bold line if left out.
        bottom: bottom of the upright axis, if it is logarithmic; below the lines' right ends if left out.
        fits_to: the largest x that memory has room for: beyond it lines are faint; None where nothing limits x.
        takes_over_at: the x from which on the first sum of the bill is the largest; None where no x that is shown is.
        companion: drawing beside them that is read at one place along; None where there is none.
        drawn_over: function that gives these lines over other ends of x; None where they are known at these points
            alone.
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
    companion: Companion | None = field(default=None, metadata=WHERE_GIVEN)
    drawn_over: Callable[[float, float], Curves] | None = field(
        default=None, repr=False, compare=False, metadata=LEFT_OUT
    )

    def over(self, low: float, high: float) -> Curves:
        """Lines over other ends of x, as far as each goes there."""
        if self.drawn_over is None or (self.x.size and (low, high) == (self.x[0], self.x[-1])):
            return self
        return self.drawn_over(low, high)

    def ends(self, upright: Axis, drawn: Curves | None = None) -> tuple[float, float]:
        """Ends of the upright axis: from zero if it is linear; a logarithmic one shows the right ends of other lines.

        A linear one ends a little above what is highest, but at half as much again as the bold line at most. A
        logarithmic one has below the bold line as many decades as that spans at most, or a decade and a half.

        Args:
            upright: upright axis of the view.
            drawn: lines as they are drawn beside another mode's, where one that rises ends higher.
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
    """Table of numbers, each cell the darker the larger its number.

    Attributes:
        values: rows of numbers, none below zero.
        is_written: whether each number is written into its cell; else the darkness alone shows it.
        text: summary in a few words.
        first: number of the first row and of the first column.
    """

    values: Rows
    is_written: bool
    text: str
    first: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Activity of one row of a timeline for a while.

    Attributes:
        row: number of the row, from 0 at the top.
        start: start on the horizontal axis.
        end: end on the horizontal axis.
        text: text inside it, may be empty.
        colour: colour of the activity.
    """

    row: int
    start: float
    end: float
    text: str
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Activities of several rows over time; gaps are idle time.

    Attributes:
        rows: names of the rows, from the top.
        blocks: blocks, without overlaps in a row.
        text: summary in a few words.
    """

    rows: tuple[str, ...]
    blocks: tuple[Block, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table of words and numbers, as one is written on a blackboard.

    Attributes:
        columns: headings of the columns, that of the rows' names first.
        rows: rows of cells, as many as there are columns.
        bold: numbers of the rows that matter most, from 0.
        text: summary in a few words.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bold: tuple[int, ...] = ()
    text: str


Played = Gantt | Loop | Bubble | Trains | TwoChips
"""Pictures of time."""
Scene = Played | Racks | Multiples | Passage | Crossing | Halves | Facets | Beliefs | Routes | RowOfRacks
"""Pictures that can be watched."""
Picture = Curves | Table | Sheet | Scene
