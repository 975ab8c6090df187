"""A budget by one law, and by many: the model, its tokens, costs of each phase, and losses of other choices."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from ridgeline.catalog.scaling_laws import FittedLaw, TokensFit
from ridgeline.equations import scaling
from ridgeline.equations.sparsity import routed_total_params
from ridgeline.lifecycle import laws
from ridgeline.lifecycle.asked import Asked, question_of
from ridgeline.lifecycle.constraints import UniqueText, most_active
from ridgeline.lifecycle.goal import AsGoodAs, AtCost, Goal
from ridgeline.lifecycle.lives import Lives, life_of
from ridgeline.lifecycle.optimum import best_of_cost, cheapest_of_loss
from ridgeline.lifecycle.question import Point, Question
from ridgeline.quantity_text import format_quantity

__all__ = ["Solved", "solve"]

STEPS_OF_EXPERTS = 2.0
"""Ratio of one number of experts to the next that is tried."""

NEAR = 1e-6
"""Relative distance to a bound at which a search counts as at the bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """Result of one law.

    Attributes:
        law: scaling law of the result.
        best: cheapest model of the loss, or best of the cost; None where there is none.
        experts: experts per active expert of the best model.
        expansion: total over active parameters of the best model.
        as_asked: model that the best has to equal, on new text throughout; None without one.
        as_asked_over_training: tokens of that model over those best for training alone; also known for laws without a
            loss.
        equal: model whose pre-training costs as much as its serving, with the same loss or cost; None where there is
            none.
        equal_lost_fraction: excess cost of that model over the best's; at a given cost, excess loss.
        beyond: extrapolation of the best beyond the law's fitted range, by quantity, as a ratio to the nearer end.
        bound_by: bound that keeps the model from being larger; empty where there is none.
        worth_tokens: effective new tokens of the best's, where text is repeated; None without such a bound.
        why: reason where there is no best; otherwise empty.
    """

    law: FittedLaw
    best: Lives | None
    experts: float
    expansion: float
    as_asked: Lives | None
    as_asked_over_training: float | None
    equal: Lives | None
    equal_lost_fraction: float | None
    beyond: dict[str, float]
    bound_by: str
    worth_tokens: float | None
    why: str = ""

    @property
    def extrapolates(self) -> bool:
        """Whether the best lies outside the law's fitted range."""
        return bool(self.beyond)


def solve(law: FittedLaw, asked: Asked) -> Solved:
    """Result of a law for a budget."""
    over = _as_asked_over_training(law, asked.goal)
    if isinstance(law, TokensFit):
        return _nothing(law, over, "it says how many tokens are best for training alone, and gives no loss")
    if law.is_routed and not _knows(law, asked.experts):
        ends = " to ".join(f"{end:g}" for end in dict.fromkeys(law.experts))
        return _nothing(law, over, f"it was fitted on {ends} experts for each that a token visits")
    tried = [(experts, found) for experts in _experts(law, asked) if (found := _best(law, asked, experts)) is not None]
    if not tried:
        return _nothing(law, over, _why_none(law, asked))
    experts, best = min(tried, key=lambda one: _rank(one[1], asked.goal))
    equal = _equal(law, asked, experts)
    return Solved(
        law=law,
        best=best,
        experts=experts,
        expansion=float(routed_total_params(params=1.0, routed_fraction=law.routed_fraction, experts=experts)),
        as_asked=_reference(law, asked),
        as_asked_over_training=over,
        equal=equal,
        equal_lost_fraction=None if equal is None else _lost(equal, best, asked.goal),
        beyond=_beyond(law, best, experts),
        bound_by=_bound(law, asked, best, experts),
        worth_tokens=None if asked.unique is None else _worth(law, asked.unique, best),
    )


def _nothing(law: FittedLaw, over: float | None, why: str) -> Solved:
    return Solved(
        law=law,
        best=None,
        experts=1.0,
        expansion=1.0,
        as_asked=None,
        as_asked_over_training=over,
        equal=None,
        equal_lost_fraction=None,
        beyond={},
        bound_by="",
        worth_tokens=None,
        why=why,
    )


def _why_none(law: FittedLaw, asked: Asked) -> str:
    """Reason why no model is found."""
    if isinstance(asked.goal, AtCost):
        return "the cost pays for no model that serves so much; give a larger cost, or serve less"
    most, bound = most_active(asked.bounds, experts=1.0, routed_fraction=0.0)
    held = f"with at most {format_quantity(most, 'count')} active parameters ({bound})" if bound else ""
    reasons = [held, "with that text" if asked.unique else ""]
    named = " and ".join(filter(None, reasons))
    return f"no model reaches the loss{f' {named}' if named else ''} by this law"


def _knows(law: FittedLaw, experts: float | None) -> bool:
    """Whether a routed law was fitted on such experts; dense models are always covered."""
    return experts is None or experts == 1 or law.experts[0] <= experts <= law.experts[1]


