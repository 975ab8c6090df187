"""``ridgeline plan`` on several machines in one table: the best plan of each, then the others, the cheapest first."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from ridgeline.cli.output import counted, listed, print_table, print_text, short, show
from ridgeline.cli.plan_table import FirstTokens, cost_cells, cost_said, kilowatts, rate_cell, spared
from ridgeline.planner.compare import INDISTINCT
from ridgeline.planner.outcome import Plan, Planning
from ridgeline.planner.power import power_notes
from ridgeline.planner.price import AS_ASKED
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import is_ideal
from ridgeline.specs.provenance import Grade, main_grade, summary
from ridgeline.specs.workload import Workload

__all__ = ["OnMachine", "best_first", "compared_document", "show_compared"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OnMachine:
    """Result of a search on one of several machines.

    Attributes:
        deployment: deployment that was searched; its layout does not matter.
        found: result of the search.
        is_for_money: whether all machines have the same money, and the one that serves most for it is best.
    """

    deployment: Deployment
    found: Planning
    is_for_money: bool


def best_first(searches: Sequence[OnMachine], top: int) -> list[tuple[OnMachine, Plan]]:
    """Plans of all machines with their machine, the best first; the best of each machine is always among them.

    For equal money the best plan serves most; under a load it costs least an hour, else least a request; plans without
    a price come last.
    """
    heads, others = _bests_and_others(searches, top)
    return _in_turn([[pair for pair in (*heads, *others) if pair[0] is one] for one in searches])


def _bests_and_others(
    searches: Sequence[OnMachine], top: int
) -> tuple[list[tuple[OnMachine, Plan]], list[tuple[OnMachine, Plan]]]:
    """Best plan of each machine, and the best of the others up to ``top`` in all, each the best first."""
    plans = [[(one, plan) for plan in one.found.plans[:top]] for one in searches]
    heads = sorted((mine[0] for mine in plans if mine), key=_cost)
    return heads, _in_turn([mine[1:] for mine in plans])[: max(top - len(heads), 0)]


def _in_turn(plans: Sequence[Sequence[tuple[OnMachine, Plan]]]) -> list[tuple[OnMachine, Plan]]:
    """Plans of several machines, the best first; those of one keep their own order, which is not by cost alone."""
    left = [list(mine) for mine in plans if mine]
    found = []
    while left:
        first = min(left, key=lambda mine: _cost(mine[0]))
        found.append(first.pop(0))
        left = [mine for mine in left if mine]
    return found


def _cost(pair: tuple[OnMachine, Plan]) -> tuple[float, float]:
    one, plan = pair
    price = one.found.usd_per_chip_s
    if one.is_for_money and not one.found.demand.has_load:
        return -plan.requests_per_s, plan.paid_chip_s_per_request
    if price is None:
        return math.inf, plan.paid_chip_s_per_request
    per_request = price * plan.paid_chip_s_per_request
    return (plan.usd_per_h or math.inf) if one.found.demand.has_load else per_request, per_request


def compared_document(searches: Sequence[OnMachine], top: int) -> dict[str, Any]:
    """Results on all machines, in base units."""
    return {
        "plans": [
            {
                **plan.to_document(),
                "machine": one.deployment.machine.id,
            }
            for one, plan in best_first(searches, top)
        ],
        "rejected": [
            {"machine": one.deployment.machine.id, **dataclasses.asdict(reason)}
            for one in searches
            for reason in one.found.rejected
        ],
        "machines": [
            {
                "machine": one.deployment.machine.id,
                "chips": one.found.chips,
                "engine": one.deployment.engine.title,
                "usd_per_chip_s": one.found.usd_per_chip_s,
                "price_source": one.found.price_label,
                "plans_found": len(one.found.plans),
                "notes": tuple(one.found.notes),
            }
            for one in searches
        ],
        "points_evaluated": sum(one.found.points_evaluated for one in searches),
        "notes": (*terms_that_differ(searches), *_unmeasured_winner(_bests_and_others(searches, top)[0])),
    }


def terms_that_differ(searches: Sequence[OnMachine]) -> tuple[str, ...]:
    """Note where machines are not compared on the same terms: some by an engine, some by none."""
    ideal = [one.deployment.machine.id for one in searches if is_ideal(one.deployment.engine)]
    if len(ideal) in {0, len(searches)}:
        return ()
    where = listed(ideal)
    said = f"no engine was measured on {where}: its times are those of kernels alone, and look better than they are"
    return (f"{said}; compare all with --engine ideal",)


def _unmeasured_winner(heads: Sequence[tuple[OnMachine, Plan]]) -> tuple[str, ...]:
    """Note where most of the best plan's time is assumed, and that of another machine's is not.

    Args:
        heads: best plan of each machine, the best first.
    """
    known = [pair for pair in heads if main_grade(pair[1].carried_by) is not Grade.ASSUMED]
    if not known or known[0] is heads[0]:
        return ()
    (best, _), (first, plan) = heads[0], known[0]
    said = "measured" if main_grade(plan.carried_by) is Grade.MEASURED else "measured on their family"
    note = (
        f"most of plan 1's time, on {best.deployment.machine.id}, rests on assumed numbers; of the machines whose time"
        f" is mostly {said}, {first.deployment.machine.id} {_wins([one for one, _ in known])} ({plan.layout})"
    )
    return (note,)


def _wins(searches: Sequence[OnMachine]) -> str:
    """Verb of the first machine's best plan: for equal money it serves most; only among prices it is the cheapest."""
    one = searches[0]
    if one.is_for_money and not one.found.demand.has_load:
        return "serves most"
    if one.found.usd_per_chip_s is None:
        return "takes least chip time"
    has_unpriced = any(search.found.usd_per_chip_s is None for search in searches)
    return "is the cheapest that has a price" if has_unpriced else "is the cheapest"


