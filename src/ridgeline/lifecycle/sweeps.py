"""Budgets over many sizes, served tokens and costs, for pictures."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.catalog.scaling_laws import FittedLaw, TokensFit
from ridgeline.equations import scaling
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.errors import RidgelineError
from ridgeline.lifecycle import laws
from ridgeline.lifecycle.answer import Budget
from ridgeline.lifecycle.asked import Asked, question_of
from ridgeline.lifecycle.budget import solve
from ridgeline.lifecycle.costs import Costs
from ridgeline.lifecycle.curves import Phases, phases_of_size
from ridgeline.lifecycle.lives import Lives
from ridgeline.lifecycle.named import implied_by, published_models, reference_of

__all__ = [
    "LevelLines",
    "NamedPoint",
    "OverTraining",
    "ShareCurves",
    "SizeCurves",
    "level_lines",
    "over_training_curves",
    "share_curves",
    "size_curves",
]

Array = NDArray[np.float64]

POINTS = 160
WIDE = 6.0
"""Range of sizes to either side of the best, as a factor."""
LEVELS = (0.5, 1.0, 2.0, 4.0)
"""Costs of the contours, over the least."""
SERVED = 1e-2, 1e2
"""Range of served tokens to either side of those asked for, as factors."""
FURTHEST = 30.0
"""Output tokens per training token, up to which over-training is drawn."""


def _form(law: FittedLaw, experts: float) -> ScalingLaw:
    """The law as two powers.

    Raises:
        RidgelineError: the law is no sum of two powers.
    """
    form = None if isinstance(law, TokensFit) else laws.power_form(law, experts)
    if form is None:
        raise RidgelineError(f"budget: {law.id} is no sum of two powers, which is what is drawn; take another --law")
    return form


def _drawn(budget: Budget) -> tuple[FittedLaw, Lives, ScalingLaw]:
    """First law that can be drawn, its best model, and its form.

    Raises:
        RidgelineError: no law can be drawn.
    """
    if budget.asked.unique is not None:
        raise RidgelineError("budget: with text that is read again a loss is no sum of two powers, which is drawn")
    for one in budget.answers:
        solved = one.solved
        if solved.best is not None and laws.power_form(solved.law, solved.experts) is not None:
            return solved.law, solved.best, _form(solved.law, solved.experts)
    raise RidgelineError("budget: no law that was asked has a best that can be drawn; ask --law besiroglu-2024")


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeCurves:
    """Costs of models of one loss, by size.

    Attributes:
        law: law of the curves.
        params: active parameters of the models.
        phases: cost of each phase.
        best: cheapest of the models.
        as_asked: model that was asked for; None without one.
    """

    law: FittedLaw
    params: Array
    phases: Phases
    best: Lives
    as_asked: Lives | None


def size_curves(budget: Budget) -> SizeCurves:
    """The board's two crossing curves and their sum, by the first law.

    Raises:
        RidgelineError: no law can be drawn.
    """
    law, best, form = _drawn(budget)
    asked = budget.asked
    params = best.active_params * np.geomspace(1 / WIDE, WIDE, 4 * POINTS)
    fewest = float(scaling.params_for_loss(tokens=np.inf, loss=best.loss, law=form))
    params = params[params > fewest]
    phases = phases_of_size(
        form, loss=best.loss, params=params, costs=asked.costs, served=asked.served, learning=asked.learning
    )
    return SizeCurves(law=law, params=params, phases=phases, best=best, as_asked=budget.by(law.id).solved.as_asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelLines:
    """Lines of one loss and of one cost, over parameters.

    Attributes:
        law: law of the lines.
        params: number of active parameters.
        losses: tokens that reach each loss, by loss; infinite where none do.
        costs: tokens that each cost pays for, by the cost over the least; negative where it pays for none.
        best: the cheapest of its loss.
        as_asked: model that was asked for; None without one.
    """

    law: FittedLaw
    params: Array
    losses: dict[float, Array]
    costs: dict[float, Array]
    best: Lives
    as_asked: Lives | None


def level_lines(budget: Budget) -> LevelLines:
    """Lines of one loss with contours of cost and the optimum, of the first law.

    Raises:
        RidgelineError: no law can be drawn.
    """
    law, best, form = _drawn(budget)
    experts = budget.by(law.id).solved.experts
    params = best.active_params * np.geomspace(1 / WIDE, WIDE, POINTS)
    question = question_of(law, budget.asked, experts)
    reducible = best.loss - form.irreducible_loss
    losses = [form.irreducible_loss + reducible * part for part in (1.25, 1.0, 0.8)]
    return LevelLines(
        law=law,
        params=params,
        losses={one: np.asarray(scaling.tokens_for_loss(params=params, loss=one, law=form)) for one in losses},
        costs={
            times: (times * best.total_cost / params - question.cost_per_param) / question.cost_per_token
            for times in LEVELS
        },
        best=best,
        as_asked=budget.by(law.id).solved.as_asked,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareCurves:
    """Shares of the phases over served tokens.

    Attributes:
        law: law of the shares.
        served_tokens: output tokens for users.
        pretraining: share of pre-training.
        rl: share of reinforcement learning.
        serving: share of serving.
        here: served tokens that were asked for.
        best: best model at these.
    """

    law: FittedLaw
    served_tokens: Array
    pretraining: Array
    rl: Array
    serving: Array
    here: float
    best: Lives


def share_curves(budget: Budget) -> ShareCurves:
    """Shares of the best model's phases as it serves more, of the first law that has a best.

    Raises:
        RidgelineError: no law has a best model, or nothing is served.
    """
    solved = next((one.solved for one in budget.answers if one.solved.best is not None), None)
    here = budget.asked.served.output_tokens
    if solved is None or solved.best is None or not here:
        raise RidgelineError("budget: shares are drawn over served tokens; serve some, and ask a law that has a best")
    grid = here * np.geomspace(*SERVED, POINTS // 2)
    asked = dataclasses.replace(budget.asked, experts=solved.experts if solved.law.is_routed else None)
    lives = [_serving(solved.law, asked, float(tokens)) for tokens in grid]
    kept = [(tokens, one) for tokens, one in zip(grid, lives, strict=True) if one is not None]
    return ShareCurves(
        law=solved.law,
        served_tokens=np.array([tokens for tokens, _ in kept]),
        pretraining=np.array([one.shares.pretraining for _, one in kept]),
        rl=np.array([one.shares.rl for _, one in kept]),
        serving=np.array([one.shares.serving for _, one in kept]),
        here=here,
        best=solved.best,
    )


def _serving(law: FittedLaw, asked: Asked, tokens: float) -> Lives | None:
    served = dataclasses.replace(asked.served, output_tokens=tokens)
    return solve(law, dataclasses.replace(asked, served=served)).best


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPoint:
    """A published model.

    Attributes:
        name: name of the model.
        served_per_token: output tokens per training token for which it is the cheapest of its loss.
        over_training: tokens that it was trained on, over 20 per parameter.
        output_tokens: output tokens behind ``served_per_token``.
    """

    name: str
    served_per_token: float
    over_training: float
    output_tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OverTraining:
    """Over-training of the cheapest model over served tokens, by each law.

    Attributes:
        served_per_token: output tokens per training token; reinforcement learning counts by its cost.
        by_law: over-training by the law's short name.
        points: published models, placed by ``placed_by``.
        placed_by: law by which the models' serving is found.
        equal_thirds: point at which all three budgets are equal.
    """

    served_per_token: Array
    by_law: dict[str, Array]
    points: tuple[NamedPoint, ...]
    placed_by: FittedLaw
    equal_thirds: float


def over_training_curves(budget: Budget) -> OverTraining:
    """Over-training against served tokens under each dense law, with named models.

    Raises:
        RidgelineError: no law can be drawn.
    """
    costs = budget.asked.costs
    drawn = [one.solved.law for one in budget.answers if not one.solved.law.is_routed]
    forms = {law.short: law for law in drawn if not isinstance(law, TokensFit)}
    if not forms:
        raise RidgelineError("budget: no dense law was asked; over-training is drawn by those: --law besiroglu-2024")
    served = np.geomspace(0.1, FURTHEST, POINTS)
    placed_by = next((law for law in drawn if law.id == PLACED_BY), next(iter(forms.values())))
    return OverTraining(
        served_per_token=served,
        by_law={
            name: np.asarray(
                scaling.over_training_when_served(
                    later_cost_ratio=_later(costs, served), tokens_power=_form(law, 1.0).tokens_power
                )
            )
            for name, law in forms.items()
        },
        points=_points(placed_by, costs),
        placed_by=placed_by,
        equal_thirds=2 * costs.pretraining / costs.output,
    )


PLACED_BY = "besiroglu-2024"
"""Law that places models where it was asked: the dense law that agrees with 20 tokens per parameter."""


def _later(costs: Costs, served_per_token: Array) -> Array:
    """Cost of output tokens over that of training tokens."""
    return served_per_token * costs.output / costs.pretraining


def _points(law: FittedLaw, costs: Costs) -> tuple[NamedPoint, ...]:
    found = []
    for model in published_models():
        reference = reference_of(model)
        implied = implied_by(law, reference, costs)
        if implied is None or implied.output_tokens <= 0:
            continue
        rule = scaling.chinchilla_tokens(active_params=reference.params)
        found.append(
            NamedPoint(
                name=model.name,
                served_per_token=implied.output_tokens / reference.tokens,
                over_training=float(scaling.over_training(tokens=reference.tokens, compute_optimal_tokens=rule)),
                output_tokens=implied.output_tokens,
            )
        )
    return tuple(found)
