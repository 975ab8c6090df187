"""Additions of the catalog to genai-prices: its date of reading, cache lifetimes, and missing prices."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Annotated

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, FactFile, Reading
from ridgeline.catalog.list_prices import StoragePrice, TokenPrice
from ridgeline.quantity_text import parse_quantity

__all__ = ["Beyond", "Hold", "ModelLine", "Peak", "QuoteFacts", "Read", "Retired", "Sold", "quote_facts"]

SATURDAY = 5
"""Number of Saturday among the days of a week, from 0."""


class Read(FactFile):
    """Date on which the library's data was read."""

    version: str
    date: dt.date
    source: str


class Hold(FactFile):
    """Time for which a provider keeps what is written into a cache."""

    provider: str
    hold: Annotated[float, Reading(lambda text, _: parse_quantity(text, "duration"))]
    source: str
    date: dt.date
    note: str = ""


class Beyond(FactFile):
    """Prices that the library lacks, from a date on."""

    listings: tuple[str, ...]
    source: str
    date: dt.date
    note: str = ""
    cache_write_12h: TokenPrice | None = None
    cache_storage: StoragePrice | None = None
    ultrafast_input: TokenPrice | None = None
    ultrafast_output: TokenPrice | None = None


class Sold(FactFile):
    """A model and the day from which it was sold."""

    model: str
    date: dt.date
    source: str
    note: str = ""


class ModelLine(FactFile):
    """Models that follow one another, the oldest first."""

    provider: str
    models: tuple[Sold, ...]


class Retired(FactFile):
    """Names that are no longer sold, and that the library keeps."""

    listings: tuple[str, ...]
    source: str
    date: dt.date
    note: str = ""


class Peak(FactFile):
    """Hours of a day with higher prices, from a date on: the first of each pair, and the first after, UTC."""

    listings: tuple[str, ...]
    hours: tuple[tuple[int, int], ...]
    factor: float
    source: str
    date: dt.date
    note: str = ""
    is_weekdays_only: bool = False

    def has(self, time: dt.datetime) -> bool:
        """Whether an hour is one of them."""
        is_billed = not self.is_weekdays_only or time.weekday() < SATURDAY
        return is_billed and any(first <= time.hour < last for first, last in self.hours)


class QuoteFacts(FactFile):
    """The contents of ``quotes.toml``."""

    read: Read
    holds: tuple[Hold, ...]
    lines: dict[str, ModelLine]
    retired: tuple[Retired, ...]
    peaks: tuple[Peak, ...]
    beyond: tuple[Beyond, ...]


@lru_cache(maxsize=1)
def quote_facts() -> QuoteFacts:
    """Additions of the catalog to the library."""
    return read_toml(CATALOG / "quotes.toml", QuoteFacts)
