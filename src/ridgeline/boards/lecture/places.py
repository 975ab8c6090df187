"""Positions of exercises' answers on the boards, as plain data."""

from __future__ import annotations

from functools import cache
from typing import TypedDict

from ridgeline.boards.board import Mode
from ridgeline.boards.exercise import Exercise
from ridgeline.boards.lecture import EXERCISES, board
from ridgeline.boards.picture import Curves
from ridgeline.boards.place import Place, Way, line_named, near_enough
from ridgeline.boards.written import flat
from ridgeline.quantity_text import format_quantity

__all__ = ["PlaceDocument", "picture_of", "place_document", "tolerance_of", "turned_of"]

DIGITS = 12
"""Significant digits of a control's number: enough that rounding makes no difference to the picture."""


class PlaceDocument(TypedDict):
    """Position of an exercise's answer on a board's picture.

    Attributes:
        board: name of the board.
        view: number of the view, from 0.
        axis: axis that the answer is read from: "x" along, "y" upright.
        line: name of the line on which the answer lies, drawn once the dot is put.
        x: abscissa of an answer that is read upright; null for one that is read along.
        on: name of the line along which the dot slides, of an answer that is read along; else empty.
        lines: names of the lines that are seen before.
        turned: controls that are not where the lecture has them, as a person writes them.
        times: number on the axis over the answer.
        tolerance_ratio: factor by which a dot may be too high or too low and still be right: a hand's reach.
        has_dots: whether things that lie on no line are seen before.
    """

    board: str
    view: int
    axis: Way
    line: str
    x: float | None
    on: str
    lines: list[str]
    turned: dict[str, str]
    times: float
    tolerance_ratio: float
    has_dots: bool


def turned_of(exercise: Exercise, place: Place) -> dict[str, float]:
    """Controls that stand at the exercise's numbers, in base units."""
    return dict(place.turned(exercise.inputs))


def picture_of(exercise: Exercise, place: Place) -> Curves:
    """The picture on which the answer lies.

    Raises:
        TypeError: the view has no lines.
    """
    one = board(place.board)
    picture = one.views[place.view].compute(one.values(Mode.LECTURE, turned_of(exercise, place)))
    if not isinstance(picture, Curves):
        raise TypeError(f"view {place.view} of board {place.board!r} has no curves to put {exercise.id!r} on")
    return picture


def tolerance_of(exercise: Exercise, place: Place, curves: Curves) -> float:
    """Factor by which a dot may be off on a picture: a hand's reach on its axis."""
    view = board(place.board).views[place.view]
    is_along = place.way is Way.ALONG
    ends = (float(curves.x[0]), float(curves.x[-1])) if is_along else curves.ends(view.y)
    axis = view.x if is_along else view.y
    return near_enough(ends, exercise.answer() * place.times, is_logarithmic=axis.is_logarithmic)


@cache
def place_document(name: str) -> PlaceDocument | None:
    """Position of an exercise's answer, by the exercise's id; None where no picture has its answer."""
    exercise = next(one for one in EXERCISES if one.id == name)
    place = exercise.place
    if place is None:
        return None
    curves, one = picture_of(exercise, place), board(place.board)
    return {
        "board": place.board,
        "view": place.view,
        "axis": place.way,
        "line": flat(line_named(curves, place.line).name),
        "x": None if place.at is None else float(place.at(exercise.inputs)),
        "on": flat(line_named(curves, place.on).name) if place.on else "",
        "lines": [flat(line_named(curves, line).name) for line in place.lines],
        "turned": {
            control: format_quantity(value, one.control(control).dimension, DIGITS)
            for control, value in turned_of(exercise, place).items()
        },
        "times": place.times,
        "tolerance_ratio": tolerance_of(exercise, place, curves),
        "has_dots": place.has_dots,
    }
