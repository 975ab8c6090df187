"""Words of a step's sentence that hold under a condition, and what holds where they do not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ridgeline.boards.walk import Seen

__all__ = ["ANY", "Clause", "pattern"]

ANY = "\N{HORIZONTAL ELLIPSIS}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Words of a sentence that hold under a condition.

    Attributes:
        words: words as the sentence has them when the step opens; "…" stands for any words, and at the end for all up
            to the full stop.
        holds: function that computes from the step's state whether they hold; None for words that hold as long as
            ``otherwise`` computes the same.
        otherwise: words that hold in their place where they do not, or a function that computes them; empty where
            the words are struck.
    """

    words: str
    holds: Callable[[Seen], bool] | None = None
    otherwise: str | Callable[[Seen], str] = ""


def pattern(words: str) -> re.Pattern[str]:
    """Pattern that finds a clause's words in a sentence.

    >>> pattern("one … two").search("zero one and two, two")[0], pattern("a …").search("a 1.5 b. c")[0]
    ('one and two', 'a 1.5 b')
    """
    found = re.escape(words).replace(re.escape(ANY), ".*?").replace(r"\ ", r"\s")
    return re.compile(found + (r"(?=\.(?:\s|$))" if words.endswith(ANY) else ""))
