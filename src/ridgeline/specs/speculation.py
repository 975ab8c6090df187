"""Speculative decoding: what drafts tokens, how many, and how many tokens a step then adds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from ridgeline.errors import RidgelineError
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Precision

__all__ = ["KINDS", "MOST_DRAFTED", "NO_SPECULATION", "Draft", "Speculation"]

MOST_DRAFTED = 16
"""Beyond, no draft is known of which the last token is worth checking."""


KINDS = ("mtp", "eagle3", "dspark", "ngram")
"""Kinds of drafts that are no model of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What guesses tokens for a model to check.

    Attributes:
        name: how it is asked for: "mtp", "eagle3", "ngram", or a model's id.
        layers: what is run to guess, with a head of its vocabulary; None where tokens are looked up.
        precision: its number formats; None for those of the model that it guesses for.
        joined_streams: residual streams that a matrix of its own joins to its one input; 0 without such a matrix.
        is_one_pass: whether one pass guesses all tokens, and not a pass each.
        shares_ends: whether embedding and head are those of the model that it guesses for.
        assumed: what was taken of it where nothing says it; no part of the value.
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
    """Drafted tokens that a step checks, all with the one before them, in one pass of the model.

    Attributes:
        draft: what guesses them; None without speculation.
        drafted_tokens: of each sequence in a step.
        accepted_tokens: tokens that a step adds to a sequence on the mean, its own among them: the acceptance length.
        accepted_width: half-width of the 80 % interval of that, in logarithms.
        source: where that number is from; no part of the value.
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
        """How the draft is asked for; empty without one."""
        return "" if self.draft is None else self.draft.name

    @property
    def checked_tokens(self) -> int:
        """Tokens of each sequence that pass through the model in a step."""
        return self.drafted_tokens + 1

    def steps(self, tokens: float) -> float:
        """Steps in which a sequence gains so many tokens, on the mean."""
        return tokens / self.accepted_tokens

    @property
    def accepted_factors(self) -> tuple[float, float]:
        """Factors on ``accepted_tokens`` at both ends of its 80 % interval: no fewer than one, no more than checked."""
        low, high = math.exp(-self.accepted_width), math.exp(self.accepted_width)
        return max(low, 1 / self.accepted_tokens), min(high, self.checked_tokens / self.accepted_tokens)

    def to_row(self) -> dict[str, Any] | None:
        """It as plain data; None without speculation."""
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
        """Factors on a time per token at the ends of its interval, those of its step and of acceptance together."""
        if not self.accepted_width:
            return low, high
        # Where more tokens are accepted, each takes less time.
        fewest, most = map(math.log, self.accepted_factors)
        return math.exp(-math.hypot(math.log(low), most)), math.exp(math.hypot(math.log(high), fewest))


NO_SPECULATION = Speculation()
"""Each step adds one token to each sequence."""
