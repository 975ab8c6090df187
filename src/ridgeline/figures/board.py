"""A board as a picture: one panel, what it asks above it, and what it was drawn with below."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ridgeline.boards.board import Axis, Board, Drawing
from ridgeline.figures.panel import SMALL_POINTS, TEXT_POINTS, Line, Mark, Panel, Pen, draw_panel
from ridgeline.figures.scale import LINEAR, LOGARITHMIC, Scale
from ridgeline.figures.style import DPI, SIZE_INCHES, style
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_quantity

__all__ = ["board_figure"]

TITLE_POINTS = 22
MARGIN = 0.03
FOOTER_CHARACTERS = 140
WHERE = (0.085, 0.27, 0.72, 0.5)
"""Of the panel: left, bottom, width and height in parts of the picture; what is free at its right is for names."""


def board_figure(board: Board, drawing: Drawing, values: Mapping[str, float], said: str, theme: Theme) -> Figure:
    """A picture of slide size, every line named where it ends.

    Args:
        board: which one.
        drawing: what it computed.
        values: of its controls.
        said: whose values they are.
        theme: colours.
    """
    with style():
        figure = Figure(figsize=SIZE_INCHES, dpi=DPI, facecolor=theme.background)
        FigureCanvasAgg(figure)  # on which words are measured
        pen = Pen(figure=figure, theme=theme)
        for height, words, points, colour, weight in (
            (0.945, board.title, TITLE_POINTS, theme.ink, "bold"),
            (0.89, board.question, TEXT_POINTS + 1, theme.muted, "normal"),
        ):
            figure.text(
                MARGIN, height, words, fontsize=points, fontweight=weight, color=colour, verticalalignment="center"
            )
        draw_panel(pen, _panel(board, drawing, theme), figure.add_axes(WHERE))
        figure.text(
            MARGIN,
            0.025,
            _foot(board, values, said),
            fontsize=SMALL_POINTS,
            color=theme.muted,
            verticalalignment="bottom",
            linespacing=1.35,
        )
    return figure


def _panel(board: Board, drawing: Drawing, theme: Theme) -> Panel:
    return Panel(
        heading="",
        caption=board.y.caption,
        x_caption=board.x.caption,
        x=drawing.x,
        lines=tuple(
            Line(
                name=line.name,
                y=line.y,
                colour=getattr(theme, line.colour.value),
                bold=line.is_bold,
                floor=line.is_floor,
            )
            for line in drawing.lines
        ),
        marks=tuple(
            Mark(x=mark.x, y=mark.y, text=mark.text, colour=getattr(theme, mark.colour.value)) for mark in drawing.marks
        ),
        show=_show(board.y),
        show_x=_show(board.x),
        x_scale=_scale(board.x),
        y_scale=_scale(board.y),
        x_low=float(drawing.x[0]),
        top=drawing.top,
        bottom=drawing.bottom,
    )


def _scale(axis: Axis) -> Scale:
    return LOGARITHMIC if axis.is_logarithmic else LINEAR


def _show(axis: Axis) -> Callable[[float], str]:
    """A number at a tick; what all of them are per, the caption says."""
    return lambda value: format_quantity(float(value), axis.dimension).removesuffix("/Mtok")


def _foot(board: Board, values: Mapping[str, float], said: str) -> str:
    """What the lines mean, and what they were drawn with."""
    parts = (
        f"{format_quantity(values[control.name], control.dimension)} {control.meaning}" for control in board.controls
    )
    text = f"{board.caption} {said}: {', '.join(parts)}."
    return textwrap.fill(text, FOOTER_CHARACTERS, break_on_hyphens=False)
