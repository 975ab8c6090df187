"""``ridgeline plan``: the best ways to serve a model on a machine."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from ridgeline.catalog.engine_options import resolved_options
from ridgeline.cli.anchor import anchor_document, anchor_lines, anchor_option, read_anchors
from ridgeline.cli.arguments import (
    DOLLAR_RATE,
    LAYOUTS,
    MACHINE,
    MODEL,
    TIME,
    WHOLE,
    Operated,
    as_run,
    engine_for,
    engine_option,
    fidelity_option,
    ignore_unknown_option,
    json_option,
    kv_option,
    operator_options,
    weights_or_auto_option,
    with_load,
)
from ridgeline.cli.asked import Asked
from ridgeline.cli.chip_price import price_option
from ridgeline.cli.demand import demand_of, demand_options
from ridgeline.cli.figure import PICTURES, draw_figure, figure_options, picture_option, refuse_theme_alone
from ridgeline.cli.front_picture import draw_fronts
from ridgeline.cli.hand_over import export_options, exported_engine, launch_document, launch_of, show_launch
from ridgeline.cli.kernels import kernels_option, say_kernels
from ridgeline.cli.market import market_option
from ridgeline.cli.number_range import NumberRange
from ridgeline.cli.output import console, print_json, print_text
from ridgeline.cli.plan_text import show_asked, show_found, show_more
from ridgeline.cli.plan_unserved import chips_for_money, unserved_said
from ridgeline.cli.plan_wider import plan_each, plan_pools, refuse_alone
from ridgeline.cli.speculation import refuse_beside_speculation, speculate_option, speculations_asked
from ridgeline.cli.trace import asked_lengths, lengths_options, show_trace, workload_inputs
from ridgeline.cli.window import show_window
from ridgeline.estimator.memory import limits_of
from ridgeline.planner.batch_within import largest_batch_within
from ridgeline.planner.cheaper_ways import CheaperWay, cheaper_ways
from ridgeline.planner.chip_steps import ChipStep, chip_steps
from ridgeline.planner.curves import plan_curves
from ridgeline.planner.front import thinned
from ridgeline.planner.fronts import front_of_one
from ridgeline.planner.held_back import held_back
from ridgeline.planner.outcome import Plan, Planning, WhyNot
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine, is_ideal
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Component
from ridgeline.specs.speculation import NO_SPECULATION
from ridgeline.verbs import deploy
from ridgeline.verbs.speculations import own_draft

if TYPE_CHECKING:
    from ridgeline.calibration.judge.anchors import Anchors


def _one_at_a_time(
    context: click.Context, option: click.Parameter, layouts: tuple[tuple[Layout, ...], ...]
) -> tuple[Layout, ...]:
    """Layout of ``--why-not``, or those of two pools.

    Raises:
        click.BadParameter: it was given more than once.
    """
    if len(layouts) > 1:
        raise click.BadParameter("is of one layout; ask of the others one by one", context, option)
    return layouts[0] if layouts else ()


DEMAND = ("users", "requests_per_s", "batch", "ttft_quantile", "sure", "site_power_w", "pue", "electricity_usd_per_j")


@click.command("plan")
@click.argument("model", type=MODEL)
@ignore_unknown_option
@click.option(
    "--on",
    "machines",
    type=MACHINE,
    required=True,
    multiple=True,
    help="Machine: a catalog id (ridgeline catalog machines), or a path to a .toml file. Several are compared, or"
    " share two pools.",
)
@click.option(
    "--pools",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="One pool for both phases, or one that reads prompts and one that makes tokens.",
)
@lengths_options
@click.option(
    "--hit-rate",
    "hit_fraction",
    type=NumberRange(0, 1, max_open=True),
    default=0.0,
    help="Part of a prompt that the prefix cache has, so that it is not computed: 0.4 or 40%.  [default: none]",
)
@click.option("--tpot", "tpot_s", type=TIME, help="Longest mean time per output token: 50ms.")
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
    help="Budget of chips, replicas included.  [default: one scale-up domain, what a load needs, or what the power"
    " feeds]",
)
@click.option(
    "--budget",
    "budget_usd_per_s",
    type=DOLLAR_RATE,
    help="Budget of money instead: '$100/h'; of several machines the one that serves most for it comes first.",
)
@price_option
@market_option()
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="Plans to show.")
@click.option(
    "--why-not",
    type=LAYOUTS,
    multiple=True,
    callback=_one_at_a_time,
    help="Say of this layout which constraint it breaks, or what it loses by; of two pools, prompts first: tp1/tp8.",
)
@fidelity_option
@engine_option
@kernels_option
@anchor_option
@weights_or_auto_option
@kv_option
@operator_options
@speculate_option(several=True)
@click.option(
    "--details",
    is_flag=True,
    help="Show each plan in full, examples of what was rejected, what speed costs, and what more of the machine does.",
)
@export_options
@figure_options("what speed costs, or the best plan's time and cost against the batch,")
@picture_option
@json_option
def command(
    model: Model,
    machines: tuple[Machine, ...],
    pools: int,
    prompt_tokens: int | None,
    output_tokens: int | None,
    trace: Path | None,
    no_arrivals: bool,  # noqa: FBT001  a flag
    hit_fraction: float,
    tpot_s: float | None,
    ttft_s: float | None,
    chips: int | None,
    budget_usd_per_s: float | None,
    usd_per_chip_s: float | None,
    top: int,
    why_not: tuple[Layout, ...],
    fidelity: Fidelity,
    engine: Engine | None,
    kernels: Path | None,
    anchor: Path | None,
    weights: str | None,
    kv: str | None,
    speculate: tuple[str, ...],
    details: bool,  # noqa: FBT001  a flag
    export: str | None,
    checkpoint: str | None,
    figure: Path | None,
    theme: str | None,
    picture: str,
    as_json: bool,  # noqa: FBT001  a flag
    **settings: Any,  # noqa: ANN401  those of demand_options and operator_options
) -> None:
    """Find the best ways to serve MODEL: layout, batch, speed, cost, what binds, and why the others lose.

    MODEL is a catalog id (ridgeline catalog models), a config.json or a folder with one, hf:org/name, or a .toml file.
    Say how long requests are by --prompt and --output, or by --trace.

    Both phases share one pool of chips. Cost per output token is decode's chip-time, per input token prefill's.
    """
    refuse_theme_alone(figure, theme)
    if len({one.id for one in machines}) < len(machines):
        raise click.BadParameter("names a machine twice; name each once", param_hint="--on")
    if chips is not None and budget_usd_per_s is not None:
        raise click.UsageError("--chips and --budget each say how much there is; give one of them")
    lengths = asked_lengths(
        prompt_tokens,
        output_tokens,
        trace,
        no_arrivals,
        tpot_s=tpot_s,
        ttft_s=ttft_s,
        hit_fraction=hit_fraction,
    )
    demand = demand_of(**{name: settings.pop(name) for name in DEMAND}, lengths=lengths)
    asked = Asked(
        lengths=lengths,
        demand=demand,
        chips=chips,
        budget_usd_per_s=budget_usd_per_s,
        usd_per_chip_s=usd_per_chip_s,
        weights=weights,
        kv=kv,
        kernels=kernels,
        anchor=anchor,
        speculate=speculate,
        why_not=why_not,
        top=top,
        details=details,
        figure=figure,
        theme=theme,
        picture=picture,
        export=export,
        checkpoint=checkpoint,
        as_json=as_json,
    )
    operated = Operated(**settings)
    deployments, model = [], with_load(model, operated)
    for machine in machines:
        named = exported_engine(export, checkpoint, machine, fidelity, engine, kernels)
        machine_run, engine_run = as_run(machine, fidelity, engine_for(machine, fidelity, named, kernels), operated)
        searched = speculations_asked(speculate, model, machine_run, fidelity)
        refuse_beside_speculation(searched, anchor, figure if picture != PICTURES[0] else None)
        laid = deploy(model, machine_run, fidelity=fidelity, engine=engine_run, weights=asked.published, kv=kv)
        deployments.append(dataclasses.replace(laid, speculation=searched[0]))
    if pools > 1 or len(machines) > 1:
        _plan_wider(deployments, asked, pools)
    else:
        _plan_one(deployments[0], asked)


def _plan_wider(deployments: Sequence[Deployment], asked: Asked, pools: int) -> None:
    """Plan several machines, or two pools."""
    one_alone = {"--anchor": asked.anchor, "--picture batch": asked.picture != PICTURES[0]}
    if pools > 1:
        refuse_alone(one_alone, what="two pools")
        plan_pools(deployments, asked)
    else:
        one_machine = {"--details": asked.details, "--why-not": asked.why_not, "--export": asked.export}
        refuse_alone(one_alone | one_machine, what="several machines")
        plan_each(deployments, asked)


def _single(layouts: tuple[Layout, ...]) -> Layout | None:
    """Layout of ``--why-not`` for one pool.

    Raises:
        click.BadParameter: there are several.
    """
    if len(layouts) > 1:
        raise click.BadParameter("names a layout for either of two pools; add --pools 2", param_hint="--why-not")
    return layouts[0] if layouts else None


def _plan_one(deployment: Deployment, asked: Asked) -> None:
    """Plan one pool on one machine, in full."""
    anchors = read_anchors(asked.anchor, deployment, is_one_format=asked.weights != "auto")

    searched = asked.speculations_of(deployment)

    def search(chips: int | None, why_not: Layout | None = None) -> Planning:
        corrected = None if anchors is None else anchors.correction
        return asked.plan_of(deployment, chips=chips, speculations=searched, why_not=why_not, corrected=corrected)

    found = search(chips_for_money(deployment, asked, search), _single(asked.why_not))
    steps = chip_steps(found, search) if asked.details else ()
    launch, out = None, console(is_aside=asked.export is not None)
    if found.plans:
        launch = launch_of(deployment, asked.workload, found, asked.export, asked.checkpoint, asked.top)
        _draw(deployment, asked, found)
    if asked.as_json:
        document = _document(deployment, asked, found)
        document["inputs"] |= {
            "anchor": anchor_document(asked.anchor, anchors),
            "kernels": asked.kernels,
            "speculate": [str(one) for one in searched],
        }
        document["chip_steps"] = [_step_document(one, deployment.machine.id) for one in steps]
        print_json(document | {"export": launch_document(launch)})
    elif found.plans or asked.details or found.why_not is not None:
        _print(out, deployment, asked, found, steps, anchors)
        show_launch(launch)
    else:
        show_window(out, deployment.model, asked.workload.longest_tokens)
    if not found.plans:
        raise click.ClickException(f"no layout serves this; {unserved_said(deployment, asked, found, search)}")


def _draw(deployment: Deployment, asked: Asked, found: Planning) -> None:
    """Draw the picture that was asked for; before the text, whose reader may go."""
    if asked.figure is not None and asked.picture == PICTURES[0]:
        draw_fronts([front_of_one("", found)], [deployment], asked, found.chips, found.price_label)
    elif asked.figure is not None:
        planned = _in_formats_of(found.plans[0], deployment, asked)
        draw_figure(plan_curves(planned, asked.workload, found, found.plans[0]), asked.figure, asked.theme)


def _in_formats_of(plan: Plan, deployment: Deployment, asked: Asked) -> Deployment:
    """Deployment with the weights that a search over formats chose."""
    if asked.weights != "auto" or plan.weights is None:
        return deployment
    return deploy(
        deployment.model,
        deployment.machine,
        fidelity=deployment.fidelity,
        engine=deployment.engine,
        weights=plan.weights,
        kv=asked.kv,
    )


def _print(
    out: Console,
    deployment: Deployment,
    asked: Asked,
    found: Planning,
    steps: Sequence[ChipStep],
    anchors: Anchors | None,
) -> None:
    demand = asked.demand
    is_default = asked.chips_on(deployment.machine) is None and not demand.has_load and demand.site_power_w is None
    # Beside --why-not there are none.
    is_answer = found.why_not is not None and not asked.details
    cheaper = [] if is_answer else _cheaper(deployment, asked, found)
    show_asked(out, deployment, asked.workload, found, cheaper, is_default_budget=is_default)
    show_trace(out, asked.lengths)
    show_found(
        out,
        deployment,
        asked.workload,
        found,
        asked.top,
        steps,
        cheaper,
        _within(deployment, asked, found),
        details=asked.details,
    )
    say_kernels(asked.kernels, deployment.machine, deployment.engine, out=out)
    if anchors is not None:
        _print_anchors(out, anchors, found.plans[: asked.top])
    show_more(out, found, details=asked.details)


def _within(deployment: Deployment, asked: Asked, found: Planning) -> int | None:
    """Largest batch of the best plan's layout whose first tokens keep to the limit, all of it under way.

    It is None where not even one sequence a group does, and where it is not asked for: with a load, or where the
    plan's own batch keeps to the limit.
    """
    limit_s = asked.workload.ttft_s
    if found.demand.has_load or not found.plans or limit_s is None:
        return None
    best = found.plans[0]
    if best.benchmark_ttft_s is None or best.benchmark_ttft_s <= limit_s:
        return None
    return largest_batch_within(_in_formats_of(best, deployment, asked), asked.workload, best, limit_s)


def _print_anchors(out: Console, anchors: Anchors, shown: Sequence[Plan]) -> None:
    """Print what measured rows have corrected, and what they leave out."""
    for place, one in enumerate(shown, 1):
        for line in anchor_lines(anchors, one.correction, one.layout):
            print_text(out, f"anchor, plan {place} ({one.layout}): {line}")
    for reason in anchors.unused:
        print_text(out, f"anchor not used: {reason}")
    print_text(out, "with --anchor no cheaper ways than plan 1 are sought, since the rows are of one pool as it ran")


def _cheaper(deployment: Deployment, asked: Asked, found: Planning) -> list[CheaperWay]:
    """Ways of serving that cost less; none for a search over drafts, or by measurements of one pool."""
    if asked.anchor is not None or any(found.speculations):
        return []
    is_timed = deployment.fidelity.by_operation
    return cheaper_ways(
        deployment,
        asked.workload,
        found,
        chips=asked.chips_on(deployment.machine),
        weights=asked.weights,
        usd_per_chip_s=asked.usd_per_chip_s,
        drafted=own_draft(deployment.model, deployment.machine) if is_timed else NO_SPECULATION,
    )


def _document(deployment: Deployment, asked: Asked, found: Planning) -> dict[str, Any]:
    bounds, shown = found.bounds, found.plans[: asked.top]
    return {
        "inputs": {
            "model": deployment.model.id,
            "machine": deployment.machine.id,
            "chips": None if found.is_fed else found.chips,
            **workload_inputs(asked.lengths),
            **dataclasses.asdict(found.demand),
            "fidelity": deployment.fidelity.name,
            "engine": dataclasses.asdict(deployment.engine),
            "engine_options": resolved_options(deployment.engine, limits_of(deployment), groups=deployment.layout.dp),
            "budget_usd_per_s": asked.budget_usd_per_s,
            "usd_per_chip_s": found.usd_per_chip_s,
            "price_source": found.price_label,
            "weights": asked.weights,
            "formats": {component.value: found.precision.of(component).weight.name for component in Component},
            "kv": found.precision.kv.name,
            "top": asked.top,
            "model_record": dataclasses.asdict(deployment.model),
            "machine_record": dataclasses.asdict(deployment.machine),
        },
        "plans": [_plan_document(one, deployment.machine.id) for one in shown],
        "held_back": [dataclasses.asdict(one) for one in held_back(shown, has_load=found.demand.has_load)],
        "rejected": [dataclasses.asdict(one) for one in found.rejected],
        "front": [{**dataclasses.asdict(point), "chips": point.layout.chips} for point in thinned(found.front)],
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
        "elasticities": dict(found.elasticities),
        "lower_bound": is_ideal(deployment.engine),
        "undivided": found.undivided,
        "points_evaluated": found.points_evaluated,
        "notes": tuple(found.notes),
    }


def _plan_document(one: Plan, machine: str) -> dict[str, Any]:
    return {**one.to_document(), "machine": machine}


def _step_document(one: ChipStep, machine: str) -> dict[str, Any]:
    plan_there = None if one.plan is None else _plan_document(one.plan, machine)
    return {"chips": one.chips, "plan": plan_there, "reason": one.reason}


def _why_not_document(asked: WhyNot) -> dict[str, Any]:
    document = dataclasses.asdict(dataclasses.replace(asked, plan=None))
    return document | {"plan": None if asked.plan is None else asked.plan.to_document()}
