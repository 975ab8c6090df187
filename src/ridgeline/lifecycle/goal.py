"""What is wanted of a budget: a loss for the least cost, or the least loss for a cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_in_range

__all__ = ["AsGoodAs", "AtCost", "AtLoss", "Goal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AsGoodAs:
    """The least cost of a model with the loss of this one, by each law's own account.

    Attributes:
        params: active parameters.
        tokens: that it is trained on.
        experts: for each that a token visits; 1 for a dense model.
        name: of the model, where it has one.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AtLoss:
    """The least cost of a loss, in nats a token. Losses of two laws are not of the same text, and do not compare."""

    loss: float

    def __post_init__(self) -> None:
        if not 0 < self.loss < math.inf:
            raise RidgelineError(f"budget: loss={self.loss!r} is no loss in nats a token; give one such as 1.9")


@dataclass(frozen=True, slots=True, kw_only=True)
class AtCost:
    """The least loss of a cost, in the unit of the costs."""

    cost: float

    def __post_init__(self) -> None:
        if not 0 < self.cost < math.inf:
            raise RidgelineError(f"budget: cost={self.cost!r} must be above 0; give FLOP such as 1e26, or dollars")


Goal = AsGoodAs | AtLoss | AtCost
