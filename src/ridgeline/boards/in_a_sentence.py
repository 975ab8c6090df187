"""Counts and times as a sentence has them: 671 billion, 54,800, 29.8 hours."""

from __future__ import annotations

import math
import re

from ridgeline.quantity_text import format_number
from ridgeline.seconds import DAY_S, HOUR_S, MINUTE_S

__all__ = ["NAMED_COUNTS", "SINGULAR", "as_long", "count_text", "singular", "time_text", "whole_text"]

NAMED_COUNTS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
"""Sizes of counts that have a name, the largest first."""

COUNTED = "batch cable chip die expert layer micro-batch package rack seat sequence stage switch token vector"
SINGULAR = {f"{one}{'es' if one.endswith('h') else 's'}": one for one in COUNTED.split()}
"""Nouns that stand behind a count, by their plural."""
ONE_OF_THEM = re.compile(rf"(?<![\w.,/])(1\s)({'|'.join(SINGULAR)})\b")
TIMES_ONE = re.compile(r"(?<![\w.,/])1\stimes(?P<equal> as)?\b")

LONG_TIMES = ((DAY_S, "day"), (HOUR_S, "hour"), (MINUTE_S, "minute"))
"""Units of time that are counted, the longest first."""
SHORT_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
"""Units of time that stand after a number, the longest first."""

LEAST_DAYS = 2
"""Shorter times are told in hours."""
LIKE_LOW, LIKE_HIGH = 0.1, 100.0
"""Multiples of a unit that still read well in it, beside a time that has that unit."""


def count_text(value: float, digits: int) -> str:
    """A count to ``digits`` significant digits, with the name of its size from a million on.

    >>> count_text(54772, 3), count_text(2.592e15, 3), count_text(0.2778, 3)
    ('54,800', '2,590 trillion', '0.278')
    """
    if math.isfinite(value):
        for size, name in NAMED_COUNTS:
            if abs(float(f"{value:.{digits}g}")) >= size:
                return f"{format_number(value / size, digits)} {name}"
    return format_number(value, digits)


def whole_text(value: float, digits: int) -> str:
    """A count of what cannot be divided, to ``digits`` significant digits.

    >>> whole_text(11.46, 3), whole_text(0.6, 3), whole_text(5440.2, 3)
    ('11', '1', '5,440')
    """
    return count_text(round(value) if math.isfinite(value) else value, digits)


def singular(text: str) -> str:
    """A text in which one thing has its noun in the singular, and what is done one time is done once.

    >>> singular("1 racks of 1,024 chips"), singular("21 racks with 0.1 tokens")
    ('1 rack of 1,024 chips', '21 racks with 0.1 tokens')
    >>> singular("makes 1 times as many"), singular("multiplies 1 times"), singular("1.1 times as many")
    ('makes as many', 'multiplies once', '1.1 times as many')
    """
    once = TIMES_ONE.sub(lambda found: "as" if found["equal"] else "once", text)
    return ONE_OF_THEM.sub(lambda found: found[1] + SINGULAR[found[2]], once)


def as_long(ratio: float, digits: int = 3) -> str:
    """A time beside another, before the word "as".

    >>> as_long(8), as_long(2), as_long(1), as_long(0.5)
    ('8 times as long', 'twice as long', 'just as long', 'half as long')
    """
    number = format_number(ratio, digits)
    return f"{ {'0.5': 'half', '1': 'just', '2': 'twice'}.get(number, f'{number} times') } as long"


def time_text(value_s: float, digits: int, beside_s: float | None = None) -> str:
    """A time to ``digits`` significant digits; in the unit of another that it stands beside, where that reads well.

    >>> time_text(107143, 3), time_text(60, 3), time_text(0.0010451, 3)
    ('29.8 hours', '1 minute', '1.05 ms')
    >>> time_text(694.1e-6, 3), time_text(694.1e-6, 3, beside_s=2.5e-3)
    ('694 µs', '0.694 ms')
    """
    length_s, name = _unit(value_s)
    if beside_s is not None:
        other_s, other = _unit(beside_s)
        if LIKE_LOW <= value_s / other_s < LIKE_HIGH:
            length_s, name = other_s, other
    number = format_number(value_s / length_s, digits)
    is_counted = length_s > 1
    return f"{number} {name}{'s' if is_counted and number != '1' else ''}"


def _unit(value_s: float) -> tuple[float, str]:
    """The longest that the time has at least once, of days twice."""
    for length_s, name in (*LONG_TIMES, *SHORT_TIMES):
        if value_s >= length_s * (LEAST_DAYS if length_s == DAY_S else 1):
            return length_s, name
    return SHORT_TIMES[0 if value_s == 0 else -1]
