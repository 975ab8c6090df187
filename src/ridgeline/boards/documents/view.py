"""A board's view as plain data: the pictures of the modes that are shown, on one pair of axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from ridgeline.boards.board import Board, Mode, Values, View
from ridgeline.boards.documents.axes import AxesDocument, Frame, along, axes_document, ruled_document, span
from ridgeline.boards.documents.record import record_document
from ridgeline.boards.named_marks import named_marks
from ridgeline.boards.picture import Curves, Picture

__all__ = ["ViewDocument", "kind_of", "view_document", "views_document"]


class ViewDocument(TypedDict):
    """One picture of a board in the modes that are shown.

    Attributes:
        heading: quantity that is drawn, and what it is drawn against; empty where the board's title says it.
        axes: axes of the pictures of all modes.
        kind: kind of the pictures.
        pictures: pictures of the modes that are shown.
        read_mark: name of the mark where its bill is first read, which it follows; not there where the page chooses.
    """

    heading: str
    axes: AxesDocument
    kind: str
    pictures: dict[Mode, dict[str, Any]]
    read_mark: NotRequired[str]


def kind_of(record: type[Picture]) -> str:
    """Name of a record's kind of picture in documents.

    >>> kind_of(Curves)
    'curves'
    """
    return record.__name__.lower()


def view_document(view: View, values: Values) -> dict[str, Any]:
    """One picture, with the ends and the ticks of its axes where it has lines."""
    # Whose numbers it is of does not matter where there is one picture.
    found = _view(view, {Mode.LECTURE: values}, None)
    return {
        "heading": found["heading"],
        "axes": found["axes"],
        "kind": found["kind"],
        **found["pictures"][Mode.LECTURE],
    }


def views_document(
    board: Board,
    values: Mapping[Mode, Values],
    over: Sequence[Frame | None] | None = None,
    only: int | None = None,
    beside: Sequence[Values] = (),
) -> list[ViewDocument]:
    """Documents of all views, or of one: one pair of axes each, over which the lines of all modes are drawn.

    Args:
        board: board of the views.
        values: values of all controls, by mode.
        over: ends of x to draw over, for each view; None for those of its own lines.
        only: place of the single view that is wanted; None for all.
        beside: values of modes that are not shown, and take part in the frame all the same.
    """
    frames = over or [None] * len(board.views)
    asked = list(zip(board.views, frames, strict=True))
    return [_view(view, values, frame, beside) for view, frame in (asked if only is None else [asked[only]])]


def _view(
    view: View, values: Mapping[Mode, Values], frame: Frame | None, beside: Sequence[Values] = ()
) -> ViewDocument:
    pictures = {mode: view.compute(at) for mode, at in values.items()}
    kinds = {type(one) for one in pictures.values()}
    if len(kinds) > 1:
        named = sorted(kind.__name__ for kind in kinds)
        raise TypeError(f"a view draws the same kind of picture in all modes, not {' and '.join(named)}")
    axes, shown = _on_axes(view, list(pictures.values()), frame, beside)
    found: ViewDocument = {
        "heading": view.heading,
        "axes": axes,
        "kind": kind_of(kinds.pop()),
        "pictures": {mode: record_document(one) for mode, one in zip(pictures, shown, strict=True)},
    }
    if view.read_mark:
        found["read_mark"] = view.read_mark
    return found


LEAST_HIGH, LEAST_ALONG, LEAST_DRAWN = 0.45, 1 / 3, 3 / 4
"""Least parts of both axes that a mode shown alone takes of a frame made for all: of the height, LEAST_HIGH; of the
width, LEAST_ALONG by its own ends, and LEAST_DRAWN once its lines go on to the frame's ends.

With less of the height, a tenth of which is left above a line, most of the plot would be empty. Lines that cannot go
on, since models of those sizes reach the loss with no number of tokens, would leave a part of the width empty.
"""


def _on_axes(
    view: View, pictures: Sequence[Picture], frame: Frame | None, beside: Sequence[Values]
) -> tuple[AxesDocument, Sequence[Picture]]:
    """Both axes, and what is drawn on them: lines from end to end, with the marks that have room."""
    shown = [one for one in pictures if isinstance(one, Curves)]
    if not shown:
        return axes_document(view), pictures
    others = [one for at in beside if isinstance(one := view.compute(at), Curves)]
    axes, drawn = _ruled(view, [*shown, *others], frame)
    if others and not all(_is_readable(view, pair, axes, frame) for pair in zip(shown, drawn, strict=False)):
        axes, drawn = _ruled(view, shown, frame)
    return axes, named_marks(*drawn[: len(shown)])


def _ruled(view: View, curves: Sequence[Curves], frame: Frame | None) -> tuple[AxesDocument, list[Curves]]:
    """Axes for all of some curves, and these as drawn between the ends."""
    ends = frame or along(curves)
    drawn = [one.over(*ends) for one in curves]
    return ruled_document(view, ends, zip(curves, drawn, strict=True), is_asked=frame is not None), drawn


def _is_readable(view: View, pair: tuple[Curves, Curves], axes: AxesDocument, frame: Frame | None) -> bool:
    """Whether curves, on their own and as drawn, take enough of both axes; of asked ends, of the upright one."""
    own, drawn = pair
    low, high = own.ends(view.y, drawn)
    risen = [float(line.y.max()) for line in drawn.lines if line.is_bold and line.y.size]
    up = low, min(max(high, *risen), axes["y"]["ends"][1]) if risen else high
    if span(view.y, up) < LEAST_HIGH * span(view.y, axes["y"]["ends"]):
        return False
    if frame is not None:
        return True
    of_own, of_drawn = (span(view.x, along([one])) / span(view.x, axes["x"]["ends"]) for one in (own, drawn))
    return of_own >= LEAST_ALONG and of_drawn >= LEAST_DRAWN
