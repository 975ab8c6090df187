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
    Operated,
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
from ridgeline.cli.estimate_text import operations_of, show_estimate
from ridgeline.cli.figure import draw_figure, figure_options, refuse_theme_alone
from ridgeline.cli.kernels import kernels_option, say_kernels
from ridgeline.cli.market import market_option
from ridgeline.cli.output import console, print_json, print_text
from ridgeline.cli.speculation import refuse_beside_speculation, speculate_option, speculations_asked
from ridgeline.estimator.curves import decode_curves
from ridgeline.estimator.estimate import Estimate
from ridgeline.estimator.memory import limits_of, prompt_passes
from ridgeline.estimator.notes import length_caveat
from ridgeline.specs.correction import NO_CORRECTION, Correction
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import prefill, verify
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
    **settings: Any,  # noqa: ANN401  those of operator_options
) -> None:
    """Estimate one step of MODEL: FLOP, bytes, messages, time and bound of every operation of the busiest chip."""
    refuse_theme_alone(figure, theme)
    operated = Operated(**settings)
    model = with_load(model, operated)
    machine, engine = as_run(machine, fidelity, engine_for(machine, fidelity, engine, kernels), operated)
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
    if figure is not None and found.fits:
        draw_figure(decode_curves(deployment, step), figure, theme)
    if as_json:
        document = _document(deployment, {"phase": phase, **asked}, weights, found)
        document["inputs"] |= {"anchor": anchor_document(anchor, anchors), "kernels": kernels}
        print_json(document | {"correction": dataclasses.asdict(correction)})
    elif found.fits:
        out = console()
        show_estimate(out, deployment, step, found, details=details)
        say_kernels(kernels, machine, engine)
        _show_anchors(out, anchors, correction, layout)
    if not found.fits:
        raise click.ClickException("; ".join((found.notes[0], *length_caveat(model, found.longest_tokens))))


def _speculation(asked: str | None, model: Model, machine: Machine, fidelity: Fidelity) -> Speculation:
    """Speculation to estimate.

    Raises:
        click.BadParameter: it is none, or several.
    """
    found = speculations_asked([asked] if asked else [], model, machine, fidelity)
    if len(found) > 1:
        raise click.BadParameter(f"{asked!r} is for plan; name one draft here, such as mtp:1", param_hint="--speculate")
    return found[0]


def _show_anchors(out: Console, anchors: Anchors | None, correction: Correction, layout: Layout) -> None:
    """Print the times that measured rows corrected, and the rows that were not used."""
    if anchors is not None:
        for line in anchor_lines(anchors, correction, layout):
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
        "operations_of": operations_of(layout),
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