def show_compared(out: Console, workload: Workload, searches: Sequence[OnMachine], top: int) -> None:
    """Print one table, and on what terms each machine is in it."""
    heads, others = _bests_and_others(searches, top)
    demand = searches[0].found.demand
    first = FirstTokens.of([plan for _, plan in (*heads, *others)], demand)
    headers = _headers(first)
    rows = [_row(rank, one, plan, first) for rank, (one, plan) in enumerate((*heads, *others), start=1)]
    out.print()
    # All serve a rate alike, and for equal money an hour costs about the same.
    alike = [*(["req/s"] if demand.requests_per_s is not None else []), *(["$/h"] if searches[0].is_for_money else [])]
    prices = [one for one in ("$/h", "req/s") if one not in alike]
    order = [headers.index(one) for one in (*alike, "80 %", "$/Mtok in", "$/Mtok out", first.header, *prices)]
    spare = spared(order, headers.index(first.header), workload)
    print_table(out, headers, rows, left=(1, 2, 15), optional=(4,), spare=spare)
    said = [_order([one for one, _ in heads], is_split=bool(others))] if len(heads) > 1 else []
    if any(plan.idle_chips for _, plan in (*heads, *others)):
        said.append("chips: all that are paid, those that no replica takes in it")
    said += dict.fromkeys(cost_said(plan) for _, plan in (*heads, *others))
    said += ["80 %: interval of TPOT"] if any(row[6] for row in rows) else []
    said += ["carried by: source of most of the time"]
    print_text(out, "; ".join(said), style="dim")
    out.print()
    for one in searches:
        price = one.found.usd_per_chip_s
        cost = "no price known; give one with --price" if price is None else f"{show(price, 'usd_per_s')} a chip"
        label = "" if price is None else f" ({one.found.price_label})"
        best = "; no layout serves this" if not one.found.plans else f"; {summary(one.found.plans[0].carried_by)}"
        print_text(
            out,
            f": {counted(one.found.chips, 'chip')}, engine {one.deployment.engine.title}, {cost}{label}{best}",
            head=one.deployment.machine.id,
        )
    for note in (*terms_that_differ(searches), *_unmeasured_winner(heads), *_power_said(searches)):
        print_text(out, f"note: {note}", style="dim")
    print_text(out, "more of one machine: name it alone", style="dim")


def _order(searches: Sequence[OnMachine], *, is_split: bool) -> str:
    """Order of the table in words: by what machines follow each other, and plans of one machine.

    Args:
        searches: searches on the machines that have a plan.
        is_split: whether the best plan of each machine stands before the others.
    """
    by = _measure(searches)
    if not is_split:
        return f"by {by}"
    return (
        f"the best plan of each machine first, then the others, both by {by}; plans of one machine in the order that it"
        f" has by itself, where costs within {100 * INDISTINCT:.0f} % are equal"
    )


def _measure(searches: Sequence[OnMachine]) -> str:
    """Measure by which machines are put in order, in words."""
    one, priced = searches[0], [search.found.usd_per_chip_s is not None for search in searches]
    if one.is_for_money and not one.found.demand.has_load:
        return "requests a second for the money"
    if not any(priced):
        return "chip time a request"
    by = "dollars an hour" if one.found.demand.has_load else "dollars a request"
    return by if all(priced) else f"{by}, those without a price last"


def _power_said(searches: Sequence[OnMachine]) -> tuple[str, ...]:
    """Notes on what is counted as power, each once; none where power does not matter."""
    if not searches[0].found.demand.heeds_power:
        return ()
    said = (
        power_notes(
            one.deployment.machine,
            one.found.demand,
            one.found.usd_per_chip_s,
            is_given=one.found.price_label == AS_ASKED,
            is_fed=one.found.is_fed,
        )
        for one in searches
    )
    return ("kW: of all replicas of a plan, --pue included", *dict.fromkeys(note for notes in said for note in notes))


def _headers(first: FirstTokens) -> tuple[str, ...]:
    """Headers of ``_row``."""
    return (
        "#",
        "machine",
        "layout",
        "chips",
        "batch",
        "TPOT ms",
        "80 %",
        first.header,
        "$/Mtok in",
        "$/Mtok out",
        "$/k req",
        "chip-s/req",
        "$/h",
        "req/s",
        "kW",
        "carried by",
    )


def _row(rank: int, one: OnMachine, plan: Plan, first: FirstTokens) -> tuple[str, ...]:
    prices = (plan.usd_per_input_token, plan.usd_per_output_token)
    return (
        str(rank),
        one.deployment.machine.id,
        " ".join(filter(None, (str(plan.layout), plan.weights, plan.speculate))),
        f"{plan.all_chips:,}",
        f"{plan.batch:,}",
        short(plan.tpot_s * 1e3),
        # A bound from below has no interval.
        "" if one.deployment.fidelity.at_peaks else f"{short(plan.tpot_low_s * 1e3)}-{short(plan.tpot_high_s * 1e3)}",
        first.cell(plan.ttft_s),
        *("" if price is None else short(price * 1e6) for price in prices),
        *cost_cells(plan),
        "" if plan.usd_per_h is None else short(plan.usd_per_h),
        rate_cell(plan, one.found.demand),
        kilowatts(plan.energy, one.found.demand),
        main_grade(plan.carried_by).value,
    )
