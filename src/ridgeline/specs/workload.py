"""What is asked of a model: one step of a phase, or requests to serve."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.glossary import require_plausible
from ridgeline.numeric import Numeric

__all__ = ["Decode", "Phase", "Prefill", "Workload"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decode:
    """One step in which every sequence gains one token.

    Attributes:
        batch: sequences of the whole replica; a number or a grid.
        context_tokens: tokens that each attends to, its own included; a number or a grid.
    """

    batch: Numeric
    context_tokens: Numeric


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefill:
    """One pass over whole prompts, up to the first output token of each.

    Attributes:
        batch: prompts of the whole replica; a number or a grid.
        prompt_tokens: tokens of each; a number or a grid.
    """

    batch: Numeric
    prompt_tokens: Numeric


Phase = Decode | Prefill


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Requests to serve.

    Attributes:
        prompt_tokens: input tokens of a request.
        output_tokens: output tokens of a request.
        tpot_s: largest time per output token allowed; None for no limit.
        ttft_s: largest time to the first token allowed; None for no limit.
        prefill_tokens_per_pass: prompt tokens that one group of ``tp`` chips takes in one pass. Engines bound it, and
            8192 is where theirs commonly stand: enough to amortise the weights, and it bounds activation memory.
    """

    prompt_tokens: int
    output_tokens: int
    tpot_s: float | None = None
    ttft_s: float | None = None
    prefill_tokens_per_pass: int = 8192

    def __post_init__(self) -> None:
        require_plausible(self)
