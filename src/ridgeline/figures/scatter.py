"""Predicted against measured times: a panel a kind, all on the same axes, exact predictions on the diagonal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from numpy.typing import NDArray

from ridgeline.figures.panel import HEADING_POINTS, SMALL_POINTS, TEXT_POINTS
from ridgeline.figures.style import DPI, SIZE_INCHES, style
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_quantity

__all__ = ["Cloud", "scatter_figure"]

TITLE_POINTS = 22
COLUMNS = 4
LEFT, RIGHT, BOTTOM, TOP = 0.06, 0.985, 0.115, 0.80
GAP_ACROSS, GAP_DOWN = 0.028, 0.135
DOT_AREA = 7.0
WITHIN = 1.25
"""The strip about the diagonal: within a quarter."""
TICK_DECADES = 2
MARGIN = 1.5
"""Room about the points, as a factor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloud:
    """The points of one panel.

    Attributes:
        name: of the kind.
        measured_s: times.
        predicted_s: of the same rows.
    """

    name: str
    measured_s: NDArray[np.float64]
    predicted_s: NDArray[np.float64]

    @property
    def said(self) -> str:
        """Rows and their median error, in words."""
        error = math.expm1(float(np.median(np.abs(np.log(self.predicted_s / self.measured_s)))))
        return f"{len(self.measured_s):,} rows, median error {error:.0%}"


def scatter_figure(clouds: Sequence[Cloud], title: str, caption: str, theme: Theme) -> Figure:
    """Panels of slide size; every point of them lies inside the same two axes."""
    with style():
        figure = Figure(figsize=SIZE_INCHES, dpi=DPI, facecolor=theme.background)
        FigureCanvasAgg(figure)
        figure.text(LEFT, 0.945, title, fontsize=TITLE_POINTS, color=theme.ink, weight="bold", va="center")
        figure.text(LEFT, 0.893, caption, fontsize=TEXT_POINTS, color=theme.muted, va="center")
        every = np.concatenate([one for cloud in clouds for one in (cloud.measured_s, cloud.predicted_s)])
        ends = float(every.min()) / MARGIN, float(every.max()) * MARGIN
        rows = math.ceil(len(clouds) / COLUMNS)
        width = (RIGHT - LEFT - (COLUMNS - 1) * GAP_ACROSS) / COLUMNS
        height = (TOP - BOTTOM - (rows - 1) * GAP_DOWN) / rows
        for place, cloud in enumerate(clouds):
            row, column = divmod(place, COLUMNS)
            left = LEFT + column * (width + GAP_ACROSS)
            bottom = TOP - height - row * (height + GAP_DOWN)
            axes = figure.add_axes((left, bottom, width, height))
            _panel(axes, cloud, ends, theme)
            if column:
                axes.set_yticklabels([])
            elif row == rows - 1:
                axes.set_ylabel("predicted", fontsize=SMALL_POINTS, color=theme.muted)
            is_last = place + COLUMNS >= len(clouds)
            if not is_last:
                axes.set_xticklabels([])
            elif column == 0:
                axes.set_xlabel("measured", fontsize=SMALL_POINTS, color=theme.muted)
    return figure


def _panel(axes: Axes, cloud: Cloud, ends: tuple[float, float], theme: Theme) -> None:
    axes.set_facecolor(theme.background)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(*ends)
    axes.set_ylim(*ends)
    line = np.array(ends)
    axes.fill_between(line, line / WITHIN, line * WITHIN, color=theme.interval, linewidth=0, zorder=1)
    axes.plot(line, line, color=theme.muted, linewidth=1.0, zorder=2)
    axes.scatter(cloud.measured_s, cloud.predicted_s, s=DOT_AREA, color=theme.estimate, linewidths=0, zorder=3)
    axes.text(
        0.0, 1.12, cloud.name, transform=axes.transAxes, fontsize=HEADING_POINTS - 3, color=theme.ink, weight="bold"
    )
    axes.text(0.0, 1.03, cloud.said, transform=axes.transAxes, fontsize=SMALL_POINTS - 1, color=theme.muted)
    powers = range(math.ceil(math.log10(ends[0])), math.floor(math.log10(ends[1])) + 1)
    ticks = [10.0**power for power in powers if power % TICK_DECADES == 0]
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(FixedLocator(ticks))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: format_quantity(float(value), "s")))
    axes.tick_params(colors=theme.muted, labelsize=SMALL_POINTS - 1, length=3)
    for spine in axes.spines.values():
        spine.set_visible(False)
