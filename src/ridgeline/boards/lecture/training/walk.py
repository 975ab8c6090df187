"""The walk from 1:21:00: three costs of equal size, and the training tokens that follow from them."""

from __future__ import annotations

from ridgeline.boards.exercise import shown
from ridgeline.boards.lecture.training import budget, over_training
from ridgeline.boards.picture import Colour
from ridgeline.boards.tied_to import as_said, control, not_drawn, on_mark
from ridgeline.boards.walk import (
    MAGNITUDE,
    Question,
    Seen,
    Step,
    along,
    at_mark,
    computed_of,
    height,
    mark_named,
    upright,
)

__all__ = ["STEPS"]

TRILLION = 1e12


def _least_part(seen: Seen) -> float:
    """Part of its costs that the cheapest model spends on pre-training."""
    best = mark_named(seen, "least").x
    return height(seen, "pre-training", best) / height(seen, "all", best)


def _split(seen: Seen) -> str:
    least = shown(_least_part(seen), "fraction", 2)
    return (
        f"That makes three bills: pre-training, reinforcement learning and serving. Lacking better data, he makes them"
        f" equal. By Besiroglu's fit, drawn here, the cheapest model spends {least} on pre-training, not far from his"
        " third."
    )


def _traffic_tokens(seen: Seen) -> float:
    """Tokens of two months, as the claim computes them."""
    return computed_of(seen, "C8")


def _as_many(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        "Equal bills mean training on about as many tokens as will be served. He takes a tenth of two months' traffic:"
        f" {shown(_traffic_tokens(seen) / TRILLION, 'count', 3)} trillion, which he rounds to"
        f" {shown(values['tokens'] / TRILLION, 'count')} trillion tokens. His model has"
        f" {along(seen, values['active_params'])} active parameters."
    )


def _more_training(seen: Seen) -> float:
    """Training of the smaller model that is marked over that of the board's."""
    smaller, own = (height(seen, "pre-training", mark_named(seen, name).x) for name in ("smaller", "board"))
    return smaller / own


def _smaller(seen: Seen) -> str:
    smaller, own = (mark_named(seen, name).x for name in ("smaller", "board"))
    return (
        "Training takes six FLOP per parameter and token; the bold curve adds later use. All these models are equally"
        " good. A smaller one is cheaper to serve but takes more training:"
        f" {_more_training(seen):.1f} times as much for"
        f" {along(seen, smaller)} active parameters in place of {along(seen, own)}."
    )


def _over_prompt(seen: Seen) -> str:
    return (
        f"By the rule of 20 tokens per parameter, that is {upright(seen, mark_named(seen, 'by 20 per parameter').y)}"
        " times the optimum for training alone. How many times is it by the fit printed in the Chinchilla paper?"
    )


def _over_reveal(seen: Seen) -> str:
    printed, later = (mark_named(seen, f"by fit of {name}").y for name in ("Hoffmann", "Besiroglu"))
    return (
        f"{shown(printed, 'count', 3)} times; a later fit to the same data gives {shown(later, 'count', 3)}."
        " His hundred follows from the rule of thumb. Whether it holds depends on which fit you trust."
    )


STEPS = (
    Step(
        board="budget",
        view=2,
        time_stamp="1:21:00",
        formula=budget.TWO_COSTS_EQUATION,
        read_mark="equal",
        sentence="A model is paid for twice: while it is trained, and again with every answer it gives. First a rule of"
        " thumb: when one cost falls as another rises, their sum is smallest near the point where the two are equal.",
        named={"one cost falls": Colour.ASIDE, "another rises": Colour.ALSO, "their sum": Colour.BOUND},
        claims=("C1",),
    ),
    Step(
        board="budget",
        time_stamp="1:22:15",
        formula=budget.BUDGET_EQUATION,
        terms=3,
        lines=("all", "pre-training"),
        read_mark="board",
        sentence=_smaller,
        named={"six FLOP": Colour.COMPUTE, "the bold curve": Colour.BOUND},
        ties=(
            on_mark("smaller", _more_training),
            on_mark("smaller", lambda seen: mark_named(seen, "smaller").x),
            control("active_params"),
        ),
        claims=("C2",),
    ),
    Step(
        board="budget",
        time_stamp="1:24:40",
        formula=budget.BUDGET_EQUATION,
        read_mark="board",
        sentence=_split,
        named={"pre-training": Colour.COMPUTE, "reinforcement learning": Colour.ASIDE, "serving": Colour.ALSO},
        ties=(on_mark("least", _least_part),),
        claims=("C5", "C6", "C11"),
    ),
    Step(
        board="over-training",
        time_stamp="1:31:56",
        formula=over_training.OVER_TRAINING_EQUATION,
        lines=("20 per parameter", "best for training", "fit of Besiroglu", "fit of Hoffmann"),
        sentence=_as_many,
        named={"200 trillion tokens": Colour.BOUND},
        ties=(
            not_drawn(_traffic_tokens, "what a claim beside it computes"),
            as_said(control("tokens")),
            as_said(control("active_params")),
        ),
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
