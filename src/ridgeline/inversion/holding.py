"""Price of keeping a token for a second, and how well a price is known by its digits."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.catalog.quote import Quote
from ridgeline.seconds import HOUR_S

__all__ = ["HeldPrice", "held_price", "rounding_log_sd"]

LONG_S = 12 * HOUR_S
"""Least time for which the longest write that is sold keeps a token, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPrice:
    """Price of keeping a token.

    Attributes:
        usd_per_token_s: price in dollars a token and second.
        rounding_log_sd: deviation of its logarithm, by the digits of the prices that it follows from.
        formula: formula from the listed prices; empty where it is listed itself.
    """

    usd_per_token_s: float
    rounding_log_sd: float
    formula: str


def held_price(quote: Quote) -> HeldPrice | None:
    """Price of holding as listed; or from two writes, or a write and the input, over the time between.

    None where no cache is sold by time.
    """
    prices, short_s = quote.prices, quote.write_hold_s
    if quote.cache_storage is not None:
        return HeldPrice(
            usd_per_token_s=quote.cache_storage, rounding_log_sd=rounding_log_sd(quote.cache_storage), formula=""
        )
    if prices.cache_write is None or short_s is None:
        return None
    if prices.cache_write_1h is not None and short_s < HOUR_S:
        return _between(prices.cache_write_1h, prices.cache_write, HOUR_S - short_s, "the write for 1 h")
    if prices.cache_write_12h is not None and short_s < LONG_S:
        words = "the write for 12 h, whose meaning is not verified with the vendor,"
        return _between(prices.cache_write_12h, prices.cache_write, LONG_S - short_s, words)
    return _between(prices.cache_write, prices.input, short_s, "the write", "input")


def _between(
    long_usd: float, short_usd: float, held_s: float, words: str, less: str = "the short one"
) -> HeldPrice | None:
    """Price of holding from two prices and the time between them; None where the longer costs no more."""
    if long_usd <= short_usd:
        return None
    usd = long_usd - short_usd
    # Each price is uncertain by half of its last digit, independently of the other.
    open_usd = math.hypot(rounding_log_sd(long_usd) * long_usd, rounding_log_sd(short_usd) * short_usd)
    hours = f"{held_s / HOUR_S:.3g}"
    formula = f"{words} at ${1e6 * long_usd:g} less {less} at ${1e6 * short_usd:g}, over {hours} h"
    return HeldPrice(usd_per_token_s=usd / held_s, rounding_log_sd=open_usd / usd, formula=formula)


def rounding_log_sd(usd: float) -> float:
    """Standard deviation of a price's logarithm that its number of digits leaves open.

    $4 a million may stand for anything from $3.50 to $4.50, $1.32 for what rounds to a cent:

    >>> round(rounding_log_sd(4e-6), 3), round(rounding_log_sd(1.32e-6), 4)
    (0.072, 0.0022)
    """
    digits = f"{usd:.6e}".partition("e")[0].rstrip("0").replace(".", "")
    last = 10.0 ** -(len(digits) - 1)
    mantissa = float(f"{usd:.6e}".partition("e")[0])
    return last / mantissa / math.sqrt(12)
