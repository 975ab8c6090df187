"""``ridgeline plan``: the best ways to serve a model on a machine."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridgeline.catalog.engine_options import resolved_options
from ridgeline.cli.anchor import anchor_document, anchor_lines, anchor_option, read_anchors
from ridgeline.cli.arguments import (
    DOLLAR_RATE,
    LAYOUT,
    MACHINE,
    MODEL,
    TIME,
    WHOLE,
    as_run,
    engine_for,
    engine_option,
    fidelity_option,
    ignore_unknown_option,
    json_option,
    kv_option,
    operator_options,
    weights_option,
)
from ridgeline.cli.demand import demand_of, demand_options
from ridgeline.cli.figure import draw_figure, figure_options, refuse_theme_alone
from ridgeline.cli.hand_over import export_options, exported_engine, launch_document, launch_of, show_launch
from ridgeline.cli.kernels import kernels_option, say_kernels
from ridgeline.cli.output import console, print_json, print_text
from ridgeline.cli.plan_text import show_asked, show_found
from ridgeline.cli.plan_wider import plan_each, plan_pools, refuse_alone
from ridgeline.estimator.memory import limits_of
from ridgeline.planner.compare import remedy
from ridgeline.planner.curves import plan_curves
from ridgeline.planner.outcome import Plan, Planning, WhyNot
from ridgeline.planner.plan import plan, uncorrected
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine, is_ideal
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Component
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy

if TYPE_CHECKING:
    from ridgeline.calibration.judge.anchors import Anchors

DEMAND = ("users", "requests_per_s", "batch", "ttft_quantile", "sure")


@click.command("plan")
@click.argument("model", type=MODEL)
@ignore_unknown_option
@click.option(
    "--on",
    "machines",
    type=MACHINE,
    required=True,
    multiple=True,
    help="Machine: a catalog id, or a path to a .toml file. Several are compared, or share two pools.",
)
@click.option(
    "--pools",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="One pool for both phases, or one that reads prompts and one that makes tokens.",
)
@click.option("--prompt", "prompt_tokens", type=WHOLE, required=True, help="Input tokens of a request: 4000, 8k.")
@click.option("--output", "output_tokens", type=WHOLE, required=True, help="Output tokens of a request.")
@click.option(
    "--hit-rate",
    "hit_fraction",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.0,
    help="Part of a prompt that the prefix cache has, so that it is not computed: 0.4.  [default: none]",
)
@click.option("--tpot", "tpot_s", type=TIME, help="Longest time per output token: 50ms.")
@click.option(
    "--ttft",
    "ttft_s",
    type=TIME,
    help="Longest time to the first token: 2s; in an idle system, or with its queue where a load is given.",
)
@demand_options
@click.option(
    "--chips",
    type=WHOLE,
    help="Budget of chips, replicas included.  [default: one scale-up domain, or what a load needs]",
)
@click.option("--price", "usd_per_chip_s", type=DOLLAR_RATE, help="Price of a chip: '$2/h'.  [default: the catalog's]")
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="Plans to show.")
@click.option("--why-not", type=LAYOUT, help="Say of this layout which constraint it breaks, or what it loses by.")
@fidelity_option
@engine_option
@kernels_option
@anchor_option
@weights_option
@kv_option
@operator_options
@click.option(
    "--details",
    is_flag=True,
    help="Show each plan in full, examples of what was rejected, what speed costs, and what more of the machine does.",
)
@export_options
@figure_options("the best plan's time and cost against the batch")
@json_option
def command(
    model: Model,
    machines: tuple[Machine, ...],
    pools: int,
    prompt_tokens: int,
    output_tokens: int,
    hit_fraction: float,
    tpot_s: float | None,
    ttft_s: float | None,
    chips: int | None,
    usd_per_chip_s: float | None,
    top: int,
    why_not: Layout | None,
    fidelity: Fidelity,
    engine: Engine | None,
    kernels: Path | None,
    anchor: Path | None,
    weights: str | None,
    kv: str | None,
    details: bool,  # noqa: FBT001  a flag
    export: str | None,
    checkpoint: str | None,
    figure: Path | None,
    theme: str | None,
    as_json: bool,  # noqa: FBT001  a flag
    **knobs: Any,  # noqa: ANN401  those of operator_options
) -> None:
    """Find the best ways to serve MODEL: layout, batch, speed, cost, what binds, and why the others lose.

    Both phases share one pool of chips. Cost per output token is decode's chip-time, per input token prefill's.
    """
    refuse_theme_alone(figure, theme)
    if output_tokens == 1:
        raise click.BadParameter(
            "1: reading the prompt gives the one token, and there is nothing to decode; see estimate --phase prefill",
            param_hint="--output",
        )
    workload = Workload(
        prompt_tokens=prompt_tokens,
        output_tokens=output_tokens,
        tpot_s=tpot_s,
        ttft_s=ttft_s,
        hit_fraction=hit_fraction,
    )
    demand = demand_of(**{name: knobs.pop(name) for name in DEMAND})
    asked = _Asked(
        workload=workload,
        demand=demand,
        chips=chips,
        usd_per_chip_s=usd_per_chip_s,
        weights=weights,
        kv=kv,
        kernels=kernels,
        anchor=anchor,
        why_not=why_not,
        top=top,
        details=details,
        figure=figure,
        theme=theme,
        export=export,
        checkpoint=checkpoint,
        as_json=as_json,
    )
    deployments = []
    for machine in machines:
        named = exported_engine(export, checkpoint, machine, fidelity, engine, kernels)
        runs = as_run(machine, fidelity, engine_for(machine, fidelity, named, kernels), knobs)
        deployments.append(_deployed(model, *runs, fidelity, weights=asked.published, kv=kv))
    if pools > 1 or len(machines) > 1:
        _plan_wider(deployments, asked, pools)
    else:
        _plan_one(deployments[0], asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What was asked besides the deployment, and how it is to be shown."""

    workload: Workload
    demand: Demand
    chips: int | None
    usd_per_chip_s: float | None
    weights: str | None
    kv: str | None
    kernels: Path | None
    anchor: Path | None
    why_not: Layout | None
    top: int
    details: bool
    figure: Path | None
    theme: str | None
    export: str | None
    checkpoint: str | None
    as_json: bool

    @property
    def published(self) -> str | None:
        """The weights' format that was asked for by name; a search over all begins at the published one."""
        return None if self.weights == "auto" else self.weights


