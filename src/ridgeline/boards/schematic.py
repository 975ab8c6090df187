"""Parts and how they are connected: a drawing that stands still, or that something goes through."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.colour import Colour

__all__ = ["Box", "Cable", "Schematic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle of a schematic.

    Attributes:
        x: left edge, in the schematic's own units.
        y: upper edge, counted downwards.
        width: to the right.
        height: downwards.
        text: written inside, in the middle; at the upper edge of a frame.
        colour: what it is about.
        is_frame: whether it is an outline around others; else it is filled.
    """

    x: float
    y: float
    width: float
    height: float
    text: str
    colour: Colour
    is_frame: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable:
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
    text: str = ""
    is_arrow: bool = False
    is_dashed: bool = False
    width: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Schematic:
    """Parts and how they are connected; what is drawn follows from a layout, not from a ruler.

    Attributes:
        width: of the whole, in its own units, which are alike in both directions.
        height: the same.
        boxes: from the back to the front.
        cables: behind the filled boxes, over the frames.
        text: what it says, in a few words.
    """

    width: float
    height: float
    boxes: tuple[Box, ...]
    cables: tuple[Cable, ...]
    text: str
