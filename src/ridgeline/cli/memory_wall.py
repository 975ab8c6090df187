"""``ridgeline catalog memory``: memory's part of the price of machines, and what serving takes of it."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from ridgeline.boards.board import Mode
from ridgeline.caching.memory_wall import (
    LONG_TOKENS,
    SHORT_TOKENS,
    MemoryBought,
    MemoryTaken,
    memory_bought,
    memory_taken,
)
from ridgeline.catalog import load_machine, machine_ids
from ridgeline.catalog.machines import machine_entry
from ridgeline.catalog.memory_costs import MemoryShare, memory_shares, sold_machines
from ridgeline.catalog.storage import storage_device
from ridgeline.cli.arguments import MODEL
from ridgeline.cli.facts import fact_document, source_title
from ridgeline.cli.figure import draw_board, figure_options, refuse_theme_alone
from ridgeline.cli.output import console, json_option, print_json, print_table, print_text, show
from ridgeline.specs.model import Model

__all__ = ["memory"]

SAID_FRACTION = 0.5
"""An analyst's figure for what the largest operators spend on memory of their year's investment, quoted at 1:03:59."""


DDR, STACK = "ddr5-over-pcie", "hbm3e-stack"
"""Devices whose prices give the dates."""

SAID_MACHINE = "gb300-nvl72"
"""Machine that stands for the chips of 288 GB of the lecture: those in a rack."""


@click.command("memory")
@click.option("--model", type=MODEL, default="deepseek-v3", show_default=True, help="Whose weights and contexts.")
@figure_options("the board of memory's part")
@json_option
def memory(model: Model, figure: Path | None, theme: str | None, as_json: bool) -> None:  # noqa: FBT001  a flag
    """Show memory's part of what machines cost, and what a model takes of it."""
    refuse_theme_alone(figure, theme)
    if figure is not None:
        _draw(figure, theme)
    generations = sorted(machine_ids(), key=lambda one: (machine_entry(one).facts.released, one))
    taken = [memory_taken(model, load_machine(one)) for one in generations]
    first, last = _price_dates()
    bought = [[memory_bought(one, load_machine(one.of), until) for until in (first, last)] for one in sold_machines()]
    if as_json:
        print_json(
            {
                "inputs": {"model": model.id},
                "costs": [_cost_document(one) for one in memory_shares()],
                "bought": [
                    {**dataclasses.asdict(one), "until": one.until.isoformat()} for pair in bought for one in pair
                ],
                "machines": [
                    {"released": machine_entry(one.machine).facts.released, **dataclasses.asdict(one)} for one in taken
                ],
            }
        )
        return
    out = console()
    titles = list(dict.fromkeys(source_title(one.low.source) for one in memory_shares()))
    rows = [
        (
            one.of or "",
            one.what,
            "-" if one.usd is None else f"${one.usd.value:,.0f}",
            _range(one),
            f"{one.low.date:%Y-%m}",
            f"[{titles.index(source_title(one.low.source)) + 1}]",
        )
        for one in memory_shares()
    ]
    print_table(out, ("machine", "of", "cost", "memory", "date", "source"), rows, left=(0, 1, 4, 5))
    made, whole = (
        [end for one in memory_shares() if one.what == what for end in _ends(one)]
        for what in (TO_MAKE, "a rack to buy")
    )
    print_text(
        out,
        f"The lecture quotes {show(SAID_FRACTION, 'fraction')} of a year's investment (B13): HBM is"
        f" {_span(made)} of what a chip costs to make, all memory {_span(whole)} of what a rack is sold for.",
    )
    for number, title in enumerate(titles, start=1):
        print_text(out, f"[{number}] {title}", hang=len(f"[{number}] "), style="dim")
    _show_bought(bought)
    _show_taken(model, taken)


def _price_dates() -> tuple[dt.date, dt.date]:
    """Dates of the oldest price of DDR, and of the newest of it or of HBM."""
    dates = [price.date for name in (DDR, STACK) for price in storage_device(name).usd]
    return storage_device(DDR).usd[0].date, max(dates)


