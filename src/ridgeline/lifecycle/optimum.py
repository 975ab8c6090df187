"""The cheapest model of a loss, or the best of a cost: in closed form where the law has one, else by search.

With a law of two powers, the first-order condition gives parameters for tokens, and tokens are found by bisection
(``equations/scaling.py``); without serving, the solution is explicit. Where text is repeated, or a law is no such sum,
``search`` finds the optimum; tests compare the two.
"""

from __future__ import annotations

import math

from ridgeline.equations import scaling
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM
from ridgeline.lifecycle.question import SMALLEST_PARAMS, Point, Question
from ridgeline.numeric import INFINITY, Numeric, minimum, where

__all__ = ["best_of_cost", "cheapest_of_loss", "closed_cheapest", "weighted_served_tokens"]


def weighted_served_tokens(question: Question) -> float:
    """Served tokens at training's efficiency with the cost per parameter of everything but pre-training."""
    ratio = TRAINING_FLOP_PER_PARAM / FLOP_PER_PARAM
    return ratio * question.cost_per_param / question.cost_per_token


def closed_cheapest(form: ScalingLaw, *, loss: Numeric, weighted: Numeric) -> Point:
    """The cheapest model of a loss by a law of two powers; one without end where none reaches it."""
    tokens = scaling.optimal_tokens_when_served(loss=loss, weighted_served_tokens=weighted, law=form)
    is_reached = tokens < INFINITY
    params = scaling.optimal_params_when_served(
        tokens=where(is_reached, tokens, scaling.MOST_TOKENS), weighted_served_tokens=weighted, law=form
    )
    return Point(params=where(is_reached, params, INFINITY), tokens=tokens)


def cheapest_of_loss(question: Question, loss: float) -> Point | None:
    """The cheapest model of a loss; None where none reaches it."""
    form = question.form
    if form is None:
        from ridgeline.lifecycle import search  # noqa: PLC0415  with NumPy, which boards do without

        return search.cheapest_of_loss(question, loss)
    if loss <= form.irreducible_loss:
        return None
    found = closed_cheapest(form, loss=loss, weighted=weighted_served_tokens(question))
    if found.params <= question.most_params:
        return found if found.tokens < INFINITY else None
    # Along the line of one loss the cost only rises away from its least.
    tokens = scaling.tokens_for_loss(params=question.most_params, loss=loss, law=form)
    return None if math.isinf(float(tokens)) else Point(params=question.most_params, tokens=tokens)


def best_of_cost(question: Question, cost: float) -> Point | None:
    """The model of least loss for a cost; None where the cost pays for none."""
    form = question.form
    if form is None:
        from ridgeline.lifecycle import search  # noqa: PLC0415  with NumPy, which boards do without

        return search.best_of_cost(question, cost)
    flop = TRAINING_FLOP_PER_PARAM * cost / question.cost_per_token
    weighted = weighted_served_tokens(question)
    tokens = scaling.optimal_tokens_for_budget(budget_flop=flop, weighted_served_tokens=weighted, law=form)
    params = scaling.optimal_params_when_served(tokens=tokens, weighted_served_tokens=weighted, law=form)
    if params < SMALLEST_PARAMS:
        return None
    if params <= question.most_params:
        return Point(params=params, tokens=tokens)
    params = minimum(question.most_params, params)
    tokens = (cost / params - question.cost_per_param) / question.cost_per_token
    return Point(params=params, tokens=tokens) if tokens > 0 else None
