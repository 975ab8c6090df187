"""The data of genai-prices, read offline, in the only module that uses its types."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from functools import lru_cache
from importlib.metadata import version

from frozendict import frozendict
from genai_prices.data import providers
from genai_prices.types import ModelInfo, ModelPrice, StartDateConstraint, TieredPrices

from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.quote import Cliff, Prices, Quote

__all__ = ["is_deprecated", "listings", "price_days", "read_quote"]

FIELDS = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cache_read": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
}
"""Our names of prices, by the library's, which are per million tokens."""

MODES = {
    ("processing", "batch"): "batch",
    ("service_tier", "flex"): "flex",
    ("service_tier", "priority"): "priority",
    ("speed", "fast"): "fast",
}
"""Our names of modes, by the request field that selects them.

OpenAI's ``service_tier`` "fast" is left out: an older name of its priority tier, at the same prices, with no speed
promised.
"""

MILLION = 1_000_000


@lru_cache(maxsize=1)
def _models() -> dict[str, ModelInfo]:
    return {f"{provider.id}/{model.id}": model for provider in providers for model in provider.models}


def listings() -> tuple[str, ...]:
    """All models, each as PROVIDER/MODEL."""
    return tuple(_models())


def is_deprecated(listing: str) -> bool:
    """Whether a model is marked as no longer sold."""
    return bool(_models()[listing].deprecated)


def price_days(listing: str) -> tuple[dt.date, ...]:
    """Days from which a model's prices changed."""
    prices = _models()[listing].prices
    conditions = [one.constraint for one in prices] if isinstance(prices, list) else []
    return tuple(sorted(one.start_date for one in conditions if isinstance(one, StartDateConstraint)))


def read_quote(listing: str, time: dt.datetime, source: str) -> Quote:
    """A model's prices at an hour.

    Raises:
        CatalogError: the model has no prices for both input and output tokens.
    """
    model = _models()[listing]
    provider, _, name = listing.partition("/")
    standard = model.get_prices(time)
    thresholds = sorted(
        {tier.start for price in standard.__dict__.values() if isinstance(price, TieredPrices) for tier in price.tiers}
    )
    return Quote(
        provider=provider,
        model=name,
        name=model.name or name,
        time=time,
        source=f"{source}, version {version('genai-prices')}",
        prices=_prices(standard, 0, listing),
        cliffs=tuple(
            Cliff(threshold_tokens=float(start), prices=_prices(standard, start + 1, listing)) for start in thresholds
        ),
        modes=frozendict(_modes(model, time, listing)),
    )


def _modes(model: ModelInfo, time: dt.datetime, listing: str) -> dict[str, Prices]:
    """Prices of other modes of service; a condition without a known mode is left out."""
    found = {}
    for variant in model.price_variants or ():
        (condition, *others) = variant.when.items()
        mode = None if others else MODES.get(condition)
        if mode is not None and (variant.constraint is None or variant.constraint.active(time)):
            found[mode] = _prices(model.get_prices(time, variant.when), 0, listing)
    return found


def _prices(price: ModelPrice, prompt_tokens: int, listing: str) -> Prices:
    """Prices of a request with a given input, $ per token."""
    usd = {name: _usd(getattr(price, key), prompt_tokens) for name, key in FIELDS.items()}
    if not usd["input"] or not usd["output"]:
        raise CatalogError(f"{listing} has no price of a token read and of one written, as a text model has")
    return Prices(**{name: value for name, value in usd.items() if value is not None})


def _usd(price: Decimal | TieredPrices | None, prompt_tokens: int) -> float | None:
    """Price per token, $; the library's, per million, are exact decimals."""
    if isinstance(price, TieredPrices):
        price = next((tier.price for tier in reversed(price.tiers) if prompt_tokens > tier.start), price.base)
    return None if price is None else float(price / MILLION)
