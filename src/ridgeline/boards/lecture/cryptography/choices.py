"""A question with a few answers on reversible networks: how much more compute their training takes."""

from __future__ import annotations

from ridgeline.boards.choice import Choice, nearest
from ridgeline.boards.lecture.cryptography.reversible import LEAST_FLOP, MOST_FLOP
from ridgeline.boards.walk import Seen, mark_named
from ridgeline.equations.roofline import FLOP_PER_PARAM

__all__ = ["RUN_AGAIN", "more_work"]


def more_work(seen: Seen) -> float:
    """Work of a stack that is all reversible over that of one which is not, less one."""
    plain, undone = (mark_named(seen, name).x for name in ("none reversible", "all reversible"))
    return undone / plain - 1


RUN_AGAIN = Choice(
    prompt=f"A forward pass takes {FLOP_PER_PARAM:g} FLOP per parameter and token, a backward pass"
    f" {LEAST_FLOP - FLOP_PER_PARAM:g}. How much more compute does training take if every layer runs forward again?",
    options=nearest(more_work, {"17 % more": 1 / 6, "33 % more": 1 / 3, "50 % more": 1 / 2, "twice as much": 1.0}),
    why=f"{MOST_FLOP - LEAST_FLOP:g} FLOP come on top of {LEAST_FLOP:g}",
    sentences=2,
    terms=2,
)
