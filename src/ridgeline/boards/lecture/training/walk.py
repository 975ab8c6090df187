"""The walk from 1:21:00: three costs of equal size, and the training tokens that follow from them."""

from __future__ import annotations

from ridgeline.boards.clause import Clause
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.training import budget, choices, grounds, others, over_training
from ridgeline.boards.lecture.training.numbers import MODEL_TRAFFIC_FRACTION, TRAFFIC_TOKENS_PER_S
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
    drawn,
    height,
    mark_named,
    once_turned,
    upright,
)

__all__ = ["STEPS"]

TRILLION = 1e12
MODEL_TOKENS_PER_S = float(TRAFFIC_TOKENS_PER_S) * float(MODEL_TRAFFIC_FRACTION)
"""Tokens a second of his model."""
LATER_USE = "deployed_fraction", "rl_tokens", "rl_flop_per_param", "relative_efficiency_fraction"
"""Controls of what a model costs after its pre-training, beside the tokens that it serves."""


def _least_part(seen: Seen) -> float:
    """Part of its costs that the cheapest model spends on pre-training."""
    best = mark_named(seen, "least").x
    return height(seen, "pre-training", best) / height(seen, "all", best)


def _split(seen: Seen) -> str:
    least = shown(_least_part(seen), "fraction", 2)
    return (
        "How large should each bill be? Lacking data, he takes pre-training, reinforcement learning and serving as"
        f" equal. The cheapest model drawn spends {least} on pre-training, not far below his third."
    )


def _traffic_tokens(seen: Seen) -> float:
    """Tokens of two months, as the claim computes them."""
    return computed_of(seen, "C8")


def _as_many(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        "A served token takes a third of a trained token's FLOP, at a third of the efficiency. So equal bills mean that"
        " as many tokens are trained on as are served. His model serves"
        f" {shown(MODEL_TOKENS_PER_S, 'count')} tokens a second for two months:"
        f" {shown(_traffic_tokens(seen) / TRILLION, 'count', 3)} trillion, which he takes as"
        f" {shown(values['tokens'] / TRILLION, 'count')} trillion."
    )


def _smaller(seen: Seen) -> str:
    smaller, own = (mark_named(seen, name).x for name in ("smaller", "board"))
    more = choices.more_training(seen)
    return (
        "Pre-training takes six FLOP per parameter and token; the bold curve adds reinforcement learning and serving."
        " Its models are equally good, by Besiroglu's published fit of loss to size and tokens. Smaller ones are"
        f" cheaper to serve, but one of {along(seen, smaller)}, not {along(seen, own)}, takes {more:.1f} times the"
        " training."
    )


def _sized(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        "So small that serving costs about as much as pre-training. By his numbers,"
        f" {along(seen, values['active_params'])} active parameters are trained on as many tokens as they serve,"
        f" {upright(seen, mark_named(seen, 'by 20 per parameter').y)} times Chinchilla's 20 for each parameter."
    )


def _over_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        "By the Chinchilla paper's rule of 20 tokens per parameter,"
        f" {shown(values['tokens'] / TRILLION, 'count')} trillion are"
        f" {upright(seen, mark_named(seen, 'by 20 per parameter').y)} times the optimum for training alone."
        " And by the formula in the same paper (Hoffmann's fit)?"
    )


def _over_reveal(seen: Seen) -> str:
    printed, later = (mark_named(seen, f"by fit of {name}").y for name in ("Hoffmann", "Besiroglu"))
    return (
        f"{shown(printed, 'count', 3)} times; Besiroglu's later fit to the same data gives {shown(later, 'count', 3)}."
        " His hundred follows from the rule of thumb. Whether it holds depends on which fit you trust."
    )


def _at_equal(seen: Seen) -> bool:
    values = seen.values[seen.mode]
    return values["falling_power"] == values["rising_power"]


def _off_equal(seen: Seen) -> str:
    values = seen.values[seen.mode]
    ratio = values["rising_power"] / values["falling_power"]
    larger, times = ("falling", ratio) if ratio > 1 else ("rising", 1 / ratio)
    return f"where the {larger} one is {shown(times, 'count', 3)} times the other"


def _costs_more(seen: Seen) -> bool:
    return _is_drawn(seen) and choices.more_training(seen) > 1 and not budget.is_as_much(choices.more_training(seen))


