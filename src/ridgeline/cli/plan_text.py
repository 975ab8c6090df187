"""Text of ``ridgeline plan``: the table, the best plan in full, why others lose, and the board."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from rich.console import Console

from ridgeline.cli.carried import show_carriers
from ridgeline.cli.demand import J_PER_KWH, limits_said, load_said
from ridgeline.cli.output import counted, listed, print_table, print_text, short, show
from ridgeline.cli.rejected import layout_name, show_rejected
from ridgeline.cli.speculation import said_of_plan
from ridgeline.cli.unknown_formats import show_unknown_formats
from ridgeline.estimator.parameters import main_format
from ridgeline.planner.cheaper_ways import CheaperWay
from ridgeline.planner.chip_steps import ChipStep
from ridgeline.planner.compare import INDISTINCT, faster, tied, times_the_cost, why_dearer
from ridgeline.planner.outcome import Constraint, Energy, Plan, Planning, WhyNot
from ridgeline.planner.plan import DRAFTS_UNSTAGED
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import is_ideal
from ridgeline.specs.layout import Layout
from ridgeline.specs.provenance import summary
from ridgeline.specs.workload import Workload

__all__ = ["WHAT_LIMITS", "kilowatts", "power_said", "price_said", "show_asked", "show_found"]

SPEED_UPS = (1.0, 1.5, 2.5, 5.0)
"""Speeds, over that of the best plan, whose price is shown; 2.5 is what providers sell as their fast mode."""


def show_asked(
    out: Console, deployment: Deployment, workload: Workload, found: Planning, *, is_default_budget: bool
) -> None:
    """Print the question and its terms."""
    model, engine, fidelity = deployment.model, deployment.engine, deployment.fidelity
    limits = [*limits_said(workload), *load_said(found.demand)]
    budget = ", one scale-up domain (--chips N sets another budget)," if is_default_budget else ""
    # A load that nothing serves takes no number of chips.
    is_open = found.demand.has_load and not found.plans
    chips = "" if is_open else f"{counted(found.chips, 'chip')}{budget} of "
    print_text(
        out,
        f" on {chips}{deployment.machine.name}:"
        f" {workload.prompt_tokens:,.0f} tokens in, {workload.output_tokens:,.0f} out" + "".join(limits),
        head=model.name,
    )
    cost = price_said(found.usd_per_chip_s, found.price_label, None if is_open else found.chips)
    print_text(
        out,
        f"weights {main_format(model, found.precision)}, KV cache {found.precision.kv.name}; engine {engine.title},"
        f" fidelity {fidelity.name}; {cost}",
    )
    show_unknown_formats(out, deployment)
    if is_ideal(engine) and fidelity.at_peaks:
        print_text(
            out,
            f"times are those at the spec sheet's peaks (fidelity {fidelity.name}), which no server reaches",
            head="No engine: ",
        )
    elif is_ideal(engine):
        print_text(
            out,
            "these times are those of kernels, each as benchmarked alone (engine ideal); machines compare only with"
            " others at --engine ideal",
            head="No engine: ",
        )


def price_said(price: float | None, label: str, chips: int | None) -> str:
    """Price of a chip and of a budget in words, with its source.

    Args:
        price: price of a chip, dollars a second; None where none is known.
        label: source of the price.
        chips: budget of chips; None where the load says how many.
    """
    if price is None:
        return f"{label} (give one with --price)"
    if chips is None:
        return f"{show(price, 'usd_per_s')} a chip ({label})"
    return f"{show(price * chips, 'usd_per_s')} for {counted(chips, 'chip')}, {show(price, 'usd_per_s')} each ({label})"


def show_found(
    out: Console,
    workload: Workload,
    found: Planning,
    top: int,
    steps: Sequence[ChipStep],
    cheaper: Iterable[CheaperWay] = (),
    *,
    details: bool,
) -> None:
    """Print the plans, the best of them in full, what was rejected and why, and the board's numbers beside them.

    With ``--why-not`` the answer comes first, and beside it the table alone.

    Args:
        out: console to print to.
        workload: workload that was asked for.
        found: result of the search.
        top: number of plans to show.
        steps: best plans on fewer chips and on more of them.
        cheaper: ways of serving that cost less, asked for once the plans are on the screen.
        details: whether each plan is shown in full.
    """
    shown = found.plans[:top]
    is_answer = found.why_not is not None and not details
    if found.why_not is not None:
        _show_why_not(out, found.why_not)
    if shown:
        _show_table(out, found, shown)
    if not is_answer:
        _show_cheaper(out, cheaper)
        for rank, one in enumerate(shown if details else shown[:1], start=1):
            _show_plan(out, rank, one, workload, found, details=details)
        _show_losers(out, found, top)
        show_rejected(out, found.rejected, undivided=found.undivided, details=details)
        if shown and details:
            _show_speeds(out, found)
            _show_steps(out, found, steps)
            _show_elasticities(out, found)
        _show_board(out, found, details=details)
    out.print()
    _show_notes(out, found)
    if not details:
        more = "without --why-not the best plan in full; --details, --json"
        print_text(out, f"more: {more if is_answer else '--details, --why-not LAYOUT, --json'}", style="dim")


def _show_table(out: Console, found: Planning, shown: Sequence[Plan]) -> None:
    """Print a line a plan, and what must be known to compare them."""
    out.print()
    rows = [_row(rank, one, found.demand) for rank, one in enumerate(shown, start=1)]
    print_table(out, HEADERS, rows, left=(1,), optional=(10,), spare=(6, 9, 7, 5, 3, 8, 2))
    _show_legend(out, shown, has_load=found.demand.has_load)
    if DRAFTS_UNSTAGED in found.notes:
        print_text(out, DRAFTS_UNSTAGED)


def _show_notes(out: Console, found: Planning) -> None:
    """Print the notes that no table has said."""
    for note in found.notes:
        if note != DRAFTS_UNSTAGED or not found.plans:
            print_text(out, f"note: {note}", style="dim")


HEADERS = (
    "#",
    "layout",
    "chips",
    "batch",
    "TPOT ms",
    "TTFT ms",
    "tok/s per chip",
    "$/Mtok in",
    "$/Mtok out",
    "req/s",
    "kW",
)


def _row(rank: int, one: Plan, demand: Demand) -> tuple[str, ...]:
    prices = (one.usd_per_input_token, one.usd_per_output_token)
    return (
        str(rank),
        layout_name(one),
        f"{one.replicas * one.layout.chips:,}" if demand.has_load else "",  # else all plans have the same budget
        f"{one.batch:,}",
        short(one.tpot_s * 1e3),
        short(one.ttft_s * 1e3),
        short(one.output_tokens_per_s_per_chip),
        *("" if price is None else short(price * 1e6) for price in prices),
        short(one.requests_per_s),
        kilowatts(one.energy, demand),
    )


def kilowatts(energy: Energy | None, demand: Demand) -> str:
    """Power of a plan as a cell of a table, in kilowatts; empty where power does not matter."""
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


def _show_legend(out: Console, shown: Sequence[Plan], *, has_load: bool) -> None:
    """Print the meaning of the table's words, and of those parts of layouts that it has."""
    alone = dataclasses.asdict(Layout())
    used = {name for one in shown for name, degree in dataclasses.asdict(one.layout).items() if degree != alone[name]}
    parts = [f"{name.removesuffix('_experts')}: {said}" for name, said in DEGREES.items() if name in used]
    print_text(
        out,
        "; ".join(["batch: requests under way on one replica", f"TTFT: {_when(shown[0], has_load=has_load)}", *parts]),
        style="dim",
    )