def _experts(law: FittedLaw, asked: Asked) -> list[float]:
    """Numbers of experts that are tried."""
    ends = law.experts
    if not law.is_routed:
        return [1.0]
    if asked.experts is not None:
        return [asked.experts]
    found, next_one = [], max(ends[0], 1.0)
    while next_one < ends[1]:
        found.append(next_one)
        next_one *= STEPS_OF_EXPERTS
    return [*found, ends[1]]


def _target(law: FittedLaw, goal: Goal, asked: Asked) -> float:
    """Loss that is to be reached."""
    if isinstance(goal, AsGoodAs):
        question = question_of(law, _with_new_text(asked), _reference_experts(law, goal))
        return float(question.loss(goal.params, goal.tokens))
    if isinstance(goal, AtCost):
        raise TypeError("a cost has no target loss")
    return goal.loss


def _with_new_text(asked: Asked) -> Asked:
    """Options for the model to equal: it reads new text only, so that scarce text makes the best one dearer."""
    return dataclasses.replace(asked, unique=None)


def _reference_experts(law: FittedLaw, goal: AsGoodAs) -> float:
    """Experts of the model to equal; a dense law sees active parameters alone."""
    return goal.experts if law.is_routed else 1.0


def _best(law: FittedLaw, asked: Asked, experts: float) -> Lives | None:
    question = question_of(law, asked, experts)
    if isinstance(asked.goal, AtCost):
        point = best_of_cost(question, asked.goal.cost)
    else:
        point = cheapest_of_loss(question, _target(law, asked.goal, asked))
    return None if point is None else life_of(law, asked, point, experts)


def _rank(found: Lives, goal: Goal) -> float:
    return found.loss if isinstance(goal, AtCost) else found.total_cost


def _reference(law: FittedLaw, asked: Asked) -> Lives | None:
    goal = asked.goal
    if not isinstance(goal, AsGoodAs):
        return None
    point = Point(params=goal.params, tokens=goal.tokens)
    return life_of(law, _with_new_text(asked), point, _reference_experts(law, goal))


def _as_asked_over_training(law: FittedLaw, goal: Goal) -> float | None:
    if not isinstance(goal, AsGoodAs):
        return None
    best = laws.best_tokens(law, params=goal.params, experts=_reference_experts(law, goal))
    return float(scaling.over_training(tokens=goal.tokens, compute_optimal_tokens=best))


def _equal(law: FittedLaw, asked: Asked, experts: float) -> Lives | None:
    """Model whose pre-training costs as much as its serving."""
    serving = asked.served.per_param(asked.costs)
    if not serving:
        return None
    tokens = serving / asked.costs.pretraining
    question = question_of(law, asked, experts)
    if isinstance(asked.goal, AtCost):
        params = asked.goal.cost / (question.cost_per_token * tokens + question.cost_per_param)
    else:
        params = _params_for(question, tokens, _target(law, asked.goal, asked))
    if math.isinf(params) or params > question.most_params:
        return None
    return life_of(law, asked, Point(params=params, tokens=tokens), experts)


def _params_for(question: Question, tokens: float, loss: float) -> float:
    if question.form is not None:
        return float(scaling.params_for_loss(tokens=tokens, loss=loss, law=question.form))
    import numpy as np  # noqa: PLC0415  where it is sought

    from ridgeline.lifecycle.search import params_for_loss  # noqa: PLC0415  likewise

    return float(params_for_loss(question, np.array([tokens]), loss)[0])


def _lost(equal: Lives, best: Lives, goal: Goal) -> float:
    """Disadvantage of the equal split: in cost, or at a given cost in loss."""
    if not isinstance(goal, AtCost):
        return equal.total_cost / best.total_cost - 1
    return equal.loss / best.loss - 1


def _beyond(law: FittedLaw, best: Lives, experts: float) -> dict[str, float]:
    """Extrapolation beyond the law's runs, by quantity."""
    ends = {"active_params": (law.params, best.active_params), "tokens": (law.tokens, best.tokens)}
    if law.is_routed:
        ends["experts"] = (law.experts, experts)
    found = {}
    for name, ((low, high), value) in ends.items():
        if not low <= value <= high:
            found[name] = value / high if value > high else value / low
    return found


def _bound(law: FittedLaw, asked: Asked, best: Lives, experts: float) -> str:
    """Bound that the best model is at; empty where there is none."""
    most, why = most_active(asked.bounds, experts=experts, routed_fraction=law.routed_fraction)
    return why if best.active_params >= most * (1 - NEAR) else ""


def _worth(law: FittedLaw, unique: UniqueText, best: Lives) -> float:
    return float(unique.worth(law, params=best.active_params, tokens=best.tokens)[1])
