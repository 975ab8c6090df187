"""Order in which cases are timed: every group in turn, and of each its ends and its middle before the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

from ridgeline.calibration.cases import Case

__all__ = ["in_turn", "spread"]


def spread(cases: Sequence[Case], time_s: Callable[[Case], float]) -> list[Case]:
    """Cases from short to long in bit-reversed order, so that the first few already span all of them.

    Source: van der Corput 1935, "Verteilungsfunktionen", the sequence in base two.
    """
    ranked = sorted(cases, key=time_s)
    bits = max(len(ranked) - 1, 0).bit_length()
    places = (int(f"{place:0{bits}b}"[::-1], 2) if bits else place for place in range(2**bits))
    return [ranked[place] for place in places if place < len(ranked)]


def in_turn(groups: Iterable[Sequence[Case]]) -> list[Case]:
    """One case of each group, then a second one of each, and so on.

    >>> in_turn([])
    []
    """
    return [case for turn in zip_longest(*groups) for case in turn if case is not None]
