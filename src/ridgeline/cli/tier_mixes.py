"""Mixes of tiers for a log: ``ridgeline trace FILE --hit-rates --model MODEL --on MACHINE --layout tp8``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from ridgeline.caching.hierarchy import Mix, cheapest_within, quickest_for
from ridgeline.caching.log_mixes import LogMixes, log_mixes
from ridgeline.caching.reuse import BlockUses
from ridgeline.catalog import CatalogError
from ridgeline.catalog.storage import device_id, storage_device
from ridgeline.cli.arguments import DOLLAR_RATE, LAYOUT, MACHINE, TIME
from ridgeline.cli.figure import draw_titled
from ridgeline.cli.kernels import kernels_option
from ridgeline.cli.number_range import NumberRange
from ridgeline.cli.output import console, percent, print_table, print_text, show
from ridgeline.errors import RidgelineError
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.verbs import deploy

__all__ = ["FoundMixes", "draw_mixes", "mixes_options", "read_mixes", "refuse_mixes", "show_mixes"]

TIERS = "ddr,tlc,disk"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class FoundMixes:
    """Mixes of tiers for a log, and the one that keeps the limits.

    Attributes:
        of: mixes of the log.
        chosen: the mix that keeps the limits; None where none does, or none was given.
        ttft_s: limit on the first token, s; None without one.
        budget_usd_per_s: limit on the price with prefill, dollars a second; None without one.
        part: fraction of the requests whose first token is timed; None for their mean.
    """

    of: LogMixes
    chosen: Mix | None
    ttft_s: float | None
    budget_usd_per_s: float | None
    part: float | None

    @property
    def is_missed(self) -> bool:
        """Whether limits were given that no mix keeps."""
        return self.chosen is None and (self.ttft_s, self.budget_usd_per_s) != (None, None)

    @property
    def timed(self) -> str:
        """Requests whose first token is timed, in words."""
        return "the mean" if self.part is None else f"{percent(self.part, 0)} of the requests"


def mixes_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on mixes of tiers."""
    options = (
        click.option("--on", "machine", type=MACHINE, help="With --model: find mixes of tiers for a replica on it."),
        click.option("--layout", type=LAYOUT, help="With --on: of the replica: tp8.  [default: one chip]"),
        click.option("--tiers", help=f"With --on: storage devices, the fastest first.  [default: {TIERS}]"),
        click.option(
            "--ttft", "ttft_s", type=TIME, help="With --on: the cheapest mix with a first token within it: 2s."
        ),
        click.option(
            "--budget", "budget_usd_per_s", type=DOLLAR_RATE, help="With --on: the quickest mix for the money: '$5/h'."
        ),
        click.option(
            "--part",
            type=NumberRange(0, 1, min_open=True),
            help="With --on: of the requests whose first token is timed: 0.9.  [default: their mean]",
        ),
        kernels_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


def refuse_mixes(asked: Mapping[str, Any]) -> None:
    """Refuse options on mixes, where there is no machine to find them for."""
    options = ("layout", "tiers", "ttft_s", "budget_usd_per_s", "part", "kernels")
    flags = {name: f"--{name.partition('_')[0]}" for name in options}
    named = " and ".join(flag for name, flag in flags.items() if asked[name] is not None)
    if named and asked["machine"] is None:
        raise click.UsageError(f"{named}: of mixes of tiers on a machine; add --on MACHINE, or leave it out")
    if asked["machine"] is not None and (asked["model"] is None or not asked["has_hit_rates"]):
        raise click.UsageError("--on: a machine serves a model; add --hit-rates --model MODEL, or leave it out")


def read_mixes(asked: Mapping[str, Any], uses: BlockUses, block_tokens: int) -> FoundMixes:
    """Find the mixes of devices for a log."""
    machine: Machine = asked["machine"]
    names = [part.strip() for part in (asked["tiers"] or TIERS).split(",")]
    try:
        devices = {name: storage_device(device_id(name, machine)) for name in names}
    except CatalogError as error:
        raise click.BadParameter(str(error), param_hint="--tiers") from None
    deployment = deploy(asked["model"], machine, asked["layout"] or Layout(), kernels=asked["kernels"], kv=asked["kv"])
    try:
        found = log_mixes(deployment, uses, devices, block_tokens=block_tokens, part=asked["part"])
    except RidgelineError as error:
        raise click.UsageError(str(error)) from None
    ttft_s, usd_per_s = asked["ttft_s"], asked["budget_usd_per_s"]
    affordable = [one for one in found.mixes if usd_per_s is None or one.usd_per_s <= usd_per_s]
    chosen = None
    if ttft_s is not None:
        chosen = cheapest_within(affordable, ttft_s)
    elif usd_per_s is not None:
        chosen = quickest_for(affordable, usd_per_s)
    return FoundMixes(of=found, chosen=chosen, ttft_s=ttft_s, budget_usd_per_s=usd_per_s, part=asked["part"])


def show_mixes(found: FoundMixes, file: Path) -> None:
    """Print every mix that is worth it, and which one was asked for."""
    out, of = console(), found.of
    out.print()
    print_text(
        out,
        f" for one replica that gets all of {file.name}, the Pareto front of money and first token (without a queue,"
        f" {found.timed}); the replica's own memory keeps {show(of.memory_bytes, 'bytes')}",
        head="Mixes of tiers",
    )
    _show_choice(out, found)
    heads = (*of.tiers, "tiers", "with prefill", "first token", "fetched", "busy")
    rows = [
        (
            *(show(size, "bytes") if size else "-" for size in one.capacities_bytes),
            show(one.tiers_usd_per_s, "usd_per_s"),
            show(one.usd_per_s, "usd_per_s"),
            show(one.ttft_s, "s"),
            percent(one.fetched_fraction),
            percent(reads, 0),
            "chosen" if one == found.chosen else "",
        )
        for one, reads in zip(of.mixes, of.reading_fraction, strict=True)
    ]
    print_table(out, (*heads, ""), rows, left=(len(heads),))
    print_text(
        out,
        "tiers: cost of their devices; with prefill: and of the replica's chips while they read prompts; fetched: part"
        " of the prompts' tokens that comes from tiers; busy: part of the time for which prompts keep the replica",
        style="dim",
    )
    if max(of.reading_fraction) > 1:
        print_text(
            out,
            "note: where prefill keeps it busy for more than 100 % of the time, the log takes several replicas, with"
            " smaller tiers each, or shared ones",
            style="dim",
        )


def _show_choice(out: Console, found: FoundMixes) -> None:
    """Print the mix to buy, or why there is none; nothing where no limit was given."""
    limits = []
    if found.ttft_s is not None:
        limits.append(f"with a first token within {show(found.ttft_s, 's')}")
    if found.budget_usd_per_s is not None:
        limits.append(f"for at most {show(found.budget_usd_per_s, 'usd_per_s')} with prefill")
    one = found.chosen
    if one is not None:
        sizes = zip(found.of.tiers, one.capacities_bytes, strict=True)
        bought = " and ".join(f"{show(size, 'bytes')} of {name}" for name, size in sizes if size)
        what = f"{bought}," if bought else "memory alone is"
        best = "quickest" if found.ttft_s is None else "cheapest"
        print_text(
            out,
            f" {what} the {best} mix {' '.join(limits)}: first token {show(one.ttft_s, 's')},"
            f" {show(one.tiers_usd_per_s, 'usd_per_s')} for tiers, {show(one.usd_per_s, 'usd_per_s')} with prefill",
            head="Buy" if bought else "Buy no tier:",
        )
    elif found.is_missed:
        cheapest, quickest = found.of.mixes[0], found.of.mixes[-1]
        prefill = cheapest.usd_per_s - cheapest.tiers_usd_per_s
        print_text(
            out,
            f" {' '.join(limits)}: the cheapest costs {show(cheapest.usd_per_s, 'usd_per_s')}, of it"
            f" {show(prefill, 'usd_per_s')} for the chips while they prefill; the quickest has its first token after"
            f" {show(quickest.ttft_s, 's')}. Try another --layout, or other --tiers",
            head="No mix",
        )


def draw_mixes(found: FoundMixes, asked: Mapping[str, Any], log: str) -> None:
    """Draw the cost of a sooner first token, write and say where."""
    # The drawing library is an extra.
    from ridgeline.figures.mixes import mixes_figure  # noqa: PLC0415

    model, machine, of = asked["model"], asked["machine"], found.of
    subtitle = f"{log}; {machine.name}, {asked['layout'] or Layout()}, keeps {show(of.memory_bytes, 'bytes')} itself"
    foot = (
        "Every mix of the devices' sizes held against every prompt, all on one replica; those are drawn that no other"
        " one beats in both money and time. Devices are paid over four years."
    )
    words = (f"What a sooner first token of {model.name} costs", subtitle, foot)
    make = partial(mixes_figure, of, found.chosen, timed=found.timed)
    draw_titled(make, words=words, path=asked["figure"], theme=asked["theme"])
