"""Words of a step's sentence that hold under a condition, and what holds where they do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ridgeline.boards.walk import Seen

__all__ = ["Clause"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Words of a sentence that hold under a condition.

    Attributes:
        words: words as the sentence has them when the step opens, where it first has them.
        holds: function that computes from the step's state whether they hold.
        otherwise: words that hold in their place where they do not, or a function that computes them; empty where
            they are struck.
    """

    words: str
    holds: Callable[[Seen], bool]
    otherwise: str | Callable[[Seen], str] = ""
