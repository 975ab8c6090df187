"""Search for the highest rate at which a share of requests stays within their limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from ridgeline.errors import RidgelineError, UnservedError

__all__ = ["FoundRate", "Tried", "find_rate", "requests_for"]

CLOSE = 1.01
"""Ratio between a rate that fails and one that holds at which the search ends."""

WIDEST = 2.0**20
"""Ratio to the trace's own rate beyond which the search gives up."""


LONG_ENOUGH = 100.0
"""Least time for which requests come, over what one takes, after which a rate that keeps the limits counts as one that
lasts. Near it replicas fill slowly, and bursts are rare: of six such times the rate comes out a tenth too high, of
sixty up to 5 %, of a hundred up to 4 %, of hundreds as of thousands but for chance, 2 % (Llama 3.1 8B and 70B on
H100)."""
MARGIN = 1.1
"""Factor on a number of requests that is long enough by a shorter run, whose requests met fewer others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A rate that was tried.

    Attributes:
        scale: multiple of the trace's rate.
        requests_per_s: arrival rate of requests per second.
        within_fraction: part of the requests that stayed within the limits.
        request_times: time for which requests came, over the mean time from a request's arrival to its last token.
    """

    scale: float
    requests_per_s: float
    within_fraction: float
    request_times: float


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

    @property
    def lasts(self) -> bool:
        """Whether requests came for long enough at the best rate to say that it holds."""
        return self.best.request_times >= LONG_ENOUGH


def _nothing_said() -> str:
    return "allow more time"


def find_rate(at: Callable[[float], Tried], share: float, *, remedy: Callable[[], str] = _nothing_said) -> FoundRate:
    """Double or halve the rate until one holds and one fails, then bisect until they are close.

    Args:
        at: plays the trace at a multiple of its rate.
        share: part of the requests that has to stay within the limits.
        remedy: clause on what would keep the limits, by the rate that was tried last.

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
                    f"find-rate: however slowly requests come, {100 * tried[-1].within_fraction:.1f} % of them stay"
                    f" within the limits, and {100 * share:.1f} % have to; {remedy()}, or take other chips or another"
                    " layout"
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


def requests_for(found: FoundRate, requests: int) -> int:
    """Number of requests with which the rate that is found lasts, to two digits, from a search with fewer.

    Of requests that all came within the time of one, that time is taken.

    >>> rate = Tried(scale=1.0, requests_per_s=6.1, within_fraction=0.99, request_times=6.1)
    >>> requests_for(FoundRate(best=rate, tried=(rate,), share=0.99), 1000)
    19000
    """
    needed = ceil(MARGIN * requests * LONG_ENOUGH / max(found.best.request_times, 1.0))
    digit = int(10 ** max(len(str(needed)) - 2, 0))
    return -(-needed // digit) * digit
