"""Passages, halves and facets as plain data."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.documents.ticks import TickDocument, ticks_document
from ridgeline.boards.flows import Facets, Halves, Passage, Strip
from ridgeline.boards.picture import Colour

__all__ = [
    "FacetDocument",
    "FacetsDocument",
    "HalvesDocument",
    "MessageDocument",
    "PassageDocument",
    "StayDocument",
    "StripDocument",
    "facets_document",
    "halves_document",
    "passage_document",
]


class StayDocument(TypedDict):
    """What a place does for a while.

    Attributes:
        row: which place, from 0 at the top.
        start: on the axis of time.
        end: the same.
        text: written into it where there is room.
        colour: what it is about.
    """

    row: int
    start: float
    end: float
    text: str
    colour: Colour


class MessageDocument(TypedDict):
    """What goes from one place to another.

    Attributes:
        row: where it leaves, from 0 at the top.
        to_row: where it arrives.
        start: when its first byte leaves.
        long: time from its first byte to its last.
        latency: time from a byte's leaving to its arrival.
        parts: equal ones, sent one after another.
        text: beside it, in a few words.
        colour: what it is about.
    """

    row: int
    to_row: int
    start: float
    long: float
    latency: float
    parts: int
    text: str
    colour: Colour


class StripDocument(TypedDict):
    """Places over one axis of time.

    Attributes:
        name: what it shows, with its scale where others have another one.
        places: names, from the top.
        stays: what places do.
        messages: between them.
        limits: times to compare with, each with what it is.
        end: of the axis.
        ticks: on it.
    """

    name: str
    places: list[str]
    stays: list[StayDocument]
    messages: list[MessageDocument]
    limits: list[TickDocument]
    end: float
    ticks: list[TickDocument]


class PassageDocument(TypedDict):
    """Messages on their way in time.

    Attributes:
        strips: one below another.
        text: what it says, in a few words.
    """

    strips: list[StripDocument]
    text: str


class HalvesDocument(TypedDict):
    """Two halves through rounds and back.

    Attributes:
        left: the half that passes through f next, before each round and after the last.
        right: the other half, at the same moments.
        left_back: the same halves on the way back, from the last round to the first.
        right_back: the other ones.
        through: what f made of the left half, by rounds.
        function: what f is, in plain letters.
        modulus: at which halves begin anew.
        text: what it says, in a few words.
    """

    left: list[int]
    right: list[int]
    left_back: list[int]
    right_back: list[int]
    through: list[int]
    function: str
    modulus: int
    text: str


class FacetDocument(TypedDict):
    """One quantity over the common x, from zero.

    Attributes:
        name: of the quantity.
        y: its values.
        top: where its axis ends.
        top_text: the same in words.
        text: its value at the chosen x, in words.
        colour: what it is about.
    """

    name: str
    y: list[float]
    top: float
    top_text: str
    text: str
    colour: Colour


class FacetsDocument(TypedDict):
    """Several quantities over one x, each in a small frame.

    Attributes:
        x: rising; of all of them.
        chosen: the place in x at which values are written.
        facets: quantities in their order.
        x_ticks: on the axis along.
        text: what it says, in a few words.
    """

    x: list[float]
    chosen: int
    facets: list[FacetDocument]
    x_ticks: list[TickDocument]
    text: str


def passage_document(scene: Passage) -> PassageDocument:
    """All of it."""
    return {"strips": [_strip(one) for one in scene.strips], "text": scene.text}


def _strip(strip: Strip) -> StripDocument:
    return {
        "name": strip.name,
        "places": list(strip.places),
        "stays": [
            {"row": one.row, "start": one.start, "end": one.end, "text": one.text, "colour": one.colour}
            for one in strip.stays
        ],
        "messages": [
            {
                "row": one.row,
                "to_row": one.to_row,
                "start": one.start,
                "long": one.long,
                "latency": one.latency,
                "parts": one.parts,
                "text": one.text,
                "colour": one.colour,
            }
            for one in strip.messages
        ],
        "limits": ticks_document(strip.limits),
        "end": strip.end,
        "ticks": ticks_document(strip.ticks),
    }


def halves_document(scene: Halves) -> HalvesDocument:
    """All of it."""
    return {
        "left": list(scene.left),
        "right": list(scene.right),
        "left_back": list(scene.left_back),
        "right_back": list(scene.right_back),
        "through": list(scene.through),
        "function": scene.function,
        "modulus": scene.modulus,
        "text": scene.text,
    }


def facets_document(scene: Facets) -> FacetsDocument:
    """All of it."""
    return {
        "x": list(scene.x),
        "chosen": scene.chosen,
        "facets": [
            {
                "name": one.name,
                "y": list(one.y),
                "top": one.top,
                "top_text": one.top_text,
                "text": one.text,
                "colour": one.colour,
            }
            for one in scene.facets
        ],
        "x_ticks": ticks_document(scene.x_ticks),
        "text": scene.text,
    }
