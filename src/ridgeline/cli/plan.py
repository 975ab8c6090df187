"""``ridgeline plan``: the best ways to serve a model on a machine."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import click

from ridgeline.cli.arguments import (
    DOLLAR_RATE,
    MODEL,
    TIME,
    WHOLE,
    fidelity_option,
    json_option,
    kv_option,
    machine_option,
    weights_option,
)
from ridgeline.cli.output import console, print_json, show, table
from ridgeline.estimator.estimate import Fidelity
from ridgeline.planner.compare import faster, why_dearer
from ridgeline.planner.plan import Constraint, Plan, Planning, plan
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Component
from ridgeline.specs.workload import Workload

SPEED_UPS = (1.0, 1.5, 2.5, 5.0)
"""Speeds whose price is shown; 2.5 is what providers sell as their fast mode."""


@click.command("plan")
@click.argument("model", type=MODEL)
@machine_option
@click.option("--prompt", "prompt_tokens", type=WHOLE, required=True, help="Input tokens of a request: 4000, 8k.")
@click.option("--output", "output_tokens", type=WHOLE, required=True, help="Output tokens of a request.")
@click.option("--tpot", "tpot_s", type=TIME, help="Longest time per output token: 50ms.")
@click.option("--ttft", "ttft_s", type=TIME, help="Longest time to the first token, in an idle system: 2s.")
@click.option("--chips", type=WHOLE, help="Budget of chips, replicas included.  [default: one scale-up domain]")
@click.option("--price", "usd_per_chip_s", type=DOLLAR_RATE, help="Price of a chip: '$2/h'.  [default: the catalog's]")
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="Plans to show.")
@fidelity_option
@weights_option
@kv_option
@json_option
def command(
    model: Model,
    machine: Machine,
    prompt_tokens: int,
    output_tokens: int,
    tpot_s: float | None,
    ttft_s: float | None,
    chips: int | None,
    usd_per_chip_s: float | None,
    top: int,
    fidelity: Fidelity,
    weights: str | None,
    kv: str | None,
    as_json: bool,  # noqa: FBT001  a flag
) -> None:
    """Find the best ways to serve MODEL: layout, batch, speed, cost, what binds, and why the others lose.

    Both phases share one pool of chips. Cost per output token is decode's chip-time, per input token prefill's.
    """
    workload = Workload(prompt_tokens=prompt_tokens, output_tokens=output_tokens, tpot_s=tpot_s, ttft_s=ttft_s)
    found = plan(
        model,
        machine,
        workload,
        chips=chips,
        fidelity=fidelity,
        usd_per_chip_s=usd_per_chip_s,
        weights=weights,
        kv=kv,
    )
    if as_json:
        print_json(_document(model, machine, workload, fidelity, found, top, weights))
    else:
        _show(model, machine, workload, fidelity, found, top)
    if not found.plans:
        click.echo("No layout serves this: relax --tpot or --ttft, or give it more --chips.", err=True)
        raise SystemExit(1)


def _document(
    model: Model,
    machine: Machine,
    workload: Workload,
    fidelity: Fidelity,
    found: Planning,
    top: int,
    weights: str | None,
) -> dict[str, Any]:
    board = found.board
    return {
        "inputs": {
            "model": model.id,
            "machine": machine.id,
            "chips": found.chips,
            **dataclasses.asdict(workload),
            "fidelity": fidelity.name,
            "efficiency": fidelity.efficiency(machine).name,
            "usd_per_chip_s": found.usd_per_chip_s,
            "price_source": found.price_label,
            "weights": weights,
            "formats": {component.value: found.precision.of(component).weight.name for component in Component},
            "kv": found.precision.kv.name,
            "top": top,
        },
        "plans": [_plan_document(one) for one in found.plans[:top]],
        "rejected": [dataclasses.asdict(rejection) for rejection in found.rejected],
        "front": [dataclasses.asdict(point) for point in found.front],
        "floor_step_time_s": board.floor_step_time_s,
        "balance_batch": board.balance_batch,
        "balance_batch_with_kv": board.balance_batch_with_kv,
        "memory_full_batch": board.memory_full_batch,
        "asymptotes": {
            "weights_usd_per_step": board.weights_usd_per_step,
            "compute_usd_per_output_token": board.compute_usd_per_output_token,
            "kv_usd_per_output_token": board.kv_usd_per_output_token,
            "floor_usd_per_output_token": board.floor_usd_per_output_token,
        },
        "elasticities": found.elasticities,
        "points_evaluated": found.points_evaluated,
        "notes": found.notes,
    }


def _plan_document(one: Plan) -> dict[str, Any]:
    return {
        **dataclasses.asdict(one),
        "chips": one.layout.chips,
    }


def _show(model: Model, machine: Machine, workload: Workload, fidelity: Fidelity, found: Planning, top: int) -> None:
    out = console()
    limits = [f"{name} at most {show(value, 's')}" for name, value in _limits(workload).items()]
    out.print(
        f"[bold]{model.name}[/] on {found.chips} chips of [bold]{machine.name}[/]:"
        f" {workload.prompt_tokens:,} tokens in,"
        f" {workload.output_tokens:,} out" + "".join(f", {limit}" for limit in limits)
    )
    formats = Counter(found.precision.of(component).weight.name for component in Component)
    out.print(
        f"weights {formats.most_common(1)[0][0]}, KV {found.precision.kv.name}; fidelity {fidelity.name};"
        f" price {show(found.usd_per_chip_s, 'usd_per_s')} a chip ({found.price_label})\n"
    )
    shown = found.plans[:top]
    if shown:
        out.print(
            table(HEADERS, [_row(rank, one, found) for rank, one in enumerate(shown, start=1)], left=(0, 1, 9, 10))
        )
    _show_losers(out, found, top)
    _show_board(out, found)
    if shown:
        _show_speeds(out, found)
    for note in found.notes:
        out.print(f"[dim]{note}[/]")


HEADERS = (
    "#",
    "layout",
    "replicas",
    "batch",
    "TPOT (80 % interval)",
    "TTFT",
    "tok/s/chip",
    "$/Mtok in",
    "$/Mtok out",
    "bound",
    "batch limited by",
)


def _limits(workload: Workload) -> dict[str, float]:
    limits = {"TPOT": workload.tpot_s, "TTFT": workload.ttft_s}
    return {name: value for name, value in limits.items() if value is not None}


def _name(one: Plan) -> str:
    return str(one.layout) + (f" {one.weights}" if one.weights else "")


def _row(rank: int, one: Plan, found: Planning) -> tuple[str, ...]:
    idle = found.chips - one.replicas * one.layout.chips
    return (
        str(rank),
        _name(one),
        f"{one.replicas}" + (f" ({idle} chips idle)" if idle else ""),
        f"{one.batch:,}",
        f"{show(one.tpot_s, 's')} ({show(one.tpot_low_s, 's')} - {show(one.tpot_high_s, 's')})",
        show(one.ttft_s, "s"),
        f"{one.output_tokens_per_s_per_chip:,.0f}",
        show(one.usd_per_input_token, "usd_per_token").removesuffix("/Mtok"),
        show(one.usd_per_output_token, "usd_per_token").removesuffix("/Mtok"),
        one.bound.value,
        one.limited_by,
    )


def _show_losers(out: Any, found: Planning, top: int) -> None:  # noqa: ANN401  a rich console
    if len(found.plans) > 1:
        out.print("\n[bold]Why the runners-up lose[/] (cost of a whole request)")
        for one in found.plans[1:top]:
            out.print(f"  {_name(one)}: {why_dearer(one, found.plans[0])}")
    if found.rejected:
        out.print(f"\n[bold]Rejected[/] ({len(found.rejected)}), one of each kind")
        kinds: dict[Constraint, list[str]] = {}
        for rejection in found.rejected:
            kinds.setdefault(rejection.kind, []).append(f"{rejection.layout}: {rejection.reason}")
        for kind, reasons in kinds.items():
            out.print(f"  {len(reasons):4} {kind.value}; {reasons[-1]}")


def _show_board(out: Any, found: Planning) -> None:  # noqa: ANN401  a rich console
    board = found.board
    with_kv = "none with KV" if board.balance_batch_with_kv is None else f"{board.balance_batch_with_kv:,.0f} with KV"
    out.print(
        f"\n[bold]The board[/], {board.chips} chips at their peaks: latency floor {show(board.floor_step_time_s, 's')}"
        f" (every weight once); balance batch {board.balance_batch:,.0f} ({with_kv});"
        f" memory-full batch {board.memory_full_batch:,.0f}"
    )
    if board.weights_usd_per_step is not None and board.floor_usd_per_output_token is not None:
        out.print(
            f"  cost curve: small batches share {show(board.weights_usd_per_step, 'usd')} a step for reading weights;"
            f" large ones never fall below {show(board.floor_usd_per_output_token, 'usd_per_token')}"
            f" (arithmetic {show(board.compute_usd_per_output_token, 'usd_per_token')},"
            f" reading KV {show(board.kv_usd_per_output_token, 'usd_per_token')})"
        )


def _show_speeds(out: Any, found: Planning) -> None:  # noqa: ANN401  a rich console
    out.print("\n[bold]What speed costs[/], against the best plan")
    rows = []
    for factor in SPEED_UPS:
        point = faster(found, factor)
        if point is None:
            rows.append((f"{factor:g} x", "not reached by any layout", "", "", "", ""))
            continue
        rows.append(
            (
                f"{factor:g} x",
                str(point.layout) + (f" {point.weights}" if point.weights else ""),
                f"{point.batch:,}",
                show(point.tpot_s, "s"),
                f"{point.output_tokens_per_s_per_chip:,.0f}",
                f"{point.chip_s_per_request / found.plans[0].chip_s_per_request:.2f} x",
            )
        )
    out.print(table(("speed", "layout", "batch", "TPOT", "tok/s/chip", "cost of a request"), rows, left=(0, 1)))
