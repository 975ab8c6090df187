"""Stores of a cache from the fastest down, with the one in which a thing waits."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Store", "Stores"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A place in which something can wait.

    Attributes:
        line: name of the line of its cost.
        retrieve_text: cost of bringing it back, or of making it again, in words.
        hold_text: cost of holding it for an hour, in words.
        when_text: waiting times for which it is the cheapest, in words.
        is_kept: whether anything waits there; else it is dropped, and made again.
    """

    line: str
    retrieve_text: str
    hold_text: str
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
