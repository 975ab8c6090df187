"""Words that say whose numbers a sentence has: his, or a reader's own and otherwise his."""

from __future__ import annotations

from ridgeline.boards.walk import Seen, is_as_opened
from ridgeline.quantity_text import format_quantity

__all__ = ["by_his", "otherwise_his", "where_he"]

FEW = 2
"""Numbers that are named one by one; more are counted."""


def otherwise_his(seen: Seen, *names: str) -> str:
    """Numbers of a reader, as their sliders name them, and that the others are his; empty where nothing is turned.

    Args:
        seen: state of the step.
        names: controls that are looked at; none for all.
    """
    values = seen.values[seen.mode]
    turned = [
        f"{one.label} ({format_quantity(values[one.name], one.dimension)})"
        for one in seen.board.controls
        if (not names or one.name in names) and not is_as_opened(seen, one.name)
    ]
    if not turned:
        return ""
    own = " and ".join(turned) if len(turned) <= FEW else f"{len(turned)} numbers"
    return f"with your {own} and otherwise his numbers"


def by_his(seen: Seen, then: str) -> str:
    """Sentence by his numbers, which begins with those of a reader where some are turned."""
    own = otherwise_his(seen)
    return f"{own[0].upper()}{own[1:]}: {then}" if own else f"By his numbers {then}"


def where_he(says: str, his: str, own: str, same: str = "") -> str:
    """End of a sentence that sets his number beside another; where both are the same, as he says.

    Args:
        says: subject and verb before the lecturer's number.
        his: number of the lecturer, in words.
        own: number that the sentence is about, in words.
        same: subject and verb where both numbers are the same; left out, ``says``.

    >>> where_he("he says", "8 times", "18 times"), where_he("he says", "8 times", "8 times")
    (', where he says 8 times', ', as he says')
    >>> where_he("his holds", "2 GB", "2 GB", "his does")
    ', as his does'
    """
    return f", as {same or says}" if own == his else f", where {says} {his}"
