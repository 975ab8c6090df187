"""A number of a step's sentence and what it is on the drawing beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ridgeline.boards.walk import Seen, Step

__all__ = ["NUMBER", "Tie"]

NUMBER = re.compile(
    r"(?<![\w.,/-])\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?"
    r"(?:[kMBT]|[ \N{NO-BREAK SPACE}](?:%|[kMGTP]?B|[mµn]?s|trillion|minutes|hours))?(?![\w-])"
)
"""Number of a sentence with its unit; a digit of a name, as in GB200 or 1F1B, is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Number of a sentence, with its place on the drawing beside it.

    Attributes:
        value: function that computes it from the step's state.
        x: function that gives the position along at which the picture's handle reads it; None where no handle does.
        mark: name of the mark that has it; empty for none.
        control: name of the control whose value it is; empty for none.
        is_drawn: whether the drawing has it. A number of history, of a list or of another picture is not drawn.
        is_said: whether somebody says it, or it is a fact: it stays as it is when controls are turned.
        is_whole: whether it counts what cannot be divided, of which no part is written.
        why: source of a number that is neither read, marked nor set by a control, in a few words.
    """

    value: Callable[[Seen, Step], float]
    x: Callable[[Seen, Step], float] | None = None
    mark: str = ""
    control: str = ""
    is_drawn: bool = True
    is_said: bool = False
    is_whole: bool = False
    why: str = ""
