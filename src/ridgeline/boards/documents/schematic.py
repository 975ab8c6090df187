"""Schematics as plain data."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.picture import Cable, Colour, Schematic

__all__ = ["BoxDocument", "CableDocument", "SchematicDocument", "cable_document", "schematic_document"]


class BoxDocument(TypedDict):
    """A rectangle of a schematic.

    Attributes:
        x: left edge, in the schematic's own units.
        y: upper edge, counted downwards.
        width: to the right.
        height: downwards.
        text: written inside; at the upper edge of a frame.
        colour: what it is about.
        is_frame: whether it is an outline around others.
    """

    x: float
    y: float
    width: float
    height: float
    text: str
    colour: Colour
    is_frame: bool


class CableDocument(TypedDict):
    """A straight connection of a schematic.

    Attributes:
        x: where it begins, in the schematic's own units.
        y: the same, counted downwards.
        to_x: where it ends.
        to_y: the same.
        colour: what it is about.
        text: written beside its middle.
        is_arrow: whether something moves along it, towards its end.
        is_dashed: whether it is one of several ways, or slower than the others.
        width: in points.
    """

    x: float
    y: float
    to_x: float
    to_y: float
    colour: Colour
    text: str
    is_arrow: bool
    is_dashed: bool
    width: float


class SchematicDocument(TypedDict):
    """Parts and how they are connected.

    Attributes:
        width: of the whole, in its own units.
        height: the same.
        boxes: from the back to the front.
        cables: behind the filled boxes, over the frames.
        text: what it says.
    """

    width: float
    height: float
    boxes: list[BoxDocument]
    cables: list[CableDocument]
    text: str


def schematic_document(schematic: Schematic) -> SchematicDocument:
    """All of it."""
    return {
        "width": schematic.width,
        "height": schematic.height,
        "boxes": [
            {
                "x": box.x,
                "y": box.y,
                "width": box.width,
                "height": box.height,
                "text": box.text,
                "colour": box.colour,
                "is_frame": box.is_frame,
            }
            for box in schematic.boxes
        ],
        "cables": [cable_document(cable) for cable in schematic.cables],
        "text": schematic.text,
    }


def cable_document(cable: Cable) -> CableDocument:
    """All of it."""
    return {
        "x": cable.x,
        "y": cable.y,
        "to_x": cable.to_x,
        "to_y": cable.to_y,
        "colour": cable.colour,
        "text": cable.text,
        "is_arrow": cable.is_arrow,
        "is_dashed": cable.is_dashed,
        "width": cable.width,
    }
