"""Speculative decoding: kind of draft, tokens drafted, and tokens that a step then adds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from ridgeline.errors import RidgelineError
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Precision

__all__ = ["KINDS", "MOST_DRAFTED", "NO_SPECULATION", "Draft", "Speculation"]

MOST_DRAFTED = 16
"""Most draft tokens of a step; no known draft has a later token worth verifying."""


KINDS = ("mtp", "eagle3", "dspark", "ngram")
"""Kinds of drafts that are no separate model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A source of draft tokens for a model to verify.

    Attributes:
        name: name under which it is requested: "mtp", "eagle3", "ngram", or a model's id.
        layers: layers run to draft tokens, with an output head; None where tokens are looked up.
        precision: number formats of those layers; None for the target model's.
        joined_streams: residual streams that a matrix of its own projects to its input; 0 without such a matrix.
        is_one_pass: whether one pass drafts all tokens, and not a pass each.
        shares_ends: whether embedding and output head are the target model's.
        assumed: assumptions about it where its source is silent; not part of the value.
    """

    name: str
    layers: Model | None = None
    precision: Precision | None = None
    joined_streams: int = 0
    is_one_pass: bool = False
    shares_ends: bool = False
    assumed: str = field(default="", compare=False)

    @property
    def is_known_kind(self) -> bool:
        """Whether it is one of ``KINDS``, and no model of its own."""
        return self.name in KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Speculation:
    """Draft tokens that a step verifies, together with the token before them, in one pass of the model.

    Attributes:
        draft: source of the draft tokens; None without speculation.
        drafted_tokens: draft tokens of each sequence in a step.
        accepted_tokens: mean tokens that a step adds to a sequence, the model's own included: the acceptance length.
        accepted_width: half-width of the 80 % interval of ``accepted_tokens``, in logarithms.
        source: source of ``accepted_tokens``; not part of the value.
    """

    draft: Draft | None = None
    drafted_tokens: int = 0
    accepted_tokens: float = 1.0
    accepted_width: float = 0.0
    source: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not (0 <= self.drafted_tokens <= MOST_DRAFTED and self.drafted_tokens % 1 == 0):
            raise RidgelineError(
                f"drafted_tokens={self.drafted_tokens!r} must be a whole number from 0 to {MOST_DRAFTED}"
            )
        if not 1 <= self.accepted_tokens <= self.drafted_tokens + 1:
            raise RidgelineError(
                f"accepted_tokens={self.accepted_tokens!r} must be from 1, a step's own, to {self.drafted_tokens + 1}:"
                f" that and the {self.drafted_tokens} drafted"
            )
        if not 0 <= self.accepted_width < math.inf:
            raise RidgelineError(f"accepted_width={self.accepted_width!r} must be from 0 up and finite")
        if (self.draft is None) is not (self.drafted_tokens == 0):
            raise RidgelineError("drafted_tokens and a draft go together; give both, or NO_SPECULATION")

    def __str__(self) -> str:
        return "none" if self.draft is None else f"{self.draft.name}:{self.drafted_tokens}"

    def __bool__(self) -> bool:
        return self.drafted_tokens > 0

    @property
    def draft_name(self) -> str:
        """Name under which the draft is requested; empty without one."""
        return "" if self.draft is None else self.draft.name

    @property
    def checked_tokens(self) -> int:
        """Tokens of each sequence that pass through the model in a step."""
        return self.drafted_tokens + 1

    def steps(self, tokens: float) -> float:
        """Mean number of steps in which a sequence gains ``tokens``."""
        return tokens / self.accepted_tokens

    @property
    def accepted_factors(self) -> tuple[float, float]:
        """Factors on ``accepted_tokens`` at its 80 % interval's ends: at least one token, at most those verified."""
        low, high = math.exp(-self.accepted_width), math.exp(self.accepted_width)
        return max(low, 1 / self.accepted_tokens), min(high, self.checked_tokens / self.accepted_tokens)

    def to_row(self) -> dict[str, Any] | None:
        """The speculation as plain data; None without speculation."""
        if self.draft is None:
            return None
        low, high = self.accepted_factors
        return {
            "draft": self.draft.name,
            "drafted_tokens": self.drafted_tokens,
            "accepted_tokens": self.accepted_tokens,
            "accepted_low": self.accepted_tokens * low,
            "accepted_high": self.accepted_tokens * high,
            "source": self.source,
            "assumed": self.draft.assumed,
        }

    def interval(self, low: float, high: float) -> tuple[float, float]:
        """Factors on a time per token at the ends of its interval, combining those of its step and of acceptance."""
        if not self.accepted_width:
            return low, high
        # Where more tokens are accepted, each takes less time.
        fewest, most = map(math.log, self.accepted_factors)
        return math.exp(-math.hypot(math.log(low), most)), math.exp(math.hypot(math.log(high), fewest))


NO_SPECULATION = Speculation()
"""No speculation: each step adds one token to each sequence."""
