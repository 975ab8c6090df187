"""Beliefs about one quantity on several kinds of evidence, a row each over one axis."""

from __future__ import annotations

import textwrap

import numpy as np
from matplotlib.axes import Axes

from ridgeline.boards.beliefs import Beliefs, Row
from ridgeline.boards.board import View
from ridgeline.boards.scene import Tick
from ridgeline.figures.pen import MEDIUM, SMALL_POINTS, TEXT_POINTS, THIN, Pen
from ridgeline.figures.scene import quiet, write_head

__all__ = ["draw_beliefs"]

WORDS = 0.31
"""Width of a row's words, as a part of the picture's."""
LEFT, LOWER = 0.03, 0.03
"""Left end of the picture, which is that of headings, and its reach below the foot of curves, as parts of the slide."""
FOOT, FILLED = 0.04, 0.72
"""Margin below all rows, and the part of a row that its drawing fills."""
WORD_POINTS = 6.4
"""Width of a character of a row's words."""
LINE = 1.35
"""Height of a line of words, over their size."""
BAR_WIDTH = 0.5
POINT_HEIGHT = 0.12
LETTER, RAIL_LINE = 0.6, 1.4
"""Width of a letter, and height of a line of words, over the size of these."""
ABOVE = 1.35
"""Height of a row over that of its highest bar: the probability is written above it."""


def draw_beliefs(pen: Pen, view: View, beliefs: Beliefs, axes: Axes) -> None:
    """Draw each row with its words beside it, and marks through all rows."""
    where = axes.get_position()
    axes.set_position((LEFT, where.y0 - LOWER, where.x1 - LEFT, where.height + LOWER))
    write_head(pen, view, beliefs.text, axes)
    count, rail = len(beliefs.rows), _rail(pen, axes, beliefs)
    lines = max((line for _, _, line in rail), default=0)
    # Words of marks need lines of their own, for which the rows make room.
    upper = 1 - lines * RAIL_LINE * SMALL_POINTS * pen.pixels(1) / axes.bbox.height
    letters = int(axes.bbox.width / pen.pixels(1) * WORDS / WORD_POINTS)
    for place, row in enumerate(beliefs.rows):
        top = upper - place / count * (upper - FOOT)
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
        # What has no room above the next row is cut, as in the picture of a link.
        points = axes.bbox.height * (upper - FOOT) / count / pen.pixels(1)
        room = int((points - LINE * TEXT_POINTS * (1 + name.count("\n"))) / (LINE * SMALL_POINTS))
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
            _within(row.text, letters, room),
            (0, top - 0.2 / count),
            xycoords="axes fraction",
            xytext=(0, -LINE * TEXT_POINTS * (1 + name.count("\n"))),
            textcoords="offset points",
            fontsize=SMALL_POINTS,
            color=pen.theme.muted,
            verticalalignment="top",
        )
    axes.text(
        0,
        FOOT - 0.055,
        view.y.caption,
        fontsize=SMALL_POINTS,
        color=pen.theme.muted,
        verticalalignment="top",
        transform=axes.transAxes,
    )
    _marks(pen, axes, beliefs, rail, upper)


def _within(text: str, letters: int, lines: int) -> str:
    """Beginning of a text that fits into ``lines`` lines of ``letters`` letters."""
    if lines < 1:
        return ""
    return textwrap.fill(text, letters, break_on_hyphens=False, max_lines=lines, placeholder=" …")


def _row(pen: Pen, frame: Axes, beliefs: Beliefs, row: Row) -> None:
    """Row of a belief: its probabilities, with a bar for 90 % of them."""
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


def _rail(pen: Pen, axes: Axes, beliefs: Beliefs) -> list[tuple[Tick, float, int]]:
    """Marks with the middle of their words, in parts of the rows' width, and the line of these, from the lowest."""
    width = axes.bbox.width * (0.98 - WORDS)
    low, high = np.log(beliefs.x[0] or 1.0), np.log(beliefs.x[-1])
    found, ends = [], list[float]()
    for mark in sorted(beliefs.marks, key=lambda one: one.at):
        half = pen.pixels(SMALL_POINTS) * LETTER / 2 * len(mark.text) / width
        middle = min(max(float((np.log(mark.at) - low) / (high - low)), half), 1 - half)
        line = next((place for place, end in enumerate(ends) if middle - half > end), len(ends))
        ends[line : line + 1] = [middle + half]
        found.append((mark, middle, line))
    return found


def _marks(pen: Pen, axes: Axes, beliefs: Beliefs, rail: list[tuple[Tick, float, int]], upper: float) -> None:
    """Marks through all rows, each with its words above them."""
    if not rail:
        return
    over = axes.inset_axes((WORDS + 0.02, FOOT, 0.98 - WORDS, upper - FOOT))
    over.set_facecolor("none")
    over.set_xscale("log")
    over.set_xlim(beliefs.x[0], beliefs.x[-1])
    over.set_ylim(0, 1)
    quiet(pen, over, "", [], [])
    for mark, middle, line in rail:
        over.axvline(mark.at, color=pen.theme.ink, linewidth=THIN, linestyle=(0, (3, 3)), ymax=0.97)
        over.annotate(
            mark.text,
            (middle, 1),
            xycoords="axes fraction",
            xytext=(0, line * RAIL_LINE * SMALL_POINTS - 4),
            textcoords="offset points",
            fontsize=SMALL_POINTS,
            color=pen.theme.ink,
            horizontalalignment="center",
            annotation_clip=False,
        )
