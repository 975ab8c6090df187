"""Drawings beside curves that are read at one place along them: vessels that fill, stores in which a cache waits.

Declarations alone, as those of ``scene``: their heights and costs are those of the curves.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Companion", "Store", "Stores", "Vessel", "Vessels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vessel:
    """An item of the curves' bill, as a vessel that is filled to its cost.

    Attributes:
        part: name of the item.
        does_text: what is done while it fills, in a few words; empty where all fill at once.
    """

    part: str
    does_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Vessels:
    """Vessels side by side, which fill one after another.

    Attributes:
        vessels: vessels in the order in which they fill.
        filler_text: name of the thing whose bill it is, after its size; empty where it is nothing in particular.
        text: summary in a few words.
    """

    vessels: tuple[Vessel, ...]
    filler_text: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A place in which something can wait.

    Attributes:
        line: name of the line of its cost.
        cost_text: what is paid for bringing it back, and for holding it, in words.
        when_text: waiting times for which it is the cheapest, in words.
        is_kept: whether anything waits there; else it is dropped, and made again.
    """

    line: str
    cost_text: str
    when_text: str
    is_kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """Stores from the fastest down, in the cheapest of which a thing waits.

    Attributes:
        stores: stores from the upper one down.
        thing_text: name of what waits.
        text: summary in a few words.
    """

    stores: tuple[Store, ...]
    thing_text: str
    text: str


Companion = Vessels | Stores
"""What can stand beside curves."""
