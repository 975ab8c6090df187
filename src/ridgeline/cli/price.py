"""``ridgeline price``: what each line of a price list costs to serve, and own chips against paying by the token."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ridgeline.catalog.quotes import hour_of
from ridgeline.cli.arguments import (
    ELECTRICITY,
    LAYOUTS,
    MODEL,
    RATE,
    TIME,
    WHOLE,
    QuantityType,
    engine_option,
    fidelity_option,
    ignore_unknown_option,
    json_option,
    kv_option,
    machine_option,
    weights_option,
)
from ridgeline.cli.chip_price import price_option
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.kernels import kernels_option, say_kernels
from ridgeline.cli.listing import LISTING, date_option, hour_option
from ridgeline.cli.market import market_option
from ridgeline.cli.number_range import NumberRange
from ridgeline.cli.output import print_json, show
from ridgeline.cli.price_text import show_pricing
from ridgeline.cli.progress import progress
from ridgeline.errors import UnservedError
from ridgeline.quantity_text import format_dollars
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.verbs import TPOT_S, price

if TYPE_CHECKING:
    from ridgeline.inversion.operating import Operating
    from ridgeline.inversion.price import Pricing

__all__ = ["command"]


class TimeOrNone(QuantityType):
    """A time, or none."""

    def __init__(self) -> None:
        super().__init__("s", "TIME|none")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """The time; None for none."""
        return None if value == "none" else super().convert(value, param, ctx)


@click.command("price")
@click.argument("model", type=MODEL)
@ignore_unknown_option
@machine_option
@click.option("--against", type=LISTING, multiple=True, help="A price list: deepseek/deepseek-v4-pro; repeatable.")
@date_option
@hour_option
@click.option("--prompt", "prompt_tokens", type=WHOLE, default="4000", show_default=True, help="Tokens of a prompt.")
@click.option("--output", "output_tokens", type=WHOLE, default="1000", show_default=True, help="Tokens of an answer.")
@click.option(
    "--hit-rate",
    "hit_fraction",
    type=NumberRange(0, 1, max_open=True),
    default=0.0,
    help="Part of a prompt that the prefix cache has: 0.4 or 40%.  [default: none]",
)
@click.option(
    "--tpot",
    "tpot_s",
    type=TimeOrNone(),
    default=f"{1e3 * TPOT_S:.0f}ms",
    show_default=True,
    help="Longest time per output token: 30ms; none for the cheapest, which is sold in batches alone.",
)
@click.option("--ttft", "ttft_s", type=TIME, help="Longest time to the first token: 2s.")
@click.option("--rate", "requests_per_s", type=RATE, help="Mean load of the day, for whose most there are chips: 20/s.")
@click.option(
    "--utilisation",
    "utilisation_fraction",
    type=QuantityType("fraction", "PART"),
    help="Mean load of a day over its most: 60%.  [default: that of DeepSeek's published day, 82 %]",
)
@click.option(
    "--pools",
    type=click.IntRange(1, 2),
    help="1: prompts and tokens on the same chips; 2: apart.  [default: the cheaper; as many as --layout has]",
)
@click.option("--layout", type=LAYOUTS, help="Of a replica: tp8; of two pools, prompts first: tp4/tp8.")
@click.option(
    "--chips", type=WHOLE, help="Budget of chips.  [default: one scale-up domain; with --rate as many as it takes]"
)
@price_option
@market_option(is_kept=True)
@click.option(
    "--owned",
    "is_owned",
    is_flag=True,
    help="Chips are owned: hosts, network, room and power are lines; needs --electricity.",
)
@click.option(
    "--electricity",
    "electricity_usd_per_j",
    type=ELECTRICITY,
    help="Price of electricity: 0.08/kWh.  [default: in the price of chips]",
)
@fidelity_option
@engine_option
@kernels_option
@weights_option
@kv_option
@click.option("--details", is_flag=True, help="Show where each part of the cost comes from, and all notes.")
@figure_options("the cost stack, and margins over the hit rate where a list is given,")
@json_option
@click.pass_context
def command(
    context: click.Context,
    /,
    *,
    model: Model,
    machine: Machine,
    against: tuple[str, ...],
    date: dt.date | None,
    hour: int | None,
    layout: tuple[Layout, ...] | None,
    market: str | None,
    is_owned: bool,
    details: bool,
    figure: Path | None,
    theme: str | None,
    as_json: bool,
    **asked: Any,  # noqa: ANN401  as verbs.price has them
) -> None:
    """Say what a token of MODEL costs to serve, line by line of a price list, and when own chips pay.

    The operating point is the plan's for the same options; without --against no list is looked at.
    """
    refuse_theme_alone(figure, theme)
    if is_owned and market:
        raise click.BadParameter("names a price of rent, and --owned has none; give one of them", param_hint="--market")
    if not against and (date is not None or hour is not None):
        hint = "--hour" if date is None else "--date"
        raise click.BadParameter("is of a price list; add --against PROVIDER/MODEL, or leave it out", param_hint=hint)
    asked["is_owned"] = is_owned
    time = hour_of(date, hour)
    found = _priced(model, machine, against=against, time=time, layout=layout or (), **asked)
    if figure is not None:
        _draw(found, figure, theme)
    if as_json:
        print_json(_document(found, {**asked, "market": market, "against": list(against), "time": time.isoformat()}))
        return
    source = context.get_parameter_source("tpot_s")
    show_pricing(found, details=details, is_tpot_asked=source is not ParameterSource.DEFAULT)
    say_kernels(asked["kernels"], machine, found.served.deployment.engine)


def _priced(model: Model, machine: Machine, **asked: Any) -> Pricing:  # noqa: ANN401  as verbs.price has them
    """The costs, with progress; or why nothing serves this, as ``ridgeline plan`` says it."""
    # Which nobody waits for who asks for help.
    from ridgeline.inversion.price import searches  # noqa: PLC0415

    total = searches(len(asked["against"]), has_load=asked["requests_per_s"] is not None)
    try:
        with progress("searches", total) as told:
            return price(model, machine, told=told, **asked)
    except UnservedError as error:
        raise click.ClickException(f"no layout serves this; {error}") from None


def _draw(found: Pricing, path: Path, theme: str | None) -> None:
    """The stack, and margins over the hit rate."""
    # The drawing library is an extra.
    from ridgeline.figures.price_stack import MOST_LISTS, price_stack_figure  # noqa: PLC0415

    deployment, workload, costs = found.served.deployment, found.served.workload, found.usd_per_token
    point = found.operating if found.load is None else found.load.operating
    both = format_dollars(costs["input_with_hits"]), format_dollars(costs["output"])
    title = f"A million tokens of {deployment.model.name} cost {both[0]} in, {both[1]} out"
    limit = "no limit on TPOT" if workload.tpot_s is None else f"a token within {show(workload.tpot_s, 's')}"
    subtitle = (
        f"on {deployment.machine.name}, {point.layout}; {workload.prompt_tokens:,.0f} tokens in,"
        f" {workload.output_tokens:,.0f} out, {100 * workload.hit_fraction:.0f} % of the input found; {limit}"
    )
    low, high = found.served.rents
    chips = ", and the cheapest to the dearest chips of that year" if low < high else ""
    foot = (
        f"A chip for {show(found.served.usd_per_chip_s, 'usd_per_s')}: {found.price_label}. Low to high: the 80 %"
        f" interval of the plan's times{chips}."
    )
    if len(found.against) > MOST_LISTS:
        foot += f" Of {len(found.against)} lists the first {MOST_LISTS}."
    draw_titled(partial(price_stack_figure, found), words=(title, subtitle, foot), path=path, theme=theme)


def _document(found: Pricing, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Costs at the top, then all else."""
    served, long = found.served, found.long_prompts
    inputs = {
        "model": served.deployment.model.id,
        "machine": served.deployment.machine.id,
        **asked,
        "pools": served.pools,
        "layout": [str(one) for one in served.layouts],
        "fidelity": served.deployment.fidelity.name,
        "engine": served.deployment.engine.title,
        "usd_per_chip_s": served.usd_per_chip_s,
        "price_source": found.price_label,
        "utilisation_fraction": found.utilisation_fraction,
        "kv": served.deployment.precision.kv.name,
    }
    return {
        "inputs": inputs,
        "usd_per_token": found.usd_per_token,
        "low_usd_per_token": {name: one.low_usd for name, one in found.costs.items()},
        "high_usd_per_token": {name: one.high_usd for name, one in found.costs.items()},
        "usd_per_request": found.usd_per_request,
        "stack": [dataclasses.asdict(one) for one in found.stack],
        "operating": _operating_document(found.operating),
        "load": None
        if found.load is None
        else dataclasses.asdict(found.load) | {"operating": _operating_document(found.load.operating)},
        "caches": [dataclasses.asdict(one) for one in found.caches],
        "lost_fraction": found.lost_fraction,
        "long_prompts": None if long is None else _without(long, "input", "output"),
        "fast_tpot_s": found.fast_tpot_s,
        "against": [dataclasses.asdict(one) for one in found.against],
        "notes": found.notes,
    }


def _operating_document(point: Operating) -> dict[str, Any]:
    return _without(point, "notes") | {"units": [dataclasses.asdict(one) for one in point.units]}


def _without(record: Any, *names: str) -> dict[str, Any]:  # noqa: ANN401  any dataclass
    """Fields of a record but for those."""
    fields = (one.name for one in dataclasses.fields(record) if one.name not in names)
    return {name: getattr(record, name) for name in fields}
