"""Boards as small pictures of one of their own views, for a page that has all of them."""

from __future__ import annotations

from functools import singledispatch

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.board import Board, Mode, View
from ridgeline.boards.flows import Crossing, Facets, Halves, Passage
from ridgeline.boards.journeys import Loop, Routes
from ridgeline.boards.picture import Curves
from ridgeline.boards.row_of_racks import RowOfRacks
from ridgeline.boards.scene import Gantt, Racks, Trains
from ridgeline.boards.thumbnails.lines import beliefs_strokes, curves_strokes, facets_strokes
from ridgeline.boards.thumbnails.look import Look
from ridgeline.boards.thumbnails.parts import racks_strokes, schematic_strokes
from ridgeline.boards.thumbnails.stroke import HEIGHT, WIDTH, Stroke
from ridgeline.boards.thumbnails.things import (
    crossing_strokes,
    loop_strokes,
    rails_strokes,
    row_of_racks_strokes,
    trains_strokes,
    two_chips_strokes,
)
from ridgeline.boards.thumbnails.times import gantt_strokes, passage_strokes
from ridgeline.boards.two_chips import TwoChips

__all__ = ["HEIGHT", "WIDTH", "Look", "Stroke", "thumbnail"]


def thumbnail(board: Board, which: int = 0) -> tuple[Stroke, ...]:
    """Strokes of one of a board's views at its published numbers, from back to front."""
    view = board.views[which]
    return tuple(stroke for stroke in _strokes(view.compute(board.values(Mode.CAREFUL)), view) if stroke.path)


@singledispatch
def _strokes(picture: object, view: View) -> tuple[Stroke, ...]:
    raise TypeError(f"{type(picture).__name__} of view {view.heading!r} has no small picture")


@_strokes.register
def _(picture: Curves, view: View) -> tuple[Stroke, ...]:
    return tuple(curves_strokes(picture, view))


@_strokes.register
def _(picture: Beliefs, _view: View) -> tuple[Stroke, ...]:
    return tuple(beliefs_strokes(picture))


@_strokes.register
def _(picture: Facets, _view: View) -> tuple[Stroke, ...]:
    return tuple(facets_strokes(picture))


@_strokes.register
def _(picture: Gantt, _view: View) -> tuple[Stroke, ...]:
    return tuple(gantt_strokes(picture))


@_strokes.register
def _(picture: Loop, _view: View) -> tuple[Stroke, ...]:
    return tuple(loop_strokes(picture))


@_strokes.register
def _(picture: Passage, _view: View) -> tuple[Stroke, ...]:
    return tuple(passage_strokes(picture))


@_strokes.register
def _(picture: Crossing, _view: View) -> tuple[Stroke, ...]:
    return tuple(crossing_strokes(picture))


@_strokes.register
def _(picture: Trains, _view: View) -> tuple[Stroke, ...]:
    return tuple(trains_strokes(picture))


@_strokes.register
def _(picture: Racks, _view: View) -> tuple[Stroke, ...]:
    return tuple(racks_strokes(picture))


@_strokes.register
def _(picture: Routes, _view: View) -> tuple[Stroke, ...]:
    return tuple(schematic_strokes(picture.schematic))


@_strokes.register
def _(picture: Halves, _view: View) -> tuple[Stroke, ...]:
    return tuple(rails_strokes(picture))


@_strokes.register
def _(picture: RowOfRacks, _view: View) -> tuple[Stroke, ...]:
    return tuple(row_of_racks_strokes(picture))


@_strokes.register
def _(picture: TwoChips, _view: View) -> tuple[Stroke, ...]:
    return tuple(two_chips_strokes(picture))
