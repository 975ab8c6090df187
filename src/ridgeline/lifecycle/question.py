"""What a law is asked, and a model as an answer to it."""

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
        params: active parameters.
        tokens: that it is trained on.
    """

    params: Numeric
    tokens: Numeric

    def cost(self, question: Question) -> Numeric:
        """Of its whole life."""
        return self.params * (question.cost_per_token * self.tokens + question.cost_per_param)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a law is asked.

    Attributes:
        form: the law as two powers; None where it is none, or where text is read again.
        loss: of parameters and tokens.
        cost_per_token: of a parameter and a token of pre-training.
        cost_per_param: of a parameter, whatever the tokens.
        most_params: active parameters that a model may have.
    """

    form: ScalingLaw | None
    loss: Callable[[Numeric, Numeric], Numeric]
    cost_per_token: float
    cost_per_param: float
    most_params: float = INFINITY


SMALLEST_PARAMS = 1e3
"""Fewer active parameters than any model has: a cost that pays for no more has no answer."""
