"""A model's life: what it is trained on, what each phase costs, and how far past the optimum of training it is."""

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
    """A model's life, and what it costs.

    Attributes:
        active_params: of the model.
        tokens: that it is pre-trained on, read again or not.
        rl_tokens: that reinforcement learning writes.
        total_cost: of its life, in the unit of the costs.
        shares: parts of it.
        loss: by the law.
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
    """What a model costs in its life."""
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
