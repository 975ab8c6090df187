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
        width: width to the right.
        height: height downwards, likewise.
        text: text in its middle, or at the upper edge of a frame.
        colour: colour of its subject.
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
        x: start to the right, in the schematic's own units.
        y: start downwards, likewise.
        to_x: end to the right, likewise.
        to_y: end downwards, likewise.
        colour: colour of its subject.
        text: text beside its middle.
        is_arrow: whether something moves along it, towards its end.
        is_dashed: whether it is one of several ways, or slower than the others.
        width: line width, points.
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
        width: width of the whole, in its own units, which are alike in both directions.
        height: height of the whole, likewise.
        boxes: boxes from back to front.
        cables: cables, drawn behind the filled boxes and over the frames.
        text: summary in a few words.
    """

    width: float
    height: float
    boxes: tuple[Box, ...]
    cables: tuple[Cable, ...]
    text: str