WHAT_LIMITS = {
    Constraint.MEMORY: "memory is full",
    Constraint.TPOT: "more would break the TPOT limit",
    Constraint.COST: "more would save less than 1 %",
    Constraint.ENGINE: "the engine takes no more in a step (--max-sequences)",
    Constraint.LOAD: "its part of the load",
}


def _what_limits(one: Plan, demand: Demand) -> str:
    """Reason why a batch is no larger."""
    is_asked = one.limited_by is Constraint.LOAD and demand.batch is not None
    return "as asked for (--batch)" if is_asked else WHAT_LIMITS[one.limited_by]


def _show_plan(out: Console, rank: int, one: Plan, workload: Workload, found: Planning, *, details: bool) -> None:
    """Print a plan line by line."""
    low, high = show(one.tpot_low_s, "s"), show(one.tpot_high_s, "s")
    over = "" if one.limits_met_at_high else f"; the upper end would not keep to {show(workload.tpot_s, 's')}"
    share = one.chip_s_per_output_token[one.bound] / sum(one.chip_s_per_output_token.values())
    step = "as is the decode step" if one.decode_bound is one.bound else f"the decode step by {one.decode_bound.text}"
    first_low, first_high = show(one.ttft_low_s, "s"), show(one.ttft_high_s, "s")
    when = _when(one, has_load=found.demand.has_load)
    rows = [
        ("TPOT", f"{show(one.tpot_s, 's')}, 80 % interval {low} - {high}{over}"),
        ("TTFT", f"{show(one.ttft_s, 's')}, 80 % interval {first_low} - {first_high}, {when}"),
        ("bound by", f"{one.bound.text} ({100 * share:.0f} % of chip time); {step}"),
        (
            "replicas",
            f"{one.replicas}, of {counted(one.layout.chips, 'chip')} each, "
            + (f"{counted(one.idle_chips, 'chip')} {_idle_why(found)}" if one.idle_chips else "no chip idle"),
        ),
        ("batch", f"{one.batch:,}: {_what_limits(one, found.demand)}"),
    ]
    if any(found.speculations):
        rows.append(("speculation", said_of_plan(one, found.speculations)))
    if one.kv_capacity_tokens is not None:
        given = f", with {show(float(one.memory.raised_bytes), 'bytes')} a chip more for the engine than by default"
        said = f"room for {show(one.kv_capacity_tokens, 'count')} tokens a replica"
        rows.append(("KV cache", said + (given if one.is_memory_raised else "")))
    if one.energy is not None and (details or found.demand.heeds_power):
        rows.append(("power", "; ".join(_power(one, one.energy, found.demand))))
    rows.append(("carried by", summary(one.carried_by)))
    if details:
        rate = one.output_tokens_per_s_per_chip * one.layout.chips * one.replicas
        memory = {"weights": "weights", "kv": "KV cache", "activation": "activations", "free": "free"}
        parts = [f"{said} {show(getattr(one.memory, f'{name}_bytes'), 'bytes')}" for name, said in memory.items()]
        rows += [
            ("decode step", f"{show(one.decode_step_s, 's')}; the rest of TPOT reads other requests' prompts"),
            ("prefill", f"bound by {one.prefill_bound.text}"),
            ("all replicas", f"{rate:,.0f} output tok/s"),
            ("a chip's memory", ", ".join(parts)),
        ]
    title = f"Plan {rank}" if details else "Best plan"
    out.print()
    print_text(out, f", {layout_name(one)}", head=title)
    print_table(out, ("", ""), [(f"  {name}", said) for name, said in rows], left=(0, 1))
    if details:
        show_carriers(out, one.carried_by)


