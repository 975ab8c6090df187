"""Text on price lists beside costs: margins by line, the mix, own chips or by the token."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.console import Console

from ridgeline.cli.output import counted, print_table, print_text, show
from ridgeline.inversion.against import Against
from ridgeline.inversion.price import Pricing
from ridgeline.quantity_text import format_dollars

__all__ = ["answer_of", "margin", "show_against", "with_lists"]

GAP = 2
"""Least gap between columns of a table."""

NEARLY_ALL = 0.99
"""Margin from which a decimal is shown, rounded down: none is the whole price."""


def margin(fraction: float) -> str:
    """Margin as text; of a price below cost how many times as much serving costs.

    >>> margin(0.37), margin(0.99997), margin(-0.5), margin(-45.0)
    ('37 %', '99.9 %', 'costs 1.5 x', 'costs 46 x')
    """
    if fraction < 0:
        over = 1 - fraction
        return f"costs {over:.3g} x" if over < 10 else f"costs {over:,.0f} x"  # noqa: PLR2004  two digits
    if fraction > NEARLY_ALL:
        return f"{math.floor(1000 * fraction) / 10:.1f} %"
    return f"{100 * fraction:.0f} %"


def answer_of(one: Against) -> str:
    """Clause on the cost of a request against a list, and on the load from which own chips pay."""
    cost, bill = one.mix.cost_usd_per_request, one.mix.usd_per_request
    whose = f"{one.listing.partition('/')[0]}'s ${bill:.3g}"
    if cost < bill:
        beside = f"{100 * (1 - cost / bill):.0f} % under {whose}"
    else:
        beside = f"{100 * (cost / bill - 1):.0f} % over {whose}" if cost < 2 * bill else f"{cost / bill:.2g} x {whose}"
    even = one.break_even.tokens_per_day
    pay = "own chips never pay" if even is None else f"own chips pay from {_tokens(even)} a day"
    return f"{beside}; {pay}"


def with_lists(
    out: Console,
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    names: Sequence[str],
    lists: Sequence[Against],
) -> None:
    """Print costs with lists beside them; where there is no room for all of these, a table for each.

    Args:
        out: console to print to.
        headers: headers of the costs.
        rows: rows of the costs.
        names: names of the lines, a row each.
        lists: price lists beside the costs.
    """
    cells = [_cells(one, names) for one in lists]
    numbered = [""] if len(lists) == 1 else [f" [{number}]" for number in range(1, len(lists) + 1)]
    heads = [head for _, number in zip(lists, numbered, strict=False) for head in (f"list{number}", "margin")]
    whole = [(*row, *(cell for of_list in cells for cell in of_list[at])) for at, row in enumerate(rows)]
    columns = list(zip((*headers, *heads), *whole, strict=True))
    if sum(max(map(len, column)) + GAP for column in columns) - GAP <= out.width:
        print_table(out, (*headers, *heads), whole)
        return
    print_table(out, headers, rows)
    for number, (one, of_list) in enumerate(zip(lists, cells, strict=True), start=1):
        out.print()
        shown = [(row[0], row[1], *cell) for row, cell in zip(rows, of_list, strict=True) if cell[0] != "-"]
        print_table(out, (f"[{number}] {one.listing}", "cost", "list", "margin"), shown)


def _cells(one: Against, names: Sequence[str]) -> list[tuple[str, str]]:
    """Cells of a list: price and margin of each line."""
    lines = {line.name: line for line in one.lines}
    return [
        ("-", "-")
        if name not in lines
        else (format_dollars(lines[name].usd_per_token), margin(lines[name].margin_fraction))
        for name in names
    ]


def show_against(out: Console, one: Against, found: Pricing, label: str) -> None:
    """Print the mix, and own chips or paying by the token."""
    out.print()
    mix, even = one.mix, one.break_even
    first, last = one.curve[0], one.curve[-1]
    whole = "; what is found is billed in full here" if one.bills_hits_in_full else ""
    print_text(
        out,
        f"of this mix: a request is billed ${mix.usd_per_request:.3g} and costs ${mix.cost_usd_per_request:.3g}:"
        f" {_said(mix.margin_fraction)}; {margin(first.margin_fraction)} where {_found(first.hit_fraction)} of the"
        f" input is found, {margin(last.margin_fraction)} where {_found(last.hit_fraction)} is{whole}",
        head=f"{label}{one.listing}, {one.time[:13].replace('T', ' ')} h UTC: ",
    )
    rent = f"{counted(even.chips, 'chip')} ({even.layout}) for ${even.usd_per_day:,.0f} a day"
    if even.tokens_per_day is None:
        print_text(
            out,
            f"pay by the token: it costs {format_dollars(even.paid_usd_per_token)} a million, and own chips"
            f" {format_dollars(even.own_usd_per_token)} even when {rent} serve all that they can at"
            f" {100 * found.utilisation_fraction:.0f} % utilisation, {_tokens(even.most_tokens_per_day)} a day",
            head="Own chips or by the token? ",
        )
        return
    print_text(
        out,
        f"own chips from {_tokens(even.tokens_per_day)} a day on, input and output together: {rent},"
        f" which serve up to {_tokens(even.most_tokens_per_day)} a day at"
        f" {100 * found.utilisation_fraction:.0f} % utilisation for {format_dollars(even.own_usd_per_token)} a million;"
        f" by the token {format_dollars(even.paid_usd_per_token)}",
        head="Own chips or by the token? ",
    )


def _said(fraction: float) -> str:
    """Margin within a sentence."""
    return f"{margin(fraction)} the price" if fraction < 0 else f"a margin of {margin(fraction)}"


def _found(fraction: float) -> str:
    return f"{100 * fraction:.0f} %" if fraction else "none"


def _tokens(count: float) -> str:
    return f"{show(count, 'count')} tokens"
