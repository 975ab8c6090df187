"""All prices that a provider asks for a model at one hour: from genai-prices where installed, and from the catalog."""

from __future__ import annotations

import dataclasses
import datetime as dt
from importlib.util import find_spec

from frozendict import frozendict

from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.list_prices import ListPrice, list_prices
from ridgeline.catalog.quote import Cliff, Prices, Quote
from ridgeline.catalog.quote_days import notes_of_day, require_sold, retired_by
from ridgeline.catalog.quote_facts import quote_facts
from ridgeline.catalog.quote_names import as_listed, containing, near, near_provider, newest
from ridgeline.extras import installing

__all__ = [
    "OWN",
    "as_of",
    "family",
    "has_library",
    "history",
    "hour_of",
    "listings",
    "price_days",
    "quote",
    "without_a_day",
]

NOON = 12
"""Hour of a quote where none is named; not one with higher prices."""

MANY = 10
"""Models with a text in their names of which three are no help."""

OWN = f"the catalog's own list, since genai-prices is not installed: {installing('prices')}"


def has_library() -> bool:
    """Whether genai-prices is installed."""
    return find_spec("genai_prices") is not None


def as_of() -> dt.date:
    """Day on which prices were read: the newest with known facts."""
    return quote_facts().read.date


def hour_of(date: dt.date | None = None, hour: int | None = None) -> dt.datetime:
    """An hour of a day, UTC; left out, noon of the day on which prices were read.

    Raises:
        CatalogError: the hour is out of range.
    """
    if hour is not None and not 0 <= hour < 24:  # noqa: PLR2004  hours of a day
        raise CatalogError(f"hour {hour} must be from 0 to 23, UTC")
    day = as_of() if date is None else date
    return dt.datetime(day.year, day.month, day.day, NOON if hour is None else hour, tzinfo=dt.UTC)


def listings(provider: str | None = None) -> tuple[str, ...]:
    """Models with prices, each as PROVIDER/MODEL.

    Args:
        provider: provider of the models; left out, all.

    Raises:
        CatalogError: the provider is unknown.
    """
    named = _library_listings() if has_library() else tuple(one.listing for one in list_prices().values())
    if provider is None:
        return named
    found = tuple(one for one in named if one.partition("/")[0] == provider)
    if not found:
        known = sorted({one.partition("/")[0] for one in named})
        if alike := near_provider(provider, known):
            raise CatalogError(f"no prices of a provider {provider!r}; nearest: {alike}")
        raise CatalogError(f"no prices of a provider {provider!r}; there are {', '.join(known)}")
    return found


def quote(listing: str, time: dt.datetime | None = None) -> Quote:
    """All prices of a model at an hour.

    Args:
        listing: provider and model, "anthropic/claude-opus-5-5"; or an id of the catalog's own list.
        time: hour of the prices; left out, noon of the day on which prices were read.

    Raises:
        CatalogError: the name is unknown, or the model was not yet sold; the message says what to write instead.

    >>> found = quote("deepseek/deepseek-v4-pro", hour_of(hour=2))
    >>> found.prices.output / quote("DeepSeek/DeepSeek-V4-Pro").prices.output
    2.0
    """
    known = listings()
    named = list_prices()[listing].listing if listing in list_prices() else as_listed(listing, known)
    if named not in known:
        raise CatalogError(_unknown(listing, known))
    moment = hour_of() if time is None else time
    require_sold(named, moment.date())
    found = _with_facts(_library_quote(named, moment) if has_library() else _own_quote(named, moment))
    day, is_deprecated = moment.date(), has_library() and _is_deprecated(named)
    notes = notes_of_day(named, day, price_days=price_days(named), is_deprecated=is_deprecated)
    is_retired = is_deprecated or retired_by(named, day) is not None
    return dataclasses.replace(found, notes=notes, is_retired=is_retired)


def price_days(listing: str) -> tuple[dt.date, ...]:
    """Days from which a model's prices changed, as far as the library dates them; none where it has one list."""
    if not has_library():
        return ()
    from ridgeline.catalog.genai import price_days as days  # noqa: PLC0415  an extra

    return days(listing)


def history(listing: str, until: dt.date | None = None) -> tuple[tuple[str, dt.date], ...]:
    """Models of the same series and days on which their prices were new, the oldest first; as far as they are dated.

    Args:
        listing: a model of the series.
        until: last day; left out, the day on which prices were read.

    >>> [day.isoformat() for _, day in history("deepseek/deepseek-v4-pro")]
    ['2026-04-24', '2026-08-17']
    """
    last = as_of() if until is None else until
    asked = quote(listing).id
    provider, _, model = asked.partition("/")
    lines = quote_facts().lines.values()
    of_line = [one for one in lines if one.provider == provider and model in {sold.model for sold in one.models}]
    sold = {f"{provider}/{one.model}": one.date for line in of_line for one in line.models} or {asked: last}
    days = {(name, day) for name, first in sold.items() for day in (first, *price_days(name)) if first <= day <= last}
    return tuple(sorted(days, key=lambda one: (one[1], one[0])))


def without_a_day(listing: str) -> tuple[str, ...]:
    """Models sold under a name of the same series, without a known first day.

    >>> without_a_day("anthropic/claude-opus-5-5")
    ('claude-opus-4-8',)
    """
    asked = quote(listing).id
    provider, _, model = asked.partition("/")
    for name, line in quote_facts().lines.items():
        dated = {sold.model for sold in line.models}
        if line.provider == provider and model in dated:
            sold = (one.partition("/")[2] for one in listings(provider))
            return tuple(one for one in sold if one.startswith(f"{name}-") and one not in dated)
    return ()


