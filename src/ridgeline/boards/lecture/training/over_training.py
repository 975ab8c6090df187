"""Over-training: tokens trained on, over those that are best for training alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.companions import OverTrained
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS
from ridgeline.boards.lecture.training import model_facts
from ridgeline.boards.lecture.training.laws import BESIROGLU, FITS, HOFFMANN, Fit
from ridgeline.boards.lecture.training.numbers import TRAINED_TOKENS
from ridgeline.boards.picture import Axis, Colour, Curves, Dots
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.equations import scaling
from ridgeline.estimator import parameters
from ridgeline.lifecycle.laws import best_tokens
from ridgeline.lifecycle.named import published_models
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_number

__all__ = ["ACTIVE", "BOARD", "OVER_TRAINING_EQUATION", "RULE", "TOKENS"]

SMALLEST, LARGEST = 3e8, 3e12
RULE = "20 per parameter"
NAMED = {
    "gpt3-175b": "GPT-3",
    "qwen3-0.6b": "Qwen3 0.6B",
    "llama-3.1-8b": "Llama 3.1 8B",
    "llama-3.1-405b": "Llama 3.1 405B",
    "deepseek-v3": "DeepSeek-V3",
}
"""Models whose points bear a name; more would lie over each other."""
NEAR = 1.3
"""Ratio to the board's parameters within which a point's name would lie over the marks."""


def _over(tokens: float, best: Callable[[Numeric], Numeric], params: Numeric) -> Numeric:
    return scaling.over_training(tokens=tokens, compute_optimal_tokens=best(params))


def _best() -> dict[str, tuple[Callable[[Numeric], Numeric], Colour]]:
    """Tokens that are best for training alone, by the rule of thumb and by each fit."""
    rule = (lambda params: scaling.chinchilla_tokens(active_params=params), Colour.BOUND)
    return {RULE: rule} | {fit.name: (_by(fit), fit.colour) for fit in FITS}


def _by(fit: Fit) -> Callable[[Numeric], Numeric]:
    return lambda params: best_tokens(fit.fitted, params=params)


def _points(here: float) -> Dots:
    """Dots of the published models, by the rule of thumb; one that the board stands at has its numbers on the lines."""
    models = published_models()
    params = np.array([float(parameters.active_params(model)) for model in models])
    tokens = np.array([model.trained_tokens for model in models], dtype=float)
    best = scaling.chinchilla_tokens(active_params=params)
    over = scaling.over_training(tokens=tokens, compute_optimal_tokens=best)
    labels = (
        "" if 1 / NEAR < size / here < NEAR else NAMED.get(model.id, "")
        for model, size in zip(models, params, strict=True)
    )
    return Dots(
        name="models as published, by the rule",
        x=params,
        y=np.asarray(over),
        labels=tuple(labels),
        colour=Colour.ASIDE,
        is_named=True,
        names=tuple(model.name for model in models),
        told=(NAMED["deepseek-v3"],),
    )


def _times(name: str, over: float) -> str:
    return f"{format_number(over)} times, by {name}"


def _over_training(values: Values) -> Curves:
    here, tokens, best = values["active_params"], values["tokens"], _best()
    lines = [
        curve(name, partial(_over, tokens, form), colour, is_bold=name == RULE) for name, (form, colour) in best.items()
    ]
    marks = [
        at(
            f"by {name}",
            here,
            on=name,
            text=partial(_times, name),
            colour=colour,
            is_quiet=name not in {RULE, BESIROGLU.name},
        )
        for name, (_, colour) in best.items()
    ]
    dots = _points(here)
    ends = [float(_over(tokens, form, end)) for form, _ in best.values() for end in (SMALLEST, LARGEST)]
    return curves(
        logarithmic(min(SMALLEST, here), max(LARGEST, here)),
        *lines,
        curve("best for training", 1.0, Colour.ASIDE, is_floor=True),
        marks=marks,
        dots=(dots,),
        top=5 * max(*ends, float(dots.y.max())),
        bottom=0.8 * min(1.0, *ends, float(dots.y.min())),
        companion=OverTrained(
            trained_tokens=tokens,
            laws=(RULE, HOFFMANN.name, BESIROGLU.name),
            text="Tokens trained on, and what is best of them for training alone",
        ),
    )


TOKENS = Control(
    name="tokens",
    meaning="tokens trained on",
    short="trained on",
    dimension="count",
    low=1e10,
    high=1e16,
    lecture=TRAINED_TOKENS,
    careful=model_facts.trained_tokens,
)
ACTIVE = Control(
    name="active_params",
    meaning="active parameters, with the embedding",
    short="active params",
    lettered="active params with embedding",
    dimension="count",
    low=1e8,
    high=1e13,
    lecture=ACTIVE_PARAMS,
    careful=model_facts.active_params,
)

OVER_TRAINING_EQUATION = (
    Term(tex=r"\dfrac{D}{D_{opt}}", colour=Colour.BOUND),
    Term(tex=r"\;\approx\;\dfrac{D}{20\,N_a}"),
)
"""Training tokens over the optimum, by the rule of thumb."""

BOARD = Board(
    name="over-training",
    time_stamp="1:31:40",
    title="Over-training",
    question="How many times more tokens is a model trained on than is best for training alone?",
    caption="Training tokens, over the number that gives the lowest loss for the same arithmetic, 6ND. Points: models"
    " with their published tokens and active parameters, over 20 per parameter. The fits rest on at most 16"
    " billion parameters. Everything beyond extrapolates.",
    formula=(
        *OVER_TRAINING_EQUATION,
        Term(tex=r"\;\;\mathrm{(rule)},\qquad D_{opt}\;=\;\mathrm{least\ loss\ for}\;6\,N_a\,D\;\;\mathrm{(fit)}"),
    ),
    controls=(TOKENS, ACTIVE),
    views=(
        View(
            compute=_over_training,
            x=Axis(caption="active parameters", dimension="count", is_logarithmic=True),
            y=Axis(
                caption="training tokens, relative to the optimum for training alone",
                dimension="count",
                is_logarithmic=True,
            ),
        ),
    ),
    claims=("C7", "C8", "C9", "C10", "C11", "C12", "C13"),
    exercises=("training-served", "training-rule-of-thumb", "training-over"),
    first_move=FirstMove(
        control="tokens",
        to=2e12,
        then="every line falls, and the model is trained on fewer tokens for its size",
        seen=(Moves(what="", way=Way.DOWN),),
    ),
)
