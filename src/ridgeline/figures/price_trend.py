"""Prices of a line of models over time, and the active parameters inferred from each."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ridgeline.figures.frameless import frameless
from ridgeline.figures.pen import SMALL_POINTS, TEXT_POINTS, Pen
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.inversion.infer import Unknown
from ridgeline.inversion.trend import Dated, Trend
from ridgeline.quantity_text import format_quantity

__all__ = ["price_trend_figure"]

LEFT, RIGHT = (0.075, 0.17, 0.31, 0.6), (0.49, 0.17, 0.47, 0.6)
"""Left, bottom, width and height of the panels, in parts of the picture."""

BESIDE = 0.04
"""Part of the axis before the first day, and after the last."""

MOST_TICKS = 4


def price_trend_figure(found: Trend, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Two panels of slide size: prices as steps, and bands of active parameters.

    Args:
        found: inference by day, the oldest first.
        title: title of the picture.
        subtitle: subject and unit of the prices.
        foot: sources of the prices.
        theme: colours of the picture.
    """
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        _draw_prices(pen.figure.add_axes(LEFT), found, theme)
        _draw_bands(pen.figure.add_axes(RIGHT), found, theme, pen)
    return pen.figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Time that is drawn, in days since the first of the calendar.

    Attributes:
        days: days on which prices changed.
        low: day at which the axis begins.
        last: the last day that was looked at.
        high: day at which the axis ends.
    """

    days: tuple[float, ...]
    low: float
    last: float
    high: float


def _span(found: Trend) -> Span:
    days = tuple(float(one.date.toordinal()) for one in found.points)
    last = max(float(found.until.toordinal()), days[-1])
    beside = BESIDE * max(last - days[0], 1.0)
    return Span(days=days, low=days[0] - beside, last=last, high=last + beside)


def _dated(axes: Axes, theme: Theme, heading: str, span: Span) -> None:
    frameless(axes, theme, heading, pad=14)
    axes.grid(visible=True, axis="y", color=theme.beyond)
    axes.set_axisbelow(True)
    months = _months(span)
    axes.set_xticks([one.toordinal() for one in months], [f"{one:%b %Y}" for one in months])
    axes.set_xlim(span.low, span.high)


def _months(span: Span) -> list[dt.date]:
    """First days of months between the ends of the axis, so few that their names have room."""
    first, last = (dt.date.fromordinal(round(day)) for day in (span.low, span.high))
    there = [
        dt.date(year, month, 1)
        for year in range(first.year, last.year + 1)
        for month in range(1, 13)
        if first <= dt.date(year, month, 1) <= last
    ]
    return there[:: -(-len(there) // MOST_TICKS)]


def _draw_prices(axes: Axes, found: Trend, theme: Theme) -> None:
    """Steps of input and output, dollars a million."""
    span, points = _span(found), found.points
    _dated(axes, theme, "List price, dollars a million", span)
    drawn: list[float] = []
    for line, colour in (("output", theme.kv), ("input", theme.compute)):
        usd = [1e6 * one.evidence.usd[line] for one in points]
        drawn += usd
        axes.step([*span.days, span.last], [*usd, usd[-1]], where="post", color=colour, linewidth=3)
        axes.plot(span.last, usd[-1], "o", color=colour, markersize=7)
        # Each new price once, above its step.
        for place, (day, value) in enumerate(zip(span.days, usd, strict=True)):
            if place and value == usd[place - 1]:
                continue
            words = f"{line} ${value:g}" if not place else f"${value:g}"
            at_end = day > span.last - BESIDE * (span.last - span.low)
            axes.annotate(
                words,
                (day, value),
                xytext=(7, -4) if at_end else (2, 6),
                textcoords="offset points",
                color=colour,
                fontsize=TEXT_POINTS,
            )
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.set_ylim(min(drawn) / 1.6, max(drawn) * 1.8)
    axes.set_yticks(_round_ticks(min(drawn) / 1.6, max(drawn) * 1.8))
    axes.yaxis.set_major_formatter(lambda value, _: f"${value:g}")


def _round_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten between two values; every second or so where these are many."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
    there = [one for one in ticks if low <= one <= high]
    return there if len(there) <= MOST_ROUND else [one for one in there if f"{one:e}".startswith("1")]


MOST_ROUND = 7


def _draw_bands(axes: Axes, found: Trend, theme: Theme, pen: Pen) -> None:
    """A bar of nine tenths and of half for each model, over the band of the prior."""
    span = _span(found)
    _dated(axes, theme, "Active parameters, after the prices", span)
    unknowns = [one.unknown("active_params") for one in found.points]
    prior = unknowns[0].prior
    axes.fill_between([span.low, span.high], prior.p05, prior.p95, color=theme.beyond, linewidth=0)
    axes.text(
        span.high,
        prior.p05,
        "before: nine tenths ",
        color=theme.muted,
        fontsize=SMALL_POINTS,
        horizontalalignment="right",
        verticalalignment="bottom",
    )
    ends = np.array([*span.days, span.last])

    def steps(name: str) -> list[float]:
        values = [getattr(one.posterior, name) for one in unknowns]
        return [*values, values[-1]]

    axes.fill_between(ends, steps("p05"), steps("p95"), step="post", color=theme.interval, linewidth=0)
    for low, high in (("p05", "p95"), ("p25", "p75")):
        for name in (low, high):
            axes.step(ends, steps(name), where="post", color=theme.estimate, linewidth=0.8 if low == "p05" else 1.6)
    axes.step(ends, steps("p50"), where="post", color=theme.estimate, linewidth=3.2)
    axes.plot(span.last, unknowns[-1].posterior.p50, "o", color=theme.estimate, markersize=8)
    top = max(prior.p95, *(one.posterior.p95 for one in unknowns)) * 4
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.set_ylim(prior.p05 / 1.3, top)
    axes.set_yticks([one for one in _round_ticks(prior.p05 / 1.3, top) if f"{one:e}".startswith("1")])
    axes.yaxis.set_major_formatter(lambda value, _: format_quantity(value, "count", 2))
    _name_models(axes, found.points, unknowns, theme, pen)


def _name_models(axes: Axes, points: Sequence[Dated], unknowns: Sequence[Unknown], theme: Theme, pen: Pen) -> None:
    """Names and inferred sizes of models above their bands, on a second row where the one before is near."""
    rows: list[float] = []
    edge = axes.transAxes.transform((1.0, 0.0))[0]
    said = math.inf
    for place, (one, unknown) in enumerate(zip(points, unknowns, strict=True)):
        is_new = not place or points[place - 1].listing != one.listing
        middle = unknown.posterior.p50
        if not is_new and abs(math.log(middle / said)) < WORTH_SAYING:
            continue
        said, words = middle, format_quantity(middle, "count", 2)
        name = one.listing.partition("/")[2].partition("-")[2]
        text = axes.annotate(
            f"{name}\n{words}" if is_new else words,
            (float(one.date.toordinal()), unknown.posterior.p95),
            xytext=(1, 5),
            textcoords="offset points",
            color=theme.ink,
            fontsize=SMALL_POINTS - 2,
            annotation_clip=False,
        )
        begins, width = axes.transData.transform((one.date.toordinal(), 1.0))[0], pen.size(text)[0]
        # At the edge a name ends where its model begins.
        if begins + width > edge:
            text.set_horizontalalignment("right")
            begins = begins - width
        row = next((at for at, end in enumerate(rows) if end < begins), len(rows))
        rows[row : row + 1] = [begins + width + ROW_GAP]
        text.set_position((1, 5 + row * ROW_HEIGHT))


WORTH_SAYING = 0.1
"""Least change of a size's logarithm for which it is written anew."""

ROW_GAP, ROW_HEIGHT = 8, 30
"""Gap between names side by side, in dots, and distance of their rows, in points."""
