"""``ridgeline simulate --run DIR``: a recorded run, predicted beside measured."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click

from ridgeline.cli.arguments import json_option
from ridgeline.cli.output import console, counted, print_json, print_table, print_text, show
from ridgeline.simulator.recorded import Recorded, Replay, Seen, read_recorded, replay
from ridgeline.simulator.served import Latency

__all__ = ["replay_run", "run_document"]

LATENCIES = {"ttft_s": "TTFT", "tpot_s": "TPOT", "e2e_s": "end to end"}
"""Headings of latencies that clients see, by field."""


@click.command("simulate")
@click.option(
    "--run",
    "folder",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with run.toml and requests.csv.",
)
@json_option
def replay_run(*, folder: Path, as_json: bool) -> None:
    """Replay a recorded run by its settings, arrivals and lengths alone: predicted beside measured."""
    found = replay(read_recorded(folder))
    if as_json:
        print_json(run_document(found))
    else:
        _show(found)


def run_document(found: Replay) -> dict[str, Any]:
    """JSON document of a replay."""
    simulation = found.simulation
    return {
        "inputs": _inputs(found.recorded, simulation.limits.sequences, simulation.limits.pass_tokens),
        "predicted": _document(found.predicted),
        "measured": _document(found.measured),
        "requests": simulation.requests,
        "completed": simulation.completed,
        "kv_capacity_tokens": simulation.capacity.tokens,
        "preemptions": simulation.preemptions,
        "mean_batch": simulation.mean_batch,
        "wall_s": simulation.wall_s,
        "remarks": list(found.recorded.remarks),
    }


def _inputs(recorded: Recorded, sequences: int, pass_tokens: int) -> dict[str, Any]:
    deployment = recorded.deployment
    return {
        "run": str(recorded.path),
        "model": deployment.model.id,
        "machine": deployment.machine.id,
        "layout": dataclasses.asdict(deployment.layout),
        "engine": deployment.engine.name,
        "release": deployment.engine.release.version,
        "sequences": sequences,
        "pass_tokens": pass_tokens,
        "kv_blocks": recorded.capacity.blocks,
        "block_tokens": recorded.capacity.block_tokens,
        "kv_is_stated": recorded.capacity.is_stated,
    }


def _document(seen: Seen) -> dict[str, Any]:
    return {
        **{name: dataclasses.asdict(getattr(seen, name)) for name in LATENCIES},
        "makespan_s": seen.makespan_s,
    }


def _show(found: Replay) -> None:
    out, recorded, simulation = console(), found.recorded, found.simulation
    deployment, capacity = recorded.deployment, recorded.capacity
    print_text(
        out,
        f"{deployment.model.name} on {deployment.machine.id}, {deployment.layout}, {deployment.engine.name}"
        f" {deployment.engine.release.version}: {counted(simulation.requests, 'request')}",
    )
    derived = "as stated" if capacity.is_stated else "what weights and the largest pass leave"
    print_text(
        out,
        f": {capacity.tokens:,} tokens in {capacity.blocks:,} blocks of {capacity.block_tokens}, {derived};"
        f" {counted(simulation.preemptions, 'preemption')}",
        head="KV cache",
    )
    out.print()
    print_table(out, ("", "predicted", "measured", "predicted/measured"), _rows(found), left=(0,))
    for remark in recorded.remarks:
        print_text(out, f"note: {remark}", style="dim")


def _rows(found: Replay) -> list[tuple[str, ...]]:
    rows = []
    for name, heading in LATENCIES.items():
        ours, theirs = getattr(found.predicted, name), getattr(found.measured, name)
        rows += [_row(f"{heading}, {part}", getattr(ours, part), getattr(theirs, part)) for part in Latency.__slots__]
    return [*rows, _row("makespan", found.predicted.makespan_s, found.measured.makespan_s)]


def _row(heading: str, ours_s: float, theirs_s: float) -> tuple[str, ...]:
    if theirs_s != theirs_s:  # noqa: PLR0124  NaN: nobody measured it
        return heading, show(ours_s, "s"), "-", "-"
    return heading, show(ours_s, "s"), show(theirs_s, "s"), f"{ours_s / theirs_s:.3f}"