def _idle_why(found: Planning) -> str:
    """Reason why chips that are paid for idle."""
    return "idle beside them, too few in a domain for one more" if found.demand.has_load else "idle"


def _power(plan: Plan, one: Energy, demand: Demand) -> list[str]:
    """Power of a plan, clause by clause."""
    most_w, parts = demand.site_power_w, power_said(one, demand)
    if most_w is not None and not demand.has_load:
        fed = int(most_w / one.site_power_w * plan.replicas)
        more = f"there is power for {counted(fed, 'replica')} (--chips {fed * plan.layout.chips})"
        parts += [more] if fed > plan.replicas else []
    return parts


def power_said(one: Energy, demand: Demand) -> list[str]:
    """Power of the chips, energy of tokens, and the cost of both, clause by clause."""
    site, most_w = show(one.site_power_w, "w"), demand.site_power_w
    overhead = f", with a PUE of {demand.pue:g}" if demand.pue > 1 else ""
    limit = "" if most_w is None else f" of {show(most_w, 'w')}"
    per_output, per_input = (
        1e6 * joules / J_PER_KWH for joules in (one.energy_j_per_output_token, one.energy_j_per_input_token)
    )
    parts = [
        f"{show(one.chip_power_w, 'w')} a chip, {site} in all{limit}{overhead}",
        f"{per_output:.3g} kWh/Mtok out, {per_input:.3g} kWh/Mtok in",
    ]
    if one.electricity_usd_per_output_token is not None and one.electricity_usd_per_input_token is not None:
        costs = one.electricity_usd_per_output_token, one.electricity_usd_per_input_token
        output, read = (show(cost, "usd_per_token") for cost in costs)
        parts.append(f"electricity {output} out, {read} in, within the cost above")
    return parts


