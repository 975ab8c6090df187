"""``ridgeline catalog prices``: what providers charge for tokens, by day and hour."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Any

import click

from ridgeline.catalog import CatalogError
from ridgeline.catalog.list_prices import ListPrice, list_prices
from ridgeline.catalog.quotes import OWN, Prices, Quote, has_library, hour_of, listings, price_days, quote
from ridgeline.cli.completion import completes
from ridgeline.cli.facts import found, source_title
from ridgeline.cli.listing import date_option, hour_option
from ridgeline.cli.output import console, counted, json_option, print_json, print_table, print_text, show

__all__ = ["PRICES", "prices"]

PRICES = {
    "input": "a token read",
    "output": "a token written",
    "cache_read": "a token read from a cache",
    "cache_write": "a token read and kept for the shortest time that is sold",
    "cache_write_1h": "a token read and kept for an hour",
    "cache_write_12h": "a token read and kept for more than twelve hours",
    "cache_storage": "a token kept, by time",
}
"""Fields of a list's prices, in dollars a token."""


SAID = {
    "input": "input",
    "output": "output",
    "cache_read": "cached",
    "cache_write": "kept",
    "cache_write_1h": "kept 1 h",
    "cache_write_12h": "kept 12 h",
}
"""The same as heads of columns."""


@click.command("prices")
@click.argument("name", required=False, metavar="[ID]", shell_complete=completes(lambda: (*list_prices(), *listings())))
@date_option
@hour_option
@json_option
def prices(name: str | None, date: dt.date | None, hour: int | None, as_json: bool) -> None:  # noqa: FBT001  a flag
    """List what providers charge for tokens: those of the lecture's boards, a provider's, or one model's in full.

    ID is a provider ("anthropic") or a model of one ("anthropic/claude-opus-5-5"). Most are of genai-prices, an extra,
    without which the catalog's own list is there.
    """
    time = hour_of(date, hour)
    there = _quotes(name, time)
    if as_json:
        inputs = {"id": name, "time": time.isoformat()}
        print_json({"inputs": inputs, "prices": [_document(key, one) for key, one in there.items()]})
    elif len(there) == 1 and name is not None:
        _show(*there.popitem())
    else:
        _show_all(there, time, is_all=name is None)


def _quotes(name: str | None, time: dt.datetime) -> dict[str, Quote]:
    """Those that were asked for, by id."""
    if name is None:
        return {key: quote(key, time) for key in list_prices()}
    if "/" in name or name in list_prices():
        return {name: found(lambda one: quote(one, time), name)}
    there = {}
    for key in found(listings, name):
        try:
            there[key] = quote(key, time)
        except CatalogError:  # not a text model
            continue
    return there


def _show_all(there: dict[str, Quote], time: dt.datetime, *, is_all: bool) -> None:
    """A line a model."""
    out = console()
    rows = [
        (
            key,
            one.name,
            *(_price(getattr(one.prices, field)) for field in ("input", "cache_read", "output")),
            "-" if not one.cliffs else show(one.cliffs[0].threshold_tokens, "count"),
        )
        for key, one in there.items()
    ]
    headers = ("id", "name", "input", "cached input", "output", "dearer from")
    print_table(out, headers, rows, left=(0, 1), optional=(1,))
    print_text(out, f"dollars a million tokens at {time:%Y-%m-%d %H} h UTC", style="dim")
    if not has_library():
        print_text(out, f"note: {OWN}", style="dim")
    elif is_all:
        known = listings()
        providers = {one.partition("/")[0] for one in known}
        said = f"{len(known):,} models of {counted(len(providers), 'provider')}: name a provider, or PROVIDER/MODEL"
        print_text(out, f"more: {said}; {', '.join(sorted(providers))}", style="dim")


def _document(key: str, one: Quote) -> dict[str, Any]:
    return {
        "id": key,
        "listing": one.id,
        "name": one.name,
        "usd_per_token": _by_field(one.prices),
        "usd_per_token_s": {"cache_storage": one.cache_storage},
        "threshold_tokens": one.cliffs[0].threshold_tokens if one.cliffs else None,
        "cliffs": [
            {"threshold_tokens": cliff.threshold_tokens, "usd_per_token": _by_field(cliff.prices)}
            for cliff in one.cliffs
        ],
        "modes": {mode: _by_field(of_mode) for mode, of_mode in one.modes.items()},
        "write_hold_s": one.write_hold_s,
        "cache_kept": "" if (kept := _kept(one)) is None else kept.cache_kept,
        "changed": [day.isoformat() for day in price_days(one.id)],
        "source": one.source,
        "date": one.time.date().isoformat(),
        "time": one.time.isoformat(),
    }


def _kept(one: Quote) -> ListPrice | None:
    """The catalog's own entry, where it says how long and where caches are kept."""
    return next((own for own in list_prices().values() if own.listing == one.id and own.cache_kept), None)


def _by_field(of: Prices) -> dict[str, float | None]:
    return dataclasses.asdict(of)


def _price(usd: float | None, dimension: str = "usd_per_token") -> str:
    return "-" if usd is None else show(usd, dimension)


def _show(key: str, one: Quote) -> None:
    """One model in full: a column for each step of the list, and each mode."""
    out = console()
    print_text(out, f" ({key}), at {one.time:%Y-%m-%d %H} h UTC", head=one.name)
    rows = {"plain": one.prices}
    rows |= {f"above {show(cliff.threshold_tokens, 'count')}": cliff.prices for cliff in one.cliffs}
    rows |= dict(one.modes)
    cells = [
        (
            name,
            *(
                "" if usd is None else show(usd, "usd_per_token").removesuffix("/Mtok")
                for usd in _by_field(of).values()
            ),
        )
        for name, of in rows.items()
    ]
    print_table(out, ("$/Mtok", *SAID.values()), cells)
    if one.cache_storage is not None:
        print_text(out, f"a token kept: {_price(one.cache_storage, 'usd_per_token_s')}")
    for cliff in one.cliffs:
        print_text(out, f"more than {show(cliff.threshold_tokens, 'count')} tokens of input reprice the whole request")
    if one.write_hold_s is not None:
        print_text(out, f"the shortest time that a cache is sold for is {show(one.write_hold_s, 'duration')}")
    if kept := _kept(one):
        print_text(out, f"caches are kept: {kept.cache_kept} ({source_title(kept.cache_kept_source)})")
    days = price_days(one.id)
    if days:
        print_text(
            out, f"its prices changed on {', '.join(day.isoformat() for day in days)}: --date shows earlier ones"
        )
    print_text(out, f"from {one.source}")
