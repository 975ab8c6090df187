"""Sentences of the chapter's steps on the numbers that they do not open in."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.exercise import shown
from ridgeline.boards.lecture.cryptography import reversible
from ridgeline.boards.walk import Seen, is_as_opened, mark_named, upright

__all__ = ["deeper", "saved"]

ROUNDED = 2
"""Significant digits of ratios."""


def _layers(seen: Seen) -> str:
    own = "GPT-3's" if is_as_opened(seen, "layers") else "These"
    return f"{own} {seen.values[seen.mode]['layers']:.0f} layers"


def deeper(seen: Seen) -> str:
    """Sentence on the activations of a network that exists."""
    plain, kept = (upright(seen, mark_named(seen, one).y) for one in ("all layers kept", "one layer kept"))
    drawn = f"{seen.values[Mode.LECTURE]['layers']:.0f}"
    return (
        f"{_layers(seen)} store {plain} of activations for each micro-batch, or {kept} where all are reversible. That"
        f" is one layer's, as with the {drawn} drawn for his numbers: the deeper a network, the more it saves."
    )


def saved(seen: Seen) -> str:
    """Sentence on what the same extra work buys in a network that exists."""
    none, undone = (mark_named(seen, one) for one in ("none reversible", "all reversible"))
    more = shown(reversible.MORE_WORK, "fraction", ROUNDED)
    return (
        f"{_layers(seen)} come down from {upright(seen, none.y)} to {upright(seen, undone.y)} for the same {more} more"
        f" compute. The work is the same at any depth; what it saves grows. Half of them reversible take"
        f" {upright(seen, mark_named(seen, 'half reversible').y)}."
    )
