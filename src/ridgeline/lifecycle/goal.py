"""Goals of a budget: a loss for the least cost, or the least loss for a cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.equations.scaling import chinchilla_tokens, over_training
from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_in_range

__all__ = ["AsGoodAs", "AtCost", "AtLoss", "Goal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AsGoodAs:
    """Least cost of a model with the loss of this one, on each law's own scale.

    Attributes:
        params: number of active parameters.
        tokens: training tokens of the model.
        experts: experts per active expert; 1 for a dense model.
        name: name of the model, where it has one.
    """

    params: float
    tokens: float
    experts: float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        require_in_range("budget", "active_params", self.params)
        require_in_range("budget", "tokens", self.tokens)
        if not 1 <= self.experts < math.inf:
            raise RidgelineError(f"budget: experts={self.experts!r} must be at least 1; a dense model has 1")

    @property
    def over_rule_of_thumb(self) -> float:
        """Training tokens over the rule of thumb of 20 for each active parameter."""
        return float(
            over_training(tokens=self.tokens, compute_optimal_tokens=chinchilla_tokens(active_params=self.params))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AtLoss:
    """Least cost of a loss, in nats per token. Losses of two laws are of different text, and do not compare."""

    loss: float

    def __post_init__(self) -> None:
        if not 0 < self.loss < math.inf:
            raise RidgelineError(f"budget: loss={self.loss!r} is no loss in nats a token; give one such as 1.9")


@dataclass(frozen=True, slots=True, kw_only=True)
class AtCost:
    """Least loss for a cost, in the unit of the costs."""

    cost: float

    def __post_init__(self) -> None:
        if not 0 < self.cost < math.inf:
            raise RidgelineError(f"budget: cost={self.cost!r} must be above 0; give FLOP such as 1e26, or dollars")


Goal = AsGoodAs | AtLoss | AtCost
