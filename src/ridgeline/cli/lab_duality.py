"""``ridgeline lab duality``: what a byte is worth in FLOP, and techniques that trade the one for the other."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from ridgeline.catalog import machine_ids, model_ids
from ridgeline.cli.arguments import TIME, json_option
from ridgeline.cli.completion import completes
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.lab_options import SHARE
from ridgeline.cli.output import console, percent, print_json, print_table, print_text, show
from ridgeline.laboratory.duality import Duality, dual_prices
from ridgeline.quantity_text import format_number

__all__ = ["command"]


@click.command("duality")
@click.argument("machines", nargs=-1, metavar="[MACHINE]...", shell_complete=completes(machine_ids, or_files=True))
@click.option(
    "--model",
    default="deepseek-v3",
    show_default=True,
    shell_complete=completes(model_ids, or_files=True),
    help="Whose KV cache is held.",
)
@click.option("--hold", "held_s", type=TIME, default="5min", show_default=True, help="For which it is held.")
@click.option(
    "--trained",
    default="gpt3-175b",
    show_default=True,
    shell_complete=completes(model_ids, or_files=True),
    help="Whose activations wait for their gradients.",
)
@click.option(
    "--reference",
    default="h100-sxm",
    show_default=True,
    shell_complete=completes(machine_ids, or_files=True),
    help="Machine on which they wait.",
)
@click.option(
    "--reached",
    "reached_fraction",
    type=SHARE,
    default=0.4,
    show_default=True,
    help="Part of peak arithmetic.",
)
@figure_options("prices of a byte and of a FLOP")
@json_option
def command(
    *,
    machines: tuple[str, ...],
    model: str,
    held_s: float,
    trained: str,
    reference: str,
    reached_fraction: float,
    figure: Path | None,
    theme: str | None,
    as_json: bool,
) -> None:
    """Price a byte and a FLOP on each machine of the catalog, with KV caches and reversible networks between the two.

    Where memory is what a chip is rented for a byte bears the whole price, where arithmetic is a FLOP does. A KV cache
    pays where a byte is worth fewer FLOP than it saves, a reversible network where it is worth more than it spends.
    """
    refuse_theme_alone(figure, theme)
    found = dual_prices(
        machines=machines or None,
        model=model,
        held_s=held_s,
        trained=trained,
        reference=reference,
        reached_fraction=reached_fraction,
    )
    if as_json:
        asked = {
            "machines": [one.machine for one in found.machines],
            "model": model,
            "held_s": held_s,
            "trained": trained,
            "reference": reference,
            "reached_fraction": reached_fraction,
        }
        print_json({"inputs": asked, **asdict(found)})
    else:
        _print(found, model, trained, held_s)
    if figure is not None:
        _draw(found, reached_fraction, figure, theme)


def _print(found: Duality, model: str, trained: str, held_s: float) -> None:
    out = console()
    pays = sum(one.kv_hold_s >= held_s for one in found.machines)
    print_text(
        out,
        f"Memory saves compute, compute saves memory; a chip's FLOP/s over its bytes says which is cheaper. Holding"
        f" {model}'s KV cache for {show(held_s, 'duration')} costs less than computing it again on {pays} of"
        f" {len(found.machines)} machines. A reversible network saves money, on any machine, only once activations"
        f" would take {percent(found.reversible_break_even_fraction, 0)} of all memory.",
    )
    out.print()
    print_table(
        out,
        (
            "machine",
            "a FLOP",
            "a byte held",
            "FLOP a byte-second",
            f"hold {model}'s KV up to",
            f"{trained}'s activations",
        ),
        [
            (
                one.machine,
                show(one.usd_per_flop, "usd_per_flop"),
                show(one.usd_per_byte_s, "usd_per_byte_s"),
                format_number(one.flop_worth_per_byte_s, 3),
                show(one.kv_hold_s, "duration"),
                show(one.activation_hold_s, "duration"),
            )
            for one in found.machines
        ],
    )
    out.print()
    print_table(
        out,
        ("technique", "spends", "FLOP a byte", "held", "FLOP a byte-second"),
        [
            (
                one.name,
                one.spends,
                format_number(one.flop_per_byte, 3),
                show(one.held_s, "duration"),
                format_number(one.flop_per_byte_s, 3),
            )
            for one in found.techniques
        ],
        left=(0, 1),
    )
    print_text(
        out,
        f"Activations wait on {found.reference}. Spending memory pays where a byte-second is worth fewer FLOP than the"
        " technique saves, spending compute where it is worth more.",
        style="dim",
    )


def _draw(found: Duality, reached_fraction: float, path: Path, theme: str | None) -> None:
    # The drawing library is an extra.
    from ridgeline.figures.lab_duality import duality_figure  # noqa: PLC0415

    words = (
        "Compute for memory, memory for compute",
        "Above a line a byte is worth more FLOP than the technique trades for it: compute again. Below it: hold",
        f"Prices of 16-bit FLOP at {percent(reached_fraction, 0)} of peak and of HBM, each bearing a chip's rent.",
    )
    draw_titled(partial(duality_figure, found), words=words, path=path, theme=theme)
