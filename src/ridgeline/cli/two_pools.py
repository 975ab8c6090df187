"""``ridgeline plan --pools 2``: a pool that reads prompts and one that makes tokens, as tables and as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console

from ridgeline.cli.asked import Asked
from ridgeline.cli.carried import OF_A_REQUEST, show_carriers
from ridgeline.cli.output import capacity, counted, print_table, print_text, short, show
from ridgeline.cli.plan_in_full import DEALT_OUT, WHAT_LIMITS, power_said, tpot_interval_said, ttft_interval_said
from ridgeline.cli.plan_table import FirstTokens, cost_said, served_cells, served_headers, spared
from ridgeline.cli.rejected import layout_name, show_rejected
from ridgeline.cli.uncounted import naming_option
from ridgeline.cli.window import notes_beside_window
from ridgeline.planner.compare import INDISTINCT, MANY_TIMES, asked_against, times_the_cost, why_behind
from ridgeline.planner.outcome import Plan
from ridgeline.planner.two_pools.compare import stages_of, why_dearer
from ridgeline.planner.two_pools.outcome import OnePool, Part, TwoPoolPlan, TwoPools, TwoPoolWhyNot
from ridgeline.seconds import HOUR_S
from ridgeline.specs.demand import Demand
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.provenance import summary

__all__ = ["show_two_pools", "two_pool_document"]

MOVES = 0.1
"""Fraction of the time to the first token from which the cache's move is worth a line."""


def two_pool_document(found: TwoPools, top: int) -> dict[str, Any]:
    """JSON document of two pools, in base units."""
    return {
        "plans": [_document(one) for one in found.plans[:top]],
        "rejected": [dataclasses.asdict(one) for one in found.rejected],
        "one_pool": None if found.one_pool is None else _one_pool(found.one_pool),
        "elasticities": found.elasticities,
        "front": [{**dataclasses.asdict(point), "chips": point.layout.chips} for point in found.front],
        "why_not": None if found.why_not is None else _why_not(found.why_not),
        "points_evaluated": found.points_evaluated,
        "notes": found.notes,
    }


def _one_pool(one: OnePool) -> dict[str, Any]:
    return {"plan": {**one.plan.to_document(), "machine": one.machine}, "cost_ratio": one.cost_ratio}


def _why_not(asked: TwoPoolWhyNot) -> dict[str, Any]:
    return {
        "prefill_layout": dataclasses.asdict(asked.prefill_layout),
        "layout": dataclasses.asdict(asked.layout),
        "kind": asked.kind,
        "reason": asked.reason,
        "plan": None if asked.plan is None else _document(asked.plan),
    }


def _document(plan: TwoPoolPlan) -> dict[str, Any]:
    names = {field.name for field in dataclasses.fields(plan)} - {"prefill", "decode", "energy"}
    return {
        "layout": dataclasses.asdict(plan.decode.deployment.layout),
        "machine": plan.decode.deployment.machine.id,
        "chips": plan.chips,
        "replicas": plan.decode.replicas,
        "speculation": plan.decode.deployment.speculation.to_row(),
        "pools": {name: _part(part) for name, part in (("prefill", plan.prefill), ("decode", plan.decode))},
        "energy": None if plan.energy is None else dataclasses.asdict(plan.energy),
        **{name: getattr(plan, name) for name in sorted(names)},
    }


def _part(part: Part) -> dict[str, Any]:
    return {
        "machine": part.deployment.machine.id,
        "layout": dataclasses.asdict(part.deployment.layout),
        "weights": part.weights,
        "chips": part.deployment.layout.chips,
        "replicas": part.replicas,
        "batch": part.batch,
        "most_at_once": part.most_at_once,
        "requests_per_s": part.requests_per_s,
        "busy_fraction": part.busy_fraction,
        "bound": part.bound,
        "bound_fraction": part.bound_fraction,
        "carried_by": [one.to_row() for one in part.carried_by],
        "chip_power_w": part.chip_power_w,
    }


