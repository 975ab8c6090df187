"""Loops and routes as plain data."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.documents.gantt import GanttDocument, gantt_document
from ridgeline.boards.documents.schematic import (
    CableDocument,
    SchematicDocument,
    cable_document,
    schematic_document,
)
from ridgeline.boards.journeys import Loop, Route, Routes
from ridgeline.boards.picture import Colour

__all__ = [
    "BatchDocument",
    "LegDocument",
    "LoopDocument",
    "RouteDocument",
    "RoutesDocument",
    "loop_document",
    "routes_document",
]


class BatchDocument(TypedDict):
    """A batch that goes round: from the first stage to the last, and again for its next token.

    Attributes:
        starts: when it enters each stage on its way, on the axis of time.
        ends: when it leaves them.
    """

    starts: list[float]
    ends: list[float]


class LoopDocument(TypedDict):
    """Stages in a ring, batches that go round, and the same over time.

    Attributes:
        gantt: what each stage does when.
        batches: in the order in which they first start.
        colours: of their tokens, in turn.
        text: what it says, in a few words.
    """

    gantt: GanttDocument
    batches: list[BatchDocument]
    colours: list[Colour]
    text: str


class LegDocument(TypedDict):
    """A part of a way: one thing, or several at once that take equally long.

    Attributes:
        text: what happens, in a few words.
        cables: ways, each from its beginning to its end.
        boxes: places of those boxes of the drawing that work once they are reached.
    """

    text: str
    cables: list[CableDocument]
    boxes: list[int]


class RouteDocument(TypedDict):
    """One way through the drawing.

    Attributes:
        name: what takes it.
        legs: one after another.
    """

    name: str
    legs: list[LegDocument]


class RoutesDocument(TypedDict):
    """Ways through a drawing, one after another.

    Attributes:
        schematic: what stands still.
        routes: ways in their order.
        text: what it says, in a few words.
    """

    schematic: SchematicDocument
    routes: list[RouteDocument]
    text: str


def loop_document(scene: Loop) -> LoopDocument:
    """All of it."""
    return {
        "gantt": gantt_document(scene.gantt),
        "batches": [{"starts": list(one.starts), "ends": list(one.ends)} for one in scene.batches],
        "colours": list(scene.colours),
        "text": scene.text,
    }


def routes_document(scene: Routes) -> RoutesDocument:
    """All of it."""
    return {
        "schematic": schematic_document(scene.schematic),
        "routes": [_route(one) for one in scene.routes],
        "text": scene.text,
    }


def _route(route: Route) -> RouteDocument:
    return {
        "name": route.name,
        "legs": [
            {"text": leg.text, "cables": [cable_document(one) for one in leg.cables], "boxes": list(leg.boxes)}
            for leg in route.legs
        ],
    }
