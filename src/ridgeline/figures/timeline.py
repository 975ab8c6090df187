"""Batch, memory and queue of replicas over time, one below the other over the same axis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ridgeline.boards.scale import LINEAR
from ridgeline.figures.pen import MEDIUM, SMALL_POINTS, TEXT_POINTS, Pen, mark_ticks, two_sides
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_quantity
from ridgeline.simulator.timeline import Timeline

__all__ = ["timeline_figure"]

LEFT, WIDTH, HEIGHT = 0.085, 0.79, 0.165
"""Left end, width and height of each row, in parts of the picture."""

FEET = (0.645, 0.4, 0.155)
"""Feet of the rows from the top down, in parts of the picture."""

AIR = 1.15
"""Top of an axis, as a multiple of the highest value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One of the rows."""

    caption: str
    y: NDArray[np.float64]
    colour: str
    show: Callable[[float], str]


def timeline_figure(timeline: Timeline, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Three rows over time.

    Args:
        timeline: time line of the replicas.
        title: title of the picture.
        subtitle: subject of the picture.
        foot: how it was found.
        theme: colours of the picture.
    """
    rows = (
        _Row(caption="sequences that decode", y=timeline.batch, colour=theme.compute, show=_count),
        _Row(caption="KV cache in use", y=timeline.kv_used_fraction, colour=theme.kv, show=_part),
        _Row(caption="requests that wait", y=timeline.waiting, colour=theme.estimate, show=_count),
    )
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        for row, foot_at in zip(rows, FEET, strict=True):
            axes = pen.figure.add_axes((LEFT, foot_at, WIDTH, HEIGHT))
            _draw(pen, axes, row, timeline.times_s, is_last=foot_at == FEET[-1])
    return pen.figure


def _draw(pen: Pen, axes: Axes, row: _Row, times_s: NDArray[np.float64], *, is_last: bool) -> None:
    """A row: its line, its mean and its peak."""
    theme, highest = pen.theme, float(row.y.max())
    axes.set_facecolor("none")
    axes.set_xlim(float(times_s[0]), float(times_s[-1]))
    axes.set_ylim(0.0, AIR * (highest or 1.0))
    axes.fill_between(times_s, 0.0, row.y, color=theme.beyond, linewidth=0, zorder=1)
    axes.plot(times_s, row.y, color=row.colour, linewidth=MEDIUM, zorder=2, solid_joinstyle="round")
    _scales(pen, axes, row, is_last=is_last)
    axes.annotate(
        row.caption,
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 7),
        textcoords="offset points",
        fontsize=TEXT_POINTS,
        fontweight="bold",
        color=row.colour,
    )
    axes.annotate(
        f"mean {row.show(float(row.y.mean()))}\npeak {row.show(highest)}",
        (1, 0.5),
        xycoords="axes fraction",
        xytext=(12, 0),
        textcoords="offset points",
        fontsize=SMALL_POINTS,
        color=row.colour,
        verticalalignment="center",
    )


def _scales(pen: Pen, axes: Axes, row: _Row, *, is_last: bool) -> None:
    """Ticks of both axes, and the time below the last row."""
    theme = pen.theme
    for axis, limits, show in (
        (axes.xaxis, axes.get_xlim(), (lambda time_s: format_quantity(time_s, "s")) if is_last else (lambda _: "")),
        (axes.yaxis, axes.get_ylim(), row.show),
    ):
        mark_ticks(axis, LINEAR.ticks(*limits), show)
    two_sides(axes, theme)
    if is_last:
        axes.set_xlabel("time", fontsize=TEXT_POINTS, color=theme.muted, labelpad=4)


def _count(value: float) -> str:
    """A mean count as text.

    >>> _count(0.0312), _count(31.24), _count(1312.4)
    ('0.0312', '31.2', '1,312')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"  # noqa: PLR2004  three digits


def _part(fraction: float) -> str:
    """A part of the whole as text.

    >>> _part(0.0312)
    '3.12 %'
    """
    return f"{100 * fraction:.3g} %"
