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
    """Stages in a ring, batches that go round, and the same over time.

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
    """A part of a way: one thing, or several at once that take equally long.

    Attributes:
        text: event in a few words.
        cables: ways, each from its beginning to its end.
        boxes: places of those boxes of the drawing that work once they are reached.
    """

    text: str
    cables: tuple[Cable, ...]
    boxes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One way through the drawing, from beginning to end.

    Attributes:
        name: name of the traffic that takes it.
        legs: one after another.
    """

    name: str
    legs: tuple[Leg, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A part of the drawing that messages go through.

    Attributes:
        name: name in a few words.
        box: position among the drawing's boxes.
        neighbours: places, among the nodes, of those that a cable connects it to.
        neighbours_text: how many those are, in words.
        is_end: whether messages begin and end there, as at a chip.
    """

    name: str
    box: int
    neighbours: tuple[int, ...]
    neighbours_text: str
    is_end: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Routes:
    """Ways through a drawing, one after another.

    Attributes:
        schematic: drawing that stands still.
        routes: ways in their order.
        nodes: nodes between which any way can be asked for; empty where that says nothing.
        text: summary in a few words.
    """

    schematic: Schematic
    routes: tuple[Route, ...]
    nodes: tuple[Node, ...]
    text: str
