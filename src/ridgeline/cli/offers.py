"""``ridgeline catalog storage``, ``prices`` and ``acceptance``: where caches wait, list prices, what drafts add."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from ridgeline.boards.exercise import shown
from ridgeline.catalog import Fact
from ridgeline.catalog.acceptance import Acceptance, acceptances, acceptances_of, models_with_drafts
from ridgeline.catalog.list_prices import ListPrice, list_price, list_prices
from ridgeline.catalog.storage import StorageDevice, storage_device, storage_devices
from ridgeline.cli.completion import completes
from ridgeline.cli.facts import fact_document, found, print_facts, source_title
from ridgeline.cli.output import console, json_option, print_json, print_table, print_text, show
from ridgeline.equations import caching

__all__ = ["acceptance", "prices", "storage"]

DIGITS = 3
"""Of a time, which may be days."""

PRICES = {
    "input": "a token read",
    "output": "a token written",
    "cache_read": "a token read from a cache",
    "cache_write_5min": "a token read and kept for five minutes",
    "cache_write_1h": "a token read and kept for an hour",
    "input_above": "a token read, from the threshold on",
    "output_above": "a token written, from the threshold on",
}
"""Fields of a list price, in dollars a token."""


@click.command("storage")
@click.argument("name", required=False, metavar="[ID]", shell_complete=completes(storage_devices))
@json_option
def storage(name: str | None, as_json: bool) -> None:  # noqa: FBT001  a flag
    """List devices that a cache can wait on, or show one with its sources."""
    there = {name: found(storage_device, name)} if name else storage_devices()
    if as_json:
        print_json(
            {"inputs": {"id": name}, "storage": [_device_document(key, device) for key, device in there.items()]}
        )
    elif name:
        _show_device(name, there[name])
    else:
        rows = [
            (
                key,
                device.name,
                device.tier,
                show(device.capacity_bytes.value, "bytes"),
                show(device.bytes_per_s.value, "bytes_per_s"),
                shown(_drain_time_s(device), "s", DIGITS),
                "-" if device.usd is None else show(device.usd.value, "usd"),
            )
            for key, device in there.items()
        ]
        headers = ("id", "name", "tier", "holds", "reads", "read once in", "price")
        print_table(console(), headers, rows, left=(0, 1, 2), optional=(1, 6))


@click.command("prices")
@click.argument("name", required=False, metavar="[ID]", shell_complete=completes(list_prices))
@json_option
def prices(name: str | None, as_json: bool) -> None:  # noqa: FBT001  a flag
    """List what providers charge for tokens, or show one model's prices with their source."""
    there = {name: found(list_price, name)} if name else list_prices()
    if as_json:
        print_json({"inputs": {"id": name}, "prices": [_price_document(key, price) for key, price in there.items()]})
    elif name:
        _show_price(name, there[name])
    else:
        rows = [
            (
                key,
                price.name,
                *(_price(getattr(price, field)) for field in ("input", "cache_read", "output")),
                "-" if price.threshold_tokens is None else show(price.threshold_tokens, "count"),
                price.date.isoformat(),
            )
            for key, price in there.items()
        ]
        headers = ("id", "name", "input", "cached input", "output", "dearer from", "date")
        print_table(console(), headers, rows, left=(0, 1), optional=(1, 6))


@click.command("acceptance")
@click.argument("name", required=False, metavar="[MODEL]", shell_complete=completes(models_with_drafts))
@json_option
def acceptance(name: str | None, as_json: bool) -> None:  # noqa: FBT001  a flag
    """List how many tokens a step adds where drafted tokens are checked, by model and draft, as measured."""
    there = found(acceptances_of, name) if name else acceptances()
    if as_json:
        print_json({"inputs": {"model": name}, "acceptance": [_acceptance_document(one) for one in there]})
        return
    out, most = console(), max(len(one.accepted_tokens) for one in there)
    titles = list(dict.fromkeys(source_title(one.source) for one in there))
    rows = [
        (
            one.model,
            one.draft,
            one.mode,
            *(f"{value:.2f}" for value in one.accepted_tokens),
            *[""] * (most - len(one.accepted_tokens)),
            f"[{titles.index(source_title(one.source)) + 1}]",
        )
        for one in there
    ]
    headers = ("model", "draft", "mode", *(f":{count}" for count in range(1, most + 1)), "source")
    print_table(out, headers, rows, left=(0, 1, 2))
    print_text(out, "tokens that a step adds on the mean, its own among them, with so many drafted", style="dim")
    for number, title in enumerate(titles, start=1):
        said = dict.fromkeys(f"{one.on}, {one.date}" for one in there if source_title(one.source) == title)
        print_text(out, f"[{number}] {title}: {'; '.join(said)}", hang=len(f"[{number}] "))


def _acceptance_document(one: Acceptance) -> dict[str, Any]:
    return {**asdict(one), "date": one.date.isoformat()}


def _facts(device: StorageDevice) -> dict[str, Fact]:
    facts = {"capacity_bytes": device.capacity_bytes, "bytes_per_s": device.bytes_per_s}
    return facts if device.usd is None else {**facts, "usd": device.usd}


def _drain_time_s(device: StorageDevice) -> float:
    """In which all of it is read once."""
    found = caching.drain_time_s(capacity_bytes=device.capacity_bytes.value, bytes_per_s=device.bytes_per_s.value)
    return float(found)


def _device_document(key: str, device: StorageDevice) -> dict[str, Any]:
    return {
        "id": key,
        "name": device.name,
        "tier": device.tier,
        "capacity_bytes": device.capacity_bytes.value,
        "bytes_per_s": device.bytes_per_s.value,
        "usd": None if device.usd is None else device.usd.value,
        "drain_time_s": _drain_time_s(device),
        "facts": {field: fact_document(fact) for field, fact in _facts(device).items()},
    }


def _show_device(key: str, device: StorageDevice) -> None:
    out = console()
    print_text(
        out, f" ({key}), {device.tier}; read once in {shown(_drain_time_s(device), 's', DIGITS)}", head=device.name
    )
    print_facts(out, list(_facts(device).items()))


def _price_document(key: str, price: ListPrice) -> dict[str, Any]:
    return {
        "id": key,
        "name": price.name,
        "usd_per_token": {field: getattr(price, field) for field in PRICES},
        "threshold_tokens": price.threshold_tokens,
        "source": price.source,
        "date": price.date.isoformat(),
    }


def _price(usd_per_token: float | None) -> str:
    return "-" if usd_per_token is None else show(usd_per_token, "usd_per_token")


def _show_price(key: str, price: ListPrice) -> None:
    out = console()
    print_text(out, f" ({key})", head=price.name)
    listed = {field: getattr(price, field) for field in PRICES}
    rows = [(field, _price(usd), PRICES[field]) for field, usd in listed.items() if usd is not None]
    print_table(out, ("price", "", "of"), rows, left=(0, 2))
    if price.threshold_tokens is not None:
        print_text(out, f"threshold: {show(price.threshold_tokens, 'count')} tokens of input reprice the whole request")
    print_text(out, f"from {source_title(price.source)}, {price.date}")
