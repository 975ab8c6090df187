"""Evidence that a price list gives of one model, apart from a vendor's policy for all of its models."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ridgeline.catalog.quote import Quote
from ridgeline.inversion.holding import held_price, rounding_log_sd

__all__ = ["Evidence", "Multiplier", "Step", "evidence_of", "multipliers_of", "rounding_log_sd"]

ALIKE = 0.02
"""Ratios that differ by less are one multiplier: prices are rounded to a cent."""

FEWEST, LEAST_SPAN = 4, 5.0
"""A multiplier is policy where a vendor has it at so many different input prices, and these span so much: physics would
not give models of different sizes the same ratio to two digits. Of sixty prices whose ratios lie anywhere over a factor
of twenty, one shares a given one's multiplier by chance in half of the cases, and three do in one of twenty; over a
factor of five of inputs fewer still."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiplier:
    """A price over that of input, and at how many of the vendor's input prices it is the same.

    Models of one input price count once, since they may be one model under two names.

    Attributes:
        line: name of the line.
        ratio: price of the line over that of input, of this model.
        shared_by: number of input prices with it, this model's among them.
        of: number of input prices of models that have such a price.
        input_span: dearest over cheapest of the input prices that share it.
        is_policy: whether it tells of the vendor, and little of the model.
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
        threshold_tokens: most input tokens at the lower prices.
        shared_by: number of input prices of the vendor's models with a step there, this one's among them.
        input_span: dearest over cheapest input price of the models that share it.
    """

    threshold_tokens: float
    shared_by: int
    input_span: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Prices of one model.

    Attributes:
        name: name of the model.
        provider: seller of the model; empty for the middle of a market.
        date: date of the prices.
        usd: prices by line: dollars a token, and for ``hold`` a token and second.
        rounding_log_sd: deviation of each price's logarithm by line: by its digits, or by how well a market's middle is
            known.
        multipliers: multiples of the input price, of the other lines.
        step: step of the list; None where it has none.
        source: source of the prices.
        hold_formula: formula of the price of holding from those of writes; empty where it is listed, or not sold.
    """

    name: str
    provider: str
    date: dt.date
    usd: dict[str, float]
    rounding_log_sd: dict[str, float]
    multipliers: tuple[Multiplier, ...] = ()
    step: Step | None = None
    source: str = ""
    hold_formula: str = ""

    def is_policy(self, line: str) -> bool:
        """Whether a line's price is a vendor's multiple of its input price."""
        return any(one.line == line and one.is_policy for one in self.multipliers)


def evidence_of(quote: Quote, family: Sequence[Quote]) -> Evidence:
    """Evidence of a model from a list.

    Args:
        quote: prices of the model.
        family: prices of all models of the same provider at that hour, itself among them.
    """
    usd, held = _lines(quote), held_price(quote)
    widths = {name: rounding_log_sd(value) for name, value in usd.items()}
    if held is not None:
        widths["hold"] = held.rounding_log_sd
    return Evidence(
        name=quote.name,
        provider=quote.provider,
        date=quote.time.date(),
        usd=usd,
        rounding_log_sd=widths,
        multipliers=multipliers_of(usd, [_lines(one) for one in family]),
        step=_step(quote, family),
        source=quote.source,
        hold_formula="" if held is None else held.formula,
    )


def _lines(quote: Quote) -> dict[str, float]:
    """Prices in dollars by line."""
    prices, held = quote.prices, held_price(quote)
    found = {"input": prices.input, "output": prices.output}
    if prices.cache_read:
        found["cached_input"] = prices.cache_read
    return found if held is None else {**found, "hold": held.usd_per_token_s}


def multipliers_of(usd: Mapping[str, float], family: Sequence[Mapping[str, float]]) -> tuple[Multiplier, ...]:
    """Multiplier of each line over input, and how many of the vendor's models share it.

    Args:
        usd: prices of a model, by line.
        family: prices of all models of the same vendor.
    """
    return tuple(_multiplier(line, usd, family) for line in usd if line != "input")


def _multiplier(line: str, usd: Mapping[str, float], family: Sequence[Mapping[str, float]]) -> Multiplier:
    own = usd[line] / usd["input"]
    ratios = [(one["input"], one[line] / one["input"]) for one in (usd, *family) if line in one]
    alike = {price for price, ratio in ratios if abs(math.log(ratio / own)) < ALIKE}
    span = max(alike) / min(alike)
    return Multiplier(
        line=line,
        ratio=own,
        shared_by=len(alike),
        of=len({price for price, _ in ratios}),
        input_span=span,
        is_policy=len(alike) >= FEWEST and span >= LEAST_SPAN,
    )


def _step(quote: Quote, family: Sequence[Quote]) -> Step | None:
    """First step of a list, and how many of the vendor's models have one there."""
    if not quote.cliffs:
        return None
    threshold = quote.cliffs[0].threshold_tokens
    there = [one for one in (quote, *family) if one.cliffs and one.cliffs[0].threshold_tokens == threshold]
    inputs = {one.prices.input for one in there}
    return Step(threshold_tokens=threshold, shared_by=len(inputs), input_span=max(inputs) / min(inputs))
