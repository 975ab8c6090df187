"""Ways to draw a stroke of a small picture."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Look"]


class Look(StrEnum):
    """How a stroke is drawn.

    Attributes:
        LINE: thin line.
        BOLD: line that the board is about.
        LEVEL: dashed line: a bound that is not crossed, or a level to compare with.
        FILL: filled outline.
    """

    LINE = "line"
    BOLD = "bold"
    LEVEL = "level"
    FILL = "fill"
