"""Small drawings of the same thing, as plain data."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.documents.ticks import TickDocument, ticks_document
from ridgeline.boards.scene import Multiples, Small

__all__ = ["MultiplesDocument", "SmallDocument", "multiples_document"]


class SmallDocument(TypedDict):
    """One of several drawings of the same thing.

    Attributes:
        name: of what it is drawn for, as the catalog has it.
        y: its line, over the common x.
        mark_x: where its point lies.
        mark_y: how high.
        text: written at the point.
    """

    name: str
    y: list[float]
    mark_x: float
    mark_y: float
    text: str


class MultiplesDocument(TypedDict):
    """The same drawing for several models or machines.

    Attributes:
        chooses: what a name chooses: "model" or "machine".
        x: rising; of all lines.
        reference: a line to compare with, the same in each.
        smalls: drawings in their order.
        top: where the upright axis ends.
        bottom: where it begins.
        x_ticks: on the axis along.
        y_ticks: on the upright one.
        text: what it says, in a few words.
    """

    chooses: str
    x: list[float]
    reference: list[float]
    smalls: list[SmallDocument]
    top: float
    bottom: float
    x_ticks: list[TickDocument]
    y_ticks: list[TickDocument]
    text: str


def multiples_document(scene: Multiples) -> MultiplesDocument:
    """All of it."""
    return {
        "chooses": scene.chooses,
        "x": list(scene.x),
        "reference": list(scene.reference),
        "smalls": [_small(one) for one in scene.smalls],
        "top": scene.top,
        "bottom": scene.bottom,
        "x_ticks": ticks_document(scene.x_ticks),
        "y_ticks": ticks_document(scene.y_ticks),
        "text": scene.text,
    }


def _small(small: Small) -> SmallDocument:
    return {"name": small.name, "y": list(small.y), "mark_x": small.mark_x, "mark_y": small.mark_y, "text": small.text}
