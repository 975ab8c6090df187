"""Content of one panel: lines that are named where they end, a floor, and marks with their numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.scale import Scale

__all__ = ["Band", "Limit", "Line", "Mark", "Panel", "Points", "show_count"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line from end to end of the panel, and its name.

    Attributes:
        name: written at its right end; empty where it is not.
        y: ordinates over the panel's x, or over its own.
        x: abscissas of its own; None for the panel's.
        high: upper ends of a band above the line; None without a band.
        colour: colour of line and band.
        bold: whether the line is the panel's subject.
        floor: whether it is the one that the bold line never falls below: dashed.
    """

    name: str
    y: NDArray[np.float64]
    colour: str
    high: NDArray[np.float64] | None = None
    bold: bool = False
    floor: bool = False
    x: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A dot and what is written beside it; a dot alone where its text is empty."""

    x: float
    y: float
    text: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Points off the lines, each with its name where there is room.

    Attributes:
        name: name of all points, written at the right; empty where it is not.
        x: abscissas of the points.
        y: ordinates of the points.
        labels: label of each point; empty for points without a name.
        colour: colour of all points.
    """

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    labels: tuple[str, ...]
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Line with its interval.

    Attributes:
        x: abscissas of the line.
        low: lower end of the interval.
        middle: ordinates of the line.
        high: upper end of the interval.
        name: name at the line's end.
        colour: colour of line and interval.
    """

    x: NDArray[np.float64]
    low: NDArray[np.float64]
    middle: NDArray[np.float64]
    high: NDArray[np.float64]
    name: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Limit of an axis: nothing beyond ``x`` fits; its name is written above it."""

    x: float
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Content of one panel.

    Attributes:
        heading: quantity that is drawn, and what it is drawn against.
        caption: caption of the upright axis.
        x_caption: caption of the horizontal axis.
        x: abscissas of the lines.
        lines: lines from back to front.
        marks: dots with numbers.
        show: a value of the upright axis as text.
        x_scale: scale of the horizontal axis.
        y_scale: scale of the upright axis.
        show_x: a value of the x axis as text.
        x_low: left end of the horizontal axis, if it is linear.
        top: top of the upright axis; None for one that shows all bold lines, points and the band.
        bottom: bottom of the upright axis, if it is logarithmic; None for one that shows all right ends.
        band: an estimate with its interval, if there is one.
        limit: limit of what fits, if there is one.
        points: groups of points over the lines.
        rows: words at the top left, each with its colour.
        is_whole: whether lines are known only at their points, which are then shown.
    """

    heading: str
    caption: str
    x_caption: str
    x: NDArray[np.float64]
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    show: Callable[[float], str]
    x_scale: Scale
    y_scale: Scale
    show_x: Callable[[float], str]
    x_low: float = 0.0
    top: float | None = None
    bottom: float | None = None
    band: Band | None = None
    limit: Limit | None = None
    points: tuple[Points, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    is_whole: bool = False


def show_count(value: float) -> str:
    """A count as text."""
    return f"{value:,.0f}"
