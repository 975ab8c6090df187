"""``ridgeline estimate``: one step of a layout, operation by operation."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from ridgeline import verbs
from ridgeline.catalog.engine_options import resolved_options
from ridgeline.cli.anchor import anchor_document, anchor_lines, anchor_option, read_anchors
from ridgeline.cli.arguments import (
    LAYOUT,
    MODEL,
    WHOLE,
    as_run,
    engine_for,
    engine_option,
    fidelity_option,
    ignore_unknown_option,
    json_option,
    kv_option,
    machine_option,
    operator_options,
    weights_option,
    with_load,
)
from ridgeline.cli.carried import show_carriers, show_summary
from ridgeline.cli.figure import draw_figure, figure_options, refuse_theme_alone
from ridgeline.cli.kernels import kernels_option, say_kernels
from ridgeline.cli.market import market_option
from ridgeline.cli.output import console, counted, print_json, print_table, print_text, show
from ridgeline.cli.speculation import refuse_beside_speculation, speculate_option, speculations_asked
from ridgeline.cli.unknown_formats import show_unknown_formats
from ridgeline.estimator.clock import Cause
from ridgeline.estimator.curves import decode_curves
from ridgeline.estimator.estimate import Estimate
from ridgeline.estimator.memory import kv_capacity_tokens, limits_of, prompt_passes
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.stage_cuts import cut_of, layer_counts
from ridgeline.estimator.timed import OVERHEAD, WAIT
from ridgeline.specs.correction import NO_CORRECTION, Correction
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine, is_ideal
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass, prefill, verify
from ridgeline.specs.precision import Component
from ridgeline.specs.speculation import Speculation

if TYPE_CHECKING:
    from ridgeline.calibration.judge.anchors import Anchors


@click.command("estimate")
@click.argument("model", type=MODEL)
@ignore_unknown_option
@machine_option
@click.option("--layout", type=LAYOUT, required=True, help="Degrees of parallelism: tp8, or tp2,dp4,ep8.")
@click.option("--chips", type=WHOLE, help="Chips of the replica; checked against the layout, which gives them.")
@click.option("--phase", type=click.Choice(["decode", "prefill"]), default="decode", show_default=True)
@click.option("--batch", type=WHOLE, required=True, help="Sequences over the whole replica.")
@click.option(
    "--context",
    "context_tokens",
    type=WHOLE,
    required=True,
    help="Tokens of each: attended to by a decode step, or read by a prefill.",
)
@fidelity_option
@engine_option
@kernels_option
@anchor_option
@weights_option
@kv_option
@operator_options
@speculate_option(several=False)
@click.option("--details", is_flag=True, help="Show all that carries the time: where each number comes from.")
@market_option()
@figure_options("the decode step's time and cost against the batch")
@json_option
def command(
    model: Model,
    machine: Machine,
    layout: Layout,
    chips: int | None,
    phase: str,
    batch: int,
    context_tokens: int,
    fidelity: Fidelity,
    engine: Engine | None,
    kernels: Path | None,
    anchor: Path | None,
    weights: str | None,
    kv: str | None,
    speculate: str | None,
    details: bool,  # noqa: FBT001  a flag
    figure: Path | None,
    theme: str | None,
    as_json: bool,  # noqa: FBT001  a flag
    **knobs: Any,  # noqa: ANN401  those of operator_options
) -> None:
    """Estimate one step of MODEL: FLOP, bytes, messages, time and bound of every operation of the busiest chip."""
    refuse_theme_alone(figure, theme)
    model = with_load(model, knobs)
    machine, engine = as_run(machine, fidelity, engine_for(machine, fidelity, engine, kernels), knobs)
    if figure is not None and phase == "prefill":
        raise click.BadParameter(
            "a figure shows a decode step against its batch; write --phase decode, or leave --figure out",
            param_hint="--figure",
        )
    if chips is not None and chips != layout.chips:
        raise click.BadParameter(
            f"{chips} chips, but layout {layout} is one of {layout.chips} (tp*pp*dp*cp); leave --chips out",
            param_hint="--chips",
        )
    speculation = _speculation(speculate, model, machine, fidelity)
    refuse_beside_speculation([speculation], anchor, figure)
    deployment = verbs.deploy(
        model, machine, layout, fidelity=fidelity, engine=engine, weights=weights, kv=kv, speculate=speculation
    )
    anchors = read_anchors(anchor, deployment)
    correction = NO_CORRECTION if anchors is None else anchors.correction(layout)
    asked: dict[str, int] = {"batch": batch}
    if phase == "decode":
        asked |= {"context_tokens": context_tokens}
        step = verify(batch=batch, context_tokens=context_tokens, drafted_tokens=speculation.drafted_tokens)
    else:
        asked |= {"prompt_tokens": context_tokens, "passes": prompt_passes(deployment, batch, context_tokens)}
        step = prefill(batch=batch, prompt_tokens=context_tokens, passes=asked["passes"])
    try:
        found = verbs.estimate(
            model,
            machine,
            layout,
            step,
            fidelity=fidelity,
            engine=engine,
            weights=weights,
            kv=kv,
            correction=correction,
            speculate=speculation,
        )
    except LayoutError as error:
        raise click.BadParameter(str(error), param_hint="--layout") from None
    deployment = found.deployment
    if as_json:
        document = _document(deployment, {"phase": phase, **asked}, weights, found)
        document["inputs"] |= {"anchor": anchor_document(anchor, anchors), "kernels": kernels}
        print_json(document | {"correction": dataclasses.asdict(correction)})
    elif found.fits:
        out = console()
        _show(out, deployment, step, found, details=details)
        say_kernels(kernels, machine, engine)
        _show_anchors(out, anchors, correction)
    if not found.fits:
        raise click.ClickException(found.notes[0])
    if figure is not None:
        draw_figure(decode_curves(deployment, step), figure, theme)


def _speculation(asked: str | None, model: Model, machine: Machine, fidelity: Fidelity) -> Speculation:
    """Speculation to estimate.

    Raises:
        click.BadParameter: it is none, or several.
    """
    found = speculations_asked([asked] if asked else [], model, machine, fidelity)
    if len(found) > 1:
        raise click.BadParameter(f"{asked!r} is for plan; name one draft here, such as mtp:1", param_hint="--speculate")
    return found[0]


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


def _show_anchors(out: Console, anchors: Anchors | None, correction: Correction) -> None:
    """Print the times that measured rows corrected, and the rows that were not used."""
    if anchors is not None:
        for line in anchor_lines(anchors, correction):
            print_text(out, f"anchor: {line}")
        for reason in anchors.unused:
            print_text(out, f"anchor not used: {reason}")


def _document(deployment: Deployment, asked: dict[str, Any], weights: str | None, found: Estimate) -> dict[str, Any]:
    layout = deployment.layout
    return {
        "inputs": {
            "model": deployment.model.id,
            "machine": deployment.machine.id,
            "layout": dataclasses.asdict(layout),
            "chips": layout.chips,
            **asked,
            "fidelity": deployment.fidelity.name,
            "engine": dataclasses.asdict(deployment.engine),
            "engine_options": resolved_options(deployment.engine, limits_of(deployment), groups=deployment.layout.dp),
            "weights": weights,
            "formats": {component.value: found.precision.of(component).weight.name for component in Component},
            "kv": found.precision.kv.name,
            "model_record": dataclasses.asdict(deployment.model),
            "machine_record": dataclasses.asdict(deployment.machine),
        },
        "step_time_s": found.step_time_s,
        "low_s": found.low_s,
        "high_s": found.high_s,
        "bound": found.bound.value,
        "time_by_cause_s": {cause.value: part_s for cause, part_s in found.causes.items()},
        "operations_of": _operations_of(layout),
        "operations": found.to_rows(),
        "carried_by": [one.to_row() for one in found.carried_by],
        "fits": found.fits,
        "memory": dataclasses.asdict(found.memory),
        "notes": found.notes,
        "speculation": deployment.speculation.to_row(),
        "tpot_s": found.tpot_s,
        "tpot_low_s": None if found.tpot_interval_s is None else found.tpot_interval_s[0],
        "tpot_high_s": None if found.tpot_interval_s is None else found.tpot_interval_s[1],
    }


def _operations_of(layout: Layout) -> str:
    """Place whose operations are listed, which are sums over their runs."""
    if layout.pp == 1:
        return "the busiest chip, all layers"
    return "a chip, on the mean of the stages"


def _show(out: Console, deployment: Deployment, step: Pass, found: Estimate, *, details: bool) -> None:
    model, layout, engine = deployment.model, deployment.layout, deployment.engine
    (lane,) = step.lanes
    asked = (
        f"prefill of {counted(int(lane.sequences), 'prompt')} of {lane.new_tokens:,.0f} tokens"
        + (f", in {step.chunks} passes" if step.chunks > 1 else "")
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
            f" operations are those of {_operations_of(layout)}",
        )
    out.print()
    rows = []
    for one in found.to_rows():
        if one["name"] in (WAIT, *OVERHEAD) and not one["time_s"]:
            continue
        amounts = [
            show(one[field], dimension) if one[field] else ""
            for field, dimension in (
                ("flop", "flop"),
                ("weight_bytes", "bytes"),
                ("kv_bytes", "bytes"),
                ("activation_bytes", "bytes"),
                ("scale_up_bytes", "bytes"),
                ("scale_out_bytes", "bytes"),
            )
        ]
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
    memory = found.memory
    capacity = kv_capacity_tokens(deployment, memory, held_tokens=float(lane.context_tokens))
    room = "" if capacity is None else f"; KV cache of a replica: room for {show(capacity, 'count')} tokens"
    out.print()
    print_text(
        out,
        f"weights {show(float(memory.weights_bytes), 'bytes')},"
        f" KV {show(float(memory.kv_bytes), 'bytes')},"
        f" activations {show(float(memory.activation_bytes), 'bytes')},"
        f" reserved {show(float(memory.reserved_bytes), 'bytes')}, free"
        f" {show(float(memory.free_bytes), 'bytes')}{room}",
        head=f"memory of a chip, {show(deployment.machine.chip.hbm_bytes, 'bytes')}: ",
    )
    show_summary(out, found.carried_by)
    if details:
        show_carriers(out, found.carried_by)
    for note in found.notes:
        print_text(out, f"note: {note}", style="dim")
    if not details:
        print_text(out, "more: --details, --json", style="dim")
