"""Stores that are read out side by side, all from the same moment on. Declarations alone."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.colour import Colour
from ridgeline.boards.tick import Tick

__all__ = ["Draining", "ReadOut"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOut:
    """A store that is read from its beginning to its end.

    Attributes:
        name: name of the store.
        capacity_text: capacity in words.
        drain_s: time to read all of it, s.
        drain_text: time to read all of it, in words.
        colour: colour of its line.
    """

    name: str
    capacity_text: str
    drain_s: float
    drain_text: str
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Draining:
    """Stores beside one another that all begin to be read at once, up to a last moment.

    Attributes:
        read_out: stores, from the one that is read soonest.
        moments: moments that a store is held against, the last of which ends it.
        text: summary in a few words.
    """

    read_out: tuple[ReadOut, ...]
    moments: tuple[Tick, ...]
    text: str
