"""One panel drawn: lines and axes, then words where there is room; no legend, no frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from ridgeline.boards.scale import LINEAR
from ridgeline.figures.panel import Panel
from ridgeline.figures.panel_words import annotate, name_limit, name_lines, write_rows
from ridgeline.figures.pen import (
    BOLD,
    DOT_POINTS,
    GAP_POINTS,
    MEDIUM,
    POINT_POINTS,
    SMALL_POINTS,
    TEXT_POINTS,
    THIN,
    Pen,
    mark_ticks,
    two_sides,
)

__all__ = ["draw_panel"]

MOST_POINTS = 40
"""Largest number of points of a line that is known at whole numbers alone; more would run together."""


def draw_panel(pen: Pen, panel: Panel, axes: Axes) -> None:
    """Draw lines and axes, and then find room for the words."""
    _dress(pen, panel, axes)
    drawn = _draw_lines(pen, panel, axes)
    if panel.limit is not None:
        name_limit(pen, panel.limit, axes)
    taken = [*name_lines(pen, panel, axes), *write_rows(pen, panel.rows, axes)]
    annotate(pen, panel, axes, drawn, taken)


def _apart(pen: Pen, ticks: Sequence[float], show: Callable[[float], str], axes: Axes, *, up: bool) -> Sequence[float]:
    """Ticks whose numbers do not touch: every second one, from the last, for as long as two would."""
    if not len(ticks):
        return ticks
    texts = [pen.figure.text(0, 0, show(tick), fontsize=SMALL_POINTS) for tick in ticks]
    half = [pen.size(text)[int(up)] / 2 for text in texts]
    for text in texts:
        text.remove()
    places = [(axes.get_xlim()[0], tick) if up else (tick, axes.get_ylim()[0]) for tick in ticks]
    along = axes.transData.transform(places)[:, int(up)]
    air = 0.0 if up else pen.pixels(GAP_POINTS)
    needed = [one + other + air for one, other in pairwise(half)]
    is_free = all(room <= gap for room, gap in zip(needed, np.diff(along), strict=True))
    return ticks if is_free else _apart(pen, ticks[::-2][::-1], show, axes, up=up)


def _dress(pen: Pen, panel: Panel, axes: Axes) -> None:
    """Set scales, few ticks, and headings."""
    theme = pen.theme
    axes.set_facecolor("none")
    axes.set_xscale(panel.x_scale.name)
    axes.set_yscale(panel.y_scale.name)
    axes.set_xlim(panel.x_low if panel.x_scale is LINEAR else float(panel.x[0]), float(panel.x[-1]))
    axes.set_ylim(*_ends(panel))
    for axis, scale, limits, show in (
        (axes.xaxis, panel.x_scale, axes.get_xlim(), panel.show_x),
        (axes.yaxis, panel.y_scale, axes.get_ylim(), panel.show),
    ):
        ticks = scale.ticks(*limits)
        mark_ticks(axis, _apart(pen, ticks, show, axes, up=axis is axes.yaxis), show)
    two_sides(axes, theme)
    axes.set_xlabel(panel.x_caption, fontsize=TEXT_POINTS, color=theme.muted, labelpad=8)
    pen.head(axes, panel.heading, panel.caption)


def _ends(panel: Panel) -> tuple[float, float]:
    """Ends of the upright axis: a logarithmic one shows all right ends; lines from below enter at the foot."""
    bold = [float(line.y.max()) for line in panel.lines if line.bold]
    bold += [float(points.y.max()) for points in panel.points]
    if panel.band is not None:
        bold.append(float(panel.band.high.max()))
    top = 1.5 * max(bold) if panel.top is None else panel.top
    if panel.y_scale is LINEAR:
        return 0.0, top
    return (0.5 * min(float(line.y[-1]) for line in panel.lines) if panel.bottom is None else panel.bottom), top


def _draw_lines(pen: Pen, panel: Panel, axes: Axes) -> list[Line2D]:
    """Draw lines, band and limit, and return those that words must keep off."""
    theme = pen.theme
    drawn: list[Line2D] = []
    if panel.limit is not None:
        axes.axvspan(panel.limit.x, float(panel.x[-1]), color=theme.beyond, linewidth=0, zorder=0)
        drawn.append(axes.axvline(panel.limit.x, color=theme.muted, linewidth=1, zorder=1))
    band = panel.band
    if band is not None:
        axes.fill_between(band.x, band.low, band.high, color=theme.interval, linewidth=0, zorder=1)
    for line in panel.lines:
        x = panel.x if line.x is None else line.x
        if line.high is not None:
            axes.fill_between(x, line.y, line.high, color=theme.beyond, linewidth=0, zorder=1)
        drawn += axes.plot(
            x,
            line.y,
            color=line.colour,
            linewidth=BOLD if line.bold else THIN,
            linestyle=(0, (5, 3)) if line.floor else "-",
            solid_capstyle="butt",
            marker="o" if panel.is_whole and len(panel.x) <= MOST_POINTS else "",
            markersize=POINT_POINTS + (BOLD if line.bold else 0),
            zorder=2 if line.bold else 3,
        )
    if band is not None:
        drawn += axes.plot(band.x, band.middle, color=band.colour, linewidth=MEDIUM, zorder=4)
    for points in panel.points:
        axes.plot(points.x, points.y, "o", markersize=POINT_POINTS + 1, color=points.colour, zorder=4)
    for mark in panel.marks:
        axes.plot(
            [mark.x],
            [mark.y],
            "o",
            markersize=DOT_POINTS,
            color=mark.colour,
            markeredgecolor=theme.background,
            zorder=5,
            clip_on=False,
        )
    return drawn
