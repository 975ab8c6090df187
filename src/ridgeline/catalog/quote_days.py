"""Days on which a price list holds: first days, last days, and unknown ones."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.quote_facts import Retired, Sold, quote_facts

__all__ = ["UnsoldError", "first_sold", "notes_of_day", "require_sold", "retired_by"]


class UnsoldError(CatalogError):
    """A model on a day before it is known to have been sold."""


def first_sold(listing: str) -> Sold | None:
    """First day on which a model is known to have been sold; None where unknown."""
    provider, _, model = listing.partition("/")
    of_provider = (one for one in quote_facts().lines.values() if one.provider == provider)
    return next((sold for line in of_provider for sold in line.models if sold.model == model), None)


def require_sold(listing: str, day: dt.date) -> None:
    """Refuse a day before a model is known to have been sold.

    Raises:
        UnsoldError: the day is earlier; the message names the first one.

    >>> require_sold("anthropic/claude-opus-5-5", dt.date(2024, 1, 1))
    Traceback (most recent call last):
    ...
    ridgeline.catalog.quote_days.UnsoldError: anthropic/claude-opus-5-5 was not sold on 2024-01-01, as far as is...
    """
    first = first_sold(listing)
    if first is not None and day < first.date:
        raise UnsoldError(
            f"{listing} was not sold on {day}, as far as is known: its first day is {first.date}; write --date"
            f" {first.date} or later"
        )


def notes_of_day(listing: str, day: dt.date, *, price_days: Sequence[dt.date], is_deprecated: bool) -> tuple[str, ...]:
    """Notes on prices of a day.

    Args:
        listing: provider and model.
        day: day of the prices.
        price_days: days from which prices changed, as far as they are dated.
        is_deprecated: whether the library marks the model as no longer sold.
    """
    facts, found = quote_facts(), []
    retired = retired_by(listing, day)
    if retired is not None:
        found.append(
            f"retired on {retired.date}: what is shown is the last price that was listed"
            + (f", {retired.note}" if retired.note else "")
        )
    elif is_deprecated:
        found.append("marked by genai-prices as no longer sold: what is shown is the last price that was listed")
    is_dated = bool(price_days) or first_sold(listing) is not None
    before = day < min((*price_days, facts.read.date)) if price_days else day < facts.read.date
    if before and (not is_dated or (price_days and first_sold(listing) is None)):
        since = f"before {min(price_days)}" if price_days else f"but for {facts.read.date}"
        found.append(f"no price is dated {since}: the oldest that is known is shown for {day}")
    found += _not_yet(listing, day)
    if day > facts.read.date:
        found.append(f"what is known ends on {facts.read.date}: later changes of the list are missing")
    return tuple(found)


def _not_yet(listing: str, day: dt.date) -> list[str]:
    """Prices missing on a day, because they are known only from a later one."""
    of_listing = [one for one in quote_facts().beyond if listing in one.listings]
    said = []
    for field, words in BEYOND.items():
        first = min((one.date for one in of_listing if getattr(one, field) is not None), default=day)
        if day < first:
            said.append(f"{words} is known from {first} on, and left out on {day}")
    return said


BEYOND = {
    "cache_write_12h": "the price of a write for 12 h",
    "cache_storage": "the price of a cache by time",
    "ultrafast_input": "the price of the ultrafast mode",
}
"""Names of prices that the library lacks, in words."""


def retired_by(listing: str, day: dt.date) -> Retired | None:
    """Facts on a name that was no longer sold on a day; None where it was, or where nothing is known."""
    return next((one for one in quote_facts().retired if listing in one.listings and one.date < day), None)
