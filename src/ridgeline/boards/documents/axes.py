"""Axes as plain data: their captions, and the ends and ticks of what is drawn on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NotRequired, TypedDict

from ridgeline.boards.board import View
from ridgeline.boards.picture import Axis, Curves
from ridgeline.boards.scale import scale

__all__ = ["AxesDocument", "AxisDocument", "Frame", "along", "axes_document", "ruled_document"]

Frame = tuple[float, float]
"""Ends of x that a picture is to have."""


class AxisDocument(TypedDict):
    """One axis.

    Attributes:
        caption: in words, with its unit where the numbers do not carry one.
        dimension: in which its numbers are written.
        is_logarithmic: whether equal steps are equal ratios.
        is_whole: that it counts what cannot be divided; not there for other axes.
        ends: of what is shown, where there are lines.
        ticks: between them.
    """

    caption: str
    dimension: str
    is_logarithmic: bool
    is_whole: NotRequired[Literal[True]]
    ends: NotRequired[tuple[float, float]]
    ticks: NotRequired[list[float]]


class AxesDocument(TypedDict):
    """Both axes of a view, the same for all that is drawn in it.

    Attributes:
        x: along.
        y: upright.
    """

    x: AxisDocument
    y: AxisDocument


def axes_document(view: View) -> AxesDocument:
    """Both axes, where nothing is drawn that has ends."""
    return {"x": _axis(view.x), "y": _axis(view.y)}


def _axis(axis: Axis) -> AxisDocument:
    found: AxisDocument = {
        "caption": axis.caption,
        "dimension": axis.dimension,
        "is_logarithmic": axis.is_logarithmic,
    }
    return {**found, "is_whole": True} if axis.is_whole else found


def along(found: Iterable[Curves]) -> Frame:
    """From the leftmost end of x to the rightmost."""
    lows, highs = zip(*((float(one.x[0]), float(one.x[-1])) for one in found), strict=True)
    return min(lows), max(highs)


def ruled_document(view: View, along: Frame, found: Iterable[tuple[Curves, Curves]]) -> AxesDocument:
    """With ends and ticks: upright from the lowest end of all to the highest, of lines on their own and as drawn."""
    lows, highs = zip(*(own.ends(view.y, drawn) for own, drawn in found), strict=True)
    return {"x": _divided(view.x, along), "y": _divided(view.y, (min(lows), max(highs)))}


def _divided(axis: Axis, ends: Frame) -> AxisDocument:
    ticks = scale(is_logarithmic=axis.is_logarithmic, dimension=axis.dimension).ticks(*ends)
    return {**_axis(axis), "ends": ends, "ticks": ticks}
