"""Entries of the cache that the decoding sequences of a replica attend to, summed by kind of attention.

What a sequence attends to is linear in its context from one bend of its kind's curve to the next. The sums therefore
grow by the same number with every step, until a sequence joins, leaves, or reaches a bend.

All functions run interpreted on lists and compiled on arrays.
"""

from __future__ import annotations

from ridgeline.simulator.state import Curves, Sums

__all__ = ["bend", "join", "leave"]


def join(one: int, context: int, curves: Curves, sums: Sums, left: int) -> int:
    """Add a sequence, and return the number of steps until its slope changes.

    Args:
        one: index of the request.
        context: tokens that its next step attends to.
        curves: entries that a sequence attends to, by context.
        sums: sums over all sequences.
        left: steps until its last token; returned where the slope does not change before.
    """
    bends = curves.bends
    for kind in curves.kinds:
        at, beyond = 0, len(bends[kind])
        while beyond - at > 1:
            middle = (at + beyond) // 2
            if bends[kind][middle] <= context:
                at = middle
            else:
                beyond = middle
        curves.stretch[kind][one] = at
        slope = curves.slopes[kind][at]
        sums.entries[kind] += curves.levels[kind][at] + slope * (context - bends[kind][at])
        sums.growth[kind] += slope
        if at + 1 < len(bends[kind]):
            left = min(left, bends[kind][at + 1] - context)
    return left


def leave(one: int, context: int, curves: Curves, sums: Sums) -> None:
    """Subtract a sequence, whose next step would have attended to ``context`` tokens."""
    for kind in curves.kinds:
        at = curves.stretch[kind][one]
        slope = curves.slopes[kind][at]
        sums.entries[kind] -= curves.levels[kind][at] + slope * (context - curves.bends[kind][at])
        sums.growth[kind] -= slope


def bend(one: int, context: int, curves: Curves, sums: Sums, left: int) -> int:
    """Move a sequence on to the next piece of each curve that it has reached, and return as ``join`` does."""
    bends, levels, slopes, stretch = curves.bends, curves.levels, curves.slopes, curves.stretch
    entries, growth = sums.entries, sums.growth
    for kind in curves.kinds:
        at = stretch[kind][one]
        if at + 1 < len(bends[kind]) and bends[kind][at + 1] <= context:
            old, slope = levels[kind][at] + slopes[kind][at] * (context - bends[kind][at]), slopes[kind][at]
            at += 1
            entries[kind] += levels[kind][at] + slopes[kind][at] * (context - bends[kind][at]) - old
            growth[kind] += slopes[kind][at] - slope
            stretch[kind][one] = at
        if at + 1 < len(bends[kind]):
            left = min(left, bends[kind][at + 1] - context)
    return left
