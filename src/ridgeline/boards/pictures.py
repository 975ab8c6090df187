"""Curves in one call: a grid, lines as functions over it, and marks, which lie on a line since it is asked there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.companions import Companion
from ridgeline.boards.picture import Colour, Curves, Dots, Line, Mark, Part

__all__ = ["At", "Curve", "Span", "at", "curve", "curves", "linear", "logarithmic", "whole"]

POINTS = 401
"""Points of a line: more than a slide has pixels between two ticks."""
MOST_WHOLE = 10_000
"""Largest number of whole abscissas in another frame."""

Form = Callable[[NDArray[np.float64]], Any]
"""Function from abscissas to a line's ordinates, as many or a single one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The values of x that a picture is drawn over.

    Attributes:
        x: values in ascending order.
        is_whole: whether they count what cannot be divided.
        divided: function from other ends to the values between them; None where these values alone are known.
        is_closed: whether lines end at these ends even where a picture reaches further.
    """

    x: NDArray[np.float64]
    is_whole: bool = False
    divided: Callable[[float, float], NDArray[np.float64]] | None = None
    is_closed: bool = False

    def over(self, low: float, high: float) -> Span:
        """Span between other ends; of a closed span its part between them, which may be empty."""
        if self.is_closed or self.divided is None:
            low, high = max(low, float(self.x[0])), min(high, float(self.x[-1]))
        if self.divided is None or low >= high:
            return replace(self, x=self.x[(low <= self.x) & (self.x <= high)])
        return replace(self, x=self.divided(low, high))


def linear(low: float, high: float, *, is_closed: bool = False) -> Span:
    """Span in equal steps."""

    def divided(low: float, high: float) -> NDArray[np.float64]:
        return np.linspace(low, high, POINTS)

    return Span(x=divided(low, high), divided=divided, is_closed=is_closed)


def logarithmic(low: float, high: float, *, is_closed: bool = False, points: int = POINTS) -> Span:
    """Span in equal ratios."""

    def divided(low: float, high: float) -> NDArray[np.float64]:
        return np.geomspace(low, high, points)

    return Span(x=divided(low, high), divided=divided, is_closed=is_closed)


def whole(low: int, high: int, *, is_closed: bool = False) -> Span:
    """Span of whole numbers, over other ends not below ``low`` and no more than ``MOST_WHOLE`` further ones."""

    def divided(least: float, most: float) -> NDArray[np.float64]:
        first = max(low, ceil(least))
        return np.arange(first, min(floor(most), first + MOST_WHOLE) + 1, dtype=float)

    return Span(x=np.arange(low, high + 1, dtype=float), is_whole=True, divided=divided, is_closed=is_closed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Line as a function, before its points are computed.

    Attributes:
        name: written where it ends.
        of: height as a function of x.
        colour: colour of its subject.
        high: up to where it may lie, if that is more.
        is_bold: whether it is what the board is about.
        is_floor: whether it is a bound or a level to compare with.
        out_of_reach_from: ordinate from which on values are unreachable.
    """

    name: str
    of: Form
    colour: Colour
    high: Form | None
    is_bold: bool
    is_floor: bool
    out_of_reach_from: float | None


