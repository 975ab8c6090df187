"""Predicted against measured times: a panel a kind, the ratio of both over the measured time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from numpy.typing import NDArray

from ridgeline.figures.pen import HEADING_POINTS, SMALL_POINTS, TEXT_POINTS
from ridgeline.figures.slide import blank
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import counted, format_quantity

__all__ = ["Cloud", "scatter_figure"]

TITLE_POINTS = 22
COLUMNS = 4
LEFT, RIGHT, BOTTOM, TOP = 0.065, 0.976, 0.105, 0.79
GAP_ACROSS, GAP_DOWN = 0.026, 0.16
DOT_AREA = 7.0
WITHIN = 1.25
"""Half-width of the strip, as a ratio: a quarter."""
FARTHEST = 5.0
"""Largest ratio; points beyond are drawn at the edge."""
RATIOS = (0.25, 0.5, 1.0, 2.0, 4.0)
FEWEST_TICKS, FEW_TICKS = 2, 4
MARGIN = 1.6
"""Room beside the points, as a factor: either way together more than from 2 to 5, so that a tick lies in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloud:
    """The points of one panel.

    Attributes:
        name: name of the kind of measurement.
        measured_s: measured times, s.
        predicted_s: predicted times of the same rows, s.
    """

    name: str
    measured_s: NDArray[np.float64]
    predicted_s: NDArray[np.float64]

    @property
    def said(self) -> str:
        """Rows and their median error, in words."""
        error = math.expm1(float(np.median(np.abs(np.log(self.predicted_s / self.measured_s)))))
        rows = len(self.measured_s)
        return f"{counted(rows, 'row')}, median error {error:.0%}"


def scatter_figure(clouds: Sequence[Cloud], title: str, caption: str, theme: Theme) -> Figure:
    """Panels of slide size, all with the same ratios upright and each with its own times."""
    with blank(theme) as pen:
        pen.figure.text(LEFT, 0.945, title, fontsize=TITLE_POINTS, color=theme.ink, weight="bold", va="center")
        pen.figure.text(LEFT, 0.893, caption, fontsize=TEXT_POINTS, color=theme.muted, va="center")
        rows = math.ceil(len(clouds) / COLUMNS)
        width = (RIGHT - LEFT - (COLUMNS - 1) * GAP_ACROSS) / COLUMNS
        height = (TOP - BOTTOM - (rows - 1) * GAP_DOWN) / rows
        for place, cloud in enumerate(clouds):
            row, column = divmod(place, COLUMNS)
            corner = LEFT + column * (width + GAP_ACROSS), TOP - height - row * (height + GAP_DOWN)
            axes = pen.figure.add_axes((*corner, width, height))
            _panel(axes, cloud, theme)
            if column:
                axes.set_yticklabels([])
            else:
                axes.set_ylabel("predicted / measured", fontsize=SMALL_POINTS, color=theme.muted)
            if place + COLUMNS >= len(clouds):
                axes.set_xlabel("measured time", fontsize=SMALL_POINTS, color=theme.muted)
    return pen.figure


def _panel(axes: Axes, cloud: Cloud, theme: Theme) -> None:
    axes.set_facecolor(theme.background)
    axes.set_xscale("log")
    axes.set_yscale("log")
    first, last = float(cloud.measured_s.min()) / MARGIN, float(cloud.measured_s.max()) * MARGIN
    axes.set_xlim(first, last)
    axes.set_ylim(1 / FARTHEST, FARTHEST)
    axes.axhspan(1 / WITHIN, WITHIN, color=theme.interval, linewidth=0, zorder=1)
    axes.axhline(1.0, color=theme.muted, linewidth=1.0, zorder=2)
    ratio = np.clip(cloud.predicted_s / cloud.measured_s, 1 / FARTHEST, FARTHEST)
    axes.scatter(cloud.measured_s, ratio, s=DOT_AREA, color=theme.estimate, linewidths=0, zorder=3, clip_on=False)
    axes.text(
        0.0, 1.13, cloud.name, transform=axes.transAxes, fontsize=HEADING_POINTS - 3, color=theme.ink, weight="bold"
    )
    axes.text(0.0, 1.035, cloud.said, transform=axes.transAxes, fontsize=SMALL_POINTS - 1, color=theme.muted)
    axes.xaxis.set_major_locator(FixedLocator(_ticks(first, last)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: format_quantity(float(value), "s")))
    axes.yaxis.set_major_locator(FixedLocator(RATIOS))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
    axes.tick_params(colors=theme.muted, labelsize=SMALL_POINTS - 1, length=3)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _ticks(first: float, last: float) -> list[float]:
    """Powers of ten between two times, every second or third where they are many, and more where they are few.

    >>> _ticks(2e-6, 3.0)
    [1e-05, 0.001, 0.1]
    >>> _ticks(0.03, 0.3)
    [0.05, 0.1, 0.2]
    """
    powers = range(math.floor(math.log10(first)), math.floor(math.log10(last)) + 1)
    ticks = [tick for power in powers if first <= (tick := float(f"1e{power}")) <= last]
    if len(ticks) < FEWEST_TICKS:
        steps = [float(f"{step}e{power}") for power in powers for step in (1, 2, 5)]
        ticks = [tick for tick in steps if first <= tick <= last]
    return ticks[:: max(1, -(-len(ticks) // FEW_TICKS))]
