"""Distributions of request lengths."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["RequestLengths", "Tokens"]

Tokens = NDArray[np.int64]


class RequestLengths(Protocol):
    """Lengths, independent for each request."""

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Tokens, Tokens]:
        """Input and output tokens of ``count`` requests."""
