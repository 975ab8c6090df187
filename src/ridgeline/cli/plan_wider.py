"""``ridgeline plan`` beyond one pool on one machine: several machines in one table, and two pools."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich.console import Console

from ridgeline.catalog.engine_options import resolved_options
from ridgeline.cli.asked import Asked
from ridgeline.cli.compared import OnMachine, compared_document, show_compared
from ridgeline.cli.demand import limits_said, load_said
from ridgeline.cli.front_picture import draw_fronts
from ridgeline.cli.hand_over import launch_document, launch_of_two, show_launch
from ridgeline.cli.output import console, counted, listed, print_json, print_text, show
from ridgeline.cli.plan_text import price_said
from ridgeline.cli.trace import show_trace, workload_inputs
from ridgeline.cli.two_pools import show_two_pools, two_pool_document
from ridgeline.cli.unknown_formats import show_unknown_formats
from ridgeline.cli.window import show_doubtful_units, show_window
from ridgeline.estimator.memory import limits_of
from ridgeline.estimator.parameters import main_format
from ridgeline.planner.compare import remedy
from ridgeline.planner.fronts import front_of_one, front_of_two
from ridgeline.planner.outcome import Planning
from ridgeline.planner.two_pools.outcome import TwoPools
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.precision import Component
from ridgeline.verbs import pair_pools

__all__ = ["plan_each", "plan_pools", "refuse_alone"]


def refuse_alone(given: Mapping[str, object], *, what: str) -> None:
    """Refuse options that hold for one pool on one machine alone.

    Raises:
        click.UsageError: names what to leave out.
    """
    named = [name for name, value in given.items() if value]
    if named:
        raise click.UsageError(f"{' and '.join(named)} is of one pool on one machine; leave it out with {what}")


def plan_each(deployments: Sequence[Deployment], asked: Asked) -> None:
    """Plan one pool on each of several machines, in one table."""
    searches = [
        OnMachine(
            deployment=one,
            found=asked.plan_of(one, chips=asked.chips_on(one.machine), speculations=asked.speculations_of(one)),
            is_for_money=asked.budget_usd_per_s is not None,
        )
        for one in deployments
    ]
    # Before the text, whose reader may go.
    if any(one.found.plans for one in searches):
        fronts = [front_of_one(one.deployment.machine.id, one.found) for one in searches]
        prices = ", ".join(f"{one.deployment.machine.id} {_price_said(one.found)}" for one in searches)
        draw_fronts(fronts, deployments, asked, asked.chips, prices)
    if asked.as_json:
        print_json({"inputs": _inputs(deployments, asked) | {"pools": 1}, **compared_document(searches, asked.top)})
    elif any(one.found.plans for one in searches):
        out = console()
        _show_question(out, deployments, asked)
        show_compared(out, asked.workload, searches, asked.top)
    if not any(one.found.plans for one in searches):
        reasons = "; ".join(f"on {one.deployment.machine.id} {remedy(one.found)}" for one in searches)
        raise click.ClickException(f"no layout of any of these machines serves this: {reasons}")


def plan_pools(deployments: Sequence[Deployment], asked: Asked) -> None:
    """Plan two pools, on one machine or shared by several."""
    machines = {one.machine.id for one in deployments}
    if asked.budget_usd_per_s is not None and len(machines) > 1:
        raise click.UsageError("--budget is of one machine, or of one pool on each; give --chips of both pools")
    found = pair_pools(
        deployments,
        asked.workload,
        asked.speculations_of(deployments[0]),
        weights=asked.weights,
        chips=asked.chips_on(deployments[0].machine),
        demand=asked.demand,
        usd_per_chip_s=asked.usd_per_chip_s,
        why_not=(asked.why_not[0], asked.why_not[-1]) if asked.why_not else None,
    )
    launch = launch_of_two(asked.workload, found, asked.export, asked.checkpoint, asked.top) if found.plans else None
    # Before the text, whose reader may go.
    if asked.figure is not None and found.plans:
        _draw_both(deployments, found, asked)
    if asked.as_json:
        inputs = _inputs(deployments, asked) | {
            "chips": found.chips,
            "pools": 2,
            "prices": [
                {"machine": name, "usd_per_chip_s": price, "price_source": found.price_labels[name]}
                for name, price in found.usd_per_chip_s.items()
            ],
        }
        document = two_pool_document(found, asked.top)
        print_json({"inputs": inputs, **document, "export": launch_document(launch)})
    elif found.plans or asked.details or asked.why_not:
        out = console(is_aside=asked.export is not None)
        _show_question(out, deployments, asked, chips=found.chips, prices=_prices_said(found))
        show_two_pools(out, deployments[0].model, [one.machine for one in deployments], found, asked)
        show_launch(launch)
    if not found.plans:
        raise click.ClickException(f"no pair of layouts serves this; {found.remedy}")


def _prices_said(found: TwoPools) -> str:
    """Prices of chips in words, of several machines each by its name."""
    prices, labels = found.usd_per_chip_s, found.price_labels
    if len(prices) == 1:
        return "".join(f"; {price_said(price, labels[name], found.chips)}" for name, price in prices.items())
    return "".join(f"; {name} {price_said(price, labels[name], None)}" for name, price in prices.items())


def _draw_both(deployments: Sequence[Deployment], found: TwoPools, asked: Asked) -> None:
    """Draw the front of two pools beside those of one on each machine."""
    fronts = [front_of_two("two pools", found)]
    labels = {}
    for one in deployments:
        alone = asked.plan_of(one, chips=found.chips, speculations=[one.speculation])
        name = f"one pool on {one.machine.id}" if len(deployments) > 1 else "one pool"
        fronts.append(front_of_one(name, alone))
        labels[one.machine.id] = f"{one.machine.id} {_price_said(alone)}"
    draw_fronts(fronts, deployments, asked, found.chips, ", ".join(labels.values()))


def _price_said(found: Planning) -> str:
    return "none known" if found.usd_per_chip_s is None else f"{show(found.usd_per_chip_s, 'usd_per_s')} a chip"


def _inputs(deployments: Sequence[Deployment], asked: Asked) -> dict[str, Any]:
    """Inputs as they were resolved, of several machines or pools."""
    first = deployments[0]
    return {
        "model": first.model.id,
        "machines": [one.machine.id for one in deployments],
        "chips": asked.chips,
        "budget_usd_per_s": asked.budget_usd_per_s,
        **workload_inputs(asked.lengths),
        **dataclasses.asdict(asked.demand),
        "fidelity": first.fidelity.name,
        "engine": [one.engine.title for one in deployments],
        "engine_options": [resolved_options(one.engine, limits_of(one), groups=one.layout.dp) for one in deployments],
        "formats": {component.value: first.precision.of(component).weight.name for component in Component},
        "kv": first.precision.kv.name,
        "weights": asked.weights,
        "kernels": asked.kernels,
        "top": asked.top,
        "speculate": list(dict.fromkeys(str(found) for one in deployments for found in asked.speculations_of(one))),
    }


def _show_question(
    out: Console, deployments: Sequence[Deployment], asked: Asked, *, chips: int | None = None, prices: str = ""
) -> None:
    """Print the question to several machines or pools."""
    first, workload = deployments[0], asked.workload
    limits = [*limits_said(workload), *load_said(asked.demand)]
    machines = listed(one.machine.name for one in deployments)
    on = f" on {counted(chips, 'chip')} of {machines}" if chips is not None else f" on {machines}"
    show_window(out, first.model, workload.longest_tokens)
    for one in deployments:
        show_doubtful_units(out, one.machine)
    print_text(
        out,
        f"{on}: {workload.prompt_tokens:,.0f} tokens in, {workload.output_tokens:,.0f} out" + "".join(limits),
        head=first.model.name,
    )
    engines = listed(one.engine.title for one in deployments)
    weights = main_format(first.model, first.precision) + (" and others" if asked.weights == "auto" else "")
    print_text(
        out,
        f"weights {weights}, KV cache {first.precision.kv.name}; engine {engines},"
        f" fidelity {first.fidelity.name}{prices}",
    )
    for one in deployments:
        show_unknown_formats(out, one)
    show_trace(out, asked.lengths)
