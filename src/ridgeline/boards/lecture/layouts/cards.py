"""Questions on experts over racks that words or a drawing answer."""

from __future__ import annotations

from ridgeline.boards.card import Card

__all__ = ["CARDS"]

CARDS: tuple[Card, ...] = ()
