r"""Lengths with a long tail: lognormal distributions of given means, prompt and output independent.

With mean :math:`m` and coefficient of variation :math:`v`, :math:`\sigma^2 = \ln(1 + v^2)` and :math:`\mu = \ln m -
\sigma^2 / 2`. Tokens are whole, and at least one: means are exact to half a token unless most requests are at that
minimum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.traces.request_lengths.request_lengths import Tokens

__all__ = ["Lognormal"]

LONGEST = 10**9
"""Upper bound on the tokens of a request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lognormal:
    """Lognormal lengths.

    Attributes:
        prompt_tokens: mean input tokens.
        output_tokens: mean output tokens.
        prompt_variation: standard deviation of input tokens over their mean.
        output_variation: standard deviation of output tokens over their mean.
    """

    prompt_tokens: float
    output_tokens: float
    prompt_variation: float
    output_variation: float

    def __post_init__(self) -> None:
        for name, least in (
            ("prompt_tokens", 1.0),
            ("output_tokens", 1.0),
            ("prompt_variation", 0.0),
            ("output_variation", 0.0),
        ):
            if not (least <= (given := getattr(self, name)) < math.inf):
                raise RidgelineError(f"Lognormal: {name}={given} must be {least:g} or more")

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Tokens, Tokens]:
        """Input and output tokens of ``count`` requests."""
        normals = rng.standard_normal((count, 2))
        return (
            _tokens(normals[:, 0], self.prompt_tokens, self.prompt_variation),
            _tokens(normals[:, 1], self.output_tokens, self.output_variation),
        )


def _tokens(normals: np.ndarray[tuple[int], np.dtype[np.float64]], mean: float, variation: float) -> Tokens:
    variance = math.log1p(variation**2)
    drawn = np.exp(math.log(mean) - variance / 2 + math.sqrt(variance) * normals)
    return np.clip(np.rint(drawn), 1, LONGEST).astype(np.int64)
