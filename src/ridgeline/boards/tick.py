"""Ticks of an axis."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Tick"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A place on an axis, with what is written there.

    Attributes:
        at: position on the axis.
        text: the number in words.
    """

    at: float
    text: str
