"""Values that a person types for a control: with a unit, or as a multiple of the number that each mode starts with."""

from __future__ import annotations

import math
import re
import sys

from ridgeline.boards.board import ROUNDED, Board, Control, ControlError, Facts, Mode
from ridgeline.quantity_text import QuantityError, format_quantity, parse_quantity

__all__ = ["TIMES", "end_beyond", "end_text", "turned_value"]

TIMES = re.compile(r"(\d+(?:\.\d+)?|\.\d+) ?[x×]")
"""Pattern of a multiple, as a whole text; the page reads it by the same pattern."""
EXACT_DIGITS = sys.float_info.dig
"""Significant digits with which a written number is read as the same number."""


def turned_value(board: Board, name: str, text: str, mode: Mode, facts: Facts) -> float:
    """The value of a control in a mode.

    "1.8x" keeps what lies between the modes: it is 1.8 times the lecture's number in one and 1.8 times the careful
    one in the other, while "2 PFLOP/s" is the same in both.

    Args:
        board: board of the control.
        name: name of the control.
        text: "2 PFLOP/s", "1.8x".
        mode: mode whose start "1.8x" multiplies.
        facts: facts of the model and the machine.

    Raises:
        ControlError: the board has no such control, or the mode no number that could be multiplied.
        QuantityError: the text is neither.

    >>> from ridgeline.boards.lecture import board
    >>> latency = board("latency")
    >>> [turned_value(latency, "kv_bytes_per_token", "2x", mode, latency.facts()) for mode in Mode]  # two models
    [4000.0, 140544.0]
    """
    control = board.control(name)
    times = TIMES.fullmatch(text.strip())
    if times is None:
        try:
            return parse_quantity(text, control.dimension)
        except QuantityError as error:
            raise QuantityError(f"{error}, or 2x for twice the number that it starts with") from None
    start = control.start(mode, facts)
    if start is None:
        raise ControlError(
            f"board {board.name!r}: {facts.model.id} on {facts.machine.id} has no {name} ({control.meaning}) that"
            f" {text} could be times of; write a value with its unit",
            control=name,
        )
    value = float(times[1]) * start
    return float(round(value)) if control.is_whole else value


def end_beyond(control: Control, value: float) -> float | None:
    """The end of a control's range that a value lies beyond; None for a value within.

    >>> from ridgeline.boards.lecture import board
    >>> chips = board("latency").control("chips")
    >>> end_beyond(chips, 0.0), end_beyond(chips, 1e6), end_beyond(chips, 72.0)
    (1, 16384, None)
    """
    end = min(max(value, control.low), control.high)
    return None if math.isclose(value, end, rel_tol=ROUNDED) else end


def end_text(control: Control, end: float) -> str:
    """An end of a control's range as text that is read as that end again."""
    return format_quantity(end, control.dimension, EXACT_DIGITS)
