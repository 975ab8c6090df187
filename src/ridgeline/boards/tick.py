"""Ticks of an axis."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Tick"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """Position on an axis with its text.

    Attributes:
        at: position on the axis.
        text: the number in words.
    """

    at: float
    text: str
