"""The bubble of a training step without motion: its schedule, the gap in a bracket, and the share by micro-batches."""

from __future__ import annotations

from matplotlib.axes import Axes

from ridgeline.boards.board import View
from ridgeline.boards.bubble import Bubble
from ridgeline.figures.pen import SMALL_POINTS, THIN, Pen
from ridgeline.figures.scene import draw_gantt, quiet

__all__ = ["draw_bubble"]

FAINT = 0.4
"""Strength of the shares that the schedule does not have."""


def draw_bubble(pen: Pen, view: View, bubble: Bubble, axes: Axes) -> None:
    """Draw the schedule, and below it a bar for each number of micro-batches."""
    axes.set_axis_off()
    upper = axes.inset_axes((0.0, 0.42, 1.0, 0.58))
    theme, (rows,) = pen.theme, draw_gantt(pen, view, bubble.gantt, upper)
    rows.annotate(
        "",
        (bubble.gap_start, 0.8),
        (bubble.gap_end, 0.8),
        arrowprops={"arrowstyle": "|-|,widthA=0.3,widthB=0.3", "color": theme.ink, "linewidth": THIN},
    )
    rows.text(
        (bubble.gap_start + bubble.gap_end) / 2,
        1.0,
        bubble.gap_text,
        fontsize=SMALL_POINTS,
        color=theme.ink,
        horizontalalignment="center",
        verticalalignment="top",
    )
    bars = axes.inset_axes((0.0, 0.0, 1.0, 0.22))
    shades = [1.0 if place == bubble.here else FAINT for place in range(len(bubble.counts))]
    for count, share, shade in zip(bubble.counts, bubble.idle, shades, strict=True):
        bars.bar(count, share, color=theme.ink, alpha=shade, width=0.8)
    told = sorted({0, bubble.here, len(bubble.counts) - 1})
    quiet(pen, bars, "micro-batches", [bubble.counts[one] for one in told], [f"{bubble.counts[one]}" for one in told])
    for one in told:
        bars.text(
            bubble.counts[one],
            bubble.idle[one],
            bubble.idle_text[one],
            fontsize=SMALL_POINTS,
            color=theme.muted,
            horizontalalignment="center",
            verticalalignment="bottom",
        )
