"""Documents with their rows of numbers as differences, which compress well where a line is smooth.

A number keeps 29 bits after its first, so that it is off by less than a billionth: no more is seen, and each bit more
is 13 kB of a site. Its bits, read as a whole number, rise with it as its logarithm does; of a smooth line the differences
of these, and the differences of the differences, have few digits. ``page/src/source/differences.ts`` reads them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

__all__ = ["as_differences", "of_bits"]

DROPPED_BITS = 23
"""Low bits that are dropped, of the 52 that follow a number's leading bit."""
SHORTEST = 8
"""Least length of a row that is written as differences."""
ORDERS = range(4)
"""Orders of differences that are tried; the shortest result is kept."""


def as_differences(part: Any) -> Any:  # noqa: ANN401  any part of a document
    """A document with its floats rounded, and its longer rows of them as ``{"order": n, "differences": [...]}``."""
    if isinstance(part, float):
        return of_bits(_whole(part))
    if isinstance(part, dict):
        return {name: as_differences(one) for name, one in part.items()}
    if not isinstance(part, (list, tuple)):
        return part
    if len(part) >= SHORTEST and all(isinstance(one, float) for one in part):
        return _row(part)
    return [as_differences(one) for one in part]


def _whole(value: float) -> int:
    """Upper bits of a number as an integer, negative for a negative number."""
    bits: int = struct.unpack("<q", struct.pack("<d", abs(value)))[0]
    kept = bits + (1 << DROPPED_BITS - 1) >> DROPPED_BITS
    return -kept if value < 0 else kept


def of_bits(kept: int) -> float:
    """Number with these upper bits."""
    value: float = struct.unpack("<d", struct.pack("<q", abs(kept) << DROPPED_BITS))[0]
    return -value if kept < 0 else value


def _row(values: Sequence[float]) -> dict[str, Any]:
    tried, held = [], list(map(_whole, values))
    for order in ORDERS:
        tried.append({"order": order, "differences": held})
        held = [*held[: order + 1], *(second - first for first, second in pairwise(held[order:]))]
    return min(tried, key=lambda one: len(str(one["differences"])))
