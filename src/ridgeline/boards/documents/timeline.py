"""Timelines as plain data."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.picture import Colour, Timeline

__all__ = ["BlockDocument", "TimelineDocument", "timeline_document"]


class BlockDocument(TypedDict):
    """What one row of a timeline does for a while.

    Attributes:
        row: which, from 0 at the top.
        start: on the axis along.
        end: the same.
        text: written into it.
        colour: what it is about.
    """

    row: int
    start: float
    end: float
    text: str
    colour: Colour


class TimelineDocument(TypedDict):
    """Who does what when; what is empty idles.

    Attributes:
        rows: names, from the top.
        blocks: none of a row over another.
        text: what it says.
    """

    rows: list[str]
    blocks: list[BlockDocument]
    text: str


def timeline_document(timeline: Timeline) -> TimelineDocument:
    """All of it."""
    return {
        "rows": list(timeline.rows),
        "blocks": [
            {"row": block.row, "start": block.start, "end": block.end, "text": block.text, "colour": block.colour}
            for block in timeline.blocks
        ],
        "text": timeline.text,
    }
