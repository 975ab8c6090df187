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
    """What a token costs, dollars; None where it has no such price.

    Attributes:
        input: a token read.
        output: a token written.
        cache_read: a token read from a cache.
        cache_write: a token read and kept for the shortest time that is sold.
        cache_write_1h: a token read and kept for an hour.
        cache_write_12h: a token read and kept for more than twelve hours.
    """

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None
    cache_write_1h: float | None = None
    cache_write_12h: float | None = None

    def given(self) -> dict[str, float]:
        """Those that there are."""
        return {name: usd for name, usd in dataclasses.asdict(self).items() if usd is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cliff:
    """A step of a list: a request with more input is billed at other prices, all of its tokens.

    Attributes:
        threshold_tokens: most input at the prices below.
        prices: of a request with more.
    """

    threshold_tokens: float
    prices: Prices


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A provider's prices of a model at an hour.

    Attributes:
        provider: who asks them.
        model: as the provider names it.
        name: as people do.
        time: the hour, UTC.
        source: where they were read.
        prices: of a request with little input.
        cliffs: steps of the list, in order.
        modes: of batch, flex, priority, fast and ultrafast, where they are sold.
        cache_storage: of a token kept for a second, where that is billed by time.
        write_hold_s: for how long a token is kept for ``cache_write``; None where nobody says.
        is_retired: whether it is sold no longer, and these are its last prices.
        notes: what is to be said of prices of that day.
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
        """Prices of a request with so much input: a cliff reprices all of it.

        >>> from ridgeline.catalog.quotes import quote
        >>> found = quote("google/gemini-3.1-pro-preview")
        >>> [round(found.at(tokens).input * 1e6, 2) for tokens in (200_000, 200_001)]
        [2.0, 4.0]
        """
        crossed = [one.prices for one in self.cliffs if prompt_tokens > one.threshold_tokens]
        return crossed[-1] if crossed else self.prices