def show_two_pools(out: Console, model: Model, machines: Sequence[Machine], found: TwoPools, asked: Asked) -> None:
    """Print the best pairs, the first in full, what others lose, what was rejected and why, and what one pool does."""
    demand = asked.demand
    is_answer = found.why_not is not None and not asked.details
    if found.why_not is not None:
        _show_why_not(out, found.why_not)
    if shown := found.plans[: asked.top]:
        several = len({part.deployment.machine.id for one in shown for part in (one.prefill, one.decode)}) > 1
        out.print()
        first = FirstTokens.of(shown, demand)
        rows = [_row(rank, one, demand, first, several=several) for rank, one in enumerate(shown, start=1)]
        headers = ("#", "prompts", "tokens", "chips", *served_headers(first))
        print_table(
            out, headers, rows, left=(1, 2), optional=(13,), spare=spared((7, 12, 8, 6, 4, 9, 3), 6, asked.workload)
        )
        print_text(
            out,
            "one row for each layout of the tokens' pool, with the cheapest pool of prompts beside it; prompts, tokens:"
            " replicas of either pool and their layout; batch: sequences of one replica that makes tokens; TTFT:"
            f" {_when(shown[0], demand)}, the cache's move included; {cost_said(shown[0])}"
            + ("; kW: of both pools, --pue included" if demand.heeds_power else ""),
            style="dim",
        )
        for rank, one in enumerate(shown if asked.details else [] if is_answer else shown[:1], start=1):
            _show_plan(out, rank, one, asked, found.elasticities if rank == 1 else {})
    if shown and not is_answer:
        _show_losers(out, shown, has_load=demand.has_load)
    if not is_answer:
        show_rejected(out, found.rejected, details=asked.details)
        _show_one_pool(out, found, has_load=demand.has_load)
    out.print()
    notes = notes_beside_window(found.notes, model, asked.workload.longest_tokens, machines)
    for note in naming_option(notes, model, shown[0].decode.deployment.machine) if shown else notes:
        print_text(out, f"note: {note}", style="dim")
    details = "" if asked.details else "--details, "
    more = "--why-not PROMPTS/TOKENS, --figure FILE, --json; --pools 1 for one pool"
    more = "--json; without --why-not the best pair in full" if is_answer else more
    print_text(out, f"more: {details}{more}", style="dim")


def _show_why_not(out: Console, asked: TwoPoolWhyNot) -> None:
    out.print()
    said = f": {asked.reason}"
    if one := asked.plan:
        said += f"; TPOT {show(one.tpot_s, 's')}, TTFT {show(one.ttft_s, 's')} on {counted(one.chips, 'chip')}"
    print_text(out, said, head=f"Why not {asked.prefill_layout} for prompts and {asked.layout} for tokens")


def _show_losers(out: Console, shown: Sequence[TwoPoolPlan], *, has_load: bool) -> None:
    """Print the cost of the next pairs against the best."""
    best = shown[0]
    several = len({part.deployment.machine.id for one in shown for part in (one.prefill, one.decode)}) > 1
    if len(shown) > 1:
        out.print()
        said = "for the whole load" if has_load else "a whole request, idle chips paid"
        print_text(out, f" ({said})", head="What the runners-up cost")
    for rank, one in enumerate(shown[1:], start=2):
        pair = f"{_name(one.prefill, several=several)} and {_name(one.decode, several=several)}"
        print_text(out, f"{rank}  {pair}: {why_dearer(one, best, has_load=has_load)}", indent=2, hang=3)


