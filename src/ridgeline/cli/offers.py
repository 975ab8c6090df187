"""``ridgeline catalog storage`` and ``acceptance``: devices for caches, and tokens that drafts add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from ridgeline.boards.exercise import shown
from ridgeline.catalog import Fact
from ridgeline.catalog.acceptance import Acceptance, acceptances, acceptances_of, models_with_drafts
from ridgeline.catalog.storage import StorageDevice, device_id, price_at, storage_device, storage_devices
from ridgeline.cli.completion import completes
from ridgeline.cli.facts import fact_document, found, print_facts, source_title
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.output import console, json_option, print_json, print_table, print_text, show
from ridgeline.equations import caching

__all__ = ["acceptance", "storage"]

DIGITS = 3
"""Significant digits of a time, which may be days."""


@click.command("storage")
@click.argument("name", required=False, metavar="[ID]", shell_complete=completes(storage_devices))
@figure_options("prices of memory over time")
@json_option
def storage(name: str | None, figure: Path | None, theme: str | None, as_json: bool) -> None:  # noqa: FBT001  a flag
    """List the devices that a cache can be kept on, or show one with its sources."""
    refuse_theme_alone(figure, theme)
    if name and figure is not None:
        raise click.UsageError("--figure: of all devices; leave out ID, or the figure")
    if figure is not None:
        _draw_prices(figure, theme)
    there = {device_id(name): found(storage_device, name)} if name else storage_devices()
    if as_json:
        print_json(
            {"inputs": {"id": name}, "storage": [_device_document(key, device) for key, device in there.items()]}
        )
    elif name:
        for key, device in there.items():
            _show_device(key, device)
    else:
        rows = [
            (
                key,
                device.name,
                device.tier,
                device.link,
                "-" if device.capacity_bytes is None else show(device.capacity_bytes.value, "bytes"),
                show(device.bytes_per_s.value, "bytes_per_s"),
                "-" if drain_s is None else shown(drain_s, "s", DIGITS),
                *_price_cells(device),
            )
            for key, device in there.items()
            for drain_s in (_drain_time_s(device),)
        ]
        headers = ("id", "name", "tier", "over", "holds", "reads", "drained in", "$/GB", "in")
        print_table(console(), headers, rows, left=(0, 1, 2, 3, 8), optional=(1, 3, 4))
        if any(device.hold_usd_per_byte_s is not None for device in there.values()):
            print_text(console(), "$/GB: bought once; a month: rented, and paid for each month", style="dim")


def _draw_prices(path: Path, theme: str | None) -> None:
    """Draw the prices that a gigabyte was bought for."""
    # The drawing library is an extra.
    from ridgeline.figures.memory_prices import memory_prices_figure  # noqa: PLC0415

    devices = storage_devices()
    dates = [one.date for device in devices.values() for one in device.usd]
    subtitle = f"what sources give from {min(dates):%B %Y} to {max(dates):%B %Y}"
    foot = (
        "Stacks of HBM as sold to a maker of chips; DDR5 by contract, in modules of 64 GB unless said; drives and disks"
        " one by one. What has the price of another is left out. Sources: ridgeline catalog storage ID."
    )
    words = ("What memory costs", subtitle, foot)
    draw_titled(partial(memory_prices_figure, devices), words=words, path=path, theme=theme)


THINKING = "thinking "
"""Beginning of the modes of a model that thinks or does not."""


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
            f"[{titles.index(source_title(one.source)) + 1}]",
            _draft(one, there),
            one.mode.removeprefix(THINKING),
            *(f"{value:.2f}" for value in one.accepted_tokens),
            *[""] * (most - len(one.accepted_tokens)),
        )
        for one in there
    ]
    is_thinking = all(not one.mode or one.mode.startswith(THINKING) for one in there)
    headers = ("model", "", "draft", "thinks" if is_thinking else "mode", *(f":{n}" for n in range(1, most + 1)))
    print_table(out, headers, rows, left=(0, 1, 2, 3))
    print_text(
        out,
        "tokens that a step adds on the mean, its own among them, with so many drafted; --speculate takes the mean of a"
        " model's rows with one kind of draft",
        style="dim",
    )
    for number, title in enumerate(titles, start=1):
        said = dict.fromkeys(f"{one.on}, {one.date}" for one in there if source_title(one.source) == title)
        print_text(out, f"[{number}] {title}: {'; '.join(said)}", hang=len(f"[{number}] "))


def _draft(one: Acceptance, there: Sequence[Acceptance]) -> str:
    """Name of a draft, with its variant where another row of the model and mode has the same."""
    alike = [row for row in there if (row.model, row.draft, row.mode) == (one.model, one.draft, one.mode)]
    variant = one.note.partition(", ")[2].removesuffix(" draft") if len(alike) > 1 else ""
    return f"{one.draft} {variant}".rstrip()


def _acceptance_document(one: Acceptance) -> dict[str, Any]:
    return {**asdict(one), "date": one.date.isoformat()}


FACTS = (
    "capacity_bytes",
    "bytes_per_s",
    "write_bytes_per_s",
    "latency_s",
    "endurance_bytes",
    "power_w",
    "hold_usd_per_byte_s",
    "read_usd_per_byte",
    "write_usd_per_byte",
)
"""Fields of a storage device that are facts; its prices come after them."""


def _facts(device: StorageDevice) -> dict[str, Fact]:
    there = {field: getattr(device, field) for field in FACTS}
    return {field: fact for field, fact in there.items() if fact is not None}


def _usd_per_byte(device: StorageDevice) -> float | None:
    """The newest price of a byte; None where it is rented, or no price is known."""
    price = price_at(device)
    return None if price is None else price.value / device.capacity()


def _price_cells(device: StorageDevice) -> tuple[str, str]:
    """The newest price of a gigabyte, and its month; rent stands for what is rented."""
    if device.hold_usd_per_byte_s is not None:
        rent = device.hold_usd_per_byte_s
        rented = show(rent.value, "usd_per_byte_s").removeprefix("$").removesuffix("/GB/month")
        return f"{rented} a month", f"{rent.date:%Y-%m}"
    price, usd_per_byte = price_at(device), _usd_per_byte(device)
    if price is None or usd_per_byte is None:
        return "-", ""
    return show(usd_per_byte, "usd_per_byte").removeprefix("$").removesuffix("/GB"), f"{price.date:%Y-%m}"


def _drain_time_s(device: StorageDevice) -> float | None:
    """Time to read a whole device once, in seconds; None where it is rented by the byte."""
    if device.capacity_bytes is None:
        return None
    found = caching.drain_time_s(capacity_bytes=device.capacity_bytes.value, bytes_per_s=device.bytes_per_s.value)
    return float(found)


def _device_document(key: str, device: StorageDevice) -> dict[str, Any]:
    price = price_at(device)
    return {
        "id": key,
        "name": device.name,
        "tier": device.tier,
        "link": device.link,
        "machines": device.machines,
        **{field: None if (fact := getattr(device, field)) is None else fact.value for field in FACTS},
        "usd": None if price is None else price.value,
        "usd_per_byte": _usd_per_byte(device),
        "drain_time_s": _drain_time_s(device),
        "facts": {field: fact_document(fact) for field, fact in _facts(device).items()},
        "bought": [fact_document(one) for one in device.usd],
    }


def _show_device(key: str, device: StorageDevice) -> None:
    out, drain_s = console(), _drain_time_s(device)
    once = "" if drain_s is None else f"; drained in {shown(drain_s, 's', DIGITS)}"
    print_text(out, f" ({key}), {device.tier}, over {device.link}{once}", head=device.name)
    print_facts(out, [*_facts(device).items(), *(("usd", price) for price in device.usd)])
    if device.machines:
        print_text(out, f"of {', '.join(device.machines)}")
    usd_per_byte = _usd_per_byte(device)
    if usd_per_byte is not None:
        print_text(out, f"{show(usd_per_byte, 'usd_per_byte')} by the newest price")
