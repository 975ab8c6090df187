"""What a slide has around its panels: a title, a line below it, and where its numbers come from."""

from __future__ import annotations

import textwrap

from ridgeline.figures.panel import SMALL_POINTS, TEXT_POINTS, Pen

__all__ = ["write_around", "write_fitted"]

TITLE_POINTS = 22
MARGIN = 0.03
FOOTER_CHARACTERS = 125  # of capitals and digits too, as SQL has them


def write_around(pen: Pen, *, title: str, subtitle: str, foot: str) -> None:
    """Write all three; head lines shrink until they fit, the foot is folded."""
    write_fitted(pen, 0.945, title, TITLE_POINTS, pen.theme.ink, "bold")
    write_fitted(pen, 0.89, subtitle, TEXT_POINTS + 1, pen.theme.muted, "normal")
    pen.figure.text(
        MARGIN,
        0.025,
        textwrap.fill(foot, FOOTER_CHARACTERS, break_on_hyphens=False),
        fontsize=SMALL_POINTS,
        color=pen.theme.muted,
        verticalalignment="bottom",
        linespacing=1.35,
    )


def write_fitted(pen: Pen, height: float, words: str, points: float, colour: str, weight: str) -> None:
    """A line of text across the picture, which shrinks until it fits."""
    text = pen.figure.text(
        MARGIN, height, words, fontsize=points, fontweight=weight, color=colour, verticalalignment="center"
    )
    room = (1 - 2 * MARGIN) * pen.figure.bbox.width
    text.set_fontsize(points * min(1.0, room / pen.size(text)[0]))
