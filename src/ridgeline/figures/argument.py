"""The argument as a picture: claims in the columns of the way from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from ridgeline.boards.picture import Colour, Schematic
from ridgeline.figures.pen import SMALL_POINTS, TEXT_POINTS, Pen
from ridgeline.figures.schematic import draw_schematic
from ridgeline.figures.slide import blank
from ridgeline.figures.style import SIZE_INCHES
from ridgeline.figures.theme import Theme

__all__ = ["argument_figure"]

TITLE_POINTS = 22
POINTS_PER_UNIT = 28
"""Size of the schematic's unit, in points; its boxes then hold their text."""
AROUND_INCHES = 0.6, 2.0
"""Margins beside the schematic, and above and below it together, in inches."""
SQUARE = "\N{BLACK SQUARE}"
AIR_POINTS = 22
"""Gap between entries of the legend, in points."""
DASHED = "stated beside that claim's own number, and does not move with it"


def argument_figure(schematic: Schematic, question: str, legend: Sequence[tuple[Colour, str]], theme: Theme) -> Figure:
    """Draw the argument on a picture of its own size, at least a slide.

    Args:
        schematic: schematic of the claims.
        question: question that the schematic answers.
        legend: colours of its boxes, and what they mean.
        theme: colours of the picture.
    """
    beside, above = AROUND_INCHES
    width = max(SIZE_INCHES[0], schematic.width * POINTS_PER_UNIT / 72 + 2 * beside)
    height = max(SIZE_INCHES[1], schematic.height * POINTS_PER_UNIT / 72 + 1.5 * above)
    with blank(theme, (width, height)) as pen:
        left = beside / width
        for inches, words, points, colour, weight in (
            (0.4, "The argument", TITLE_POINTS, theme.ink, "bold"),
            (0.8, question, TEXT_POINTS + 1, theme.muted, "normal"),
        ):
            pen.figure.text(
                left, 1 - inches / height, words, fontsize=points, fontweight=weight, color=colour, va="center"
            )
        _legend(pen, (*legend, (Colour.ASIDE, DASHED)), left, 0.3 / height)
        box = (left, 0.7 / height, 1 - 2 * left, 1 - (above + 0.7) / height)
        draw_schematic(pen, "", schematic, pen.figure.add_axes(box))
    return pen.figure


def _legend(pen: Pen, entries: Sequence[tuple[Colour, str]], left: float, bottom: float) -> None:
    """Legend in one row: a mark and its meaning for each colour."""
    for colour, words in entries:
        mark = "- -" if words is DASHED else SQUARE
        for text, ink in ((f"{mark} ", getattr(pen.theme, colour.value)), (words, pen.theme.muted)):
            drawn = pen.figure.text(left, bottom, text, fontsize=SMALL_POINTS, color=ink)
            left += pen.size(drawn)[0] / pen.figure.bbox.width
        left += pen.pixels(AIR_POINTS) / pen.figure.bbox.width
