"""Beliefs as plain data."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.beliefs import Beliefs, Row
from ridgeline.boards.picture import Colour
from ridgeline.boards.ticks_document import TickDocument, ticks_document

__all__ = ["BeliefsDocument", "RowDocument", "beliefs_document"]

DIGITS = 4
"""Of heights, which are only looked at."""


class RowDocument(TypedDict):
    """What is believed by one light.

    Attributes:
        name: of the light: a price, or what is assumed.
        text: what it says.
        colour: what it is about.
        heights: of its chances over the common x, the highest 1; of places that cannot be divided the chances.
        labels: these in words, one a place; empty of what can be divided.
        low: where 5 % lie below; null of what has no order.
        middle: where a half does.
        high: where 5 % lie above.
        points: values of known things, where a row is of those and not of chances.
        is_bold: whether it is a reading that the board is about.
    """

    name: str
    text: str
    colour: Colour
    heights: list[float]
    labels: list[str]
    low: float | None
    middle: float | None
    high: float | None
    points: list[float]
    is_bold: bool


class BeliefsDocument(TypedDict):
    """What is believed of one thing by several lights.

    Attributes:
        x: rising, in equal ratios; of what cannot be divided, places from 0 on.
        is_whole: whether it cannot.
        rows: from the top.
        marks: values that somebody reads or measures.
        x_ticks: on the axis along.
        text: what they say together, in a sentence.
    """

    x: list[float]
    is_whole: bool
    rows: list[RowDocument]
    marks: list[TickDocument]
    x_ticks: list[TickDocument]
    text: str


def beliefs_document(scene: Beliefs) -> BeliefsDocument:
    """All of it."""
    return {
        "x": list(scene.x),
        "is_whole": scene.is_whole,
        "rows": [_row(one) for one in scene.rows],
        "marks": ticks_document(scene.marks),
        "x_ticks": ticks_document(scene.x_ticks),
        "text": scene.text,
    }


def _row(row: Row) -> RowDocument:
    return {
        "name": row.name,
        "text": row.text,
        "colour": row.colour,
        "heights": [round(height, DIGITS) for height in row.heights],
        "labels": list(row.labels),
        "low": row.low,
        "middle": row.middle,
        "high": row.high,
        "points": list(row.points),
        "is_bold": row.is_bold,
    }
