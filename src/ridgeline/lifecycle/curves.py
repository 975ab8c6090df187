"""What models of one loss cost, by their size: the two crossing curves of the board, and their sum."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations import scaling
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.lifecycle.costs import Costs
from ridgeline.lifecycle.demand import Learning, Served, per_param
from ridgeline.numeric import Numeric

__all__ = ["Phases", "phases_of_size"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases:
    """Costs of a model's life by phase, numbers or grids.

    Attributes:
        pretraining: infinite where no tokens reach the loss.
        rl: of reinforcement learning.
        serving: on the mean over models that are deployed and models that are not.
    """

    pretraining: Numeric
    rl: Numeric
    serving: Numeric

    @property
    def total(self) -> Numeric:
        """All of them."""
        return self.pretraining + self.rl + self.serving


def phases_of_size(
    form: ScalingLaw, *, loss: float, params: Numeric, costs: Costs, served: Served, learning: Learning
) -> Phases:
    """Costs of models of one loss.

    Args:
        form: the law as two powers.
        loss: of all of them.
        params: active parameters of each.
        costs: of each phase.
        served: tokens that they serve.
        learning: how much reinforcement learning there is.
    """
    tokens = scaling.tokens_for_loss(params=params, loss=loss, law=form)
    pretraining, serving = params * tokens * costs.pretraining, params * served.per_param(costs)
    per_token, per_model = per_param(served, learning, costs)
    growing = per_token - costs.pretraining
    rl = params * (per_model - served.per_param(costs))
    return Phases(pretraining=pretraining, rl=rl + params * tokens * growing if growing else rl, serving=serving)
