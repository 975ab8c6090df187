"""Imbalance with which tokens choose their experts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_plausible

__all__ = ["ExpertLoad"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertLoad:
    """Relative load of each expert of a layer.

    Attributes:
        name: name under which it was requested.
        skew: exponent by which an expert's load falls with its rank; ranks lie anywhere in the model's order.
        weights: relative load of each expert, in the model's order; empty where ``skew`` gives it.
    """

    name: str
    skew: float = 0.0
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        require_plausible(self)
        if any(not 0 <= weight < math.inf for weight in self.weights):
            raise RidgelineError(f"ExpertLoad {self.name!r}: every load must be a number from 0 up")
