"""Axes as plain data: captions, and the ends and ticks of the drawn curves."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, NotRequired, TypedDict

from ridgeline.boards.board import View
from ridgeline.boards.picture import ROOM_ABOVE_LINEAR, Axis, Curves
from ridgeline.boards.scale import scale

__all__ = ["AxesDocument", "AxisDocument", "Frame", "along", "axes_document", "ruled_document", "span"]

Frame = tuple[float, float]
"""Wanted ends of a picture's x."""


class AxisDocument(TypedDict):
    """One axis.

    Attributes:
        caption: caption in words, with the unit where the numbers do not carry one.
        dimension: dimension of its numbers.
        is_logarithmic: whether equal steps are equal ratios.
        is_whole: whether it counts what cannot be divided; not there for other axes.
        is_relative: whether its unit is what controls set, so that numbers of two settings are not compared; not there
            for other axes.
        ends: ends of the part that is shown, where there are lines.
        ticks: ticks between the ends.
    """

    caption: str
    dimension: str
    is_logarithmic: bool
    is_whole: NotRequired[Literal[True]]
    is_relative: NotRequired[Literal[True]]
    ends: NotRequired[tuple[float, float]]
    ticks: NotRequired[list[float]]


class AxesDocument(TypedDict):
    """Both axes of a view, the same for all that is drawn in it.

    Attributes:
        x: horizontal axis, common to all.
        y: upright axis, common to all.
    """

    x: AxisDocument
    y: AxisDocument


def axes_document(view: View) -> AxesDocument:
    """Axes without ends, for pictures without curves."""
    return {"x": _axis(view.x), "y": _axis(view.y)}


def _axis(axis: Axis) -> AxisDocument:
    found: AxisDocument = {
        "caption": axis.caption,
        "dimension": axis.dimension,
        "is_logarithmic": axis.is_logarithmic,
    }
    if axis.is_whole:
        found["is_whole"] = True
    if axis.is_relative:
        found["is_relative"] = True
    return found


def along(found: Iterable[Curves]) -> Frame:
    """Smallest and largest x of all curves."""
    lows, highs = zip(*((float(one.x[0]), float(one.x[-1])) for one in found), strict=True)
    return min(lows), max(highs)


def span(axis: Axis, ends: Frame) -> float:
    """Length of an axis between two ends, in steps that are equal on it."""
    low, high = ends
    return math.log(high / low) if axis.is_logarithmic else high - low


def ruled_document(
    view: View, along: Frame, found: Iterable[tuple[Curves, Curves]], *, is_asked: bool = False
) -> AxesDocument:
    """Axes with ends and ticks; the upright one covers the ends of all curves, on their own and as drawn.

    Args:
        view: view of the axes.
        along: ends of x.
        found: curves over their own x, and as they are drawn between the ends.
        is_asked: whether the ends were asked for: where lines are drawn farther along a linear axis than on their own,
            it covers the bold ones there.
    """
    pairs = list(found)
    lows, highs = zip(*(own.ends(view.y, drawn) for own, drawn in pairs), strict=True)
    farther = [_farther(*pair) for pair in pairs] if is_asked and not view.y.is_logarithmic else []
    return {"x": _divided(view.x, along), "y": _divided(view.y, (min(lows), max([*highs, *farther])))}


def _farther(own: Curves, drawn: Curves) -> float:
    """End of an upright axis for bold lines that are drawn beyond their own right end; zero where none is."""
    if not own.x.size or not drawn.x.size or drawn.x[-1] <= own.x[-1]:
        return 0.0
    return ROOM_ABOVE_LINEAR * max((float(line.y.max()) for line in drawn.lines if line.is_bold), default=0.0)


def _divided(axis: Axis, ends: Frame) -> AxisDocument:
    ticks = scale(is_logarithmic=axis.is_logarithmic, dimension=axis.dimension).ticks(*ends)
    return {**_axis(axis), "ends": ends, "ticks": ticks}
