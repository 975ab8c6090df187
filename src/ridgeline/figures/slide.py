"""A slide and the words around its panels: title, subtitle, and the sources of its numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from ridgeline.figures.pen import SMALL_POINTS, TEXT_POINTS, Pen
from ridgeline.figures.style import DPI, SIZE_INCHES, style
from ridgeline.figures.theme import Theme

__all__ = ["blank", "fold", "slide", "write_fitted", "write_foot"]

TITLE_POINTS = 22
MARGIN = 0.03
FOOT = 0.025
WIDEST = 1.1
"""Characters in a line of the narrowest letters, over those in a mean line."""
SHORTEST = 40
"""Least length of a line that is folded, characters."""


@contextmanager
def blank(theme: Theme, size_inches: tuple[float, float] = SIZE_INCHES) -> Iterator[Pen]:
    """An empty picture, of slide size unless said, to draw on in our style."""
    with style():
        figure = Figure(figsize=size_inches, dpi=DPI, facecolor=theme.background)
        FigureCanvasAgg(figure)  # on which words are measured
        yield Pen(figure=figure, theme=theme)


@contextmanager
def slide(theme: Theme, *, title: str, subtitle: str, foot: str) -> Iterator[Pen]:
    """A slide with its words; head lines shrink until they fit, the foot is folded."""
    with blank(theme) as pen:
        write_fitted(pen, 0.945, title, TITLE_POINTS, theme.ink, "bold")
        write_fitted(pen, 0.89, subtitle, TEXT_POINTS + 1, theme.muted, "normal")
        write_foot(pen, foot)
        yield pen


def write_foot(pen: Pen, words: str) -> None:
    """Small lines at the bottom, folded at the picture's width as it is measured."""
    text = pen.figure.text(
        MARGIN, FOOT, words, fontsize=SMALL_POINTS, color=pen.theme.muted, verticalalignment="bottom", linespacing=1.25
    )
    fold(pen, text)


def fold(pen: Pen, text: Text) -> None:
    """Fold a text that begins at the margin where the picture ends, as it is measured."""
    words, room = text.get_text(), (1 - 2 * MARGIN) * pen.figure.bbox.width
    characters = int(WIDEST * len(words) * room / max(pen.size(text)[0], 1.0))
    while pen.size(text)[0] > room and characters > SHORTEST:
        text.set_text(textwrap.fill(words, characters, break_on_hyphens=False))
        characters -= 1


def write_fitted(pen: Pen, height: float, words: str, points: float, colour: str, weight: str) -> None:
    """A line of text across the picture, which shrinks until it fits."""
    text = pen.figure.text(
        MARGIN, height, words, fontsize=points, fontweight=weight, color=colour, verticalalignment="center"
    )
    room = (1 - 2 * MARGIN) * pen.figure.bbox.width
    text.set_fontsize(points * min(1.0, room / pen.size(text)[0]))
