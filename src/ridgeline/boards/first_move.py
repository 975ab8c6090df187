"""A board's first thing to try: one control, where it is turned to, and what the drawing then does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["FirstMove", "Moves", "Says", "Way"]


class Way(StrEnum):
    """Direction in which a drawn thing moves, or that it does not move."""

    UP = "up"
    DOWN = "down"
    RIGHT = "right"
    LEFT = "left"
    STAYS = "stays"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """A thing of the first picture that moves, or a number of a scene that rises or falls.

    Attributes:
        what: name of a mark, or of a line as a step of the walk names it; empty for the bold line, "dots" for all dots;
            of a scene the way to the number, or to the text that begins with it, through its record: "marks.0.at".
        way: direction in which it moves.
    """

    what: str
    way: Way


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """Words that the first picture has once the control is turned, and not before.

    Attributes:
        text: words on the drawing.
    """

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstMove:
    """One thing to try on a board.

    Attributes:
        control: name of the control.
        to: value that it is turned to, in base units.
        then: effect on the drawing, a clause without its full stop.
        seen: evidence of it on the drawing, all of which holds in both modes.
    """

    control: str
    to: float
    then: str
    seen: tuple[Moves | Says, ...]
