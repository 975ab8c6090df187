"""A board's view as plain data: the pictures of the modes that are shown, on one pair of axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict, TypeVar

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.board import Board, Mode, Values, View
from ridgeline.boards.documents.axes import AxesDocument, Frame, along, axes_document, ruled_document
from ridgeline.boards.documents.beliefs import BeliefsDocument, beliefs_document
from ridgeline.boards.documents.curves import CurvesDocument, curves_document
from ridgeline.boards.documents.flows import (
    FacetsDocument,
    HalvesDocument,
    PassageDocument,
    facets_document,
    halves_document,
    passage_document,
)
from ridgeline.boards.documents.gantt import GanttDocument, gantt_document
from ridgeline.boards.documents.multiples import MultiplesDocument, multiples_document
from ridgeline.boards.documents.racks import RacksDocument, racks_document
from ridgeline.boards.documents.schematic import SchematicDocument, schematic_document
from ridgeline.boards.documents.sheet import SheetDocument, sheet_document
from ridgeline.boards.documents.table import TableDocument, table_document
from ridgeline.boards.documents.timeline import TimelineDocument, timeline_document
from ridgeline.boards.documents.trains import TrainsDocument, trains_document
from ridgeline.boards.flows import Facets, Halves, Passage
from ridgeline.boards.named_marks import named_marks
from ridgeline.boards.picture import Curves, Picture, Schematic, Sheet, Table, Timeline
from ridgeline.boards.scene import Gantt, Multiples, Racks, Scene, Trains

__all__ = [
    "BeliefsViewDocument",
    "CurvesViewDocument",
    "FacetsViewDocument",
    "GanttViewDocument",
    "HalvesViewDocument",
    "MultiplesViewDocument",
    "PassageViewDocument",
    "PictureDocument",
    "RacksViewDocument",
    "SceneDocument",
    "SchematicViewDocument",
    "SheetViewDocument",
    "TableViewDocument",
    "TimelineViewDocument",
    "TrainsViewDocument",
    "ViewDocument",
    "view_document",
    "views_document",
]


class _OfViews(TypedDict):
    """What views of all kinds have.

    Attributes:
        heading: what is drawn against what; empty where the board's title says it.
        axes: of the pictures of all modes.
    """

    heading: str
    axes: AxesDocument


class CurvesViewDocument(_OfViews):
    """Lines of each mode over one x.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["curves"]
    pictures: dict[Mode, CurvesDocument]


class TableViewDocument(_OfViews):
    """A table of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["table"]
    pictures: dict[Mode, TableDocument]


class TimelineViewDocument(_OfViews):
    """A timeline of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["timeline"]
    pictures: dict[Mode, TimelineDocument]


class SheetViewDocument(_OfViews):
    """A sheet of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["sheet"]
    pictures: dict[Mode, SheetDocument]


class SchematicViewDocument(_OfViews):
    """A schematic of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["schematic"]
    pictures: dict[Mode, SchematicDocument]


class TrainsViewDocument(_OfViews):
    """Trains of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["trains"]
    pictures: dict[Mode, TrainsDocument]


class RacksViewDocument(_OfViews):
    """Racks of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["racks"]
    pictures: dict[Mode, RacksDocument]


class GanttViewDocument(_OfViews):
    """Schedules of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["gantt"]
    pictures: dict[Mode, GanttDocument]


class MultiplesViewDocument(_OfViews):
    """Small drawings of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["multiples"]
    pictures: dict[Mode, MultiplesDocument]


class PassageViewDocument(_OfViews):
    """Messages on their way in time, of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["passage"]
    pictures: dict[Mode, PassageDocument]


class HalvesViewDocument(_OfViews):
    """Halves through rounds and back, of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["halves"]
    pictures: dict[Mode, HalvesDocument]


class FacetsViewDocument(_OfViews):
    """Quantities side by side, of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["facets"]
    pictures: dict[Mode, FacetsDocument]


class BeliefsViewDocument(_OfViews):
    """What is believed in each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["beliefs"]
    pictures: dict[Mode, BeliefsDocument]


