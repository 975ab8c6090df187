"""Two tracks of trains in the same time: some leave by a clock, the others as soon as the last one is back."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Clocked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocked:
    """Steps of a batch as trains along the time of two periods.

    Attributes:
        by_clock: name of the line of tokens a second by the clock.
        at_once: name of the line of tokens a second without waiting.
        period_s: time between two departures by the clock, s.
        text: summary in a few words.
    """

    by_clock: str
    at_once: str
    period_s: float
    text: str
