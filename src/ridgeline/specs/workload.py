"""Requests to serve, and the limits on their latency."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.glossary import GLOSSARY, require_plausible, require_whole
from ridgeline.numeric import Numeric
from ridgeline.specs.lengths import Lengths
from ridgeline.specs.passes import Pass, prefill, verify

__all__ = ["PREFILL_TOKENS_PER_PASS", "Workload", "passes_of"]

PREFILL_TOKENS_PER_PASS = 8192
"""Usual limit of engines on a pass, tokens: large enough to amortise the weights, and it bounds activation memory."""


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
        prompt_tokens: input tokens of a request; the mean where they differ.
        output_tokens: output tokens of a request; the mean where they differ.
        tpot_s: largest time per output token allowed; None for no limit.
        ttft_s: largest time to the first token allowed; None for no limit.
        hit_fraction: part of a prompt whose keys and values are found in the prefix cache, and not computed again.
        lengths: distribution of lengths that differ; None where all requests are equal.
    """

    prompt_tokens: float
    output_tokens: float
    tpot_s: float | None = None
    ttft_s: float | None = None
    hit_fraction: float = 0.0
    lengths: Lengths | None = None

    def __post_init__(self) -> None:
        if self.lengths is None:
            for name in ("prompt_tokens", "output_tokens"):
                object.__setattr__(self, name, require_whole("Workload", name, getattr(self, name)))
        require_plausible(self)
        if self.prompt_tokens + self.output_tokens > GLOSSARY["context_tokens"].high:
            raise RidgelineError(
                f"Workload: prompt_tokens={self.prompt_tokens:,.0f} and output_tokens={self.output_tokens:,.0f} make a"
                f" context of more than {GLOSSARY['context_tokens'].high:,.0f} tokens; give shorter ones"
            )
        if not 0 <= self.hit_fraction < 1:
            raise RidgelineError(
                f"Workload: hit_fraction={self.hit_fraction!r} must be from 0 to below 1: the last token of a prompt is"
                " always computed, since its successor is asked for"
            )

    @property
    def cached_tokens(self) -> float:
        """Tokens of a prompt found in the prefix cache."""
        if self.lengths is not None:
            return self.lengths.cached_tokens
        return min(int(self.hit_fraction * self.prompt_tokens), self.prompt_tokens - 1)

    @property
    def read_tokens(self) -> float:
        """Tokens of a prompt that pass through the model."""
        return self.prompt_tokens - self.cached_tokens

    @property
    def longest_tokens(self) -> float:
        """Tokens of the longest sequence at its end."""
        return self.prompt_tokens + self.output_tokens if self.lengths is None else self.lengths.longest_tokens

    @property
    def longest_prompt_tokens(self) -> float:
        """Tokens of the longest prompt."""
        return self.prompt_tokens if self.lengths is None else self.lengths.longest_prompt_tokens

    @property
    def ending_tokens(self) -> float:
        """Mean final length of the sequences that decode at any time, tokens."""
        return self.longest_tokens if self.lengths is None else float(np.mean(self.held_tokens(1.0)))

    def held_tokens(self, output_fraction: float) -> Numeric:
        """Tokens for which a sequence reserves KV cache at a part of its output, one value for each likely length."""
        if self.lengths is None:
            return self.prompt_tokens + output_fraction * self.output_tokens
        prompts, outputs = self.lengths.held_prompt_tokens, self.lengths.held_output_tokens
        return np.array(prompts) + output_fraction * np.array(outputs)

    @property
    def decode_steps(self) -> float:
        """Decode steps of a request: reading its prompt already gives the first token."""
        return self.output_tokens - 1

    @property
    def steps_per_output_token(self) -> float:
        """Decode steps per output token: one, except that the first token takes none."""
        return self.decode_steps / self.output_tokens

    @property
    def attended_tokens(self) -> float:
        """Mean tokens that a decoded token attends to, its own included."""
        if self.lengths is not None:
            return float(np.mean(self.lengths.decode_positions))
        return self.prompt_tokens + (self.decode_steps + 1) / 2

    def decode_step(self, batch: Numeric, *, drafted_tokens: int = 0) -> Pass:
        """A decode step of requests at random positions in their output: the mean over their decode steps.

        Args:
            batch: requests, a number or a grid.
            drafted_tokens: draft tokens of each request that the step verifies.
        """
        steps, places = int(self.decode_steps), () if self.lengths is None else self.lengths.decode_positions
        context = self.attended_tokens if places else self.prompt_tokens + steps
        return verify(
            batch=batch,
            context_tokens=context + drafted_tokens,
            drafted_tokens=drafted_tokens,
            spread_tokens=0 if places else steps,
            positions=places,
        )

    def prompt_pass(self, batch: Numeric, passes: int) -> Pass:
        """Prompts read together, each in ``passes`` passes."""
        return prefill(
            batch=batch,
            prompt_tokens=self.read_tokens,
            passes=passes,
            cached_tokens=self.cached_tokens,
            positions=() if self.lengths is None else self.lengths.prompt_positions,
        )
