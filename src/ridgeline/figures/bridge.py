"""A bridge as a picture: a row for each changed assumption, its number where it comes out."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ridgeline.boards.note import Measure
from ridgeline.figures.pen import DOT_POINTS, TEXT_POINTS, Pen
from ridgeline.figures.slide import blank, fold, write_foot
from ridgeline.figures.theme import Theme

__all__ = ["bridge_figure"]

TITLE_POINTS = 22
RATIO = 4.0
"""Ratio of the largest number to the smallest from which on the axis is logarithmic."""
SHORT = 0.02
"""Least part of the axis for an arrow: shorter steps have none."""
BESIDE_POINTS = 11
"""Distance of a number from its dot, in points, away from the step's start."""
CHARACTERS = 48
"""Width of a changed assumption's line, in characters."""
ROOM = 0.12
"""Room beyond the outermost numbers, in parts of the axis."""


def bridge_figure(
    title: str, claim: str, steps: Sequence[tuple[str, float]], *, measure: Measure, foot: str, theme: Theme
) -> Figure:
    """Bridge from the lecture's number, above, to the careful one: a step down for each assumption.

    Args:
        title: the claim's id.
        claim: claim in words.
        steps: steps, each a changed assumption with the number after it; a number without bound is an arrow at the
            edge.
        measure: noun and form of the numbers; the noun stands with the first.
        foot: model and machine that careful numbers are of.
        theme: colours of the picture.
    """
    with blank(theme) as pen:
        for height, words, points, colour, weight in (
            (0.94, title, TITLE_POINTS, theme.ink, "bold"),
            (0.88, claim, TEXT_POINTS, theme.muted, "normal"),
        ):
            fold(
                pen,
                pen.figure.text(0.03, height, words, fontsize=points, fontweight=weight, color=colour, va="center"),
            )
        write_foot(pen, foot)
        texts = measure.texts(number for _, number in steps)
        _draw(pen, steps, texts, pen.figure.add_axes((0.42, 0.12, 0.5, 0.68)))
    return pen.figure


def _draw(pen: Pen, steps: Sequence[tuple[str, float]], texts: Sequence[str], axes: Axes) -> None:
    theme = pen.theme
    numbers = [number for _, number in steps if math.isfinite(number)]
    low, high = min(numbers), max(numbers)
    is_logarithmic = low > 0 and high / low > RATIO
    place = math.log10 if is_logarithmic else float
    left, right = place(low) if is_logarithmic else min(0.0, low), place(high)
    room = ROOM * ((right - left) or 1.0)
    edge = right + 3 * room
    axes.set_xlim(left - room, edge + room)
    axes.set_ylim(len(steps) - 0.4, -0.6)
    axes.set_axis_off()
    before: float | None = None
    for row, (change, number) in enumerate(steps):
        is_end = row in {0, len(steps) - 1}
        colour = theme.ink if is_end else theme.estimate
        x = place(number) if math.isfinite(number) else edge
        is_back = before is not None and x < before
        if before is not None:
            axes.plot([before, before], [row - 1, row], color=theme.muted, linewidth=1)
            if abs(x - before) > SHORT * (edge - left):
                arrow = {"arrowstyle": "-|>", "color": theme.estimate, "linewidth": 1.8}
                axes.annotate("", (x, row), (before, row), arrowprops=arrow)
        axes.plot([x], [row], "o" if math.isfinite(number) else ">", markersize=DOT_POINTS, color=colour)
        axes.annotate(
            texts[row] if math.isfinite(number) else "none",
            (x, row),
            xytext=(-BESIDE_POINTS if is_back else BESIDE_POINTS, 0),
            textcoords="offset points",
            fontsize=TEXT_POINTS,
            fontweight="bold" if is_end else "normal",
            color=colour,
            ha="right" if is_back else "left",
            va="center",
        )
        axes.annotate(
            textwrap.fill(change, CHARACTERS),
            (0, row),
            xycoords=("axes fraction", "data"),
            xytext=(-16, 0),
            textcoords="offset points",
            fontsize=TEXT_POINTS,
            color=theme.ink if is_end else theme.muted,
            ha="right",
            va="center",
            annotation_clip=False,
        )
        before = x
