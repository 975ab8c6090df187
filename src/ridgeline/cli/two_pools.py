"""``ridgeline plan --pools 2``: a pool that reads prompts and one that makes tokens, as tables and as JSON."""

from __future__ import annotations

import dataclasses
from typing import Any

from rich.console import Console

from ridgeline.cli.output import counted, print_table, print_text, short, show
from ridgeline.cli.rejected import show_rejected
from ridgeline.planner.two_pools.outcome import Part, TwoPoolPlan, TwoPools, TwoPoolWhyNot

__all__ = ["show_two_pools", "two_pool_document"]

HEADERS = (
    "#",
    "prompts",
    "tokens",
    "chips",
    "batch",
    "TPOT ms",
    "TTFT ms",
    "tok/s per chip",
    "$/Mtok in",
    "$/Mtok out",
    "req/s",
)
MOVES = 0.1
"""Part of the time to the first token from which on the cache's move is worth a line."""


def two_pool_document(found: TwoPools, top: int) -> dict[str, Any]:
    """What was found, in base units."""
    return {
        "plans": [_document(one) for one in found.plans[:top]],
        "rejected": [dataclasses.asdict(one) for one in found.rejected],
        "front": [{**dataclasses.asdict(point), "chips": point.layout.chips} for point in found.front],
        "why_not": None if found.why_not is None else _why_not(found.why_not),
        "points_evaluated": found.points_evaluated,
    }


def _why_not(asked: TwoPoolWhyNot) -> dict[str, Any]:
    return {
        "prefill_layout": dataclasses.asdict(asked.prefill_layout),
        "layout": dataclasses.asdict(asked.layout),
        "kind": asked.kind,
        "reason": asked.reason,
        "plan": None if asked.plan is None else _document(asked.plan),
    }


def _document(plan: TwoPoolPlan) -> dict[str, Any]:
    names = {field.name for field in dataclasses.fields(plan)} - {"prefill", "decode"}
    return {
        "layout": dataclasses.asdict(plan.decode.deployment.layout),
        "machine": plan.decode.deployment.machine.id,
        "chips": plan.chips,
        "replicas": plan.decode.replicas,
        "speculation": plan.decode.deployment.speculation.to_row(),
        "pools": {name: _part(part) for name, part in (("prefill", plan.prefill), ("decode", plan.decode))},
        **{name: getattr(plan, name) for name in sorted(names)},
    }


def _part(part: Part) -> dict[str, Any]:
    return {
        "machine": part.deployment.machine.id,
        "layout": dataclasses.asdict(part.deployment.layout),
        "chips": part.deployment.layout.chips,
        "replicas": part.replicas,
        "batch": part.batch,
        "requests_per_s": part.requests_per_s,
        "busy_fraction": part.busy_fraction,
    }


def show_two_pools(out: Console, found: TwoPools, top: int) -> None:
    """The best pairs, the first in full, what was rejected and why, and what speed costs."""
    if shown := found.plans[:top]:
        several = len({part.deployment.machine.id for one in shown for part in (one.prefill, one.decode)}) > 1
        out.print()
        rows = [_row(rank, one, several=several) for rank, one in enumerate(shown, start=1)]
        print_table(out, HEADERS, rows, left=(1, 2), spare=(7, 10, 8, 6, 4, 9, 3))
        print_text(
            out,
            "prompts, tokens: replicas of either pool and their layout; batch: sequences of one replica that makes"
            f" tokens; TTFT: {_when(shown[0])}, the cache's move included",
            style="dim",
        )
        _show_plan(out, shown[0])
    show_rejected(out, found.rejected)
    if asked := found.why_not:
        out.print()
        said = f": {asked.reason}"
        if one := asked.plan:
            said += f"; TPOT {show(one.tpot_s, 's')}, TTFT {show(one.ttft_s, 's')} on {counted(one.chips, 'chip')}"
        print_text(out, said, head=f"Why not {asked.prefill_layout} for prompts and {asked.layout} for tokens")


def _row(rank: int, one: TwoPoolPlan, *, several: bool) -> tuple[str, ...]:
    prices = (one.usd_per_input_token, one.usd_per_output_token)
    return (
        str(rank),
        _name(one.prefill, several=several),
        _name(one.decode, several=several),
        f"{one.chips:,}",
        f"{one.batch:,}",
        short(one.tpot_s * 1e3),
        short(one.ttft_s * 1e3),
        short(one.output_tokens_per_s_per_chip),
        *("" if price is None else short(price * 1e6) for price in prices),
        short(one.requests_per_s),
    )


def _name(part: Part, *, several: bool) -> str:
    machine = f" {part.deployment.machine.id}" if several else ""
    return f"{part.replicas} x {part.deployment.layout}{machine}"


def _when(one: TwoPoolPlan) -> str:
    return (
        "in an idle system" if one.ttft_quantile is None else f"{100 * one.ttft_quantile:.6g} % of requests' within it"
    )


def _show_plan(out: Console, one: TwoPoolPlan) -> None:
    first_low, first_high = show(one.ttft_low_s, "s"), show(one.ttft_high_s, "s")
    rows = [
        ("TPOT", f"{show(one.tpot_s, 's')}, 80 % interval {show(one.tpot_low_s, 's')} - {show(one.tpot_high_s, 's')}"),
        ("TTFT", f"{show(one.ttft_s, 's')}, 80 % interval {first_low} - {first_high}, {_when(one)}"),
        ("prompts", _said(one.prefill, "reads")),
        ("tokens", _said(one.decode, "finishes")),
        *_speculation(one),
        ("cache's move", f"{show(one.move_s, 's')} a prompt, over the links between domains"),
    ]
    if one.move_s > MOVES * one.ttft_s:
        rows[-1] = (rows[-1][0], f"{rows[-1][1]}: {100 * one.move_s / one.ttft_s:.0f} % of the time to the first token")
    out.print()
    print_text(out, f", {_name(one.prefill, several=True)} and {_name(one.decode, several=True)}", head="Best plan")
    print_table(out, ("", ""), [(f"  {name}", said) for name, said in rows], left=(0, 1))


def _speculation(one: TwoPoolPlan) -> list[tuple[str, str]]:
    speculation = one.decode.deployment.speculation
    added = f"{speculation}, {counted(speculation.accepted_tokens, 'token')} a step"
    return [("speculation", added)] if speculation else []


def _said(part: Part, does: str) -> str:
    return (
        f"{counted(part.replicas, 'replica')} of {counted(part.deployment.layout.chips, 'chip')}; each {does} up to"
        f" {part.requests_per_s:.3g} requests/s, and is {100 * part.busy_fraction:.0f} % busy"
    )