def curve(
    name: str,
    of: Form | float,
    colour: Colour,
    *,
    high: Form | None = None,
    is_bold: bool = False,
    is_floor: bool = False,
    out_of_reach_from: float | None = None,
) -> Curve:
    """A line by its equation, or a level by its number."""
    form = of if callable(of) else lambda _: of
    return Curve(
        name=name,
        of=form,
        colour=colour,
        high=high,
        is_bold=is_bold,
        is_floor=is_floor,
        out_of_reach_from=out_of_reach_from,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """A point to mark, by its x and the line that it lies on.

    Attributes:
        name: name of the point.
        x: abscissa; a mark outside the picture is left out.
        on: name of the line.
        text: text beside it, or a function that makes it of the ordinate.
        colour: colour of its subject.
        is_fixed: whether no control moves it along.
        is_quiet: whether it is only a dot, whose text is shown on hover.
        crosses: name of the line that is met there; empty for none.
    """

    name: str
    x: float
    on: str
    text: str | Callable[[float], str]
    colour: Colour
    is_fixed: bool
    is_quiet: bool
    crosses: str


def at(
    name: str,
    x: float,
    *,
    on: str,
    text: str | Callable[[float], str],
    colour: Colour = Colour.BOUND,
    is_fixed: bool = False,
    is_quiet: bool = False,
    crosses: str = "",
) -> At:
    """A point to mark."""
    return At(
        name=name,
        x=float(x),
        on=on,
        text=text,
        colour=colour,
        is_fixed=is_fixed,
        is_quiet=is_quiet,
        crosses=crosses,
    )


def curves(
    span: Span,
    *lines: Curve,
    marks: Iterable[At] = (),
    also: Iterable[float] = (),
    dots: tuple[Dots, ...] = (),
    top: float | None = None,
    bottom: float | None = None,
    bill: tuple[tuple[Curve, ...], ...] = (),
    fits_to: float | None = None,
    takes_over_at: float | None = None,
    companion: Companion | None = None,
) -> Curves:
    """The picture: lines over the span, with every mark's x among its points.

    Args:
        span: span of x.
        lines: lines from back to front.
        marks: points on them, the one that matters most first; one outside the span is not drawn.
        also: further abscissas to include exactly, as where a line jumps.
        dots: points that lie on no line.
        top: top of the upright axis.
        bottom: bottom of the upright axis, if it is logarithmic.
        bill: sums of parts, of which the bold line is the largest.
        fits_to: the largest x that the memory has room for; None where nothing limits x.
        takes_over_at: least x at which the first sum of the bill is the largest; None where it never is.
        companion: drawing beside the lines that is read at one place along; None for none.

    Raises:
        ValueError: a mark names a line that is not there, or lies between whole numbers.
    """
    drawing = _Drawing(
        lines=lines,
        marks=tuple(marks),
        also=tuple(also),
        dots=dots,
        top=top,
        bottom=bottom,
        bill=bill,
        fits_to=fits_to,
        takes_over_at=takes_over_at,
        companion=companion,
    )
    return drawing.over(span)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawing:
    """Arguments of ``curves`` without the span, to be drawn over others too."""

    lines: tuple[Curve, ...]
    marks: tuple[At, ...]
    also: tuple[float, ...]
    dots: tuple[Dots, ...]
    top: float | None
    bottom: float | None
    bill: tuple[tuple[Curve, ...], ...]
    fits_to: float | None
    takes_over_at: float | None
    companion: Companion | None

    def over(self, span: Span) -> Curves:
        """Curves over all of the span's values."""
        low, high = (float(span.x[0]), float(span.x[-1])) if span.x.size else (1.0, 0.0)
        kept = [mark for mark in self.marks if low <= mark.x <= high]
        met = [mark.x for mark in kept] + [where for where in self.also if low <= where <= high]
        if span.is_whole and any(where != round(where) for where in met):
            raise ValueError(f"marks at {met} lie between the whole numbers of this picture; round them")
        x, end = _with(span.x, met), self.takes_over_at
        forms = {line.name: line.of for line in self.lines}
        unknown = [mark.on for mark in kept if mark.on not in forms]
        if unknown:
            raise ValueError(f"marks lie on {unknown}, which are not among the lines {list(forms)}")
        return Curves(
            x=x,
            lines=tuple(_drawn(line, x) for line in self.lines),
            marks=tuple(_marked(mark, forms[mark.on]) for mark in kept),
            top=self.top,
            bottom=self.bottom,
            dots=self.dots,
            is_whole=span.is_whole,
            bill=tuple(tuple(_part(part, x) for part in side) for side in self.bill),
            fits_to=self.fits_to,
            takes_over_at=end if end is not None and low <= end <= high else None,
            companion=self.companion,
            drawn_over=partial(self.elsewhere, span),
        )

    def elsewhere(self, span: Span, low: float, high: float) -> Curves:
        """Curves between other ends; lines end where an equation has no number."""
        with np.errstate(all="ignore"):
            return _known(self.over(span.over(low, high)))


SAME = 1e-12
"""Relative difference of two ways to compute one number."""


def _with(x: NDArray[np.float64], met: list[float]) -> NDArray[np.float64]:
    """Union of both in ascending order, but for points of ``x`` that differ from a met one by rounding alone.

    Else it would depend on the machine's arithmetic how many points there are.
    """
    for where in met:
        x = x[abs(x - where) > SAME * abs(where)]
    return np.union1d(x, met)


def _known(found: Curves) -> Curves:
    """Curves without the values of x at which a line has no number."""
    heights = [y for line in found.lines for y in (line.y, line.high) if y is not None]
    known = np.all([np.isfinite(y) for y in heights], axis=0)
    if known.all():
        return found
    x = found.x[known]
    return replace(
        found,
        x=x,
        lines=_at(found.lines, known),
        marks=tuple(mark for mark in found.marks if mark.x in x),
        bill=tuple(tuple(replace(part, y=part.y[known]) for part in side) for side in found.bill),
    )


def _at(lines: tuple[Line, ...], known: NDArray[np.bool_]) -> tuple[Line, ...]:
    return tuple(replace(line, y=line.y[known], high=None if line.high is None else line.high[known]) for line in lines)


def _drawn(line: Curve, x: NDArray[np.float64]) -> Line:
    return Line(
        name=line.name,
        y=_over(line.of, x),
        colour=line.colour,
        high=None if line.high is None else _over(line.high, x),
        is_bold=line.is_bold,
        is_floor=line.is_floor,
        out_of_reach_from=line.out_of_reach_from,
    )


def _part(line: Curve, x: NDArray[np.float64]) -> Part:
    return Part(name=line.name, colour=line.colour, y=_over(line.of, x))


def _over(form: Form, x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.broadcast_to(np.asarray(form(x), dtype=float), x.shape).copy() if x.size else x


def _marked(mark: At, form: Form) -> Mark:
    y = float(_over(form, np.array([mark.x]))[0])
    return Mark(
        name=mark.name,
        x=mark.x,
        y=y,
        line=mark.on,
        text=mark.text(y) if callable(mark.text) else mark.text,
        colour=mark.colour,
        is_fixed=mark.is_fixed,
        is_quiet=mark.is_quiet,
        crosses=mark.crosses,
    )
