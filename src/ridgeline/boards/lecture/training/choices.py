"""A question with a few answers on training: what a smaller model of the same quality takes."""

from __future__ import annotations

from ridgeline.boards.choice import Choice, Sketch, nearest
from ridgeline.boards.walk import Seen, along, at_mark, height, mark_named

__all__ = ["SMALLER_MODEL", "more_training"]


def more_training(seen: Seen) -> float:
    """Training of the smaller model that is marked over that of the board's."""
    smaller, own = (height(seen, "pre-training", mark_named(seen, name).x) for name in ("smaller", "board"))
    return smaller / own


def _smaller_prompt(seen: Seen) -> str:
    smaller, own = (along(seen, mark_named(seen, name).x) for name in ("smaller", "board"))
    return (
        f"A model with {smaller} active parameters, not {own}, is to be just as good. How much pre-training, in FLOP,"
        " does it take?"
    )


def _smaller_why(seen: Seen) -> str:
    part = mark_named(seen, "smaller").x / mark_named(seen, "board").x
    in_all = more_training(seen)
    return (
        f"each token takes {part:g} times the FLOP, and the model has to learn from {in_all / part:.2g} times as many:"
        f" {in_all:.2g} times in all"
    )


SMALLER_MODEL = Choice(
    prompt=_smaller_prompt,
    options=nearest(
        more_training,
        {"0.8 times as much": 0.8, "as much": 1.0, "about 5 times as much": 5.0, "20 times as much": 20.0},
    ),
    why=_smaller_why,
    sentences=2,
    sketch=Sketch(asked="pre-training", lines=("all",), marks=("board",), asked_at=at_mark("smaller")),
)
