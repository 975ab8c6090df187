"""A board's view as plain data: the pictures of the modes that are shown, on one pair of axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from ridgeline.boards.board import Board, Mode, Values, View
from ridgeline.boards.documents.axes import AxesDocument, Frame, along, axes_document, ruled_document
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
    board: Board, values: Mapping[Mode, Values], over: Sequence[Frame | None] | None = None, only: int | None = None
) -> list[ViewDocument]:
    """Documents of all views, or of one: one pair of axes each, over which the lines of all modes are drawn.

    Args:
        board: board of the views.
        values: values of all controls, by mode.
        over: ends of x to draw over, for each view; None for those of its own lines.
        only: place of the single view that is wanted; None for all.
    """
    frames = over or [None] * len(board.views)
    asked = list(zip(board.views, frames, strict=True))
    return [_view(view, values, frame) for view, frame in (asked if only is None else [asked[only]])]


def _view(view: View, values: Mapping[Mode, Values], frame: Frame | None) -> ViewDocument:
    pictures = {mode: view.compute(at) for mode, at in values.items()}
    kinds = {type(one) for one in pictures.values()}
    if len(kinds) > 1:
        named = sorted(kind.__name__ for kind in kinds)
        raise TypeError(f"a view draws the same kind of picture in all modes, not {' and '.join(named)}")
    axes, shown = _on_axes(view, list(pictures.values()), frame)
    found: ViewDocument = {
        "heading": view.heading,
        "axes": axes,
        "kind": kind_of(kinds.pop()),
        "pictures": {mode: record_document(one) for mode, one in zip(pictures, shown, strict=True)},
    }
    if view.read_mark:
        found["read_mark"] = view.read_mark
    return found


def _on_axes(view: View, pictures: Sequence[Picture], frame: Frame | None) -> tuple[AxesDocument, Sequence[Picture]]:
    """Both axes, and what is drawn on them: lines from end to end, with the marks that have room."""
    curves = [one for one in pictures if isinstance(one, Curves)]
    if not curves:
        return axes_document(view), pictures
    ends = frame or along(curves)
    drawn = [one.over(*ends) for one in curves]
    return ruled_document(view, ends, zip(curves, drawn, strict=True), is_asked=frame is not None), named_marks(*drawn)
