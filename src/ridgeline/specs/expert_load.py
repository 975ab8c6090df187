"""How unevenly tokens choose their experts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_plausible

__all__ = ["ExpertLoad"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertLoad:
    """How much each expert of a layer is sought.

    Attributes:
        name: as it was asked for.
        skew: power of an expert's rank with which tokens seek it less, wherever it lies.
        weights: what each expert is sought in proportion to, in the model's order; empty where ``skew`` says it.
    """

    name: str
    skew: float = 0.0
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        require_plausible(self)
        if any(not 0 <= weight < math.inf for weight in self.weights):
            raise RidgelineError(f"ExpertLoad {self.name!r}: every load must be a number from 0 up")
