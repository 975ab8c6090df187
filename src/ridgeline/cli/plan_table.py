"""Plans as a table: a line a plan, and what its words mean."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console

from ridgeline.cli.output import capacity, counted, listed, print_table, print_text, short, show
from ridgeline.cli.rejected import layout_name
from ridgeline.planner.compare import SAME_COST, asked_of_stages, times_the_cost
from ridgeline.planner.held_back import HeldBack, WhyHeldBack, held_back
from ridgeline.planner.outcome import Energy, Plan, Planning
from ridgeline.planner.plan import DRAFTS_UNSTAGED
from ridgeline.planner.two_pools.outcome import TwoPoolPlan
from ridgeline.specs.demand import Demand
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

__all__ = [
    "FirstTokens",
    "cost_cells",
    "cost_said",
    "held_back_said",
    "kilowatts",
    "rate_cell",
    "served_cells",
    "served_headers",
    "show_table",
    "spared",
    "under_way_said",
    "when_said",
]

SECONDS_FROM_S = 10.0
"""Time to the first token from which a table gives all of them in seconds."""


def show_table(out: Console, workload: Workload, found: Planning, shown: Sequence[Plan], within: int | None) -> None:
    """Print a line a plan, and what must be known to compare them.

    Args:
        out: console to print to.
        workload: workload that was asked for, with its limits.
        found: result of the search.
        shown: plans to print, the best first.
        within: largest batch of the best plan's layout whose first tokens keep to the limit with all of it under way,
            where those of its own batch do not; None where none does.
    """
    out.print()
    first = FirstTokens.of(shown, found.demand)
    headers = ("#", "layout", "chips", *served_headers(first))
    rows = [_row(rank, one, found, first) for rank, one in enumerate(shown, start=1)]
    print_table(out, headers, rows, left=(1,), spare=spared((6, 11, 7, 5, 3, 8, 2), 5, workload))
    _show_legend(out, shown, found.demand)
    if not found.demand.has_load:
        _show_full(out, shown[0], workload, within)
    for said in held_back_said(held_back(shown, has_load=found.demand.has_load)):
        print_text(out, f": {said}", head="Plan 1 is not the cheapest")
    if DRAFTS_UNSTAGED in found.notes:
        print_text(out, DRAFTS_UNSTAGED)


def _show_full(out: Console, one: Plan, workload: Workload, within: int | None) -> None:
    """Print the mean time to the first token with all of a plan's batch under way, where an idle system's is limited.

    It is what ``ridgeline expect`` gives for as many users.

    Args:
        out: console to print to.
        one: plan that is first in the table.
        workload: workload that was asked for, with its limits.
        within: largest batch of the plan's layout that keeps to the limit so, where its own does not; None where none
            does.
    """
    if workload.ttft_s is None or one.benchmark_ttft_s is None:
        return
    verdict = f", within the limit of {show(workload.ttft_s, 's')}"
    if one.benchmark_ttft_s > workload.ttft_s:
        least = f"not even a batch of {one.layout.dp} of {one.layout} keeps to it"
        kept = least if within is None else f"{one.layout} keeps to it up to --batch {within}"
        verdict = (
            f", over the limit of {show(workload.ttft_s, 's')}, which --ttft sets for an idle system; with all of its"
            f" batch under way {kept}; --users or --rate apply the limit under a load"
        )
    print_text(out, f": {under_way_said(one, workload)}{verdict}", head="TTFT at that batch")


def under_way_said(one: Plan, workload: Workload) -> str:
    """Clause on the mean time to the first token with all of a plan's batch under way."""
    same = "" if workload.lengths else f" (expect --users {one.batch})"
    requests = counted(one.batch, "request")
    found = show(one.benchmark_ttft_s, "s")
    return f"{found} at the mean with the {requests} of its batch under way, all begun at once{same}"


def _row(rank: int, one: Plan, found: Planning, first: FirstTokens) -> tuple[str, ...]:
    # Without a load, or power that feeds more of one than of another, all plans have the same budget.
    chips = f"{one.replicas * one.layout.chips:,}" if found.demand.has_load or found.is_fed else ""
    return str(rank), layout_name(one), chips, *served_cells(one, found.demand, first)


def held_back_said(held: Sequence[HeldBack]) -> list[str]:
    """Clauses on cheaper plans that are ranked below the first, one for each reason."""
    said = []
    for why in WhyHeldBack:
        alike = [one for one in held if one.why is why]
        if not alike:
            continue
        plans = listed(f"plan {one.rank} {_saving(one)}" for one in alike)
        said.append(f"by the estimate {plans}; {_why_held_back(why, alike)}")
    return said


def _saving(one: HeldBack) -> str:
    """Clause on what a plan saves: of the load where it does, else of a request."""
    of_load = one.load_saves_fraction
    if of_load is None:
        return times_the_cost(1 - one.saves_fraction)
    if of_load >= SAME_COST:
        return f"{times_the_cost(1 - of_load)} for the load"
    return f"{times_the_cost(1 - one.saves_fraction)} a request"


