"""What a simulation found, in words and as a document."""

from __future__ import annotations

import dataclasses
from typing import Any

from rich.console import Console

from ridgeline.cli.output import console, counted, print_table, print_text, show
from ridgeline.estimator.parameters import main_format
from ridgeline.simulator.capacity import Capacity
from ridgeline.simulator.find_rate import FoundRate
from ridgeline.simulator.outcome import Latency, Served, Simulation, within

__all__ = ["show_found_rate", "show_simulation", "simulation_document"]

TOKENS_OF_PRICES = 1e6
"""Prices are said of so many tokens."""


def simulation_document(
    found: Simulation, served: Served, *, ttft_s: float | None, tpot_s: float | None
) -> dict[str, Any]:
    """What was found, by name."""
    left_out = {"deployment", "limits", "capacity", "prompt_pool", "classes"}
    own = {field.name: getattr(found, field.name) for field in dataclasses.fields(found) if field.name not in left_out}
    capacity = found.capacity
    kept = None if ttft_s is None and tpot_s is None else within(served, ttft_s=ttft_s, tpot_s=tpot_s)
    return own | {
        "ttft_s": dataclasses.asdict(found.ttft_s),
        "tpot_s": dataclasses.asdict(found.tpot_s),
        "e2e_s": dataclasses.asdict(found.e2e_s),
        "bands": None if found.bands is None else dataclasses.asdict(found.bands),
        "output_tokens_per_s": found.output_tokens_per_s,
        "requests_per_s": found.requests_per_s,
        "usd_per_output_token": found.usd_per_output_token,
        "usd_per_input_token": found.usd_per_input_token,
        "kv_capacity_tokens": capacity.tokens,
        "kv_blocks": capacity.blocks,
        "block_tokens": capacity.block_tokens,
        "kv_is_stated": capacity.is_stated,
        "within_fraction": kept,
        "goodput_requests_per_s": None if kept is None else kept * found.requests_per_s,
    }


def show_simulation(found: Simulation, served: Served, *, ttft_s: float | None, tpot_s: float | None) -> None:
    """The memory first, which all else hangs on; then latencies, throughput, cost, and where time went."""
    out, deployment = console(), found.deployment
    model, machine = deployment.model, deployment.machine
    spread = f", {found.router}" if found.replicas > 1 else ""
    fleet = f"{counted(found.replicas, 'replica')} of {counted(deployment.layout.chips, 'chip')}{spread}"
    print_text(out, f" in layout {deployment.layout} on {machine.name}: {fleet}", head=model.name)
    print_text(
        out,
        f"weights {main_format(model, deployment.precision)}, KV cache {deployment.precision.kv.name}; engine"
        f" {deployment.engine.title}, fidelity {deployment.fidelity.name}; {found.limits.policy.name}:"
        f" {found.limits.policy.says}",
    )
    print_text(out, f" {_memory(found.capacity)}", head="KV cache")
    out.print()
    _latencies(out, found)
    out.print()
    _rows(out, found, served, ttft_s, tpot_s)


def _memory(capacity: Capacity) -> str:
    """How many tokens there is room for, and why."""
    size = f"{capacity.tokens:,} tokens a replica, in blocks of {capacity.block_tokens}"
    if capacity.is_stated:
        return f"{size}, as stated"
    memory = capacity.memory
    parts = " - ".join(
        f"{name} {show(float(value), 'bytes')}"
        for name, value in (
            ("weights", memory.weights_bytes),
            ("activations", memory.activation_bytes),
            ("reserved", memory.reserved_bytes),
        )
    )
    each = f"{show(capacity.token_bytes, 'bytes')} a token of a request of {capacity.of_tokens:,.0f}"
    free = f"of each chip {show(float(memory.free_bytes), 'bytes')} are free ({parts})"
    return f"{size}: {free}, {each}; --kv-blocks states it"


def _latencies(out: Console, found: Simulation) -> None:
    """Means and percentiles, the mean and the last with their intervals."""
    bands, rows = found.bands, []
    for name, field in LATENCIES.items():
        latency: Latency = getattr(found, field)
        cells = [show(getattr(latency, part), "s") for part in ("mean", "p50", "p90", "p99")]
        if bands is not None:
            low, high = getattr(bands, field)
            cells.insert(1, f"{show(low.mean, 's', 2)} - {show(high.mean, 's', 2)}")
            cells.append(f"{show(low.p99, 's', 2)} - {show(high.p99, 's', 2)}")
        rows.append((name, *cells))
    heads = (
        ("mean", "p50", "p90", "p99") if bands is None else ("mean", "80 % of it", "p50", "p90", "p99", "80 % of it")
    )
    print_table(out, ("", *heads), rows, left=(0,))


LATENCIES = {"first token": "ttft_s", "per token": "tpot_s", "end to end": "e2e_s"}
"""What clients wait for, by what it is called here."""


def _rows(out: Console, found: Simulation, served: Served, ttft_s: float | None, tpot_s: float | None) -> None:
    """Everything that is one number."""
    came = f"{found.requests:,} came, {found.completed:,} served"
    if found.refused:
        came += f", {found.refused:,} refused: no replica has memory for them"
    rate = f"{found.requests_per_s:.4g} requests/s, {found.output_tokens_per_s:,.0f} output tokens/s"
    rows = [("requests", came), ("throughput", f"{rate}, over {show(found.simulated_s, 's')}")]
    if ttft_s is not None or tpot_s is not None:
        kept = within(served, ttft_s=ttft_s, tpot_s=tpot_s)
        asked = " and ".join(
            f"{name} {show(limit, 's')}" for name, limit in (("TTFT", ttft_s), ("TPOT", tpot_s)) if limit is not None
        )
        rows.append(("goodput", f"{kept * found.requests_per_s:.4g} requests/s: {kept:.1%} within {asked}"))
    if found.usd_per_output_token is not None and found.usd_per_input_token is not None:
        out_usd, in_usd = (
            f"${TOKENS_OF_PRICES * usd:.3g}/Mtok" for usd in (found.usd_per_output_token, found.usd_per_input_token)
        )
        rows.append(("cost", f"{out_usd} of output, {in_usd} of input"))
    reading = found.reading_fraction
    rows.append(("time", f"busy {found.busy_fraction:.0%}; of that prompts {reading:.0%}, decoding {1 - reading:.0%}"))
    batch = f"{found.mean_batch:.3g} sequences decode, {found.mean_waiting:.3g} requests wait"
    memory = f"KV cache {found.kv_used_fraction:.0%} in use, {counted(found.preemptions, 'preemption')}"
    rows.append(("while busy", f"{batch}; {memory}"))
    if found.cached_fraction:
        rows.append(("prefix cache", f"{found.cached_fraction:.1%} of prompt tokens were there"))
    speed = f"in {show(found.wall_s, 's')}: {found.completed / found.wall_s:,.0f} requests/s"
    rows.append(("simulated", speed))
    print_table(out, ("", ""), [(f"  {name}", said) for name, said in rows], left=(0, 1))


def show_found_rate(found: FoundRate) -> None:
    """The rate that was looked for, and what was tried."""
    out, best = console(), found.best
    rates = [one.requests_per_s for one in found.tried]
    print_text(
        out,
        f" {best.requests_per_s:.4g} requests/s keep the limits for {best.within_fraction:.1%} of the requests"
        f" ({found.share:.0%} have to): --rate-scale {best.scale:.4g}; {counted(len(rates), 'rate')} tried, from"
        f" {min(rates):.3g} to {max(rates):.3g}/s",
        head="rate",
    )
