"""Questions to a law, and a model as the answer to one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ridgeline.equations.scaling import ScalingLaw
from ridgeline.numeric import INFINITY, Numeric

__all__ = ["SMALLEST_PARAMS", "Point", "Question"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A model and its training.

    Attributes:
        params: number of active parameters.
        tokens: training tokens of the model.
    """

    params: Numeric
    tokens: Numeric

    def cost(self, question: Question) -> Numeric:
        """Cost of its whole life."""
        return self.params * (question.cost_per_token * self.tokens + question.cost_per_param)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to a law.

    Attributes:
        form: law as two powers; None where it is none, or where text is repeated.
        loss: function from parameters and tokens to the loss.
        cost_per_token: cost of a parameter and a token of pre-training.
        cost_per_param: cost of a parameter, independent of the tokens.
        most_params: upper bound on active parameters.
    """

    form: ScalingLaw | None
    loss: Callable[[Numeric, Numeric], Numeric]
    cost_per_token: float
    cost_per_param: float
    most_params: float = INFINITY


SMALLEST_PARAMS = 1e3
"""Smallest number of active parameters: a cost that pays for no more has no answer."""
