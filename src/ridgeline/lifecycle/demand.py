"""Tokens of a model's life: those that it serves, and those of reinforcement learning."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_in_range
from ridgeline.lifecycle.costs import Costs

__all__ = ["Learning", "ServedTokens", "per_param"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedTokens:
    """Tokens that a model serves if it is deployed.

    Attributes:
        input_tokens: tokens that it reads.
        output_tokens: tokens that it writes.
        deployed_fraction: probability that it is deployed.
        cost_fraction: mean cost of a FLOP over its life, over today's.
    """

    input_tokens: float = 0.0
    output_tokens: float = 0.0
    deployed_fraction: float = 1.0
    cost_fraction: float = 1.0

    def __post_init__(self) -> None:
        for tokens in (self.input_tokens, self.output_tokens):
            require_in_range("budget", "served_tokens", tokens)
        require_in_range("budget", "deployed_fraction", self.deployed_fraction)

    def per_param(self, costs: Costs) -> float:
        """Cost of serving per parameter, the mean over deployed models and discarded ones."""
        served = self.input_tokens * costs.input + self.output_tokens * costs.output
        return self.deployed_fraction * self.cost_fraction * served


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """Amount of reinforcement learning, an input, since no published law gives its worth.

    Attributes:
        tokens: tokens that it generates; None for as many as cost what serving costs, the lecture's equal budgets.
        over_pretraining: cost over that of pre-training, in place of ``tokens``, which then follow; None without.
    """

    tokens: float | None = None
    over_pretraining: float | None = None

    def __post_init__(self) -> None:
        if self.tokens is not None and self.over_pretraining is not None:
            raise RidgelineError(
                "budget: tokens of reinforcement learning and their cost over pre-training's are both given; keep one"
            )
        if self.tokens is not None:
            require_in_range("budget", "rl_tokens", self.tokens)
        if self.over_pretraining is not None and not 0 <= self.over_pretraining < math.inf:
            raise RidgelineError(
                f"budget: reinforcement learning at {self.over_pretraining!r} times pre-training's cost is no ratio;"
                " give 0 or more: 0.1, 1"
            )


def per_param(served: ServedTokens, learning: Learning, costs: Costs) -> tuple[float, float]:
    """Costs per parameter: for every token of pre-training, and independent of these.

    The first includes the part of reinforcement learning that grows with pre-training, the second serving and the rest.
    """
    serving = served.per_param(costs)
    if learning.over_pretraining is not None:
        return costs.pretraining * (1 + learning.over_pretraining), serving
    if learning.tokens is None:
        return costs.pretraining, 2 * serving
    return costs.pretraining, serving + learning.tokens * costs.rl
