"""Spread of a cost: by the interval of the plan's times, and by what others ask for a chip."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Cost", "Ends", "InOut", "cost_of"]

Ends = tuple[float, float]
"""The lower and the upper end, over the middle."""

InOut = tuple[float, float]
"""A number of a token of a prompt, and of one of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Cost of a token in dollars, with its ends.

    Attributes:
        usd: cost of the token, dollars.
        low_usd: cost with the shortest times of their 80 % interval on the cheapest chips that are known of the year.
        high_usd: cost with the longest times on the dearest.
    """

    usd: float
    low_usd: float
    high_usd: float

    def times(self, factor: float, *, beside_usd: float = 0.0) -> Cost:
        """Multiple of the cost, plus an amount that both ends share.

        >>> Cost(usd=2.0, low_usd=1.0, high_usd=3.0).times(2, beside_usd=0.5)
        Cost(usd=4.5, low_usd=2.5, high_usd=6.5)
        """
        return Cost(
            usd=self.usd * factor + beside_usd,
            low_usd=self.low_usd * factor + beside_usd,
            high_usd=self.high_usd * factor + beside_usd,
        )


def cost_of(chips_usd: float, electricity_usd: float, *, times: Ends, rents: Ends) -> Cost:
    """A cost with its ends: chips are paid for their time at their rent, electricity for their time alone.

    Both ends are corners, the shortest times at the lowest rent and the longest at the highest: rents that are known
    are no sample whose spread could be added to that of times.

    Args:
        chips_usd: cost of chips, dollars.
        electricity_usd: cost of electricity, dollars; 0 where it is in the price of chips.
        times: ends of the interval of the time of chips, over the time.
        rents: ends of what others ask for a chip, over its price.

    >>> cost_of(10.0, 1.0, times=(0.9, 1.2), rents=(0.5, 2.0))
    Cost(usd=11.0, low_usd=5.4, high_usd=25.2)
    """
    return Cost(
        usd=chips_usd + electricity_usd,
        low_usd=times[0] * (chips_usd * rents[0] + electricity_usd),
        high_usd=times[1] * (chips_usd * rents[1] + electricity_usd),
    )