SceneDocument = (
    TrainsDocument
    | RacksDocument
    | GanttDocument
    | MultiplesDocument
    | PassageDocument
    | HalvesDocument
    | FacetsDocument
    | BeliefsDocument
)
"""A scene that is drawn of one mode."""
PictureDocument = CurvesDocument | TableDocument | TimelineDocument | SheetDocument | SchematicDocument | SceneDocument
"""What is drawn of one mode."""
ViewDocument = (
    CurvesViewDocument
    | TableViewDocument
    | TimelineViewDocument
    | SheetViewDocument
    | SchematicViewDocument
    | TrainsViewDocument
    | RacksViewDocument
    | GanttViewDocument
    | MultiplesViewDocument
    | PassageViewDocument
    | HalvesViewDocument
    | FacetsViewDocument
    | BeliefsViewDocument
)
"""One picture of a board in the modes that are shown."""

Kind = TypeVar(
    "Kind", Curves, Table, Timeline, Sheet, Schematic, Trains, Racks, Gantt, Multiples, Passage, Halves, Facets, Beliefs
)
Written = TypeVar("Written")


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
    of: _OfViews = {"heading": view.heading, "axes": axes_document(view)}
    found: ViewDocument
    match next(iter(pictures.values())):
        case Curves():
            curves = _of_kind(Curves, pictures)
            ends = frame or along(curves.values())
            drawn = [one.over(*ends) for one in curves.values()]
            of["axes"] = ruled_document(view, ends, zip(curves.values(), drawn, strict=True))
            shown = named_marks(*drawn)
            found = {**of, "kind": "curves", "pictures": dict(zip(curves, map(curves_document, shown), strict=True))}
        case Table():
            found = {**of, "kind": "table", "pictures": _each(Table, pictures, table_document)}
        case Timeline():
            found = {**of, "kind": "timeline", "pictures": _each(Timeline, pictures, timeline_document)}
        case Sheet():
            found = {**of, "kind": "sheet", "pictures": _each(Sheet, pictures, sheet_document)}
        case Schematic():
            found = {**of, "kind": "schematic", "pictures": _each(Schematic, pictures, schematic_document)}
        case scene:
            found = _scene_view(of, scene, pictures)
    return found


def _scene_view(of: _OfViews, first: Scene | Beliefs, pictures: Mapping[Mode, Picture]) -> ViewDocument:
    """Of the kind of the first."""
    found: ViewDocument
    match first:
        case Trains():
            found = {**of, "kind": "trains", "pictures": _each(Trains, pictures, trains_document)}
        case Racks():
            found = {**of, "kind": "racks", "pictures": _each(Racks, pictures, racks_document)}
        case Gantt():
            found = {**of, "kind": "gantt", "pictures": _each(Gantt, pictures, gantt_document)}
        case Multiples():
            found = {**of, "kind": "multiples", "pictures": _each(Multiples, pictures, multiples_document)}
        case Passage():
            found = {**of, "kind": "passage", "pictures": _each(Passage, pictures, passage_document)}
        case Halves():
            found = {**of, "kind": "halves", "pictures": _each(Halves, pictures, halves_document)}
        case Facets():
            found = {**of, "kind": "facets", "pictures": _each(Facets, pictures, facets_document)}
        case Beliefs():
            found = {**of, "kind": "beliefs", "pictures": _each(Beliefs, pictures, beliefs_document)}
    return found


def _each(
    kind: type[Kind], pictures: Mapping[Mode, Picture], document: Callable[[Kind], Written]
) -> dict[Mode, Written]:
    """The document of each mode's picture, which are of one kind."""
    return {mode: document(one) for mode, one in _of_kind(kind, pictures).items()}


def _of_kind(kind: type[Kind], pictures: Mapping[Mode, Picture]) -> dict[Mode, Kind]:
    found = {mode: one for mode, one in pictures.items() if isinstance(one, kind)}
    if len(found) < len(pictures):
        raise TypeError(
            f"a view draws the same kind of picture in all modes, not {kind.__name__} in {list(found)} alone"
        )
    return found
