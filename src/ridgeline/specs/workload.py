"""Requests to serve, and the limits on their latency."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_plausible
from ridgeline.numeric import Numeric
from ridgeline.specs.passes import Pass, verify

__all__ = ["PREFILL_TOKENS_PER_PASS", "Workload", "passes_of"]

PREFILL_TOKENS_PER_PASS = 8192
"""Where engines commonly bound a pass: enough to amortise the weights, and it bounds activation memory."""


def passes_of(prompt_tokens: float, *, tokens_per_pass: int = PREFILL_TOKENS_PER_PASS) -> int:
    """Passes in which a prompt is read.

    >>> passes_of(8192), passes_of(8193)
    (1, 2)
    """
    return math.ceil(prompt_tokens / tokens_per_pass)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Requests to serve.

    Attributes:
        prompt_tokens: input tokens of a request.
        output_tokens: output tokens of a request.
        tpot_s: largest time per output token allowed; None for no limit.
        ttft_s: largest time to the first token allowed; None for no limit.
        hit_fraction: part of a prompt whose keys and values are found in the prefix cache, and not computed again.
    """

    prompt_tokens: int
    output_tokens: int
    tpot_s: float | None = None
    ttft_s: float | None = None
    hit_fraction: float = 0.0

    def __post_init__(self) -> None:
        require_plausible(self)
        if not 0 <= self.hit_fraction < 1:
            raise RidgelineError(
                f"Workload: hit_fraction={self.hit_fraction!r} must be from 0 to below 1: the last token of a prompt is"
                " always computed, since its successor is asked for"
            )

    @property
    def cached_tokens(self) -> int:
        """Tokens of a prompt that the prefix cache has."""
        return min(int(self.hit_fraction * self.prompt_tokens), self.prompt_tokens - 1)

    @property
    def read_tokens(self) -> int:
        """Tokens of a prompt that pass through the model."""
        return self.prompt_tokens - self.cached_tokens

    @property
    def longest_tokens(self) -> int:
        """Tokens of a sequence at its end."""
        return self.prompt_tokens + self.output_tokens

    def held_tokens(self, output_fraction: float) -> float:
        """Tokens for which a sequence takes room, with that for a part of its output."""
        return self.prompt_tokens + output_fraction * self.output_tokens

    @property
    def decode_steps(self) -> int:
        """Steps of a request: reading its prompt gives the first token already."""
        return self.output_tokens - 1

    @property
    def steps_per_output_token(self) -> float:
        """Decode steps for an output token: one, but that the first costs none."""
        return self.decode_steps / self.output_tokens

    def decode_step(self, batch: Numeric, *, drafted_tokens: int = 0) -> Pass:
        """A step of requests that are each somewhere in their output: the mean over their decode steps.

        Args:
            batch: requests, a number or a grid.
            drafted_tokens: of each, that the step checks.
        """
        steps = self.decode_steps
        return verify(
            batch=batch,
            context_tokens=self.prompt_tokens + steps + drafted_tokens,
            drafted_tokens=drafted_tokens,
            spread_tokens=steps,
        )
