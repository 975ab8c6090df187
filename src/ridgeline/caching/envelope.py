"""The cheapest of several places over hold time: straight lines, their lower envelope, and where they cross."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ridgeline.equations import caching
from ridgeline.numeric import Numeric

__all__ = ["CostLine", "Span", "between", "cheapest", "envelope", "nearest_drain", "spans_by_drain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """Cost of a place over hold time: a part that is paid once, and a part per second.

    Attributes:
        name: name of the place.
        once_usd: cost of writing what is kept, and of reading it back as often as it is used.
        hold_usd_per_s: cost of holding it for a second.
    """

    name: str
    once_usd: float
    hold_usd_per_s: float

    def cost_usd(self, held_s: Numeric) -> Numeric:
        """Cost with such a hold time."""
        return caching.cost_usd(retrieve_usd=self.once_usd, hold_usd_per_s=self.hold_usd_per_s, held_s=held_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Hold times for which one place is the best.

    Attributes:
        name: name of the place.
        from_s: the shortest of them, s.
        to_s: the longest of them, s; infinite for the last place.
    """

    name: str
    from_s: float
    to_s: float


def between(dearer: CostLine, cheaper: CostLine) -> float:
    """Hold time from which on the place that is cheaper to hold in has the lower total cost, s.

    It is 0 where that always holds, and infinite where it never does.
    """
    if cheaper.once_usd <= dearer.once_usd:
        return 0.0
    if cheaper.hold_usd_per_s >= dearer.hold_usd_per_s:
        return math.inf
    return float(
        caching.break_even_s(
            retrieve_usd=dearer.once_usd,
            hold_usd_per_s=dearer.hold_usd_per_s,
            slower_retrieve_usd=cheaper.once_usd,
            slower_hold_usd_per_s=cheaper.hold_usd_per_s,
        )
    )


def cheapest(lines: Sequence[CostLine], held_s: float) -> CostLine:
    """The cheapest place for a hold time; among equals the one that is cheaper to hold in."""
    return min(lines, key=lambda line: (float(line.cost_usd(held_s)), line.hold_usd_per_s))


def envelope(lines: Sequence[CostLine]) -> tuple[Span, ...]:
    """The cheapest place for each hold time: the lower envelope.

    >>> memory = CostLine(name="memory", once_usd=0, hold_usd_per_s=1)
    >>> drive = CostLine(name="drive", once_usd=60, hold_usd_per_s=0)
    >>> [(span.name, span.to_s) for span in envelope([memory, drive])]
    [('memory', 60.0), ('drive', inf)]
    """
    now, at_s = cheapest(lines, 0.0), 0.0
    spans: list[Span] = []
    while True:
        later = [line for line in lines if line.hold_usd_per_s < now.hold_usd_per_s]
        crossings = [(max(between(now, line), at_s), line.hold_usd_per_s, line) for line in later]
        if not crossings:
            return (*spans, Span(name=now.name, from_s=at_s, to_s=math.inf))
        to_s, _, line = min(crossings, key=lambda one: one[:2])
        if to_s > at_s:
            spans.append(Span(name=now.name, from_s=at_s, to_s=to_s))
        now, at_s = line, to_s


def nearest_drain(drains_s: Mapping[str, float], held_s: float) -> str:
    """The lecture's rule: the place whose drain time is nearest to the hold time.

    >>> nearest_drain({"DDR": 3.6, "flash": 2194.0}, 300)
    'flash'
    """
    return min(drains_s, key=lambda name: abs(math.log(drains_s[name] / held_s)))


def spans_by_drain(drains_s: Mapping[str, float]) -> tuple[Span, ...]:
    """The place that this rule takes for each hold time; it changes at the geometric mean of two drain times."""
    ordered = sorted(drains_s, key=lambda name: drains_s[name])
    parts = [math.sqrt(drains_s[one] * drains_s[other]) for one, other in pairwise(ordered)]
    return tuple(
        Span(name=name, from_s=from_s, to_s=to_s)
        for name, from_s, to_s in zip(ordered, [0.0, *parts], [*parts, math.inf], strict=True)
    )