def _deployed(
    model: Model, machine: Machine, engine: Engine, fidelity: Fidelity, *, weights: str | None, kv: str | None
) -> Deployment:
    return deploy(model, machine, fidelity=fidelity, engine=engine, weights=weights, kv=kv)


def _plan_wider(deployments: Sequence[Deployment], asked: _Asked, pools: int) -> None:
    """Several machines, or two pools."""
    refuse_alone(
        {
            "--why-not": asked.why_not,
            "--anchor": asked.anchor,
            "--figure": asked.figure,
            "--details": asked.details,
            "--export": asked.export,
            "--weights auto": pools > 1 and asked.weights == "auto",
        },
        what="two pools" if pools > 1 else "several machines",
    )
    shown = {"weights": asked.weights, "kernels": asked.kernels, "top": asked.top}
    show_them = plan_pools if pools > 1 else plan_each
    show_them(
        deployments,
        asked.workload,
        asked.demand,
        asked.chips,
        asked.usd_per_chip_s,
        shown,
        as_json=asked.as_json,
    )


def _plan_one(deployment: Deployment, asked: _Asked) -> None:
    """One pool on one machine, in full."""
    anchors = read_anchors(asked.anchor, deployment, is_one_format=asked.weights != "auto")
    found = plan(
        deployment,
        asked.workload,
        weights=asked.weights,
        chips=asked.chips,
        demand=asked.demand,
        usd_per_chip_s=asked.usd_per_chip_s,
        why_not=asked.why_not,
        corrected=uncorrected if anchors is None else anchors.correction,
    )
    launch = None
    if found.plans:
        launch = launch_of(deployment, asked.workload, found, asked.export, asked.checkpoint, asked.top)
    if asked.as_json:
        document = _document(deployment, asked.workload, found, asked.top, asked.weights)
        document["inputs"] |= {"anchor": anchor_document(asked.anchor, anchors), "kernels": asked.kernels}
        print_json(document | {"export": launch_document(launch)})
    else:
        _print(deployment, asked, found, anchors)
        show_launch(console(), launch)
    if not found.plans:
        click.echo(f"No layout serves this; {remedy(found)}.", err=True)
        raise SystemExit(1)
    if asked.figure is not None:
        best = found.plans[0]
        planned = deployment
        if asked.weights == "auto" and best.weights is not None:
            planned = _deployed(
                deployment.model,
                deployment.machine,
                deployment.engine,
                deployment.fidelity,
                weights=best.weights,
                kv=asked.kv,
            )
        draw_figure(plan_curves(planned, asked.workload, found, best), asked.figure, asked.theme)


