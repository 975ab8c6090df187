"""What a price list says of one model, and what of it is a vendor's policy for all of its models."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.catalog.quotes import Quote

__all__ = ["Evidence", "Multiplier", "Step", "evidence_of", "rounding_log_sd"]

HOUR_S = 3600.0

ALIKE = 0.02
"""Ratios that differ by less are one multiplier: prices are rounded to a cent."""

FEWEST, LEAST_SPAN = 2, 2.0
"""A multiplier is policy where so many models of a vendor have it, and their input prices span so much: physics would
not give models of different sizes the same ratio to two digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiplier:
    """A price over that of input, and how many models of the vendor have the same one.

    Attributes:
        line: whose price it is.
        ratio: of this model.
        shared_by: models with it, this one among them.
        of: models of the vendor that have such a price.
        input_span: dearest over cheapest input price of those that share it.
        is_policy: whether it says something of the vendor, and little of the model.
    """

    line: str
    ratio: float
    shared_by: int
    of: int
    input_span: float
    is_policy: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of the list with the prompt's length.

    Attributes:
        threshold_tokens: most input at the lower prices.
        shared_by: models of the vendor with a step there, this one among them, that differ in their input price.
        input_span: dearest over cheapest input price of those.
    """

    threshold_tokens: float
    shared_by: int
    input_span: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Prices of one model.

    Attributes:
        name: of it.
        provider: who sells it; empty for the middle of a market.
        date: of the prices.
        usd: by line: dollars a token, and for ``hold`` a token and second.
        rounding_log_sd: by line, what rounding leaves open.
        multipliers: of the lines other than input.
        step: of the list; None where it has none.
        source: where the prices were read.
    """

    name: str
    provider: str
    date: dt.date
    usd: dict[str, float]
    rounding_log_sd: dict[str, float]
    multipliers: tuple[Multiplier, ...] = ()
    step: Step | None = None
    source: str = ""

    def is_policy(self, line: str) -> bool:
        """Whether a line's price is a vendor's multiple of its input price."""
        return any(one.line == line and one.is_policy for one in self.multipliers)


def evidence_of(quote: Quote, family: Sequence[Quote]) -> Evidence:
    """What a list says of a model.

    Args:
        quote: its prices.
        family: those of all models of the same provider at that hour, itself among them.
    """
    usd = _lines(quote)
    return Evidence(
        name=quote.name,
        provider=quote.provider,
        date=quote.time.date(),
        usd=usd,
        rounding_log_sd={name: rounding_log_sd(value) for name, value in usd.items()},
        multipliers=tuple(_multiplier(line, quote, family) for line in usd if line != "input"),
        step=_step(quote, family),
        source=quote.source,
    )


def rounding_log_sd(usd: float) -> float:
    """What is left open of a price's logarithm by the digits that it is written with.

    $4 a million may stand for anything from $3.50 to $4.50, $1.32 for what rounds to a cent:

    >>> round(rounding_log_sd(4e-6), 3), round(rounding_log_sd(1.32e-6), 4)
    (0.072, 0.0022)
    """
    digits = f"{usd:.6e}".partition("e")[0].rstrip("0").replace(".", "")
    last = 10.0 ** -(len(digits) - 1)
    mantissa = float(f"{usd:.6e}".partition("e")[0])
    return last / mantissa / math.sqrt(12)


def _lines(quote: Quote) -> dict[str, float]:
    """Dollars by line."""
    prices = quote.prices
    found = {"input": prices.input, "output": prices.output}
    if prices.cache_read:
        found["cached_input"] = prices.cache_read
    hold = _hold(quote)
    return found if hold is None or hold <= 0 else {**found, "hold": hold}


def _hold(quote: Quote) -> float | None:
    """Price of keeping a token for a second: as listed, or of an hour's write over the shorter one's, or of a write."""
    prices, short_s = quote.prices, quote.write_hold_s
    if quote.cache_storage is not None:
        return quote.cache_storage
    if prices.cache_write is None or short_s is None:
        return None
    if prices.cache_write_1h is not None and short_s < HOUR_S:
        return (prices.cache_write_1h - prices.cache_write) / (HOUR_S - short_s)
    return (prices.cache_write - prices.input) / short_s


def _ratio(quote: Quote, line: str) -> float | None:
    """A line's price over that of input."""
    usd = _lines(quote).get(line)
    return None if usd is None else usd / quote.prices.input


def _multiplier(line: str, quote: Quote, family: Sequence[Quote]) -> Multiplier:
    """A line over input, and who shares that."""
    own = _ratio(quote, line) or 0.0
    pairs = [(one, ratio) for one in family if (ratio := _ratio(one, line)) is not None]
    alike = [one for one, ratio in pairs if abs(math.log(ratio / own)) < ALIKE] or [quote]
    inputs = [one.prices.input for one in alike]
    span = max(inputs) / min(inputs)
    return Multiplier(
        line=line,
        ratio=own,
        shared_by=len(alike),
        of=len(pairs),
        input_span=span,
        is_policy=len(alike) >= FEWEST and span >= LEAST_SPAN,
    )


def _step(quote: Quote, family: Sequence[Quote]) -> Step | None:
    """The first step, and who else has one there."""
    if not quote.cliffs:
        return None
    threshold = quote.cliffs[0].threshold_tokens
    inputs = Counter(
        one.prices.input for one in family if one.cliffs and one.cliffs[0].threshold_tokens == threshold
    ) or Counter([quote.prices.input])
    return Step(threshold_tokens=threshold, shared_by=len(inputs), input_span=max(inputs) / min(inputs))
