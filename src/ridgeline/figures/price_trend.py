"""Prices of a line of models over time, and what each told of its active parameters."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ridgeline.figures.panel import HEADING_POINTS, SMALL_POINTS, TEXT_POINTS, Pen
from ridgeline.figures.slide import write_around
from ridgeline.figures.style import DPI, SIZE_INCHES, style
from ridgeline.figures.theme import Theme
from ridgeline.inversion.trend import Dated
from ridgeline.quantity_text import format_quantity

__all__ = ["price_trend_figure"]

LEFT, RIGHT = (0.075, 0.17, 0.31, 0.6), (0.49, 0.17, 0.47, 0.6)
"""Left, bottom, width and height of the panels, in parts of the picture."""

BESIDE_DAYS, AFTER_DAYS = 20, 110
"""Of the axis beyond the first day, and for which the last prices are drawn."""


MOST_TICKS = 4


def price_trend_figure(found: Sequence[Dated], *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Two panels of slide size: prices as steps, and bands of active parameters.

    Args:
        found: inference by day, the oldest first.
        title: what is shown.
        subtitle: of what.
        foot: where it comes from.
        theme: its colours.
    """
    with style():
        figure = Figure(figsize=SIZE_INCHES, dpi=DPI, facecolor=theme.background)
        FigureCanvasAgg(figure)
        pen = Pen(figure=figure, theme=theme)
        write_around(pen, title=title, subtitle=subtitle, foot=foot)
        _draw_prices(figure.add_axes(LEFT), found, theme)
        _draw_bands(figure.add_axes(RIGHT), found, theme)
    return figure


def _bare(axes: Axes, theme: Theme, heading: str, days: Sequence[float]) -> None:
    axes.set_facecolor(theme.background)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(colors=theme.muted, labelsize=SMALL_POINTS, length=0, which="both")
    axes.set_title(heading, loc="left", fontsize=HEADING_POINTS, color=theme.ink, pad=14)
    axes.grid(visible=True, axis="y", color=theme.beyond)
    axes.set_axisbelow(True)
    months = _months(days)
    axes.set_xticks([one.toordinal() for one in months], [f"{one:%b %Y}" for one in months])
    axes.set_xlim(days[0] - BESIDE_DAYS, days[-1] + AFTER_DAYS)


def _days(found: Sequence[Dated]) -> list[float]:
    return [float(one.date.toordinal()) for one in found]


def _months(days: Sequence[float]) -> list[dt.date]:
    """First days of months between the first day and the last, so few that their names have room."""
    first, last = (dt.date.fromordinal(round(day)) for day in (days[0] - BESIDE_DAYS, days[-1] + AFTER_DAYS))
    there = [
        dt.date(year, month, 1)
        for year in range(first.year, last.year + 1)
        for month in range(1, 13)
        if first <= dt.date(year, month, 1) <= last
    ]
    return there[:: -(-len(there) // MOST_TICKS)]


def _draw_prices(axes: Axes, found: Sequence[Dated], theme: Theme) -> None:
    """Steps of input and output, dollars a million."""
    days = _days(found)
    _bare(axes, theme, "List price, dollars a million", days)
    ends = [*days, days[-1] + BESIDE_DAYS]
    for line, colour in (("output", theme.kv), ("input", theme.compute)):
        usd = [1e6 * one.inference.evidence.usd[line] for one in found]
        axes.step(ends, [*usd, usd[-1]], where="post", color=colour, linewidth=3)
        axes.annotate(
            f"{line} ${usd[-1]:g}",
            (ends[-1], usd[-1]),
            xytext=(6, 0),
            textcoords="offset points",
            color=colour,
            fontsize=TEXT_POINTS,
            verticalalignment="center",
        )
        axes.annotate(
            f"${usd[0]:g}",
            (days[0], usd[0]),
            xytext=(0, 9),
            textcoords="offset points",
            color=colour,
            fontsize=TEXT_POINTS,
        )
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(lambda value, _: f"${value:g}")
    low, high = axes.get_ylim()
    axes.set_ylim(low / 1.3, high * 1.5)


def _draw_bands(axes: Axes, found: Sequence[Dated], theme: Theme) -> None:
    """A bar of nine tenths and of half for each model, over the band of the prior."""
    days = _days(found)
    _bare(axes, theme, "Active parameters, after the prices", days)
    unknowns = [one.inference.unknown("active_params") for one in found]
    prior = unknowns[0].prior
    across = [days[0] - BESIDE_DAYS, days[-1] + AFTER_DAYS]
    axes.fill_between(across, prior.p05, prior.p95, color=theme.beyond, linewidth=0)
    axes.text(
        across[-1],
        prior.p05,
        "before: nine tenths ",
        color=theme.muted,
        fontsize=SMALL_POINTS,
        horizontalalignment="right",
        verticalalignment="bottom",
    )
    ends = np.array([*days, days[-1] + BESIDE_DAYS])

    def steps(name: str) -> list[float]:
        values = [getattr(one.posterior, name) for one in unknowns]
        return [*values, values[-1]]

    axes.fill_between(ends, steps("p05"), steps("p95"), step="post", color=theme.interval, linewidth=0)
    for low, high in (("p05", "p95"), ("p25", "p75")):
        for name in (low, high):
            axes.step(ends, steps(name), where="post", color=theme.estimate, linewidth=0.8 if low == "p05" else 1.6)
    axes.step(ends, steps("p50"), where="post", color=theme.estimate, linewidth=3.2)
    # A model whose prices changed is named once.
    for place, (day, one, unknown) in enumerate(zip(days, found, unknowns, strict=True)):
        if place and found[place - 1].listing == one.listing:
            continue
        axes.annotate(
            f"{one.listing.partition('/')[2].partition('-')[2]}\n{format_quantity(unknown.posterior.p50, 'count', 2)}",
            (day, unknown.posterior.p95),
            xytext=(1, 5),
            textcoords="offset points",
            color=theme.ink,
            fontsize=SMALL_POINTS - 2,
        )
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(lambda value, _: format_quantity(value, "count", 2))
    axes.set_ylim(prior.p05 / 1.3, max(prior.p95, *(one.posterior.p95 for one in unknowns)) * 2.5)
