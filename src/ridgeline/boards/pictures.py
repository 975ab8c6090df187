"""Curves in one call: a grid, lines as functions over it, and marks, which lie on a line since it is asked there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.picture import Colour, Curves, Dots, Line, Mark

__all__ = ["At", "Curve", "Span", "at", "curve", "curves", "linear", "logarithmic", "whole"]

POINTS = 401
"""Of a line: more than a slide has pixels between two ticks."""

Form = Callable[[NDArray[np.float64]], Any]
"""A line's height over x; numbers of x in, as many or a single one out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The values of x that a picture is drawn over.

    Attributes:
        x: rising.
        is_whole: whether they count what cannot be divided.
    """

    x: NDArray[np.float64]
    is_whole: bool = False


def linear(low: float, high: float) -> Span:
    """Equal steps."""
    return Span(x=np.linspace(low, high, POINTS))


def logarithmic(low: float, high: float) -> Span:
    """Equal ratios."""
    return Span(x=np.geomspace(low, high, POINTS))


def whole(low: int, high: int) -> Span:
    """Every whole number."""
    return Span(x=np.arange(low, high + 1, dtype=float), is_whole=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A line that is still a function.

    Attributes:
        name: written where it ends.
        of: its height over x.
        colour: what it is about.
        high: up to where it may lie, if that is more.
        is_bold: whether it is what the board is about.
        is_floor: whether it is a bound or a level to compare with.
    """

    name: str
    of: Form
    colour: Colour
    high: Form | None
    is_bold: bool
    is_floor: bool


def curve(
    name: str,
    of: Form | float,
    colour: Colour,
    *,
    high: Form | None = None,
    is_bold: bool = False,
    is_floor: bool = False,
) -> Curve:
    """A line by its equation, or a level by its number."""
    form = of if callable(of) else lambda _: of
    return Curve(name=name, of=form, colour=colour, high=high, is_bold=is_bold, is_floor=is_floor)


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """A point to mark, by its x and the line that it lies on.

    Attributes:
        name: of what lies there.
        x: where; a mark outside the picture is left out.
        on: name of the line.
        text: written beside it, or what makes that from its height.
        colour: what it is about.
    """

    name: str
    x: float
    on: str
    text: str | Callable[[float], str]
    colour: Colour


def at(name: str, x: float, *, on: str, text: str | Callable[[float], str], colour: Colour = Colour.BOUND) -> At:
    """A point to mark."""
    return At(name=name, x=float(x), on=on, text=text, colour=colour)


def curves(
    span: Span,
    *lines: Curve,
    marks: Iterable[At] = (),
    also: Iterable[float] = (),
    dots: tuple[Dots, ...] = (),
    top: float | None = None,
    bottom: float | None = None,
) -> Curves:
    """The picture: lines over the span, with every mark's x among its points.

    Args:
        span: what x runs over.
        lines: from the back to the front.
        marks: points on them; one outside the span is not drawn.
        also: further values of x to be met exactly, as where a line jumps.
        dots: things that lie on no line.
        top: where the upright axis ends.
        bottom: where it begins, if it is logarithmic.

    Raises:
        ValueError: a mark names a line that is not there, or lies between whole numbers.
    """
    low, high = span.x[0], span.x[-1]
    kept = [mark for mark in marks if low <= mark.x <= high]
    met = [mark.x for mark in kept] + [where for where in also if low <= where <= high]
    if span.is_whole and any(where != round(where) for where in met):
        raise ValueError(f"marks at {met} lie between the whole numbers of this picture; round them")
    x = np.union1d(span.x, met)
    forms = {line.name: line.of for line in lines}
    unknown = [mark.on for mark in kept if mark.on not in forms]
    if unknown:
        raise ValueError(f"marks lie on {unknown}, which are not among the lines {list(forms)}")
    return Curves(
        x=x,
        lines=tuple(_drawn(line, x) for line in lines),
        marks=tuple(_marked(mark, forms[mark.on]) for mark in kept),
        top=top,
        bottom=bottom,
        dots=dots,
        is_whole=span.is_whole,
    )


def _drawn(line: Curve, x: NDArray[np.float64]) -> Line:
    return Line(
        name=line.name,
        y=_over(line.of, x),
        colour=line.colour,
        high=None if line.high is None else _over(line.high, x),
        is_bold=line.is_bold,
        is_floor=line.is_floor,
    )


def _over(form: Form, x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.broadcast_to(np.asarray(form(x), dtype=float), x.shape).copy()


def _marked(mark: At, form: Form) -> Mark:
    y = float(_over(form, np.array([mark.x]))[0])
    return Mark(
        name=mark.name,
        x=mark.x,
        y=y,
        line=mark.on,
        text=mark.text(y) if callable(mark.text) else mark.text,
        colour=mark.colour,
    )
