"""Costs of models of one loss by size: the board's two crossing curves, and their sum."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations import scaling
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.lifecycle.costs import Costs
from ridgeline.lifecycle.demand import Learning, ServedTokens, per_param
from ridgeline.numeric import Numeric

__all__ = ["Phases", "phases_of_size"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases:
    """Costs of a model's life by phase, numbers or grids.

    Attributes:
        pretraining: cost of pre-training; infinite where no tokens reach the loss.
        rl: cost of reinforcement learning.
        serving: cost of serving, the mean over deployed and undeployed models.
    """

    pretraining: Numeric
    rl: Numeric
    serving: Numeric

    @property
    def total(self) -> Numeric:
        """Sum of all phases."""
        return self.pretraining + self.rl + self.serving


def phases_of_size(
    form: ScalingLaw, *, loss: float, params: Numeric, costs: Costs, served: ServedTokens, learning: Learning
) -> Phases:
    """Costs of models of one loss.

    Args:
        form: law as two powers.
        loss: loss of all models.
        params: active parameters of each.
        costs: costs of each phase.
        served: tokens that they serve.
        learning: amount of reinforcement learning.
    """
    tokens = scaling.tokens_for_loss(params=params, loss=loss, law=form)
    pretraining, serving = params * tokens * costs.pretraining, params * served.per_param(costs)
    per_token, per_model = per_param(served, learning, costs)
    growing = per_token - costs.pretraining
    rl = params * (per_model - served.per_param(costs))
    return Phases(pretraining=pretraining, rl=rl + params * tokens * growing if growing else rl, serving=serving)
