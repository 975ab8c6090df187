"""What is believed of one thing by several lights, a row each over one axis."""

from __future__ import annotations

import textwrap

from matplotlib.axes import Axes

from ridgeline.boards.beliefs import Beliefs, Row
from ridgeline.boards.board import View
from ridgeline.figures.panel import MEDIUM, SMALL_POINTS, TEXT_POINTS, THIN, Pen
from ridgeline.figures.scene import quiet, write_head

__all__ = ["draw_beliefs"]

WORDS = 0.31
"""Part of the width in which a row's words stand."""
LEFT, LOWER = 0.03, 0.03
"""Where the picture begins, as headings do, and by how much it reaches down further than curves do."""
FOOT, FILLED = 0.04, 0.72
"""Below all rows, and of a row what its drawing takes."""
WORD_POINTS = 6.4
"""Width of a character of a row's words."""
BAR_WIDTH = 0.5
POINT_HEIGHT = 0.12
ABOVE = 1.35
"""Height of a row over that of the highest bar: over it its chance is written."""


def draw_beliefs(pen: Pen, view: View, beliefs: Beliefs, axes: Axes) -> None:
    """Each row with its words beside it; what is marked goes through all of them."""
    where = axes.get_position()
    axes.set_position((LEFT, where.y0 - LOWER, where.x1 - LEFT, where.height + LOWER))
    write_head(pen, view, beliefs.text, axes)
    count = len(beliefs.rows)
    letters = int(axes.bbox.width / pen.pixels(1) * WORDS / WORD_POINTS)
    for place, row in enumerate(beliefs.rows):
        top = 1 - place / count * (1 - FOOT)
        high = FILLED / count
        frame = axes.inset_axes((WORDS + 0.02, top - high - 0.2 / count, 0.98 - WORDS, high))
        is_last = place == count - 1
        _row(pen, frame, beliefs, row)
        quiet(
            pen,
            frame,
            view.x.caption if is_last else "",
            [tick.at for tick in beliefs.x_ticks] if is_last else [],
            [tick.text for tick in beliefs.x_ticks] if is_last else [],
        )
        colour = getattr(pen.theme, row.colour.value)
        name = textwrap.fill(row.name, letters)
        axes.text(
            0,
            top - 0.2 / count,
            name,
            fontsize=TEXT_POINTS,
            color=colour,
            verticalalignment="top",
            transform=axes.transAxes,
        )
        axes.annotate(
            textwrap.fill(row.text, letters, break_on_hyphens=False),
            (0, top - 0.2 / count),
            xycoords="axes fraction",
            xytext=(0, -1.35 * TEXT_POINTS * (1 + name.count("\n"))),
            textcoords="offset points",
            fontsize=SMALL_POINTS,
            color=pen.theme.muted,
            verticalalignment="top",
        )
    _marks(pen, axes, beliefs)


def _row(pen: Pen, frame: Axes, beliefs: Beliefs, row: Row) -> None:
    """Its chances, with a bar for 90 % of them."""
    theme, colour = pen.theme, getattr(pen.theme, row.colour.value)
    frame.axhline(0, color=theme.muted, linewidth=THIN)
    if beliefs.is_whole:
        frame.bar(beliefs.x, row.heights, color=colour, width=BAR_WIDTH)
        for x, height, label in zip(beliefs.x, row.heights, row.labels, strict=True):
            frame.text(
                x,
                height,
                label,
                fontsize=SMALL_POINTS,
                color=theme.ink,
                horizontalalignment="center",
                verticalalignment="bottom",
            )
        frame.set_xlim(beliefs.x[0] - BAR_WIDTH, beliefs.x[-1] + BAR_WIDTH)
        frame.set_ylim(0, ABOVE)
        return
    frame.set_xscale("log")
    frame.set_xlim(beliefs.x[0], beliefs.x[-1])
    frame.set_ylim(-0.2, 1.05)
    if row.points:
        frame.plot(row.points, [POINT_HEIGHT] * len(row.points), "o", color=colour, alpha=0.55, markersize=4)
        return
    frame.fill_between(beliefs.x, row.heights, color=colour, alpha=0.16, linewidth=0)
    frame.plot(beliefs.x, row.heights, color=colour, linewidth=MEDIUM if row.is_bold else THIN)
    if row.low is not None and row.middle is not None and row.high is not None:
        frame.plot([row.low, row.high], [-0.1, -0.1], color=colour, linewidth=MEDIUM, solid_capstyle="round")
        frame.plot([row.middle], [-0.1], "o", color=colour, markersize=5)


def _marks(pen: Pen, axes: Axes, beliefs: Beliefs) -> None:
    """Through all rows, each with its words above them, which keep off each other by lines of their own."""
    if not beliefs.marks:
        return
    over = axes.inset_axes((WORDS + 0.02, FOOT, 0.98 - WORDS, 1 - FOOT))
    over.set_facecolor("none")
    over.set_xscale("log")
    over.set_xlim(beliefs.x[0], beliefs.x[-1])
    over.set_ylim(0, 1)
    quiet(pen, over, "", [], [])
    ends: list[float] = []
    width = over.get_window_extent().width
    for mark in sorted(beliefs.marks, key=lambda one: one.at):
        over.axvline(mark.at, color=pen.theme.ink, linewidth=THIN, linestyle=(0, (3, 3)), ymax=0.97)
        half = pen.pixels(SMALL_POINTS) * 0.28 * len(mark.text)
        across = float(over.transData.transform((mark.at, 0))[0]) - over.get_window_extent().x0
        middle = min(max(across, half), width - half)
        line = next((place for place, end in enumerate(ends) if middle - half > end), len(ends))
        ends[line : line + 1] = [middle + half]
        over.annotate(
            mark.text,
            (middle / width, 1),
            xycoords="axes fraction",
            xytext=(0, line * 1.3 * SMALL_POINTS - 4),
            textcoords="offset points",
            fontsize=SMALL_POINTS,
            color=pen.theme.ink,
            horizontalalignment="center",
            annotation_clip=False,
        )