def _when(one: Plan, *, has_load: bool) -> str:
    """Clause on the system that a time to the first token holds for, and on how many requests stay within it."""
    if one.ttft_quantile is None:
        return "in an idle system"
    part = f"{100 * one.ttft_quantile:.6g} %"
    return f"{part} of a load's within it" if has_load else f"{part} of prompts' within it, in an idle system"


def _show_cheaper(out: Console, cheaper: Iterable[CheaperWay]) -> None:
    """Print ways to serve the same load that cost less than the table's first plan, a line each."""
    for number, way in enumerate(cheaper):
        if number == 0:
            out.print()
            print_text(out, "", head="Cheaper than plan 1")
        plan = way.plan
        costs = [
            f"{show(cost, 'usd_per_token')} {phase}"
            for cost, phase in ((plan.usd_per_input_token, "in"), (plan.usd_per_output_token, "out"))
            if cost is not None
        ]
        said = f"{way.name} ({way.option}): a request {times_the_cost(1 / way.times_cheaper)}"
        print_text(out, "; ".join((said, ", ".join(costs), f"TTFT {show(plan.ttft_s, 's')}")), indent=2, hang=2)


def _show_losers(out: Console, found: Planning, top: int) -> None:
    if min(len(found.plans), top) <= 1:
        return
    out.print()
    ranked = "; in the order of the chips that the load takes" if found.demand.has_load else ""
    said = f" (a whole request, idle chips paid{ranked})"
    print_text(out, said + _tied(found, top), head="What the runners-up cost")
    for rank, one in enumerate(found.plans[1:top], start=2):
        print_text(out, f"{rank}  {layout_name(one)}: {why_dearer(one, found.plans[0])}", indent=2, hang=3)


def _tied(found: Planning, top: int) -> str:
    """Sentence on the shown plans that cost the same, and on how many others do; empty where none does."""
    alike = tied(found)
    shown = [one for one in alike if one in found.plans[:top]]
    if len(alike) == 1:
        return ""
    ranks = [str(found.plans.index(one) + 1) for one in shown]
    more = len(alike) - len(shown)
    ranks += [f"{more:,} more (--top {found.plans.index(alike[-1]) + 1})"] if more else []
    first = [one.ttft_s for one in alike]
    choose = ": choose by TTFT" if max(first) > (1 + INDISTINCT) * min(first) else ""
    return f"; plans {listed(ranks)} cost the same within {100 * INDISTINCT:.0f} %{choose}"


def _show_why_not(out: Console, asked: WhyNot) -> None:
    breaks = WHAT_IT_BREAKS.get(asked.kind) if asked.kind else None
    said = [f"it breaks the constraint on {breaks}: {asked.reason}" if breaks else asked.reason]
    if one := asked.plan:
        said.append(
            f"at its best batch of {one.batch:,}, TPOT {show(one.tpot_s, 's')} and TTFT {show(one.ttft_s, 's')}"
        )
        said.append(f"bound by {one.bound.text}" + (f"; plan {asked.rank} of those found" if asked.rank else ""))
    out.print()
    print_text(out, f": {'; '.join(said)}", head=f"Why not {asked.layout}")


WHAT_IT_BREAKS = {
    Constraint.MEMORY: "memory",
    Constraint.TTFT: "time to the first token",
    Constraint.TPOT: "time per output token",
    Constraint.CHIPS: "chips",
    Constraint.POWER: "power",
    Constraint.BATCH: "requests at once",
}


