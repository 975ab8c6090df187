"""A board as a picture: question and formula above its views, and the values of its controls below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.board import Board, Control, View
from ridgeline.boards.bubble import Bubble
from ridgeline.boards.flows import Crossing, Facets, Halves, Passage
from ridgeline.boards.journeys import Loop, Routes
from ridgeline.boards.named_marks import named_marks
from ridgeline.boards.picture import Axis, Curves, Dots, Picture, Scene, Sheet, Table
from ridgeline.boards.row_of_racks import RowOfRacks
from ridgeline.boards.scale import scale
from ridgeline.boards.scene import Gantt, Multiples, Racks, Trains
from ridgeline.boards.two_chips import TwoChips
from ridgeline.figures.beliefs import draw_beliefs
from ridgeline.figures.bubble import draw_bubble
from ridgeline.figures.cells import draw_table
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.flow import draw_flow
from ridgeline.figures.journeys import draw_journey
from ridgeline.figures.panel import Line, Mark, Panel, Points
from ridgeline.figures.pen import TEXT_POINTS, Pen
from ridgeline.figures.row_of_racks import draw_row_of_racks
from ridgeline.figures.scene import draw_gantt, draw_multiples, draw_racks, draw_trains
from ridgeline.figures.schematic import draw_sheet
from ridgeline.figures.slide import blank, write_foot
from ridgeline.figures.theme import Theme
from ridgeline.figures.two_chips import draw_two_chips
from ridgeline.quantity_text import format_quantity

__all__ = ["board_figure", "draw_view"]

TITLE_POINTS = 22
FORMULA_POINTS = 17
MARGIN = 0.03
WHERE = {
    1: ((0.085, 0.25, 0.72, 0.44),),
    2: ((0.085, 0.25, 0.285, 0.39), (0.572, 0.25, 0.285, 0.39)),
    3: ((0.075, 0.25, 0.16, 0.39), (0.405, 0.25, 0.16, 0.39), (0.735, 0.25, 0.16, 0.39)),
}
"""Frames of panels by the number of views: left, bottom, width and height in parts of the picture; names stand at the
right.
"""
WHERE_CELLS = {1: 0.88, 2: 0.4, 3: 0.262}
"""Width of tables and timelines, which have no names at their right."""


def board_figure(
    board: Board, values: Mapping[str, float], sources: Mapping[str, Sequence[Control]], theme: Theme
) -> Figure:
    """A picture of slide size, every line named where it ends.

    Args:
        board: board that is drawn.
        values: values of its controls.
        sources: controls by whose numbers their values are.
        theme: colours of the picture.
    """
    with blank(theme) as pen:
        for height, words, points, colour, weight in (
            (0.95, board.title, TITLE_POINTS, theme.ink, "bold"),
            (0.9, board.question, TEXT_POINTS + 1, theme.muted, "normal"),
        ):
            pen.figure.text(
                MARGIN, height, words, fontsize=points, fontweight=weight, color=colour, verticalalignment="center"
            )
        _formula(pen, board)
        for view, where in zip(board.views, WHERE[len(board.views)], strict=True):
            draw_view(pen, view, view.compute(values), pen.figure.add_axes(where), len(board.views))
        write_foot(pen, _foot(board, values, sources))
    return pen.figure


def _formula(pen: Pen, board: Board) -> None:
    """Write the formula, each term in the colour of the lines that it makes; a long one smaller, so that it fits."""
    terms = [
        pen.figure.text(
            MARGIN,
            0.82,
            f"${term.tex}$",
            fontsize=FORMULA_POINTS,
            color=pen.theme.muted if term.colour is None else getattr(pen.theme, term.colour.value),
            verticalalignment="baseline",
            math_fontfamily="stix",
            parse_math=True,
        )
        for term in board.formula
    ]
    width = sum(pen.size(text)[0] for text in terms) / pen.figure.bbox.width
    left = MARGIN
    for text in terms:
        text.set_fontsize(FORMULA_POINTS * min(1.0, (1 - 2 * MARGIN) / width))
        text.set_x(left)
        left += pen.size(text)[0] / pen.figure.bbox.width


def draw_view(pen: Pen, view: View, picture: Picture, axes: Axes, views: int) -> None:
    """Draw a view's picture onto axes with room for names at the right, as one of ``views`` views."""
    match picture:
        case Curves():
            draw_panel(pen, _panel(view, picture, pen.theme), axes)
        case Table():
            draw_table(pen, view, picture, _widened(axes, views))
        case Sheet():
            draw_sheet(pen, view, picture, _widened(axes, views))
        case scene:
            _draw_scene(pen, view, scene, _widened(axes, views))


