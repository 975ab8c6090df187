"""One step of a layout as lines and a table."""

from __future__ import annotations

from rich.console import Console

from ridgeline.cli.carried import show_carriers, show_summary
from ridgeline.cli.output import counted, print_table, print_text, show
from ridgeline.cli.uncounted import naming_option
from ridgeline.cli.unknown_formats import show_unknown_formats
from ridgeline.cli.window import notes_beside_window, show_doubtful_units, show_window
from ridgeline.estimator.estimate import Estimate
from ridgeline.estimator.memory import kv_capacity_tokens, limits_of
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.stage_cuts import cut_of, layer_counts
from ridgeline.estimator.timed import OVERHEAD, WAIT
from ridgeline.estimator.timing import Cause
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import is_ideal
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Pass

__all__ = ["operations_of", "show_estimate"]


def show_estimate(out: Console, deployment: Deployment, step: Pass, found: Estimate, *, details: bool) -> None:
    """Print a step: its time and what binds, its operations, the memory of a chip, and what numbers rest on."""
    show_window(out, deployment.model, found.longest_tokens)
    show_doubtful_units(out, deployment.machine)
    _show_step(out, deployment, step, found)
    out.print()
    _show_operations(out, found)
    out.print()
    _show_memory(out, deployment, step, found)
    show_summary(out, found.carried_by)
    if details:
        show_carriers(out, found.carried_by, of="the step takes")
    notes = notes_beside_window(found.notes, deployment.model, found.longest_tokens, [deployment.machine])
    if deployment.layout.pp == 1:  # beside stages no draft is estimated
        notes = naming_option(notes, deployment.model, deployment.machine)
    for note in notes:
        print_text(out, f"note: {note}", style="dim")
    if not details:
        print_text(out, "more: --details, --json", style="dim")


def _show_step(out: Console, deployment: Deployment, step: Pass, found: Estimate) -> None:
    """Print what was asked, the time, and what it goes to."""
    model, layout, engine = deployment.model, deployment.layout, deployment.engine
    (lane,) = step.lanes
    asked = (
        f"prefill of {counted(int(lane.sequences), 'prompt')} of {lane.new_tokens:,.0f} tokens"
        + (f", in {step.chunks} passes{_cap(deployment)}" if step.chunks > 1 else "")
        if lane.is_prompt
        else f"decode of {counted(int(lane.sequences), 'sequence')} at {lane.context_tokens:,.0f} tokens"
    )
    print_text(
        out,
        f" on {counted(layout.chips, 'chip')} of {deployment.machine.name}, layout {layout}: {asked}",
        head=model.name,
    )
    lower = " (kernels alone: no engine overhead)" if is_ideal(engine) else ""
    print_text(
        out,
        f"{show(found.step_time_s, 's')}, 80 % interval {show(found.low_s, 's')} - {show(found.high_s, 's')}; bound by"
        f" {found.bound.text}; engine {engine.title}{lower}, fidelity {deployment.fidelity.name}",
        head="step ",
    )
    show_unknown_formats(out, deployment)
    _show_speculation(out, found)
    causes = sorted(found.causes.items(), key=lambda item: -item[1])
    shares = {cause.text: f"{100 * part_s / found.step_time_s:.0f} %" for cause, part_s in causes}
    print_text(out, "time goes to " + ", ".join(f"{name} {share}" for name, share in shares.items() if share != "0 %"))
    if layout.pp > 1:
        on_chip = shares_of(step, layout)
        print_text(
            out,
            f"{layout.pp} stages of up to {max(layer_counts(cut_of(deployment)))} layers,"
            f" {counted(int(on_chip.micro_batches), 'micro-batch')} of up to {int(on_chip.sequences):,} a group;"
            f" operations are those of {operations_of(layout)}",
        )


def _cap(deployment: Deployment) -> str:
    """Clause on what a pass over prompts is limited to, and the option that lifts it."""
    groups, most = deployment.layout.dp, limits_of(deployment).pass_tokens
    of_all = f" a group, {most * groups:,} in all {groups}" if groups > 1 else ""
    lifted = "" if deployment.fidelity.at_peaks else " (--max-step-tokens takes more)"
    return f" of at most {most:,} prompt tokens{of_all}{lifted}"


def _show_speculation(out: Console, found: Estimate) -> None:
    """Print the tokens that a step adds, and the time per token; nothing without speculation."""
    speculation, interval_s = found.deployment.speculation, found.tpot_interval_s
    if not speculation or found.tpot_s is None or interval_s is None:
        return
    low, high = (show(one, "s") for one in interval_s)
    print_text(
        out,
        f"{speculation}: a step checks {speculation.checked_tokens} tokens of each sequence and adds"
        f" {speculation.accepted_tokens:.3g} on the mean; {show(found.tpot_s, 's')} a token,"
        f" 80 % interval {low} - {high}",
        head="speculation ",
    )


def operations_of(layout: Layout) -> str:
    """Place whose operations are listed, which are sums over their runs."""
    if layout.pp == 1:
        return "the busiest chip, all layers"
    return "a chip, on the mean of the stages"


AMOUNTS = {
    "flop": "flop",
    "weight_bytes": "bytes",
    "kv_bytes": "bytes",
    "activation_bytes": "bytes",
    "scale_up_bytes": "bytes",
    "scale_out_bytes": "bytes",
}
"""Dimensions of an operation's amounts, by field, in the order of their columns."""


def _show_operations(out: Console, found: Estimate) -> None:
    """Print a line an operation."""
    rows = []
    for one in found.to_rows():
        if one["name"] in (WAIT, *OVERHEAD) and not one["time_s"]:
            continue
        amounts = [show(one[name], dimension) if one[name] else "" for name, dimension in AMOUNTS.items()]
        share = f"{100 * one['time_s'] / found.step_time_s:.1f}"
        bound = Cause(one["bound"]).text
        rows.append((one["name"], f"{one['repeats']:g}", *amounts, show(one["time_s"], "s"), share, bound))
    headers = (
        "operation",
        "runs",
        "FLOP",
        "weights",
        "KV",
        "activations",
        "scale-up",
        "scale-out",
        "time",
        "% of step",
        "bound by",
    )
    print_table(out, headers, rows, left=(0, 10), optional=(1, 5, 2, 7, 6))
    print_text(
        out,
        f"amounts and times of {operations_of(found.deployment.layout)}; FLOP: two for each multiply and add;"
        " weights and KV: bytes read from memory",
        style="dim",
    )


def _show_memory(out: Console, deployment: Deployment, step: Pass, found: Estimate) -> None:
    """Print what fills the memory of a chip."""
    memory = found.memory
    capacity = kv_capacity_tokens(deployment, memory, held_tokens=float(step.lanes[0].context_tokens))
    room = "" if capacity is None else f"; KV cache of a replica: room for {show(capacity, 'count')} tokens"
    print_text(
        out,
        f"weights {show(float(memory.weights_bytes), 'bytes')},"
        f" KV {show(float(memory.kv_bytes), 'bytes')},"
        f" activations {show(float(memory.activation_bytes), 'bytes')},"
        f" reserved {show(float(memory.reserved_bytes), 'bytes')}, free"
        f" {show(float(memory.free_bytes), 'bytes')}{room}",
        head=f"memory of a chip, {show(deployment.machine.chip.hbm_bytes, 'bytes')}: ",
    )
