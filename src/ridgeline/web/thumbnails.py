"""The document of all boards as small pictures, which a page asks for once somebody looks for a board."""

from __future__ import annotations

from functools import cache
from typing import NotRequired, TypedDict

from ridgeline.boards.colour import Colour
from ridgeline.boards.lecture import BOARDS
from ridgeline.boards.lecture.featured import PICTURED
from ridgeline.boards.thumbnails import HEIGHT, WIDTH, Look, Stroke, thumbnail

__all__ = ["StrokeDocument", "ThumbnailsDocument", "thumbnails_document"]


class StrokeDocument(TypedDict):
    """Part of a small picture, of one colour.

    Attributes:
        path: outline, in the commands of an SVG path.
        colour: colour of its subject.
        look: how it is drawn: as a line of some kind, or filled.
        strength: opacity, from 0 to 1; 1 if left out.
    """

    path: str
    colour: Colour
    look: Look
    strength: NotRequired[float]


class ThumbnailsDocument(TypedDict):
    """``thumbnails``: all boards as small pictures of one of their views.

    Attributes:
        width: width of a picture, in the units of its paths.
        height: height of a picture, likewise.
        boards: strokes of each board's picture, from back to front, by its name.
    """

    width: int
    height: int
    boards: dict[str, list[StrokeDocument]]


@cache
def thumbnails_document() -> ThumbnailsDocument:
    """All boards as small pictures."""
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "boards": {
            board.name: [_stroke(one) for one in thumbnail(board, PICTURED.get(board.name, 0))] for board in BOARDS
        },
    }


def _stroke(stroke: Stroke) -> StrokeDocument:
    found: StrokeDocument = {"path": stroke.path, "colour": stroke.colour, "look": stroke.look}
    if stroke.strength != 1:
        found["strength"] = stroke.strength
    return found