def _is_drawn(seen: Seen) -> bool:
    """Whether the smaller model gets as good with no more training than the picture has room for."""
    return any(mark.name == "smaller" for mark in drawn(seen).marks)


def _costs_less(seen: Seen) -> str:
    if not _is_drawn(seen):
        return "A smaller one gets as good only with far more training, if at all"
    smaller, own = (along(seen, mark_named(seen, name).x) for name in ("smaller", "board"))
    if budget.is_as_much(choices.more_training(seen)):
        return (
            f"Smaller ones are cheaper to serve: here {smaller} active parameters take about as much training as {own}"
        )
    less = shown(choices.more_training(seen), "fraction", 2)
    return (
        "Smaller ones are cheaper to serve, and here to train as well:"
        f" {smaller} active parameters take {less} of the training of {own}"
    )


def _cheapest(seen: Seen) -> str:
    """Words that follow what the curve adds: where it is lowest, as far as it is drawn."""
    least = next((mark for mark in drawn(seen).marks if mark.name == "least"), None)
    return f" and is lowest at {along(seen, least.x)} here" if least else ""


def _off_third(seen: Seen) -> str:
    return others.of_third(_least_part(seen))


def _here_for_each(seen: Seen) -> str:
    values = seen.values[seen.mode]
    tokens, params = values["tokens"], values["active_params"]
    return (
        f". Here {along(seen, params)} are trained on {count_text(tokens, 3)} tokens,"
        f" {count_text(tokens / params, 3)} for each"
    )


STEPS = (
    Step(
        board="budget",
        view=2,
        time_stamp="1:21:00",
        formula=budget.TWO_COSTS_EQUATION,
        read_mark="equal",
        sentence="A model is paid for in training, and again with every answer it gives. First a rule of"
        " thumb for any two costs: when one cost falls as another rises, their sum is smallest near the point where the"
        " two are equal.",
        named={"one cost falls": Colour.ASIDE, "another rises": Colour.ALSO, "their sum": Colour.BOUND},
        claims=("C1",),
        other=others.two_costs,
        clauses=(Clause(words="near the point where the two are equal", holds=_at_equal, otherwise=_off_equal),),
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
            on_mark("smaller", lambda seen: mark_named(seen, "smaller").x),
            control("active_params"),
            on_mark("smaller", choices.more_training),
        ),
        claims=("C2",),
        choice=choices.SMALLER_MODEL,
        other=others.smaller,
        clauses=(
            once_turned(
                "the bold curve adds reinforcement learning and serving", _cheapest, "served_tokens", *LATER_USE
            ),
            Clause(
                words="Smaller ones are cheaper to serve, but … times the training",
                holds=_costs_more,
                otherwise=_costs_less,
            ),
        ),
    ),
    Step(
        board="budget",
        time_stamp="1:24:40",
        formula=budget.BUDGET_EQUATION,
        # A model's parameters are what the axis counts: the handle on it is theirs.
        controls=("tokens", "served_tokens", *LATER_USE),
        read_mark="board",
        sentence=_split,
        named={"pre-training": Colour.COMPUTE, "reinforcement learning": Colour.ASIDE, "serving": Colour.ALSO},
        ties=(on_mark("least", _least_part),),
        claims=("C5", "C6", "C11"),
        other=others.lives,
        clauses=(Clause(words="not far below his third", otherwise=_off_third),),
    ),
    Step(
        board="over-training",
        time_stamp="1:31:56",
        formula=over_training.OVER_TRAINING_EQUATION,
        lines=("20 per parameter", "best for training", "fit of Besiroglu", "fit of Hoffmann"),
        controls=("tokens",),
        read_mark="by fit of Hoffmann",
        sentence=_as_many,
        named={"200 trillion": Colour.BOUND},
        ties=(
            as_said(not_drawn(MODEL_TOKENS_PER_S, "traffic that he takes")),
            not_drawn(_traffic_tokens, "what a claim beside it computes"),
            as_said(control("tokens")),
        ),
        claims=("C8", "C10"),
        other=others.over,
        clauses=(once_turned("which he takes as 200 trillion", _here_for_each, "tokens", "active_params"),),
        question=Question(
            prompt=_over_prompt,
            line="fit of Hoffmann",
            x=at_mark("by fit of Hoffmann"),
            tolerance_ratio=MAGNITUDE,
            reveal=_over_reveal,
            grounds=grounds.other_laws,
        ),
        answer=_sized,
    ),
)
