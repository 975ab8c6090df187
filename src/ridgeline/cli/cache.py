"""``ridgeline cache``: in which tier to keep a context's KV cache until its next use, or to recompute it."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridgeline.cli.arguments import (
    ELECTRICITY,
    LAYOUT,
    MODEL,
    TIME,
    WHOLE,
    NamedType,
    QuantityType,
    engine_option,
    fidelity_option,
    ignore_unknown_option,
    json_option,
    kv_option,
    machine_option,
    parts_of,
    weights_option,
)
from ridgeline.cli.cache_text import show_caching
from ridgeline.cli.chip_price import price_option
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.kernels import kernels_option, say_kernels
from ridgeline.cli.market import market_option
from ridgeline.cli.output import counted, print_json, show
from ridgeline.planner.price import price_label
from ridgeline.quantity_text import QuantityError, parse_quantity
from ridgeline.seconds import DAY_S
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.verbs import cache

if TYPE_CHECKING:
    from ridgeline.caching.found import Caching

__all__ = ["command"]

LASTING = QuantityType("duration", "TIME")
TIMES = QuantityType("fraction", "TIMES")


def _until(text: str) -> dt.date:
    """Day of a text, of a month its last."""
    found = re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])(-\d{2})?", text)
    if found is None:
        raise ValueError(f"{text!r} is no month; write 2025-09, or a day, 2025-09-30")
    if found[3]:
        return dt.date.fromisoformat(text)
    year, month = int(found[1]), int(found[2])
    return dt.date(year + month // 12, month % 12 + 1, 1) - dt.timedelta(days=1)


def _device_price(text: str) -> tuple[str, float]:
    name, equals, price = text.partition("=")
    if not equals:
        raise ValueError(f"{text!r} is no price of a device; write qlc='$30000'")
    try:
        return name.strip(), parse_quantity(price.strip(), "usd")
    except QuantityError as error:
        raise ValueError(f"{text!r}: {error}; write qlc='$30000', with quotes since a shell reads $") from None


DEVICE_PRICE = NamedType("ID=PRICE", _device_price)


@click.command("cache")
@click.argument("model", type=MODEL)
@ignore_unknown_option
@machine_option
@click.option("--hold", "hold_s", type=LASTING, required=True, help="Time for which it is kept: 5min, 1h, 1d.")
@click.option(
    "--reuse", type=TIMES, required=True, help="Mean uses within that time, after the one that wrote it: 0.3, 5."
)
@click.option("--context", "context_tokens", type=WHOLE, required=True, help="Tokens of the context: 100k.")
@click.option("--output", "output_tokens", type=WHOLE, default="500", show_default=True, help="Tokens of an answer.")
@click.option("--layout", type=LAYOUT, help="Layout of a replica: tp8.  [default: the cheapest]")
@click.option("--chips", type=WHOLE, help="Budget for the search of layouts.  [default: one scale-up domain]")
@click.option("--ttft", "ttft_s", type=TIME, help="Limit on the first token of a context that is found: 8s.")
@click.option(
    "--pools", type=click.IntRange(1, 2), default=1, show_default=True, help="2: a pool of prompts and one of tokens."
)
@click.option(
    "--tiers",
    type=NamedType("IDS", parts_of),
    default=(),
    help="Storage devices to look at, by short name (ddr, cxl, rdma, tlc, qlc, disk, s3) or id.  [default: all that the"
    " machine can have and that have a price]",
)
@click.option(
    "--storage",
    type=click.Path(path_type=Path),
    help="File of your own storage devices, beside the catalog's; docs/caching.md shows its form.",
)
@click.option(
    "--device-price",
    "device_usd",
    type=DEVICE_PRICE,
    multiple=True,
    help="A device's price of your own: qlc='$30000'. May be given several times.",
)
@click.option(
    "--devices", "devices_per_chip", type=WHOLE, default="1", show_default=True, help="Devices of each kind per chip."
)
@click.option("--date", "until", type=NamedType("DATE", _until), help="Device prices known up to then: 2025-09.")
@click.option("--life", "life_s", type=LASTING, help="Time over which a device is paid off: 1095d.  [default: 1460d]")
@fidelity_option
@engine_option
@kernels_option
@weights_option
@kv_option
@price_option
@market_option(is_kept=True)
@click.option(
    "--electricity",
    "electricity_usd_per_j",
    type=ELECTRICITY,
    default=0.0,
    help="Price of what devices draw: 0.08/kWh.  [default: in the price of chips]",
)
@click.option(
    "--margin",
    "margin_fraction",
    type=QuantityType("fraction", "PART"),
    default="0.6",
    show_default=True,
    help="A provider's margin, as a part of its prices.",
)
@click.option("--prices", is_flag=True, help="Show what a provider would have to charge, beside published lists.")
@click.option("--details", is_flag=True, help="Show the parts of each cost, and break-evens of every two tiers.")
@figure_options("cost against the time that a cache is held")
@json_option
def command(
    *,
    model: Model,
    machine: Machine,
    as_json: bool,
    prices: bool,
    details: bool,
    figure: Path | None,
    theme: str | None,
    market: str | None,
    **asked: Any,  # noqa: ANN401  as verbs.cache has them
) -> None:
    """Say in which tier to keep a context's KV cache until its next use, or to recompute it."""
    asked["device_usd"] = dict(asked["device_usd"])
    refuse_theme_alone(figure, theme)
    found = cache(model, machine, **asked)
    label = price_label(machine, asked["usd_per_chip_s"])
    if figure is not None:
        _draw(found, figure, theme)
    if as_json:
        print_json(_document(found, {**asked, "market": market}))
        return
    show_caching(found, label, prices=prices, details=details)
    say_kernels(asked["kernels"], machine, found.loaded.deployment.engine)


