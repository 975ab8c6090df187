"""Lengths drawn from a log, prompt and output of a request together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ridgeline.traces.request_lengths.request_lengths import Tokens
from ridgeline.traces.trace import Trace

__all__ = ["Drawn"]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Lengths of a log, drawn with replacement.

    Attributes:
        trace: log of requests.
    """

    trace: Trace

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Tokens, Tokens]:
        """Input and output tokens of ``count`` requests."""
        chosen = rng.integers(len(self.trace.prompt_tokens), size=count)
        return self.trace.prompt_tokens[chosen].astype(np.int64), self.trace.output_tokens[chosen].astype(np.int64)
