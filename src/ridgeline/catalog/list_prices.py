"""What providers list for a token, and the devices that a cache can wait on: two small tables of facts."""

from __future__ import annotations

import datetime as dt
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator

from ridgeline.catalog.facts import CATALOG, CatalogError, Fact, FactFile, reads
from ridgeline.quantity_text import parse_quantity

__all__ = ["ListPrice", "StorageDevice", "list_price", "storage_device"]


def _quantity(dimension: str) -> BeforeValidator:
    return BeforeValidator(lambda text: parse_quantity(text, dimension))


TokenPrice = Annotated[float, _quantity("usd_per_token")]


class ListPrice(FactFile):
    """A model's list prices, dollars a token; None where it has no such price.

    Attributes:
        name: as its provider writes it.
        source: where the prices were read.
        date: when.
        input: a token read.
        output: a token written.
        cache_read: a token read from a cache.
        cache_write_5min: a token read and kept for five minutes.
        cache_write_1h: a token read and kept for an hour.
        threshold_tokens: input from which the whole request is billed at the prices above.
        input_above: a token read, there.
        output_above: a token written, there.
    """

    name: str
    source: str
    date: dt.date
    input: TokenPrice
    output: TokenPrice
    cache_read: TokenPrice | None = None
    cache_write_5min: TokenPrice | None = None
    cache_write_1h: TokenPrice | None = None
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


class StorageDevice(FactFile):
    """A device that holds caches.

    Attributes:
        name: as its makers write it, or its class.
        tier: HBM, DDR, flash or disk.
        capacity_bytes: what it holds.
        bytes_per_s: what it reads.
        usd: what it costs to buy; None where that is not known.
    """

    name: str
    tier: str
    capacity_bytes: Annotated[Fact, reads("bytes")]
    bytes_per_s: Annotated[Fact, reads("bytes_per_s")]
    usd: Annotated[Fact, reads("usd")] | None = None


@lru_cache(maxsize=2)
def _table(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def list_price(name: str) -> ListPrice:
    """The list prices of one model."""
    return ListPrice.model_validate(_table(CATALOG / "list_prices.toml")[name])


def storage_device(name: str) -> StorageDevice:
    """One device."""
    return StorageDevice.model_validate(_table(CATALOG / "storage.toml")[name])
