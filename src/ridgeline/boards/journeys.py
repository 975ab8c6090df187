"""Repeated motion: batches round the stages of a loop, tokens through the parts of a drawing.

Declarations alone, as those of ``scene``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.colour import Colour
from ridgeline.boards.scene import Gantt
from ridgeline.boards.schematic import Cable, Schematic

__all__ = ["Batch", "Leg", "Loop", "Node", "Route", "Routes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A batch that goes round: from the first stage to the last, and again for its next token.

    Attributes:
        starts: times at which it enters each stage of its way.
        ends: times at which it leaves them.
    """

    starts: tuple[float, ...]
    ends: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """Stages in a ring with batches that go round, and their schedule over time.

    Attributes:
        gantt: schedule of the stages over time, without kept activations.
        batches: batches in the order in which they first start.
        colours: colours of their tokens, in turn.
        text: summary in a few words.
    """

    gantt: Gantt
    batches: tuple[Batch, ...]
    colours: tuple[Colour, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """Part of a route: one move, or several at once that take equally long.

    Attributes:
        text: event in a few words.
        cables: lines of the move, each from its start to its end.
        boxes: indices of the drawing's boxes that work once they are reached.
    """

    text: str
    cables: tuple[Cable, ...]
    boxes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Route through the drawing, from start to end.

    Attributes:
        name: name of the traffic that takes it.
        legs: legs in their order.
    """

    name: str
    legs: tuple[Leg, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A part of the drawing that messages go through.

    Attributes:
        name: name in a few words.
        box: position among the drawing's boxes.
        neighbours: indices of the nodes that a cable connects it to.
        neighbours_text: number of neighbours in words.
        is_end: whether messages begin and end there, as at a chip.
    """

    name: str
    box: int
    neighbours: tuple[int, ...]
    neighbours_text: str
    is_end: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Routes:
    """Routes through a drawing, one after another.

    Attributes:
        schematic: drawing that stands still.
        routes: routes in their order.
        nodes: nodes between which any way can be asked for; empty where that says nothing.
        text: summary in a few words.
        total_text: number of all that it has of what routes go over, for a corner of the drawing; empty for none.
    """

    schematic: Schematic
    routes: tuple[Route, ...]
    nodes: tuple[Node, ...]
    text: str
    total_text: str = ""
