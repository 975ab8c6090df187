"""List prices of tokens by provider."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Annotated

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, CatalogError, FactFile, Reading
from ridgeline.quantity_text import parse_quantity

__all__ = ["ListPrice", "StoragePrice", "TokenPrice", "list_price", "list_prices"]


def _quantity(dimension: str) -> Reading:
    return Reading(lambda text, _: parse_quantity(text, dimension))


TokenPrice = Annotated[float, _quantity("usd_per_token")]
StoragePrice = Annotated[float, _quantity("usd_per_token_s")]


class ListPrice(FactFile):
    """A model's list prices, $ per token; None where it has no such price.

    Attributes:
        name: name of the model, as its provider writes it.
        listing: provider and model as ``quotes`` names them: "anthropic/claude-opus-5-5".
        source: source of the prices.
        date: date on which they were read.
        input: price of an input token.
        output: price of an output token.
        cache_read: price of a token read from a cache.
        cache_write_5min: price of a token read and kept for five minutes.
        cache_write_30min: price of a token read and kept for half an hour or longer.
        cache_write_1h: price of a token read and kept for an hour.
        cache_write_12h: price of a token read and kept for more than twelve hours.
        cache_storage: price of a token kept for a second, where that is billed by time.
        cache_kept: time and place that its provider states for its caches; empty where it states neither.
        cache_kept_source: source of ``cache_kept``.
        threshold_tokens: input tokens from which the whole request is billed at the prices for longer ones.
        input_above: price of an input token above the threshold.
        output_above: price of an output token above the threshold.
    """

    name: str
    listing: str
    source: str
    date: dt.date
    input: TokenPrice
    output: TokenPrice
    cache_read: TokenPrice | None = None
    cache_write_5min: TokenPrice | None = None
    cache_write_30min: TokenPrice | None = None
    cache_write_1h: TokenPrice | None = None
    cache_write_12h: TokenPrice | None = None
    cache_storage: StoragePrice | None = None
    cache_kept: str = ""
    cache_kept_source: str = ""
    threshold_tokens: Annotated[float, _quantity("count")] | None = None
    input_above: TokenPrice | None = None
    output_above: TokenPrice | None = None

    def of(self, field: str) -> float:
        """One of the prices, which must be there.

        Raises:
            CatalogError: the list has no such price.
        """
        value = getattr(self, field)
        if value is None:
            raise CatalogError(f"the list price of {self.name} has no {field}; ask for another model's")
        return float(value)


class ListPrices(FactFile):
    """The contents of ``list_prices.toml``."""

    prices: dict[str, ListPrice]


@lru_cache(maxsize=1)
def list_prices() -> dict[str, ListPrice]:
    """All list prices, by id."""
    return read_toml(CATALOG / "list_prices.toml", ListPrices).prices


def list_price(name: str) -> ListPrice:
    """List prices of one model.

    Raises:
        CatalogError: the id is unknown; the message lists the known ones.
    """
    if name not in list_prices():
        raise CatalogError(f"no list price {name!r} in the catalog; there are {', '.join(list_prices())}")
    return list_prices()[name]