def _show_bought(bought: Sequence[Sequence[MemoryBought]]) -> None:
    """Print memory at its own price over the price of machines, when it was cheap and when it was dear."""
    out = console()
    out.print()
    before, after = (f"{one.until:%Y-%m}" for one in bought[0])
    rows = [
        (
            one.machine,
            f"${one.usd:,.0f}",
            f"${now.hbm_usd:,.0f}",
            f"${now.host_usd:,.0f}" if now.host_usd else "-",
            show(one.fraction, "fraction", 2),
            show(now.fraction, "fraction", 2),
        )
        for one, now in bought
    ]
    headers = ("machine", "sold for", f"HBM {after}", f"host {after}", f"memory {before}", f"memory {after}")
    print_table(out, headers, rows, left=(0,))
    print_text(
        out,
        "HBM and host memory by their own price; memory: the part of both in what the machine is sold for. Makers of"
        " chips sell for several times what a chip costs to make, so that memory's part of the price is far below its"
        " part of the cost.",
    )
    if apart := [said for _, now in bought for said in _apart(now)]:
        print_text(out, f"Two sources, two prices of the same HBM: {'; '.join(apart)}.")


def _apart(now: MemoryBought) -> Iterator[str]:
    """Clause on a machine's HBM where an estimate of what it costs to make gives another price, one for each of them.

    Args:
        now: memory of a machine at its newest price.
    """
    for one in memory_shares():
        if one.of != now.machine or one.what != TO_MAKE or one.usd is None:
            continue
        made_usd = one.usd.value * one.low.value
        if abs(made_usd / now.hbm_usd - 1) > APART:
            yield f"of {now.machine} ${made_usd:,.0f} as a part of its cost to make, ${now.hbm_usd:,.0f} by the stack"


TO_MAKE = "a chip to make"
CONTEXTS = tuple(show(tokens, "count") for tokens in (SHORT_TOKENS, LONG_TOKENS))
"""Lengths of context whose part of the memory is told."""

APART = 0.1
"""Relative difference from which two prices of the same memory are told."""


def _show_taken(model: Model, taken: Sequence[MemoryTaken]) -> None:
    """Print a model's share of each machine's memory."""
    out = console()
    out.print()
    print_table(
        out,
        ("machine", "released", "chips", "memory", "weights", "balance batch", *CONTEXTS, "full at, tokens"),
        [
            (
                one.machine,
                str(machine_entry(one.machine).facts.released),
                str(one.chips),
                show(one.hbm_bytes, "bytes"),
                show(one.weights_fraction, "fraction", 2),
                f"{one.balance_batch:,.0f}",
                _times(one.short_fraction),
                _times(one.long_fraction),
                f"{one.full_tokens:,.0f}" if one.full_tokens >= 1 else "-",
            )
            for one in taken
        ],
        left=(0,),
        optional=(2, 3),
    )
    print_text(
        out,
        f"Percent are of a scale-up domain's memory: {model.name}'s weights, and a balance batch of contexts of"
        f" {' and of '.join(CONTEXTS)} tokens. Full at: the context at which weights and a balance batch take all of"
        " it. Machines are in the order of their release.",
    )
    said = next(one for one in taken if one.machine == SAID_MACHINE)
    unused = max(1 - said.weights_fraction - said.short_fraction, 0.0)
    print_text(
        out,
        f"Of the lecture's chips of 288 GB a rack ({said.machine}) has {show(said.hbm_bytes, 'bytes')}: with short"
        f" contexts {show(unused, 'fraction', 2)} of it stay unused, too much; with long ones they take"
        f" {_times(said.long_fraction)}, too little. It is right at {said.full_tokens:,.0f} tokens.",
    )


def _draw(path: Path, theme: str | None) -> None:
    """Draw the lecture's board of memory, as it starts."""
    from ridgeline.boards.lecture import board  # noqa: PLC0415  its claims take long to import

    drawn, mode = board("memory-wall"), Mode.LECTURE
    values = drawn.values(mode)
    draw_board(drawn, values, drawn.sources(mode, values, drawn.facts()), path=path, theme=theme)


def _range(one: MemoryShare) -> str:
    low = show(one.low.value, "fraction")
    return low if one.high is None else f"{low} - {show(one.high.value, 'fraction')}"


def _ends(one: MemoryShare) -> tuple[float, float]:
    return one.low.value, one.low.value if one.high is None else one.high.value


def _span(fractions: Sequence[float]) -> str:
    return f"{show(min(fractions), 'fraction')} to {show(max(fractions), 'fraction')}"


def _times(fraction: float) -> str:
    return show(fraction, "fraction", 2)


def _cost_document(one: MemoryShare) -> dict[str, Any]:
    return {
        "machine": one.of,
        "of": one.what,
        "usd": None if one.usd is None else one.usd.value,
        "memory_fraction": one.fraction,
        "facts": {
            name: fact_document(fact)
            for name, fact in {"usd": one.usd, "low": one.low, "high": one.high}.items()
            if fact is not None
        },
    }