def family(listing: str, time: dt.datetime | None = None) -> tuple[Quote, ...]:
    """Quotes of all text models of the same provider, itself among them, which have both an input and an output."""
    provider = quote(listing, time).provider
    found = []
    for one in listings(provider):
        try:
            found.append(quote(one, time))
        except CatalogError:  # no text model, or a free one
            continue
    return tuple(found)


def _unknown(listing: str, known: tuple[str, ...]) -> str:
    """Message with valid names in place of an unknown one."""
    begun = listing.rstrip("/")
    own = tuple(one for one in known if one.partition("/")[0] == begun.lower())
    if own:
        newer = f"PROVIDER/MODEL, such as {', '.join(newest(own))}"
        return f"{listing!r} is a provider: write {newer}; ridgeline catalog prices {begun} lists all of its models"
    provider, slash, _ = listing.partition("/")
    model = begun.rpartition("/")[2]
    within = tuple(one for one in known if one.lower().startswith(f"{begun.lower()}/"))
    if within:
        return (
            f"no list price {listing!r}, with which {len(within):,} models' names begin: write one of them, such as"
            f" {', '.join(newest(within))}; ridgeline catalog prices {provider} lists all of that provider's"
        )
    providers = {one.partition("/")[0] for one in known}
    is_unknown = bool(slash) and provider.lower() not in providers
    alike, named = near(listing, known), containing(model, known)
    said = f"; there are no prices of a provider {provider!r}" if is_unknown else ""
    # Of many models with a text in their names none is nearer than another.
    if alike and not (is_unknown and len(named) > MANY):
        said += f"; near are {', '.join(alike)}"
    elif not slash and not named:
        said += "; write PROVIDER/MODEL, such as anthropic/claude-opus-5-5"
    if len(named) > len(alike) or not alike:
        said += f"; ridgeline catalog prices {model if named else 'TEXT'} lists the models whose name contains"
        said += f" {'it' if named else 'TEXT'}"
    return f"no list price {listing!r}{said}" + ("" if has_library() else f" ({OWN})")


def _library_listings() -> tuple[str, ...]:
    from ridgeline.catalog.genai import listings as names  # noqa: PLC0415  an extra

    return names()


def _library_quote(listing: str, time: dt.datetime) -> Quote:
    from ridgeline.catalog.genai import read_quote  # noqa: PLC0415  an extra

    source = quote_facts().read.source
    peaks = [one for one in quote_facts().peaks if listing in one.listings]
    if not peaks:
        return read_quote(listing, time, source)
    found = dataclasses.replace(read_quote(listing, time.replace(hour=NOON), source), time=time)
    held = max((one for one in peaks if one.date <= time.date()), key=lambda one: one.date, default=None)
    if held is None or not held.has(time):
        return found
    dearer = {name: held.factor * usd for name, usd in found.prices.given().items()}
    return dataclasses.replace(found, prices=Prices(**dearer))


def _is_deprecated(listing: str) -> bool:
    from ridgeline.catalog.genai import is_deprecated  # noqa: PLC0415  an extra

    return is_deprecated(listing)


def _own_quote(listing: str, time: dt.datetime) -> Quote:
    """A quote from the catalog's own list, which has a single day."""
    found = next(one for one in list_prices().values() if one.listing == listing)
    provider, _, model = listing.partition("/")
    cliffs: tuple[Cliff, ...] = ()
    if found.threshold_tokens is not None:
        above = Prices(input=found.of("input_above"), output=found.of("output_above"))
        cliffs = (Cliff(threshold_tokens=found.threshold_tokens, prices=above),)
    return Quote(
        provider=provider,
        model=model,
        name=found.name,
        time=time,
        source=f"{found.source}, {found.date}; {OWN}",
        prices=_own_prices(found),
        cliffs=cliffs,
        cache_storage=found.cache_storage,
    )


def _own_prices(found: ListPrice) -> Prices:
    return Prices(
        input=found.input,
        output=found.output,
        cache_read=found.cache_read,
        cache_write=found.cache_write_30min if found.cache_write_5min is None else found.cache_write_5min,
        cache_write_1h=found.cache_write_1h,
        cache_write_12h=found.cache_write_12h,
    )


def _with_facts(found: Quote) -> Quote:
    """A quote with the catalog's additions for its day."""
    day, facts = found.time.date(), quote_facts()
    # Later entries are of later days, and take precedence.
    for one in sorted(facts.beyond, key=lambda one: one.date):
        if found.id not in one.listings or one.date > day:
            continue
        if one.ultrafast_input is not None and one.ultrafast_output is not None:
            fastest = Prices(input=one.ultrafast_input, output=one.ultrafast_output)
            found = dataclasses.replace(found, modes=frozendict({**found.modes, "ultrafast": fastest}))
        if one.cache_write_12h is not None:
            prices = dataclasses.replace(found.prices, cache_write_12h=one.cache_write_12h)
            found = dataclasses.replace(found, prices=prices)
        if one.cache_storage is not None:
            found = dataclasses.replace(found, cache_storage=one.cache_storage)
    hold = next((one.hold for one in facts.holds if one.provider == found.provider), None)
    return found if found.prices.cache_write is None else dataclasses.replace(found, write_hold_s=hold)