def _show_board(out: Console, found: Planning, *, details: bool) -> None:
    bounds = found.bounds
    out.print()
    if not bounds.memory_full_batch:
        print_text(out, f": the weights alone do not fit {counted(bounds.chips, 'chip')}", head="The board")
        return
    with_kv = (
        "with KV reads counted, no batch is bound by compute"
        if bounds.balance_batch_with_kv is None
        else f"{bounds.balance_batch_with_kv:,.0f} with KV reads counted"
    )
    alone = f", {show(bounds.floor_one_sequence_s, 's')} for those of one sequence" if bounds.has_experts else ""
    replica, of_replica = found.replica_bounds, ""
    if replica is not None and replica.chips != bounds.chips:
        floor = show(replica.floor_step_time_s, "s")
        of_replica = f", and {floor} on the {counted(replica.chips, 'chip')} of a replica of the best plan"
    print_text(
        out,
        f", {counted(bounds.chips, 'chip')} at the spec sheet's peaks: latency floor"
        f" {show(bounds.floor_step_time_s, 's')} (every weight read once{alone}){of_replica}; compute outweighs weight"
        f" reads from the balance batch on, {bounds.balance_batch:,.0f} ({with_kv}); KV fills memory at the memory-full"
        f" batch, {bounds.memory_full_batch:,.0f}",
        head="The board",
    )
    if details and bounds.weights_usd_per_step is not None and bounds.floor_usd_per_output_token is not None:
        print_text(
            out,
            f"cost of decode: a batch shares the {show(bounds.weights_usd_per_step, 'usd')} of a step's weight reads;"
            f" no batch is cheaper than {show(bounds.floor_usd_per_output_token, 'usd_per_token')}"
            f" (compute {show(bounds.compute_usd_per_output_token, 'usd_per_token')},"
            f" KV reads {show(bounds.kv_usd_per_output_token, 'usd_per_token')})",
            indent=2,
        )


def _show_speeds(out: Console, found: Planning) -> None:
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


def _show_steps(out: Console, found: Planning, steps: Sequence[ChipStep]) -> None:
    """Print the best plans on fewer and on more chips."""
    if not steps:
        return
    best = found.plans[0]
    chips = best.replicas * best.layout.chips + best.idle_chips if found.demand.has_load else found.chips
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
        f"{one.replicas} x {layout_name(one)}",
        f"{one.batch:,}",
        *times,
        short(one.requests_per_s),
        usd,
        said,
    )


def _show_elasticities(out: Console, found: Planning) -> None:
    """Print the effect of one percent more, for the quantities that a reader of the table would ask about."""
    cost = "chip_s_per_request" if found.usd_per_chip_s is None else "usd_per_request"
    quantities = {cost: "cost of a request", "tpot_s": "TPOT", "ttft_s": "TTFT"}
    raised = {
        "hbm_bytes_per_s": "HBM bandwidth",
        "flop_per_s": "FLOP/s",
        "hbm_bytes": "HBM bytes",
        "scale_up_bytes_per_s": "scale-up bandwidth",
        "scale_out_bytes_per_s": "scale-out bandwidth",
        "usd_per_chip_s": "price of a chip",
        "electricity_usd_per_j": "price of electricity",
        "tpot_s": "limit on TPOT",
    }
    out.print()
    print_text(out, " of each: cost with the batch chosen anew, TPOT and TTFT at the same batch", head="1 % more")
    for name, label in raised.items():
        if f"{cost}:{name}" not in found.elasticities:
            continue
        changes = {shown: found.elasticities.get(f"{quantity}:{name}") for quantity, shown in quantities.items()}
        moved = [
            f"{shown} {change:+.2f} %"
            for shown, change in changes.items()
            if change is not None and abs(change) >= SMALLEST_SHOWN
        ]
        print_text(out, f"{label}: {', '.join(moved) or 'nothing'}", indent=2)
    if any(abs(found.elasticities.get(f"{cost}:{name}", 0.0)) > MUCH for name in raised):
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