def _draw_scene(pen: Pen, view: View, scene: Scene, axes: Axes) -> None:
    """Drawing of a scene by its kind."""
    match scene:
        case Trains():
            draw_trains(pen, view, scene, axes)
        case Racks():
            draw_racks(pen, view, scene, axes)
        case Gantt():
            draw_gantt(pen, view, scene, axes)
        case Multiples():
            draw_multiples(pen, view, scene, axes)
        case Passage() | Crossing() | Halves() | Facets():
            draw_flow(pen, view, scene, axes)
        case Beliefs():
            draw_beliefs(pen, view, scene, axes)
        case Loop() | Routes():
            draw_journey(pen, view, scene, axes)
        case explained:
            _draw_explained(pen, view, explained, axes)


def _draw_explained(pen: Pen, view: View, scene: Bubble | TwoChips | RowOfRacks, axes: Axes) -> None:
    """Drawing of a scene that explains one sentence."""
    match scene:
        case Bubble():
            draw_bubble(pen, view, scene, axes)
        case TwoChips():
            draw_two_chips(pen, view, scene, axes)
        case RowOfRacks():
            draw_row_of_racks(pen, view, scene, axes)


def _widened(axes: Axes, views: int) -> Axes:
    """Axes widened over the room that names would take."""
    where = axes.get_position()
    axes.set_position((where.x0, where.y0, WHERE_CELLS[views], where.height))
    return axes


def _panel(view: View, drawing: Curves, theme: Theme) -> Panel:
    bottom, top = drawing.ends(view.y)
    (drawing,) = named_marks(drawing)
    return Panel(
        heading=view.heading,
        caption=view.y.caption,
        x_caption=view.x.caption,
        x=drawing.x,
        lines=tuple(
            Line(
                name=line.name,
                y=line.y,
                colour=getattr(theme, line.colour.value),
                high=line.high,
                bold=line.is_bold,
                floor=line.is_floor,
            )
            for line in drawing.lines
        ),
        marks=tuple(
            Mark(
                x=mark.x,
                y=mark.y,
                text="" if mark.is_quiet else mark.text,
                colour=getattr(theme, mark.colour.value),
            )
            for mark in drawing.marks
        ),
        points=tuple(_points(one, theme) for one in drawing.dots),
        is_whole=drawing.is_whole,
        show=_show(view.y),
        show_x=_show(view.x),
        x_scale=scale(is_logarithmic=view.x.is_logarithmic, dimension=view.x.dimension),
        y_scale=scale(is_logarithmic=view.y.is_logarithmic, dimension=view.y.dimension),
        x_low=float(drawing.x[0]),
        top=top,
        bottom=bottom,
    )


def _points(dots: Dots, theme: Theme) -> Points:
    return Points(
        name=dots.name if dots.is_named else "",
        x=dots.x,
        y=dots.y,
        labels=dots.labels,
        colour=getattr(theme, dots.colour.value),
    )


def _show(axis: Axis) -> Callable[[float], str]:
    """Text of a tick, without the "per" of its unit, which the caption has."""
    return lambda value: format_quantity(float(value), axis.dimension).removesuffix("/Mtok")


def _foot(board: Board, values: Mapping[str, float], sources: Mapping[str, Sequence[Control]]) -> str:
    """Foot: meaning of the lines, and values of the controls by whose numbers they are."""
    lists = [
        f"{heading}: " + ", ".join(control.said(values[control.name]) for control in controls)
        for heading, controls in sources.items()
    ]
    return " ".join((board.caption, *(f"{one}." for one in lists)))
