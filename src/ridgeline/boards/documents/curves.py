"""Lines, the marks on them and the dots over them, as plain data."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from ridgeline.boards.picture import Colour, Curves, Dots, Line, Mark, flat

__all__ = [
    "CurvesDocument",
    "DotsDocument",
    "LineDocument",
    "MarkDocument",
    "PartDocument",
    "curves_document",
    "mark_document",
]


class LineDocument(TypedDict):
    """A line over the picture's x.

    Attributes:
        name: written where it ends.
        colour: what it is about.
        is_bold: whether it is what the board is about.
        is_floor: whether it is a bound or a level to compare with.
        y: its values.
        high: up to where they may lie; null where there is no band.
        out_of_reach_from: the value that stands for all that nothing reaches, where there is such.
    """

    name: str
    colour: Colour
    is_bold: bool
    is_floor: bool
    y: list[float]
    high: list[float] | None
    out_of_reach_from: NotRequired[float]


class MarkDocument(TypedDict):
    """A point on a line.

    Attributes:
        name: of what lies there.
        x: where.
        y: how high.
        line: name of the line that it lies on.
        text: written beside it.
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
    is_fixed: bool
    is_quiet: bool
    crosses: str


class DotsDocument(TypedDict):
    """Things that lie on no line: models, machines, prices.

    Attributes:
        name: of all of them.
        is_named: whether that is written at the right, as a line's is.
        x: where.
        y: how high.
        labels: of each; empty for those that stay without a name.
        colour: what they are about.
    """

    name: str
    is_named: bool
    x: list[float]
    y: list[float]
    labels: list[str]
    colour: Colour


class PartDocument(TypedDict):
    """A part of what the bold line is paid for.

    Attributes:
        name: of what is paid.
        colour: what it is about.
        y: what it takes, over the picture's x.
    """

    name: str
    colour: Colour
    y: list[float]


class CurvesDocument(TypedDict):
    """Lines over one x.

    Attributes:
        x: rising; empty where no line reaches what is shown.
        lines: from the back to the front.
        marks: on them.
        dots: over them.
        is_whole: whether lines are known at their points alone.
        bill: sums of parts, of which the bold line is the largest; empty where it is no such sum.
    """

    x: list[float]
    lines: list[LineDocument]
    marks: list[MarkDocument]
    dots: list[DotsDocument]
    is_whole: bool
    bill: list[list[PartDocument]]


def curves_document(picture: Curves) -> CurvesDocument:
    """Lines, marks and dots."""
    return {
        "x": picture.x.tolist(),
        "lines": [_line(line) for line in picture.lines],
        "marks": [mark_document(mark) for mark in picture.marks],
        "dots": [_dots(one) for one in picture.dots],
        "is_whole": picture.is_whole,
        "bill": [
            [{"name": flat(part.name), "colour": part.colour, "y": part.y.tolist()} for part in side]
            for side in picture.bill
        ],
    }


def _line(line: Line) -> LineDocument:
    document: LineDocument = {
        "name": flat(line.name),
        "colour": line.colour,
        "is_bold": line.is_bold,
        "is_floor": line.is_floor,
        "y": line.y.tolist(),
        "high": None if line.high is None else line.high.tolist(),
    }
    if line.out_of_reach_from is not None:
        document["out_of_reach_from"] = line.out_of_reach_from
    return document


def mark_document(mark: Mark) -> MarkDocument:
    """All of a mark."""
    return {
        "name": mark.name,
        "x": mark.x,
        "y": mark.y,
        "line": flat(mark.line),
        "text": mark.text,
        "colour": mark.colour,
        "is_fixed": mark.is_fixed,
        "is_quiet": mark.is_quiet,
        "crosses": flat(mark.crosses),
    }


def _dots(dots: Dots) -> DotsDocument:
    return {
        "name": flat(dots.name),
        "is_named": dots.is_named,
        "x": dots.x.tolist(),
        "y": dots.y.tolist(),
        "labels": list(dots.labels),
        "colour": dots.colour,
    }
