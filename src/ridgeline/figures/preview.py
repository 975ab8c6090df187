"""A board as the picture that a link to it is shown with: its title and its first view, large."""

from __future__ import annotations

import io

from matplotlib.figure import Figure
from PIL import Image

from ridgeline.boards.board import Board, Values
from ridgeline.boards.picture import Curves, Timeline
from ridgeline.figures.board import draw_view
from ridgeline.figures.pen import TEXT_POINTS
from ridgeline.figures.slide import MARGIN, blank, write_fitted
from ridgeline.figures.theme import DARK

__all__ = ["PREVIEW_PIXELS", "preview_png"]

PREVIEW_PIXELS = 1200, 630
"""Width and height that link previews are cropped to."""
DPI = 100
COLOURS = 64, 32, 16
"""Palette sizes to try: lines and words have few colours; fewer where the file is too large."""
MOST_BYTES = 40_000
"""Size limit of a file, bytes, as long as fewer colours help."""
WHERE = (0.095, 0.135, 0.71, 0.48)
"""Left, bottom, width and height of the view; above it is room for its heading, at its right for names."""
ALONE = (0.03, 0.1, 0.94, 0.53)
"""Frame of a picture without names beside it: left, bottom, width and height in parts of the preview."""
TITLE_POINTS = 27


def preview_png(board: Board, values: Values) -> bytes:
    """The file's bytes; on a dark ground, as a blackboard is.

    Args:
        board: board that is drawn.
        values: values of its controls.
    """
    width, height = PREVIEW_PIXELS
    with blank(DARK, (width / DPI, height / DPI)) as pen:
        write_fitted(pen, 0.91, board.title, TITLE_POINTS, DARK.ink, "bold")
        write_fitted(pen, 0.83, board.question, TEXT_POINTS + 4, DARK.muted, "normal")
        view = board.views[0]
        picture = view.compute(values)
        where = WHERE if isinstance(picture, Curves | Timeline) else ALONE
        draw_view(pen, view, picture, pen.figure.add_axes(where), 1)
        pen.figure.text(
            1 - MARGIN, 0.03, "Ridgeline", fontsize=TEXT_POINTS, color=DARK.muted, horizontalalignment="right"
        )
        return _png(pen.figure)


def _png(figure: Figure) -> bytes:
    """Picture as a PNG file of few colours."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="rgba", dpi=DPI)
    picture = Image.frombytes("RGBA", PREVIEW_PIXELS, drawn.getvalue()).convert("RGB")
    for colours in COLOURS:
        small = io.BytesIO()
        picture.quantize(colours, dither=Image.Dither.NONE).save(small, format="png", optimize=True)
        if small.tell() <= MOST_BYTES:
            break
    return small.getvalue()
