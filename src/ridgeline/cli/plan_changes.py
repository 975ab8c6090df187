"""Changes that other speeds, other numbers of chips and one percent more would bring."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ridgeline.cli.output import print_table, print_text, short, show
from ridgeline.cli.rejected import layout_name
from ridgeline.planner.chip_steps import ChipStep
from ridgeline.planner.compare import faster
from ridgeline.planner.outcome import Plan, Planning

__all__ = ["RAISED", "show_elasticities", "show_speeds", "show_steps"]

SPEED_UPS = (1.0, 1.5, 2.5, 5.0)
"""Speeds, over that of the best plan, whose price is shown; 2.5 is what providers sell as their fast mode."""


def show_speeds(out: Console, found: Planning) -> None:
    """Print the price of serving faster than the best plan."""
    out.print()
    print_text(out, ", against the best plan", head="What speed costs")
    rows = []
    for factor in SPEED_UPS:
        point = found.plans[0] if factor == 1 else faster(found, factor)
        if point is None:
            rows.append((f"{factor:g} x", "not reached by any layout", "", "", ""))
            continue
        rows.append(
            (
                f"{factor:g} x",
                layout_name(point),
                f"{point.batch:,}",
                show(point.tpot_s, "s"),
                f"{point.paid_chip_s_per_request / found.plans[0].paid_chip_s_per_request:.2f} x",
            )
        )
    print_table(out, ("speed", "layout", "batch", "TPOT", "cost of a request"), rows, left=(0, 1), spare=(2,))


def show_steps(out: Console, found: Planning, steps: Sequence[ChipStep]) -> None:
    """Print the best plans on fewer and on more chips."""
    if not steps:
        return
    best = found.plans[0]
    chips = best.all_chips if found.demand.has_load else found.chips
    rows = [_step_row(one.chips, one.plan, one.reason) for one in steps]
    place = sum(one.chips < chips for one in steps)
    rows.insert(place, _step_row(chips, best, "the plan"))
    out.print()
    print_text(out, ", each with its best plan" if not found.demand.has_load else "", head="Fewer and more chips")
    headers = ("chips", "layout", "batch", "TPOT", "TTFT", "req/s", "$/h", "")
    print_table(out, headers, rows, left=(1, 7), spare=(2, 4, 3, 6))


def _step_row(chips: int, one: Plan | None, said: str) -> tuple[str, ...]:
    if one is None:
        return (f"{chips:,}", *[""] * 6, said)
    usd = "" if one.usd_per_h is None else f"{one.usd_per_h:,.3g}"
    times = show(one.tpot_s, "s"), show(one.ttft_s, "s")
    return (
        f"{chips:,}",
        f"{one.replicas:,} x {layout_name(one)}",
        f"{one.batch:,}",
        *times,
        short(one.requests_per_s),
        usd,
        said,
    )


RAISED = {
    "hbm_bytes_per_s": "HBM bandwidth",
    "flop_per_s": "FLOP/s",
    "hbm_bytes": "HBM bytes",
    "scale_up_bytes_per_s": "scale-up bandwidth",
    "scale_out_bytes_per_s": "scale-out bandwidth",
    "usd_per_chip_s": "price of a chip",
    "electricity_usd_per_j": "price of electricity",
    "tpot_s": "limit on TPOT",
}
"""Words for what elasticities are of, by its field."""


def show_elasticities(out: Console, found: Planning) -> None:
    """Print the effect of one percent more, for the quantities that a reader of the table would ask about."""
    cost = "chip_s_per_request" if found.usd_per_chip_s is None else "usd_per_request"
    quantities = {cost: "cost of a request", "tpot_s": "TPOT", "ttft_s": "TTFT"}
    out.print()
    print_text(out, " of each: cost with the batch chosen anew, TPOT and TTFT at the same batch", head="1 % more")
    for name, label in RAISED.items():
        if f"{cost}:{name}" not in found.elasticities:
            continue
        changes = {shown: found.elasticities.get(f"{quantity}:{name}") for quantity, shown in quantities.items()}
        moved = [
            f"{shown} {change:+.2f} %"
            for shown, change in changes.items()
            if change is not None and abs(change) >= SMALLEST_SHOWN
        ]
        print_text(out, f"{label}: {', '.join(moved) or 'nothing'}", indent=2)
    if any(abs(found.elasticities.get(f"{cost}:{name}", 0.0)) > MUCH for name in RAISED):
        print_text(
            out,
            "more than 1 % for 1 %: where a limit lies close to the fastest step, or weights fill most of the memory, a"
            " little more makes room for a much larger batch",
            indent=2,
        )


MUCH = 2.0
"""Percent of cost for one percent more, beyond which a reader asks how that can be."""

SMALLEST_SHOWN = 0.005
"""Smallest percent that is shown: less rounds to nothing."""