def _why_held_back(why: WhyHeldBack, alike: Sequence[HeldBack]) -> str:
    """Reason why cheaper plans are ranked below the first."""
    if why is WhyHeldBack.LOAD:
        return "but plans are in the order of what the whole load costs, and for that they save nothing"
    if why is WhyHeldBack.SIMPLEST:
        return "no model of time can tell so little apart, and the simplest layout of such is first"
    of = " of the load's cost" if alike[0].load_saves_fraction is not None else ""
    of_two = 1 - 1 / (1 + asked_of_stages(2))
    return (
        "but no run with pipeline stages was ever measured, and each doubling of stages has to save over"
        f" {100 * of_two:.1f} %{of} to rank first"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTokens:
    """Column of times to the first token.

    Attributes:
        header: header, which says of what system they are.
        per_s: units of the cells in a second.
    """

    header: str
    per_s: float

    @classmethod
    def of(cls, plans: Sequence[Plan | TwoPoolPlan], demand: Demand) -> FirstTokens:
        """Column of plans, in seconds where one of them takes many."""
        is_long = any(one.ttft_s >= SECONDS_FROM_S for one in plans)
        of = f"p{100 * demand.ttft_quantile:.6g}" if demand.has_load else "idle"
        return cls(header=f"TTFT {of} {'s' if is_long else 'ms'}", per_s=1.0 if is_long else 1e3)

    def cell(self, ttft_s: float) -> str:
        """A time as a cell."""
        return short(ttft_s * self.per_s)


def served_headers(first: FirstTokens) -> tuple[str, ...]:
    """Headers of what a plan serves, what it costs and takes; the cost of a request is in dollars or in chip time."""
    return (
        "batch",
        "TPOT ms",
        first.header,
        "tok/s per chip",
        "$/Mtok in",
        "$/Mtok out",
        "$/k req",
        "chip-s/req",
        "req/s",
        "kW",
    )


def served_cells(one: Plan | TwoPoolPlan, demand: Demand, first: FirstTokens) -> tuple[str, ...]:
    """Cells of ``served_headers``; of prices they are empty without one, of power where it does not matter."""
    prices = (one.usd_per_input_token, one.usd_per_output_token)
    return (
        f"{one.batch:,}",
        short(one.tpot_s * 1e3),
        first.cell(one.ttft_s),
        short(one.output_tokens_per_s_per_chip),
        *("" if price is None else short(price * 1e6) for price in prices),
        *cost_cells(one),
        rate_cell(one, demand),
        kilowatts(one.energy, demand),
    )


def rate_cell(one: Plan | TwoPoolPlan, demand: Demand) -> str:
    """Requests per second as a cell: a rate that was asked for, or a capacity, which is rounded down."""
    return (short if demand.requests_per_s is not None else capacity)(one.requests_per_s)


def cost_cells(one: Plan | TwoPoolPlan) -> tuple[str, str]:
    """Cells on the cost of requests: dollars of a thousand, or without a price the chip time of one."""
    usd = one.usd_per_request
    return ("", short(one.paid_chip_s_per_request)) if usd is None else (short(1e3 * usd), "")


def cost_said(one: Plan | TwoPoolPlan) -> str:
    """Meaning of the cell on the cost of requests."""
    if one.usd_per_request is None:
        return "chip-s/req: chip time of a request, idle chips counted"
    return "$/k req: of 1,000 requests, idle chips paid"


def spared(order: Sequence[int], ttft: int, workload: Workload) -> tuple[int, ...]:
    """Columns that a narrow page does without, in their order; that of first tokens is the last where they are limited.

    Args:
        order: columns, the first to go first.
        ttft: column of first tokens.
        workload: workload that was asked for, with its limits.
    """
    if workload.ttft_s is None:
        return tuple(order)
    return (*(one for one in order if one != ttft), ttft)


def kilowatts(energy: Energy | None, demand: Demand) -> str:
    """Power of a plan as a cell, in kilowatts; empty where power does not matter."""
    return short(energy.site_power_w / 1e3) if energy is not None and demand.heeds_power else ""


DEGREES = {
    "tp": "chips that share every matrix",
    "pp": "pipeline stages",
    "ep": "groups that the experts are spread over",
    "dp": "groups that each serve sequences of their own",
    "cp": "chips that share a sequence's context",
    "tp_rows": "chips of tp that cut the input side of a matrix",
    "kv_dp": "groups of tp that keep the KV cache of their own sequences",
    "fsdp": "chips of dp over which weights lie spread until their layer runs",
    "redundant_experts": "experts held twice",
}
"""Meaning of the number after each part of a layout."""


def _show_legend(out: Console, shown: Sequence[Plan], demand: Demand) -> None:
    """Print the meaning of the table's words, and of those parts of layouts that it has."""
    alone = dataclasses.asdict(Layout())
    used = {name for one in shown for name, degree in dataclasses.asdict(one.layout).items() if degree != alone[name]}
    parts = [f"{name.removesuffix('_experts')}: {said}" for name, said in DEGREES.items() if name in used]
    batch = "batch: requests under way on one replica"
    if demand.requests_per_s is not None:
        batch += " while there are any"
    by = "; sorted by the chips of the load" if demand.has_load else ", by which the table is sorted"
    print_text(out, "; ".join([batch, cost_said(shown[0]) + by, *parts]), style="dim")


def when_said(one: Plan, demand: Demand) -> str:
    """Clause on the system that a time to the first token holds for, and on how many requests stay within it."""
    if one.ttft_quantile is None:
        return "in an idle system"
    part = f"{100 * one.ttft_quantile:.6g} %"
    if demand.users is not None:
        return f"{part} of requests' within it, by the waits of measured closed loops after their first burst"
    at_each = " at each replica" if one.replicas > 1 else ""
    at_random = f"{part} of a load's within it, which comes at random{at_each}"
    return at_random if demand.has_load else f"{part} of prompts' within it, in an idle system"
