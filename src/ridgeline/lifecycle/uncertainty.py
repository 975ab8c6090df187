"""Uncertainty of a law's result: coefficients drawn from their published errors, each draw solved.

A paper prints the standard error of each coefficient and not their correlations. Drawn independently, they would leave
the result undetermined: the factor ``A`` and the power ``alpha`` are fitted to the term ``A N**-alpha`` where the runs
are, so that an error of one compensates for the other's. Here both move together: ``ln A`` by its error wherever
``alpha`` moves by its own, and likewise ``ln B`` with ``beta``; the two pairs and ``E`` are independent. For Besiroglu
et al. this gives 6 to 38 tokens per parameter at 1e26 FLOP in 80 % of the draws, where their bootstrap has 4 to 40;
independent errors give 0.4 to 580 (``tests/published/test_scaling_laws.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.catalog.scaling_laws import FittedLaw, PowerFit
from ridgeline.equations import scaling
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM
from ridgeline.errors import RidgelineError
from ridgeline.lifecycle.asked import Asked, question_of
from ridgeline.lifecycle.goal import AsGoodAs, AtCost
from ridgeline.lifecycle.optimum import closed_cheapest, weighted_served_tokens
from ridgeline.lifecycle.question import Point, Question
from ridgeline.numeric import INTERVAL_FRACTION

__all__ = ["Band", "Bands", "bands_of", "drawn"]

Array = NDArray[np.float64]

MOST_DRAWS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Interval of four of five draws.

    Attributes:
        low: lower end of the interval.
        median: median of all draws.
        high: upper end of the interval.
    """

    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """Intervals of a law's result.

    Attributes:
        active_params: active parameters of the best model.
        tokens: training tokens of the best model.
        loss: loss of the best model.
        total_cost: cost of its life.
        pretraining: pre-training's part of that cost.
        over_training: tokens over those best for training alone.
        answered_fraction: part of the draws that have such a model.
    """

    active_params: Band
    tokens: Band
    loss: Band
    total_cost: Band
    pretraining: Band
    over_training: Band
    answered_fraction: float


def drawn(law: PowerFit, *, draws: int, seed: int) -> ScalingLaw:
    """Coefficients drawn from a law's errors, each a grid.

    Raises:
        RidgelineError: the paper prints no errors, or the number of draws is not positive.
    """
    if law.errors is None:
        raise RidgelineError(f"{law.id}: its paper prints no errors of its coefficients")
    if not 1 < draws <= MOST_DRAWS:
        raise RidgelineError(f"budget: draws={draws!r} must be from 2 to {MOST_DRAWS:,}")
    at, error = law.coefficients, law.errors
    apart = np.random.default_rng(seed).standard_normal((3, draws))
    # Exponents at or below zero would be no law; none lies within seven errors of it.
    alpha, beta = at.params_power + error.params_power * apart[0], at.tokens_power + error.tokens_power * apart[1]
    return ScalingLaw(
        irreducible_loss=at.irreducible_loss + error.irreducible_loss * apart[2],
        params_factor=at.params_factor * np.exp(error.params_factor / at.params_factor * apart[0]),
        params_power=alpha,
        tokens_factor=at.tokens_factor * np.exp(error.tokens_factor / at.tokens_factor * apart[1]),
        tokens_power=beta,
    )


def bands_of(law: FittedLaw, asked: Asked, *, draws: int, seed: int) -> Bands | None:
    """Bands of a law's result; None where its paper prints no errors, and where text is repeated."""
    if not isinstance(law, PowerFit) or law.errors is None or asked.unique is not None:
        return None
    form = drawn(law, draws=draws, seed=seed)
    question = question_of(law, asked, 1.0)
    weighted = weighted_served_tokens(question)
    if isinstance(asked.goal, AtCost):
        flop = TRAINING_FLOP_PER_PARAM * asked.goal.cost / question.cost_per_token
        tokens = scaling.optimal_tokens_for_budget(budget_flop=flop, weighted_served_tokens=weighted, law=form)
        params = scaling.optimal_params_when_served(tokens=tokens, weighted_served_tokens=weighted, law=form)
        point = _afforded(Point(params=params, tokens=tokens), asked.goal.cost, question)
    else:
        loss = _loss(form, asked)
        point = closed_cheapest(form, loss=loss, weighted=weighted)
        point = _within(form, point, loss, question.most_params)
    return _bands(form, asked, point, question.cost_per_token, question.cost_per_param)


def _afforded(point: Point, cost: float, question: Question) -> Point:
    """Points with parameters up to a bound, on as many tokens as the rest of the cost pays for."""
    params = np.minimum(point.params, question.most_params)
    return Point(params=params, tokens=(cost / params - question.cost_per_param) / question.cost_per_token)


def _within(form: ScalingLaw, point: Point, loss: Array, most: float) -> Point:
    """Points with parameters up to a bound, on more tokens; infinitely many where none reach the loss."""
    above = np.asarray(point.params) > most
    tokens = scaling.tokens_for_loss(params=np.minimum(point.params, most), loss=loss, law=form)
    return Point(params=np.minimum(point.params, most), tokens=np.where(above, tokens, point.tokens))


def _loss(form: ScalingLaw, asked: Asked) -> Array:
    """Loss that is to be reached: of a model, by each draw's own scale."""
    goal = asked.goal
    if isinstance(goal, AsGoodAs):
        return np.asarray(scaling.model_loss(params=goal.params, tokens=goal.tokens, law=form))
    assert not isinstance(goal, AtCost)  # noqa: S101  the caller's other branch
    return np.full_like(np.asarray(form.params_power), goal.loss)


def _bands(form: ScalingLaw, asked: Asked, point: Point, per_token: float, per_param: float) -> Bands | None:
    params, tokens = np.asarray(point.params), np.asarray(point.tokens)
    loss = np.asarray(scaling.model_loss(params=params, tokens=tokens, law=form))
    best = np.asarray(scaling.optimal_tokens(params=params, law=form))
    cost = params * (per_token * tokens + per_param)
    # A cost that pays for more than the search's range has found nothing.
    answered = np.isfinite(cost) & (tokens < scaling.MOST_TOKENS / 2)
    if isinstance(asked.goal, AsGoodAs):
        answered &= loss > np.asarray(form.irreducible_loss)
    if not answered.any():
        return None

    def band(values: Array) -> Band:
        tail = (1 - INTERVAL_FRACTION) / 2
        low, median, high = np.quantile(values[answered], (tail, 0.5, 1 - tail))
        return Band(low=float(low), median=float(median), high=float(high))

    return Bands(
        active_params=band(params),
        tokens=band(tokens),
        loss=band(loss),
        total_cost=band(cost),
        pretraining=band(params * tokens * asked.costs.pretraining / np.where(answered, cost, 1.0)),
        over_training=band(tokens / np.where(answered, best, 1.0)),
        answered_fraction=float(np.mean(answered)),
    )
