"""Places on an axis as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from ridgeline.boards.scene import Tick

__all__ = ["TickDocument", "ticks_document"]


class TickDocument(TypedDict):
    """A place on an axis, with what is written there.

    Attributes:
        at: where.
        text: the number in words.
    """

    at: float
    text: str


def ticks_document(ticks: Sequence[Tick]) -> list[TickDocument]:
    """All of them."""
    return [{"at": tick.at, "text": tick.text} for tick in ticks]
