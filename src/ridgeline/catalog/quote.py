"""A provider's prices of a model at one hour."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from frozendict import frozendict

__all__ = ["Cliff", "Prices", "Quote"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Prices per token, $; None where there is no such price.

    Attributes:
        input: price of an input token.
        output: price of an output token.
        cache_read: price of a token read from a cache.
        cache_write: price of a token read and kept for the shortest time on sale.
        cache_write_1h: price of a token read and kept for an hour.
        cache_write_12h: price of a token read and kept for more than twelve hours.
    """

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None
    cache_write_1h: float | None = None
    cache_write_12h: float | None = None

    def given(self) -> dict[str, float]:
        """Prices that exist, by name."""
        return {name: usd for name, usd in dataclasses.asdict(self).items() if usd is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cliff:
    """A step of a price list: above it, all tokens of a request are billed at other prices.

    Attributes:
        threshold_tokens: maximum input at the prices below.
        prices: prices of a request with more input.
    """

    threshold_tokens: float
    prices: Prices


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A provider's prices of a model at an hour.

    Attributes:
        provider: provider that asks the prices.
        model: provider's id for the model.
        name: common name of the model.
        time: hour of the prices, UTC.
        source: source of the prices.
        prices: prices of a request with little input.
        cliffs: steps of the price list, in order.
        modes: prices of batch, flex, priority, fast and ultrafast modes, where they are sold.
        cache_storage: price of a token kept for a second, where that is billed by time.
        write_hold_s: time for which ``cache_write`` keeps a token, s; None where unknown.
        is_retired: whether it is no longer sold, so that these are its last prices.
        notes: notes on prices of that day.
    """

    provider: str
    model: str
    name: str
    time: dt.datetime
    source: str
    prices: Prices
    cliffs: tuple[Cliff, ...] = ()
    modes: Mapping[str, Prices] = dataclasses.field(default_factory=frozendict)
    cache_storage: float | None = None
    write_hold_s: float | None = None
    is_retired: bool = False
    notes: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Provider and model."""
        return f"{self.provider}/{self.model}"

    def at(self, prompt_tokens: float) -> Prices:
        """Prices of a request with a given input; above a cliff, they hold for all of it.

        >>> from ridgeline.catalog.quotes import quote
        >>> found = quote("google/gemini-3.1-pro-preview")
        >>> [round(found.at(tokens).input * 1e6, 2) for tokens in (200_000, 200_001)]
        [2.0, 4.0]
        """
        crossed = [one.prices for one in self.cliffs if prompt_tokens > one.threshold_tokens]
        return crossed[-1] if crossed else self.prices