def _draw(found: Caching, path: Path, theme: str | None) -> None:
    """Draw the cost of a hit in each tier over the hold time."""
    # The drawing library is an extra.
    from ridgeline.figures.tiers import tiers_figure  # noqa: PLC0415

    deployment, asked = found.loaded.deployment, found.asked
    title = f"Where to keep {counted(asked.context_tokens, 'token')} of {deployment.model.name}"
    subtitle = (
        f"{show(found.kv_bytes, 'bytes')} on {deployment.machine.name}, layout {deployment.layout}; used"
        f" {asked.reuse:g} times in the time; a chip for {show(asked.usd_per_chip_s, 'usd_per_s')}"
    )
    life = counted(round(asked.owned.life_s / DAY_S), "day")
    foot = (
        f"Devices are paid off over {life} and wear by what is written; a context pays for its part of them."
        " Green dots: price lists, as ratios to the input price times the cost of recomputing here;"
        " \N{MULTIPLICATION SIGN}1.25 is what a write costs over input. Vertical lines: five minutes and an hour,"
        " for which caches are sold."
    )
    draw_titled(partial(tiers_figure, found), words=(title, subtitle, foot), path=path, theme=theme)


def _document(found: Caching, asked: Mapping[str, Any]) -> dict[str, Any]:
    """JSON document: tiers at the top, then all else."""
    deployment, loaded = found.loaded.deployment, found.loaded
    inputs = {
        "model": deployment.model.id,
        "machine": deployment.machine.id,
        **asked,
        "layout": str(deployment.layout),
        "until": None if asked["until"] is None else asked["until"].isoformat(),
        "tiers": list(asked["tiers"]),
        "fidelity": deployment.fidelity.name,
        "engine": deployment.engine.title,
        "usd_per_chip_s": found.asked.usd_per_chip_s,
        "life_s": found.asked.owned.life_s,
        "kv": deployment.precision.kv.name,
    }
    return {
        "inputs": inputs,
        "choice": found.choice,
        "kv_bytes": found.kv_bytes,
        "tiers": [dataclasses.asdict(one) for one in found.tiers],
        "envelope": [dataclasses.asdict(one) for one in found.envelope],
        "choice_by_drain": found.choice_by_drain,
        "by_drain": [dataclasses.asdict(one) for one in found.by_drain],
        "break_evens": [dataclasses.asdict(one) for one in found.break_evens],
        "loaded": {
            "batch": loaded.batch,
            "requests_per_s": loaded.requests_per_s,
            "chip_s": loaded.chip_s,
            "prefill_s": loaded.prefill_s,
            "wait_s": loaded.wait_s,
            "kv_capacity_tokens": loaded.kv_capacity_tokens,
        },
        "cached": dataclasses.asdict(found.cached),
        "kv_bytes_per_chip": found.kv_bytes_per_chip,
        "recompute_bytes_per_s": found.recompute_bytes_per_s,
        "hbm": dataclasses.asdict(found.hbm),
        "prices": dataclasses.asdict(found.prices),
        "two_pools": None if found.two_pools is None else dataclasses.asdict(found.two_pools),
        "notes": found.notes,
    }
