"""The walk from 1:21:00: three bills of equal size, and what they say of the tokens that models are trained on."""

from __future__ import annotations

from ridgeline.boards.exercise import shown
from ridgeline.boards.walk import FINE, MAGNITUDE, Question, Seen, Step, along, at_mark, height, mark_named, upright

__all__ = ["STEPS"]

SMALLER_PARAMS = 80e9
"""Of a model a fifth smaller than the board's."""


def _smaller_prompt(seen: Seen) -> str:
    own = mark_named(seen, "board").x
    return (
        f"With {along(seen, own)} active parameters pre-training takes"
        f" {upright(seen, height(seen, 'pre-training', own), 2)} of the budget. And with"
        f" {along(seen, SMALLER_PARAMS)}, if the model is to be as good?"
    )


def _smaller_reveal(seen: Seen) -> str:
    more, own = (height(seen, "pre-training", params) for params in (SMALLER_PARAMS, mark_named(seen, "board").x))
    return (
        f"{upright(seen, more)} of that whole budget, {more / own:.1f} times as much. Each parameter that is left out"
        " has to be made good by more text, and soon no amount of text is enough."
    )


def _split(seen: Seen) -> str:
    least = mark_named(seen, "least").text.partition(": ")[2]
    return (
        f"Three bills, then, for pre-training, reinforcement learning and serving, and for lack of anything better he"
        f" makes them equal. By the fit drawn here the cheapest model gives pre-training {least} in place of a third:"
        " not far off."
    )


def _over_prompt(seen: Seen) -> str:
    return (
        f"By 20 tokens a parameter that is {upright(seen, mark_named(seen, 'by 20 a parameter').y)} times what"
        " training alone asks for. How many times is it by the fit that the Chinchilla paper prints?"
    )


def _over_reveal(seen: Seen) -> str:
    printed, later = (mark_named(seen, f"by fit of {name}").y for name in ("Hoffmann", "Besiroglu"))
    return (
        f"{shown(printed, 'count', 2)} times; a later fit to the same data makes it {shown(later, 'count', 3)}. His"
        " hundred is the rule of thumb's, and it depends on whose fit one trusts whether to believe it."
    )


STEPS = (
    Step(
        board="budget",
        time_stamp="1:21:00",
        terms=1,
        sentence="How large should a model be that is trained once and then serves millions? A rule of thumb first:"
        " where one cost falls and another rises, their sum is least near the point where they are equal.",
        claims=("C1",),
    ),
    Step(
        board="budget",
        view=1,
        time_stamp="1:22:15",
        terms=3,
        lines=("pre-training",),
        sentence="Training takes six operations for each parameter and token. A smaller model is cheaper ever after,"
        " and it can be just as good, if it first reads much more.",
        claims=("C2",),
        question=Question(
            prompt=_smaller_prompt,
            line="pre-training",
            x=SMALLER_PARAMS,
            tolerance_ratio=FINE,
            reveal=_smaller_reveal,
        ),
    ),
    Step(
        board="budget",
        view=1,
        time_stamp="1:24:40",
        sentence=_split,
        claims=("C5", "C6", "C11"),
    ),
    Step(
        board="over-training",
        time_stamp="1:31:56",
        lines=("20 a parameter", "best for training", "fit of Hoffmann"),
        sentence="Equal bills mean about as many tokens trained on as served. He guesses at the traffic of two months,"
        " takes a tenth for one model, and arrives at 200 trillion, for a model with 100 billion active parameters.",
        claims=("C8", "C10"),
        question=Question(
            prompt=_over_prompt,
            line="fit of Hoffmann",
            x=at_mark("by fit of Hoffmann"),
            tolerance_ratio=MAGNITUDE,
            reveal=_over_reveal,
        ),
    ),
)
