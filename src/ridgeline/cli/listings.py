"""``ridgeline catalog prices``: what providers charge for tokens, by day and hour."""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import click

from ridgeline.catalog import CatalogError
from ridgeline.catalog.list_prices import ListPrice, list_prices
from ridgeline.catalog.quote import Prices, Quote
from ridgeline.catalog.quote_days import UnsoldError, first_sold
from ridgeline.catalog.quote_names import containing, near_provider
from ridgeline.catalog.quotes import OWN, has_library, hour_of, listings, price_days, quote
from ridgeline.cli.completion import completes
from ridgeline.cli.facts import found, source_title
from ridgeline.cli.listing import DAY, date_option, hour_option
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
"""Heads of columns by kind of price."""


@click.command("prices")
@click.argument("name", required=False, metavar="[ID]", shell_complete=completes(lambda: (*list_prices(), *listings())))
@date_option
@hour_option
@click.option("--since", type=DAY, help="Compare with an earlier day: 2026-03-01; models whose prices are others.")
@click.option("--csv", "as_csv", is_flag=True, help="Print a table for a spreadsheet, in dollars a token.")
@json_option
def prices(
    name: str | None,
    date: dt.date | None,
    hour: int | None,
    since: dt.date | None,
    as_csv: bool,  # noqa: FBT001  a flag
    as_json: bool,  # noqa: FBT001  a flag
) -> None:
    """List what providers charge for tokens: those of the lecture's boards, a provider's, or one model's in full.

    ID is a provider ("anthropic"), a model of one ("anthropic/claude-opus-5-5"), or a part of a name that several
    providers sell ("llama-3.3-70b"). Most are of genai-prices, an extra, without which the catalog's own list is there.
    """
    time = hour_of(date, hour)
    if since is not None and since >= time.date():
        raise click.BadParameter(f"{since} is not before {time.date()}; write an earlier day", param_hint="--since")
    if as_csv and (as_json or since is not None):
        other = "--json" if as_json else "--since"
        raise click.BadParameter(f"is another form than {other}; give one of them", param_hint="--csv")
    found = _quotes(name, time)
    there = found.quotes
    if since is not None:
        before = _quotes(name, hour_of(since, hour), may_be_unsold=True).quotes
        _compare(there, before, time, since, as_json=as_json, name=name)
    elif as_json:
        inputs = {"id": name, "time": time.isoformat()}
        print_json({"inputs": inputs, "prices": [_document(key, one) for key, one in there.items()]})
    elif as_csv:
        _print_csv(there)
    elif len(there) == 1 and name is not None:
        _show(*there.popitem())
    else:
        _show_all(found, time, is_all=name is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Quotes by id, and models that were not sold yet."""

    quotes: dict[str, Quote]
    unsold: tuple[str, ...]


def _quotes(name: str | None, time: dt.datetime, *, may_be_unsold: bool = False) -> _Found:
    """Quotes as asked for: of a model, of all models of a provider, or of all with a text in their names.

    Args:
        name: name as given; None for those of the lecture's boards.
        time: hour of the prices.
        may_be_unsold: whether nothing of all this may have been sold yet.
    """
    if name is not None and ("/" in name or name in list_prices()):
        if may_be_unsold:
            with suppress(UnsoldError):
                return _Found(quotes={name: quote(name, time)}, unsold=())
            return _Found(quotes={}, unsold=(name,))
        return _Found(quotes={name: found(lambda one: quote(one, time), name)}, unsold=())
    there, unsold = {}, []
    for key in list_prices() if name is None else _named(name):
        try:
            there[key] = quote(key, time)
        except UnsoldError:
            unsold.append(key)
        except CatalogError:  # not a text model
            continue
    if unsold and not there and not may_be_unsold:
        raise click.BadParameter(
            f"none of {counted(len(unsold), 'model')} was sold by {time.date()}, as far as is known; write a later day",
            param_hint="--date",
        )
    if not there and not unsold:
        raise click.BadParameter(f"no model of {name} has a price of tokens both ways", param_hint="ID")
    return _Found(quotes=there, unsold=tuple(unsold))


def _named(name: str) -> tuple[str, ...]:
    """Models of a provider; else those with a text in their names."""
    try:
        return listings(name.lower())
    except CatalogError:
        known = listings()
        named = containing(name, known)
        providers = sorted({one.partition("/")[0] for one in known})
        # Where no name has the text, a provider with nearly that name is meant.
        if near_provider(name, providers) and not any(name.lower() in one.lower() for one in named):
            named = ()
        # An unknown provider is refused with the names of those that are known.
        return named or tuple(found(listings, name))


def _compare(
    there: dict[str, Quote],
    before: dict[str, Quote],
    time: dt.datetime,
    since: dt.date,
    *,
    as_json: bool,
    name: str | None,
) -> None:
    """Models whose prices are others than on an earlier day, with both."""
    changed = {key: one for key, one in there.items() if key not in before or one.prices != before[key].prices}
    if as_json:
        inputs = {"id": name, "time": time.isoformat(), "since": since.isoformat()}
        then = [_document(key, before[key]) for key in changed if key in before]
        print_json({"inputs": inputs, "prices": [_document(key, one) for key, one in changed.items()], "before": then})
        return
    out = console()
    rows = [
        (key, *(_then_now(before.get(key), one, field) for field in ("input", "cache_read", "output")))
        for key, one in changed.items()
    ]
    if rows:
        print_table(out, ("id", "input", "cached input", "output"), rows)
    undated = {
        key
        for key, one in there.items()
        if key not in changed and not price_days(one.id) and first_sold(one.id) is None
    }
    same = len(there) - len(changed) - len(undated)
    said = [f"{counted(len(changed), 'model')} with other prices"] if changed else []
    said += [f"{counted(same, 'model')} with the same prices"] if same else []
    said += (
        [f"{counted(len(undated), 'model')} without a dated earlier price, of which nothing is said"] if undated else []
    )
    days = f"{'dollars a million tokens ' if rows else ''}on {since} and on {time:%Y-%m-%d}, {time:%H} h UTC"
    print_text(out, f"{days}: {', '.join(said)}", style="dim")
    shown = [one for key, one in before.items() if key not in undated]
    for note, count in Counter(note for one in shown for note in one.notes).items():
        print_text(out, f"note: of {counted(count, 'model')}, {note}", style="dim")


def _then_now(before: Quote | None, now: Quote, field: str) -> str:
    """Price on both days, as text."""
    new = _price(getattr(now.prices, field)).removesuffix("/Mtok")
    if before is None:
        return f"not sold, {new}"
    old = _price(getattr(before.prices, field)).removesuffix("/Mtok")
    return new if old == new else f"{old}, {new}"


def _print_csv(there: dict[str, Quote]) -> None:
    """Print CSV, a line for each model and step of its list."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    fields = [f"{name}_usd_per_token" for name in SAID]
    writer.writerow(("id", "listing", "name", "time", "above_tokens", *fields, "notes"))
    for key, one in there.items():
        steps = [(0, one.prices), *((round(cliff.threshold_tokens), cliff.prices) for cliff in one.cliffs)]
        for above, of in steps:
            cells = ("" if usd is None else repr(usd) for usd in _by_field(of).values())
            writer.writerow((key, one.id, one.name, one.time.isoformat(), above, *cells, "; ".join(one.notes)))


def _show_all(all_found: _Found, time: dt.datetime, *, is_all: bool) -> None:
    """Print a table, a line a model."""
    out, there = console(), all_found.quotes
    rows = [
        (
            key,
            one.name,
            *(_price(getattr(one.prices, field)).removesuffix("/Mtok") for field in ("input", "cache_read", "output")),
            "-" if not one.cliffs else show(one.cliffs[0].threshold_tokens, "count"),
            "retired" if one.is_retired else "",
        )
        for key, one in there.items()
    ]
    headers = ("id", "name", "input", "cached input", "output", "dearer from", "note")
    print_table(out, headers, rows, left=(0, 1, 6), optional=(1, 5), spare=(6, 3), paths=(0,))
    print_text(out, f"dollars a million tokens at {time:%Y-%m-%d %H} h UTC", style="dim")
    if all_found.unsold:
        said = ", ".join(all_found.unsold)
        print_text(out, f"left out, since they were not sold yet, as far as is known: {said}", style="dim")
    undated = Counter(note for one in there.values() for note in one.notes if not one.is_retired)
    for note, count in undated.items():
        print_text(out, f"note: of {counted(count, 'model')}, {note}", style="dim")
    if not has_library():
        print_text(out, f"note: {OWN}", style="dim")
    elif is_all:
        known = listings()
        providers = {one.partition("/")[0] for one in known}
        said = (
            f"{len(known):,} models of {counted(len(providers), 'provider')}: name a provider, PROVIDER/MODEL, or a"
            " part of a name"
        )
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
        "retired": one.is_retired,
        "notes": one.notes,
        "source": one.source,
        "date": one.time.date().isoformat(),
        "time": one.time.isoformat(),
    }


def _kept(one: Quote) -> ListPrice | None:
    """Catalog's own entry of a model, where it says how long and where caches are kept."""
    return next((own for own in list_prices().values() if own.listing == one.id and own.cache_kept), None)


def _by_field(of: Prices) -> dict[str, float | None]:
    return dataclasses.asdict(of)


def _price(usd: float | None, dimension: str = "usd_per_token") -> str:
    return "-" if usd is None else show(usd, dimension)


def _show(key: str, one: Quote) -> None:
    """Print one model in full: a column for each step of the list, and each mode."""
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
    for note in one.notes:
        print_text(out, f"note: {note}")
    print_text(out, f"from {one.source}")