def _show_one_pool(out: Console, found: TwoPools, *, has_load: bool) -> None:
    """Print whether one pool is cheaper, and what it would be."""
    head = "One pool or two?"
    out.print()
    if found.one_pool is None:
        print_text(out, " one pool serves this on none of the machines", head=head)
        return
    one, ratio = found.one_pool.plan, found.one_pool.cost_ratio
    which = _cheaper(ratio, _stages(found, one), has_load=has_load)
    chips, said = one.replicas * one.layout.chips, ""
    if one.usd_per_h is not None and one.usd_per_input_token is not None and one.usd_per_output_token is not None:
        said = "; " + tokens_cost_said(one.usd_per_input_token, one.usd_per_output_token, one.usd_per_h)
    print_text(
        out,
        f" {which}. The best one: {one.replicas:,} x {layout_name(one)} on"
        f" {counted(chips, 'chip')} of {found.one_pool.machine}, batch {one.batch:,},"
        f" {short(one.requests_per_s)} requests/s, TPOT {show(one.tpot_s, 's')}, TTFT {show(one.ttft_s, 's')}{said}",
        head=head,
    )


def _stages(found: TwoPools, one: Plan) -> tuple[int, int]:
    """Pipeline stages of the best two pools, and of the best one."""
    return stages_of(found.plans[0]) if found.plans else 1, stages_of(one)


def _cheaper(ratio: float | None, stages: tuple[int, int], *, has_load: bool) -> str:
    """Clause on whether one pool or two cost less, and by how much, from the cost of one over that of two.

    Stages have to save more before two pools come first, as they have to within one.
    """
    if ratio is None:
        return "One serves this, where no two do"
    if abs(ratio - 1) < INDISTINCT:
        return f"They cost the same within {100 * INDISTINCT:.0f} %"
    if 1 < ratio < 1 + asked_against(*stages):
        return f"Two would cost {100 * (1 - 1 / ratio):.1f} % less, {why_behind(*stages)}: take one"
    each = "an hour" if has_load else "a request"
    if ratio >= MANY_TIMES:
        return f"Two are cheaper: one costs {ratio:.1f} times as much {each}"
    if ratio < 1:
        return f"One is cheaper: it {times_the_cost(ratio)} {each}"
    # Of the cost of one, as `plan` says of cheaper ways and `price` of two pools.
    return f"Two are cheaper: {each} {times_the_cost(1 / ratio)}"


def _row(rank: int, one: TwoPoolPlan, demand: Demand, first: FirstTokens, *, several: bool) -> tuple[str, ...]:
    pools = (_name(part, several=several) for part in (one.prefill, one.decode))
    return str(rank), *pools, f"{one.chips:,}", *served_cells(one, demand, first)


def _name(part: Part, *, several: bool) -> str:
    machine = part.deployment.machine.id if several else None
    return f"{part.replicas:,} x " + " ".join(filter(None, (str(part.deployment.layout), part.weights, machine)))


def _when(one: TwoPoolPlan, demand: Demand) -> str:
    if one.ttft_quantile is None:
        return "in an idle system"
    part = f"{100 * one.ttft_quantile:.6g} % of requests' within it"
    if demand.users is not None:
        return f"{part}, which {counted(demand.users, 'user')} make, each the next when answered"
    at_each = " at each replica" if one.prefill.replicas > 1 else ""
    return f"{part}, which come at random{at_each}" if demand.has_load else part


def _show_plan(out: Console, rank: int, one: TwoPoolPlan, asked: Asked, elasticities: Mapping[str, float]) -> None:
    fidelity = one.decode.deployment.fidelity
    when = _when(one, asked.demand)
    if asked.demand.requests_per_s is not None and one.prefill.replicas > 1:
        when += f"; {DEALT_OUT}"
    rows = [
        ("TPOT", f"{show(one.tpot_s, 's')}{tpot_interval_said(one, asked.workload, fidelity)}"),
        ("TTFT", f"{show(one.ttft_s, 's')}{ttft_interval_said(one, fidelity)}, {when}"),
        *_cost(one),
        ("prompts", _said(one.prefill, "reads")),
        ("tokens", _said(one.decode, "finishes")),
        ("batch", f"{one.batch:,}: {WHAT_LIMITS[one.limited_by]}"),
        *_speculation(one),
        *_room(one),
        ("cache's move", _move(one)),
        *_power(one, asked.demand, is_asked=asked.details),
        *_raised(elasticities, asked.demand),
        ("carried by", f"prompts {summary(one.prefill.carried_by)}; tokens {summary(one.decode.carried_by)}"),
    ]
    out.print()
    title = f"Plan {rank}" if asked.details else "Best plan"
    print_text(out, f", {_name(one.prefill, several=True)} and {_name(one.decode, several=True)}", head=title)
    print_table(out, ("", ""), [(f"  {name}", said) for name, said in rows], left=(0, 1))
    if asked.details:
        for name, part in (("Prompts", one.prefill), ("Tokens", one.decode)):
            print_text(out, "", head=name)
            show_carriers(out, part.carried_by, of=OF_A_REQUEST)


