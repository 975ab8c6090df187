"""A model's life: its training, costs of each phase, and over-training."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.catalog.scaling_laws import FittedLaw
from ridgeline.lifecycle import laws
from ridgeline.lifecycle.asked import Asked, question_of
from ridgeline.lifecycle.question import Point

__all__ = ["Lives", "Shares", "life_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Parts of the cost of a model's life."""

    pretraining: float
    rl: float
    serving: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lives:
    """A model's life, with its costs.

    Attributes:
        active_params: active parameters of the model.
        tokens: pre-training tokens, repeated ones included.
        rl_tokens: tokens generated in reinforcement learning.
        total_cost: cost of its life, in the unit of the costs.
        shares: parts of the cost.
        loss: loss by the law.
        over_training: tokens over those that are best for training alone.
    """

    active_params: float
    tokens: float
    rl_tokens: float
    total_cost: float
    shares: Shares
    loss: float
    over_training: float


def life_of(law: FittedLaw, asked: Asked, point: Point, experts: float) -> Lives:
    """Life of a model with its costs."""
    question, costs = question_of(law, asked, experts), asked.costs
    params, tokens = float(point.params), float(point.tokens)
    pretraining, serving = costs.pretraining * tokens, asked.served.per_param(costs)
    learning = question.cost_per_token * tokens + question.cost_per_param - pretraining - serving
    total = pretraining + learning + serving
    return Lives(
        active_params=params,
        tokens=tokens,
        rl_tokens=max(learning, 0.0) / costs.rl,
        total_cost=params * total,
        shares=Shares(pretraining=pretraining / total, rl=max(learning, 0.0) / total, serving=serving / total),
        loss=float(question.loss(params, tokens)),
        over_training=tokens / float(laws.best_tokens(law, params=params, experts=experts)),
    )
