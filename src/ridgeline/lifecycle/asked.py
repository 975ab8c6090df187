"""What a budget is asked, resolved, and the question that it puts to a law."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.catalog.scaling_laws import FittedLaw
from ridgeline.lifecycle import laws
from ridgeline.lifecycle.constraints import MostParams, UniqueText, most_active
from ridgeline.lifecycle.costs import Costs
from ridgeline.lifecycle.demand import Learning, Served, per_param
from ridgeline.lifecycle.goal import Goal
from ridgeline.lifecycle.question import Question
from ridgeline.numeric import Numeric

__all__ = ["Asked", "question_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a budget is asked, resolved.

    Attributes:
        goal: what is wanted.
        costs: of each phase.
        served: tokens that the model serves.
        learning: how much reinforcement learning there is.
        unique: text that there is; None where there is always more.
        bounds: of parameters.
        experts: for each that a token visits; None for the best of those that a law was fitted on.
    """

    goal: Goal
    costs: Costs
    served: Served
    learning: Learning
    unique: UniqueText | None = None
    bounds: tuple[MostParams, ...] = ()
    experts: float | None = None


def question_of(law: FittedLaw, asked: Asked, experts: float) -> Question:
    """The question to a law, for models with so many experts."""
    per_token, per_model = per_param(asked.served, asked.learning, asked.costs)
    most, _ = most_active(asked.bounds, experts=experts, routed_fraction=law.routed_fraction)

    def loss(params: Numeric, tokens: Numeric) -> Numeric:
        if asked.unique is not None:
            params, tokens = asked.unique.worth(law, params=params, tokens=tokens)
        return laws.loss_of(law, params=params, tokens=tokens, experts=experts)

    return Question(
        form=laws.power_form(law, experts) if asked.unique is None else None,
        loss=loss,
        cost_per_token=per_token,
        cost_per_param=per_model,
        most_params=most,
    )