def _cost(one: TwoPoolPlan) -> list[tuple[str, str]]:
    """Cost of tokens and of an hour as a row, with the chips of a budget that idle."""
    if one.usd_per_input_token is None or one.usd_per_output_token is None or one.usd_per_h is None:
        return []
    idle = f", {counted(one.idle_chips, 'chip')} idle among it" if one.idle_chips else ""
    return [("cost", tokens_cost_said(one.usd_per_input_token, one.usd_per_output_token, one.usd_per_h) + idle)]


def tokens_cost_said(input_usd: float, output_usd: float, hourly_usd: float) -> str:
    """Cost of tokens and of an hour in words."""
    each = (show(usd, "usd_per_token") for usd in (input_usd, output_usd))
    return "{} in, {} out; ".format(*each) + show(hourly_usd / HOUR_S, "usd_per_s")


def _room(one: TwoPoolPlan) -> list[tuple[str, str]]:
    if one.kv_capacity_tokens is None:
        return []
    return [("KV cache", f"room for {show(one.kv_capacity_tokens, 'count')} tokens a replica that makes tokens")]


def _move(one: TwoPoolPlan) -> str:
    """Time to move a prompt's cache, the links it takes, and its part of the time to the first token."""
    is_inside = one.move_over == one.prefill.deployment.machine.fabric[0].name
    where = "inside one scale-up domain" if is_inside else f"over {one.move_over.replace('_', '-')} links"
    much = one.move_s > MOVES * one.ttft_s
    part = f": {100 * one.move_s / one.ttft_s:.0f} % of the time to the first token" if much else ""
    return f"{show(one.move_s, 's')} a prompt, {where}{part}"


def _power(one: TwoPoolPlan, demand: Demand, *, is_asked: bool) -> list[tuple[str, str]]:
    """Power of both pools as a row, where it matters or is asked for."""
    if one.energy is None or not (is_asked or demand.heeds_power):
        return []
    each = ", ".join(
        f"{show(part.chip_power_w or 0.0, 'w')} a chip of {name}"
        for name, part in (("prompts", one.prefill), ("tokens", one.decode))
    )
    return [("power", "; ".join([*power_said(one.energy, demand), each]))]


def _raised(elasticities: Mapping[str, float], demand: Demand) -> list[tuple[str, str]]:
    """Effect of one percent more of either price on the cost of a request, where electricity is paid for."""
    names = {"electricity_usd_per_j": "electricity's price", "usd_per_chip_s": "a chip's price"}
    if demand.electricity_usd_per_j is None or not elasticities:
        return []
    moved = (f"{said} {elasticities[f'usd_per_request:{name}']:+.2f} %" for name, said in names.items())
    return [("1 % more", f"of {', of '.join(moved)} in what a request costs")]


def _speculation(one: TwoPoolPlan) -> list[tuple[str, str]]:
    speculation = one.decode.deployment.speculation
    added = f"{speculation}, {counted(speculation.accepted_tokens, 'token')} a step"
    return [("speculation", added)] if speculation else []


def _said(part: Part, does: str) -> str:
    return (
        f"{counted(part.replicas, 'replica')} of {counted(part.deployment.layout.chips, 'chip')}; each {does} up to"
        f" {capacity(part.requests_per_s)} requests/s, and is {100 * part.busy_fraction:.0f} % busy; bound by"
        f" {part.bound.text} ({100 * part.bound_fraction:.0f} % of the time)"
    )
