"""``ridgeline plan`` beyond one pool on one machine: several machines in one table, and two pools."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console

from ridgeline.catalog.engine_options import resolved_options
from ridgeline.cli.compared import OnMachine, compared_document, show_compared
from ridgeline.cli.demand import limits_said, load_said
from ridgeline.cli.output import console, counted, print_json, print_text
from ridgeline.cli.two_pools import show_two_pools, two_pool_document
from ridgeline.estimator.engine_support import engine_notes
from ridgeline.estimator.estimate import caveats, engine_note
from ridgeline.estimator.memory import limits_of
from ridgeline.estimator.parameters import main_format
from ridgeline.planner.plan import plan
from ridgeline.planner.two_pools import plan_two_pools
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.machine import Machine
from ridgeline.specs.precision import Component
from ridgeline.specs.workload import Workload

__all__ = ["plan_each", "plan_pools", "refuse_alone"]


def refuse_alone(given: dict[str, object], *, what: str) -> None:
    """Refuse what is of one pool on one machine alone.

    Raises:
        click.UsageError: names what to leave out.
    """
    named = [name for name, value in given.items() if value]
    if named:
        raise click.UsageError(f"{' and '.join(named)} is of one pool on one machine; leave it out with {what}")


def plan_each(
    deployments: Sequence[Deployment],
    workload: Workload,
    demand: Demand,
    chips: int | None,
    usd_per_chip_s: float | None,
    asked: dict[str, Any],
    *,
    as_json: bool,
) -> None:
    """One pool on each of several machines, in one table."""
    searches = [
        OnMachine(
            deployment=one,
            found=plan(
                one, workload, weights=asked["weights"], chips=chips, demand=demand, usd_per_chip_s=usd_per_chip_s
            ),
        )
        for one in deployments
    ]
    if as_json:
        inputs = _inputs(deployments, workload, demand, chips, asked) | {"pools": 1}
        print_json({"inputs": inputs, **compared_document(searches, asked["top"])})
    else:
        out = console()
        _show_question(out, deployments, workload, demand)
        show_compared(out, searches, asked["top"])
    if not any(one.found.plans for one in searches):
        raise click.ClickException("no layout of any of these machines serves this; --why-not LAYOUT on one says why")


def plan_pools(
    deployments: Sequence[Deployment],
    workload: Workload,
    demand: Demand,
    chips: int | None,
    usd_per_chip_s: float | None,
    asked: dict[str, Any],
    *,
    as_json: bool,
) -> None:
    """Two pools, on one machine or shared by several."""
    prices = {
        one.machine.id: _price_of(one.machine) if usd_per_chip_s is None else usd_per_chip_s for one in deployments
    }
    known = {name: price for name, price in prices.items() if price is not None}
    budget = chips if chips is not None or demand.has_load else deployments[0].machine.scale_up_chips
    found = plan_two_pools(
        deployments,
        deployments,
        workload,
        chips=budget,
        demand=demand,
        usd_per_chip_s=known if len(known) == len(prices) else None,
    )
    said = (
        (*one.notes, *caveats(one, workload.longest_tokens), engine_note(one), *engine_notes(one, any_layout=True))
        for one in deployments
    )
    notes = list(dict.fromkeys(note for notes in said for note in notes))
    if as_json:
        inputs = _inputs(deployments, workload, demand, budget, asked) | {
            "pools": 2,
            "prices": [{"machine": name, "usd_per_chip_s": price} for name, price in prices.items()],
        }
        print_json({"inputs": inputs, **two_pool_document(found, asked["top"]), "notes": notes})
    else:
        out = console()
        _show_question(out, deployments, workload, demand, chips=budget)
        show_two_pools(out, found, asked["top"])
        out.print()
        for note in notes:
            print_text(out, f"note: {note}", style="dim")
    if not found.plans:
        raise click.ClickException("no pair of layouts serves this; relax --tpot or --ttft, or give more --chips")


def _price_of(machine: Machine) -> float | None:
    return None if machine.tariff is None else machine.tariff.usd_per_chip_s


def _inputs(
    deployments: Sequence[Deployment], workload: Workload, demand: Demand, chips: int | None, asked: dict[str, Any]
) -> dict[str, Any]:
    """All that was resolved, of several machines or pools."""
    first = deployments[0]
    return {
        "model": first.model.id,
        "machines": [one.machine.id for one in deployments],
        "chips": chips,
        **dataclasses.asdict(workload),
        **dataclasses.asdict(demand),
        "fidelity": first.fidelity.name,
        "engine": [one.engine.title for one in deployments],
        "engine_options": [resolved_options(one.engine, limits_of(one), groups=one.layout.dp) for one in deployments],
        "formats": {component.value: first.precision.of(component).weight.name for component in Component},
        "kv": first.precision.kv.name,
        **asked,
    }


def _show_question(
    out: Console,
    deployments: Sequence[Deployment],
    workload: Workload,
    demand: Demand,
    *,
    chips: int | None = None,
) -> None:
    """What is asked of several machines or pools."""
    first = deployments[0]
    limits = [*limits_said(workload), *load_said(demand)]
    machines = " and ".join(dict.fromkeys(one.machine.name for one in deployments))
    on = f" on {counted(chips, 'chip')} of {machines}" if chips is not None else f" on {machines}"
    print_text(
        out,
        f"{on}: {workload.prompt_tokens:,} tokens in, {workload.output_tokens:,} out" + "".join(limits),
        head=first.model.name,
    )
    engines = " and ".join(dict.fromkeys(one.engine.title for one in deployments))
    print_text(
        out,
        f"weights {main_format(first.model, first.precision)}, KV cache {first.precision.kv.name}; engine {engines},"
        f" fidelity {first.fidelity.name}",
    )
