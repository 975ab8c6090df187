"""Search for the highest rate at which a share of requests stays within their limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ridgeline.errors import RidgelineError, UnservedError

__all__ = ["FoundRate", "Tried", "find_rate"]

CLOSE = 1.01
"""Ratio between a rate that fails and one that holds at which the search ends."""

WIDEST = 2.0**20
"""Ratio to the trace's own rate beyond which the search gives up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A rate that was tried.

    Attributes:
        scale: multiple of the trace's rate.
        requests_per_s: arrival rate of requests per second.
        within_fraction: part of the requests that stayed within the limits.
    """

    scale: float
    requests_per_s: float
    within_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRate:
    """Result of a search.

    Attributes:
        best: the highest rate that holds.
        tried: all rates, in the order in which they were tried.
        share: part of the requests that has to stay within the limits.
    """

    best: Tried
    tried: tuple[Tried, ...]
    share: float


def find_rate(at: Callable[[float], Tried], share: float) -> FoundRate:
    """Double or halve the rate until one holds and one fails, then bisect until they are close.

    Args:
        at: plays the trace at a multiple of its rate.
        share: part of the requests that has to stay within the limits.

    Raises:
        UnservedError: no rate holds, however slow.
        RidgelineError: none fails.
    """
    tried: list[Tried] = []

    def holds(scale: float) -> bool:
        tried.append(at(scale))
        return tried[-1].within_fraction >= share

    holding = 1.0
    if holds(holding):
        while holds(2 * holding):
            holding *= 2
            if holding > WIDEST:
                raise RidgelineError("find-rate: no rate is too high for the limits; give --ttft or --tpot that bind")
    else:
        holding /= 2
        while not holds(holding):
            holding /= 2
            if holding < 1 / WIDEST:
                raise UnservedError(
                    f"find-rate: however slowly requests come, {tried[-1].within_fraction:.1%} of them stay within the"
                    f" limits, and {share:.1%} have to; allow more time, or take other chips or another layout"
                )
    failing = 2 * holding
    while failing / holding > CLOSE:
        middle = (failing * holding) ** 0.5
        if holds(middle):
            holding = middle
        else:
            failing = middle
    best = max((one for one in tried if one.within_fraction >= share), key=lambda one: one.scale)
    return FoundRate(best=best, tried=tuple(tried), share=share)
