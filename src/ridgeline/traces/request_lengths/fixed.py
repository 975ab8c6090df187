"""Requests of equal lengths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.traces.request_lengths.request_lengths import Tokens

__all__ = ["Fixed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """Equal lengths for all requests.

    Attributes:
        prompt_tokens: input tokens of each request.
        output_tokens: output tokens of each request.
    """

    prompt_tokens: int
    output_tokens: int

    def __post_init__(self) -> None:
        for name in ("prompt_tokens", "output_tokens"):
            if (given := getattr(self, name)) < 1:
                raise RidgelineError(f"Fixed: {name}={given} must be 1 or more")

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Tokens, Tokens]:  # noqa: ARG002  of kinds with chance
        """Input and output tokens of ``count`` requests."""
        return np.full(count, self.prompt_tokens, np.int64), np.full(count, self.output_tokens, np.int64)
