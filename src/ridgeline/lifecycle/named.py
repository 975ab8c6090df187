"""Published models, and the serving for which their size and tokens are optimal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ridgeline.catalog import load_model, model_ids
from ridgeline.catalog.scaling_laws import FittedLaw, TokensFit
from ridgeline.equations import scaling
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM
from ridgeline.errors import RidgelineError
from ridgeline.estimator.parameters import active_params
from ridgeline.lifecycle import laws
from ridgeline.lifecycle.costs import Costs
from ridgeline.lifecycle.goal import AsGoodAs
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.model import Model

__all__ = ["Implied", "experts_of", "implied_by", "published_models", "reference_of"]


@lru_cache(maxsize=1)
def published_models() -> tuple[Model, ...]:
    """Models of the catalog whose pre-training tokens are published."""
    return tuple(model for model in map(load_model, model_ids()) if model.trained_tokens)


def experts_of(model: Model) -> float:
    """Experts per active expert, of the layers that have any; 1 for a dense model."""
    routed = [one.feed_forward for one in model.groups if isinstance(one.feed_forward, RoutedExperts)]
    return max((one.experts / one.active_experts for one in routed), default=1.0)


def reference_of(model: Model) -> AsGoodAs:
    """A model as a goal, to be equalled in loss.

    Raises:
        RidgelineError: the model's training tokens are not published; the message lists models with published ones.
    """
    if model.trained_tokens is None:
        known = ", ".join(one.id for one in published_models())
        raise RidgelineError(
            f"budget: the tokens that {model.name} was trained on are not published; give them with params=... and"
            f" tokens=..., or one of {known}"
        )
    return AsGoodAs(
        params=float(active_params(model)), tokens=model.trained_tokens, experts=experts_of(model), name=model.name
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Implied:
    """Serving that a model's size and tokens imply, by one law.

    Attributes:
        law: id of the law.
        over_training: tokens over those that are best for training alone.
        later_cost_over_pretraining: cost of everything after pre-training, over pre-training's, for which the model is
            the cheapest of its loss; negative where even training alone would call for more tokens.
        output_tokens: served output tokens that cost as much, without input or reinforcement learning.
    """

    law: str
    over_training: float
    later_cost_over_pretraining: float
    output_tokens: float


def implied_by(law: FittedLaw, reference: AsGoodAs, costs: Costs) -> Implied | None:
    """Serving implied by a model under a law; None for a law that is no sum of two powers, or lacks such experts."""
    experts = reference.experts if law.is_routed else 1.0
    if isinstance(law, TokensFit) or not law.experts[0] <= experts <= law.experts[1]:
        return None
    form = laws.power_form(law, experts)
    if form is None:
        return None
    params, tokens = reference.params, reference.tokens
    weighted = float(scaling.implied_served_tokens(params=params, tokens=tokens, law=form))
    later = FLOP_PER_PARAM * weighted / (TRAINING_FLOP_PER_PARAM * tokens)
    best = float(laws.best_tokens(law, params=params, experts=experts))
    return Implied(
        law=law.id,
        over_training=tokens / best,
        later_cost_over_pretraining=later,
        output_tokens=later * costs.pretraining * tokens / costs.output,
    )