def _print(deployment: Deployment, asked: _Asked, found: Planning, anchors: Anchors | None) -> None:
    out = console()
    is_default = asked.chips is None and not asked.demand.has_load
    show_asked(out, deployment, asked.workload, found, is_default_budget=is_default)
    show_found(out, asked.workload, found, asked.top, details=asked.details)
    say_kernels(asked.kernels, deployment.machine, deployment.engine)
    if anchors is None:
        return
    for place, one in enumerate(found.plans[: asked.top], 1):
        for line in anchor_lines(anchors, one.correction):
            print_text(out, f"anchor, plan {place} ({one.layout}): {line}")
    for reason in anchors.unused:
        print_text(out, f"anchor not used: {reason}")


def _document(
    deployment: Deployment, workload: Workload, found: Planning, top: int, weights: str | None
) -> dict[str, Any]:
    bounds = found.bounds
    return {
        "inputs": {
            "model": deployment.model.id,
            "machine": deployment.machine.id,
            "chips": found.chips,
            **dataclasses.asdict(workload),
            **dataclasses.asdict(found.demand),
            "fidelity": deployment.fidelity.name,
            "engine": dataclasses.asdict(deployment.engine),
            "engine_options": resolved_options(deployment.engine, limits_of(deployment), groups=deployment.layout.dp),
            "usd_per_chip_s": found.usd_per_chip_s,
            "price_source": found.price_label,
            "weights": weights,
            "formats": {component.value: found.precision.of(component).weight.name for component in Component},
            "kv": found.precision.kv.name,
            "top": top,
            "model_record": dataclasses.asdict(deployment.model),
            "machine_record": dataclasses.asdict(deployment.machine),
        },
        "plans": [_plan_document(one, deployment.machine.id) for one in found.plans[:top]],
        "rejected": [dataclasses.asdict(one) for one in found.rejected],
        "front": [{**dataclasses.asdict(point), "chips": point.layout.chips} for point in found.front],
        "floor_step_time_s": bounds.floor_step_time_s,
        "floor_one_sequence_s": bounds.floor_one_sequence_s,
        "balance_batch": bounds.balance_batch,
        "balance_batch_with_kv": bounds.balance_batch_with_kv,
        "memory_full_batch": bounds.memory_full_batch,
        "asymptotes": {
            "weights_usd_per_step": bounds.weights_usd_per_step,
            "compute_usd_per_output_token": bounds.compute_usd_per_output_token,
            "kv_usd_per_output_token": bounds.kv_usd_per_output_token,
            "floor_usd_per_output_token": bounds.floor_usd_per_output_token,
        },
        "why_not": None if found.why_not is None else _why_not_document(found.why_not),
        "elasticities": found.elasticities,
        "lower_bound": is_ideal(deployment.engine),
        "undivided": found.undivided,
        "points_evaluated": found.points_evaluated,
        "notes": found.notes,
    }


def _plan_document(one: Plan, machine: str) -> dict[str, Any]:
    carried_by = [carrier.to_row() for carrier in one.carried_by]
    return {**dataclasses.asdict(one), "machine": machine, "chips": one.layout.chips, "carried_by": carried_by}


def _why_not_document(asked: WhyNot) -> dict[str, Any]:
    document = dataclasses.asdict(asked)
    if asked.plan is not None:
        document["plan"]["carried_by"] = [carrier.to_row() for carrier in asked.plan.carried_by]
    return document
