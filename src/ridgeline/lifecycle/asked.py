"""Options of a budget, resolved, and the question that they make for a law."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.catalog.scaling_laws import FittedLaw
from ridgeline.lifecycle import laws
from ridgeline.lifecycle.constraints import MostParams, UniqueText, most_active
from ridgeline.lifecycle.costs import Costs
from ridgeline.lifecycle.demand import Learning, ServedTokens, per_param
from ridgeline.lifecycle.goal import Goal
from ridgeline.lifecycle.question import Question
from ridgeline.numeric import Numeric

__all__ = ["Asked", "question_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Options of a budget, resolved.

    Attributes:
        goal: goal of the budget.
        costs: costs of each phase.
        served: tokens that the model serves.
        learning: amount of reinforcement learning.
        unique: bound on unique text; None where it is unlimited.
        bounds: bounds on parameters.
        experts: experts per active expert; None for the best of those that a law was fitted on.
    """

    goal: Goal
    costs: Costs
    served: ServedTokens
    learning: Learning
    unique: UniqueText | None = None
    bounds: tuple[MostParams, ...] = ()
    experts: float | None = None


def question_of(law: FittedLaw, asked: Asked, experts: float) -> Question:
    """Question to a law, for models with a given number of experts."""
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
