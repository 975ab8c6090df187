"""A scene as a view's plain data: one picture of each mode, all of one kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.board import Mode
from ridgeline.boards.documents.beliefs import BeliefsDocument, beliefs_document
from ridgeline.boards.documents.flows import (
    FacetsDocument,
    HalvesDocument,
    PassageDocument,
    facets_document,
    halves_document,
    passage_document,
)
from ridgeline.boards.documents.gantt import GanttDocument, gantt_document
from ridgeline.boards.documents.journeys import LoopDocument, RoutesDocument, loop_document, routes_document
from ridgeline.boards.documents.multiples import MultiplesDocument, multiples_document
from ridgeline.boards.documents.of_views import OfViews, each
from ridgeline.boards.documents.racks import RacksDocument, racks_document
from ridgeline.boards.documents.trains import TrainsDocument, trains_document
from ridgeline.boards.flows import Facets, Halves, Passage
from ridgeline.boards.journeys import Loop, Routes
from ridgeline.boards.picture import Picture
from ridgeline.boards.scene import Gantt, Multiples, Racks, Scene, Trains

__all__ = [
    "BeliefsViewDocument",
    "FacetsViewDocument",
    "GanttViewDocument",
    "HalvesViewDocument",
    "LoopViewDocument",
    "MultiplesViewDocument",
    "PassageViewDocument",
    "RacksViewDocument",
    "RoutesViewDocument",
    "SceneDocument",
    "SceneViewDocument",
    "TrainsViewDocument",
    "scene_view",
]


class TrainsViewDocument(OfViews):
    """Trains of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["trains"]
    pictures: dict[Mode, TrainsDocument]


class RacksViewDocument(OfViews):
    """Racks of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["racks"]
    pictures: dict[Mode, RacksDocument]


class GanttViewDocument(OfViews):
    """Schedules of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["gantt"]
    pictures: dict[Mode, GanttDocument]


class MultiplesViewDocument(OfViews):
    """Small drawings of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["multiples"]
    pictures: dict[Mode, MultiplesDocument]


class PassageViewDocument(OfViews):
    """Messages on their way in time, of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["passage"]
    pictures: dict[Mode, PassageDocument]


class HalvesViewDocument(OfViews):
    """Halves through rounds and back, of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["halves"]
    pictures: dict[Mode, HalvesDocument]


class FacetsViewDocument(OfViews):
    """Quantities side by side, of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["facets"]
    pictures: dict[Mode, FacetsDocument]


class BeliefsViewDocument(OfViews):
    """What is believed in each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["beliefs"]
    pictures: dict[Mode, BeliefsDocument]


class LoopViewDocument(OfViews):
    """Batches round the stages of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["loop"]
    pictures: dict[Mode, LoopDocument]


class RoutesViewDocument(OfViews):
    """Ways through a drawing of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["routes"]
    pictures: dict[Mode, RoutesDocument]


SceneDocument = (
    TrainsDocument
    | RacksDocument
    | GanttDocument
    | MultiplesDocument
    | PassageDocument
    | HalvesDocument
    | FacetsDocument
    | BeliefsDocument
    | LoopDocument
    | RoutesDocument
)
"""A scene that is drawn of one mode."""
SceneViewDocument = (
    TrainsViewDocument
    | RacksViewDocument
    | GanttViewDocument
    | MultiplesViewDocument
    | PassageViewDocument
    | HalvesViewDocument
    | FacetsViewDocument
    | BeliefsViewDocument
    | LoopViewDocument
    | RoutesViewDocument
)
"""A scene in the modes that are shown."""


def scene_view(of: OfViews, first: Scene | Beliefs, pictures: Mapping[Mode, Picture]) -> SceneViewDocument:
    """Of the kind of the first."""
    found: SceneViewDocument
    match first:
        case Trains():
            found = {**of, "kind": "trains", "pictures": each(Trains, pictures, trains_document)}
        case Racks():
            found = {**of, "kind": "racks", "pictures": each(Racks, pictures, racks_document)}
        case Gantt():
            found = {**of, "kind": "gantt", "pictures": each(Gantt, pictures, gantt_document)}
        case Multiples():
            found = {**of, "kind": "multiples", "pictures": each(Multiples, pictures, multiples_document)}
        case Passage():
            found = {**of, "kind": "passage", "pictures": each(Passage, pictures, passage_document)}
        case Halves():
            found = {**of, "kind": "halves", "pictures": each(Halves, pictures, halves_document)}
        case Facets():
            found = {**of, "kind": "facets", "pictures": each(Facets, pictures, facets_document)}
        case Beliefs():
            found = {**of, "kind": "beliefs", "pictures": each(Beliefs, pictures, beliefs_document)}
        case Loop() | Routes():
            found = _journey_view(of, first, pictures)
    return found


def _journey_view(of: OfViews, first: Loop | Routes, pictures: Mapping[Mode, Picture]) -> SceneViewDocument:
    if isinstance(first, Loop):
        return {**of, "kind": "loop", "pictures": each(Loop, pictures, loop_document)}
    return {**of, "kind": "routes", "pictures": each(Routes, pictures, routes_document)}
