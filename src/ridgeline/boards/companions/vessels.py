"""Vessels: the items of the curves' bill side by side, each filled to its cost."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Vessel", "Vessels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vessel:
    """An item of the curves' bill, as a vessel that is filled to its cost.

    Attributes:
        part: name of the item.
        does_text: activity while it fills, in a few words; empty where all fill at once.
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
