"""A board's view as plain data: the pictures of the modes that are shown, on one pair of axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ridgeline.boards.board import Board, Mode, Values, View
from ridgeline.boards.documents.axes import Frame, along, axes_document, ruled_document
from ridgeline.boards.documents.curves import CurvesDocument, curves_document
from ridgeline.boards.documents.of_views import OfViews, each, of_kind
from ridgeline.boards.documents.scene_view import SceneDocument, SceneViewDocument, scene_view
from ridgeline.boards.documents.sheet import SheetDocument, sheet_document
from ridgeline.boards.documents.table import TableDocument, table_document
from ridgeline.boards.named_marks import named_marks
from ridgeline.boards.picture import Curves, Sheet, Table

__all__ = [
    "CurvesViewDocument",
    "PictureDocument",
    "SheetViewDocument",
    "TableViewDocument",
    "ViewDocument",
    "view_document",
    "views_document",
]


class CurvesViewDocument(OfViews):
    """Lines of each mode over one x.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["curves"]
    pictures: dict[Mode, CurvesDocument]


class TableViewDocument(OfViews):
    """A table of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["table"]
    pictures: dict[Mode, TableDocument]


class SheetViewDocument(OfViews):
    """A sheet of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["sheet"]
    pictures: dict[Mode, SheetDocument]


PictureDocument = CurvesDocument | TableDocument | SheetDocument | SceneDocument
"""What is drawn of one mode."""
ViewDocument = CurvesViewDocument | TableViewDocument | SheetViewDocument | SceneViewDocument
"""One picture of a board in the modes that are shown."""


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
    board: Board, values: Mapping[Mode, Values], over: Sequence[Frame | None] | None = None
) -> list[ViewDocument]:
    """All views in the modes that are shown: of each one pair of axes, over which the lines of all modes are drawn.

    Args:
        board: whose views.
        values: of all controls, by mode.
        over: for each view the ends of x that are wanted, or None for those of its lines.
    """
    frames = over or [None] * len(board.views)
    return [_view(view, values, frame) for view, frame in zip(board.views, frames, strict=True)]


def _view(view: View, values: Mapping[Mode, Values], frame: Frame | None) -> ViewDocument:
    pictures = {mode: view.compute(at) for mode, at in values.items()}
    of: OfViews = {"heading": view.heading, "axes": axes_document(view)}
    found: ViewDocument
    match next(iter(pictures.values())):
        case Curves():
            curves = of_kind(Curves, pictures)
            ends = frame or along(curves.values())
            drawn = [one.over(*ends) for one in curves.values()]
            of["axes"] = ruled_document(view, ends, zip(curves.values(), drawn, strict=True))
            shown = named_marks(*drawn)
            found = {**of, "kind": "curves", "pictures": dict(zip(curves, map(curves_document, shown), strict=True))}
        case Table():
            found = {**of, "kind": "table", "pictures": each(Table, pictures, table_document)}
        case Sheet():
            found = {**of, "kind": "sheet", "pictures": each(Sheet, pictures, sheet_document)}
        case scene:
            found = scene_view(of, scene, pictures)
    return found
