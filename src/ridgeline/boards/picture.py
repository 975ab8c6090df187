"""What can be drawn: curves over one axis, tables, timelines, schematics; and how their axes are written.

Declarations alone: the command line, the figures and the page draw the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.scene import Scene

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
    "Picture",
    "Schematic",
    "Sheet",
    "Table",
    "Timeline",
    "flat",
]


ROOM_ABOVE, ROOM_ABOVE_LINEAR = 1.5, 1.1
"""Times what is highest, up to which an upright axis reaches."""
ROOM_BELOW = 10**1.5
"""Times below the bold line's lowest value down to which a logarithmic axis may reach for others."""


class Colour(StrEnum):
    """What a line is about, the same on every board; each theme has a colour for it.

    Attributes:
        BOUND: what the board asks for.
        COMPUTE: arithmetic.
        WEIGHTS: weights, in memory or read.
        KV: keys and values, the same, and the states that some layers have in their place.
        LINKS: messages, and the cables and networks that they take.
        MONEY: prices and costs.
        OTHER: a quantity that is none of these.
        ALSO: a second such quantity.
        ASIDE: what to compare with.
    """

    BOUND = "ink"
    COMPUTE = "compute"
    WEIGHTS = "weights"
    KV = "kv"
    LINKS = "links"
    MONEY = "money"
    OTHER = "estimate"
    ALSO = "also"
    ASIDE = "muted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis of the picture.

    Attributes:
        caption: in words, with its unit where the numbers do not carry one.
        dimension: in which its numbers are written.
        is_logarithmic: whether equal steps are equal ratios.
    """

    caption: str
    dimension: str
    is_logarithmic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line over the drawing's x.

    Attributes:
        name: written where it ends.
        y: its values.
        colour: what it is about.
        high: up to where they may lie, if that is more: a band above the line.
        is_bold: whether it is what the board is about.
        is_floor: whether it is a bound that is not crossed, or a level to compare with: dashed.
        out_of_reach_from: the height that stands for all that nothing reaches, where the line leaves the picture.
    """

    name: str
    y: NDArray[np.float64]
    colour: Colour
    high: NDArray[np.float64] | None = None
    is_bold: bool = False
    is_floor: bool = False
    out_of_reach_from: float | None = None


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
    line: str
    text: str
    colour: Colour
    is_fixed: bool = False
    is_quiet: bool = False
    crosses: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """Things that lie where they lie, each with its name: models, machines, prices.

    Attributes:
        name: of all of them.
        x: where.
        y: how high.
        labels: of each; empty for those that stay without a name.
        colour: what they are about.
        is_named: whether the name of all is written at the right, as a line's is: where colours tell groups apart.
    """

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    labels: tuple[str, ...]
    colour: Colour
    is_named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Lines over one x.

    Attributes:
        x: rising; of all lines.
        lines: from the back to the front.
        marks: on them, the one that matters most first.
        top: where the upright axis ends; beyond the bold line, where it is not given.
        bottom: where it begins, if it is logarithmic; below the lines' right ends, where it is not given.
        dots: over the lines.
        is_whole: whether x counts what cannot be divided: each of its values is then shown as a point.
        bill: what the bold line is paid for: it is the largest of these sums, and what is in the others is had beside
            it; empty where it is no such sum.
        drawn_over: the same lines over other ends of x; None where they are known at these points alone.
    """

    x: NDArray[np.float64]
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    top: float | None = None
    bottom: float | None = None
    dots: tuple[Dots, ...] = ()
    is_whole: bool = False
    bill: tuple[tuple[Line, ...], ...] = ()
    drawn_over: Callable[[float, float], Curves] | None = field(default=None, repr=False, compare=False)

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

    values: NDArray[np.float64]
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
        text: what it says, in a few words.
        bold: numbers of the rows that matter most, from 0.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text: str
    bold: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle of a schematic.

    Attributes:
        x: left edge, in the schematic's own units.
        y: upper edge, counted downwards.
        width: to the right.
        height: downwards.
        text: written inside, in the middle; at the upper edge of a frame.
        colour: what it is about.
        is_frame: whether it is an outline around others; else it is filled.
    """

    x: float
    y: float
    width: float
    height: float
    text: str
    colour: Colour
    is_frame: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable:
    """A straight connection of a schematic.

    Attributes:
        x: where it begins, in the schematic's own units.
        y: the same, counted downwards.
        to_x: where it ends.
        to_y: the same.
        colour: what it is about.
        text: written beside its middle.
        is_arrow: whether something moves along it, towards its end.
        is_dashed: whether it is one of several ways, or slower than the others.
        width: in points.
    """

    x: float
    y: float
    to_x: float
    to_y: float
    colour: Colour
    text: str = ""
    is_arrow: bool = False
    is_dashed: bool = False
    width: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Schematic:
    """Parts and how they are connected; what is drawn follows from a layout, not from a ruler.

    Attributes:
        width: of the whole, in its own units, which are alike in both directions.
        height: the same.
        boxes: from the back to the front.
        cables: behind the filled boxes, over the frames.
        text: what it says, in a few words.
    """

    width: float
    height: float
    boxes: tuple[Box, ...]
    cables: tuple[Cable, ...]
    text: str


Picture = Curves | Table | Sheet | Scene | Beliefs


def flat(name: str) -> str:
    """A name without the ends of lines that a picture needs."""
    return name.replace("\n", " ")
