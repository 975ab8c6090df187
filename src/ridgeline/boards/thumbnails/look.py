"""Ways to draw a stroke of a small picture."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Look"]


class Look(StrEnum):
    """How a stroke is drawn.

    Attributes:
        LINE: curve or edge that stands beside the bold one.
        BOLD: line that the board is about.
        LEVEL: dashed line: a bound that is not crossed, or a level to compare with.
        FILL: area, such as a cell or a bar, in one colour.
    """

    LINE = "line"
    BOLD = "bold"
    LEVEL = "level"
    FILL = "fill"
