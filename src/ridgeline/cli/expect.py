"""``ridgeline expect``: what a measured deployment should have given, and what may be otherwise."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click

from ridgeline.cli.anchor import anchor_document, anchor_option, read_anchors
from ridgeline.cli.arguments import (
    LAYOUT,
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
    machine_option,
    operator_options,
    weights_option,
    with_load,
)
from ridgeline.cli.kernels import kernels_option, say_kernels
from ridgeline.cli.output import chance, console, counted, print_json, print_table, print_text, show
from ridgeline.cli.plan_in_full import BENCHMARK
from ridgeline.cli.window import show_doubtful_units, show_window
from ridgeline.estimator.notes import length_caveat
from ridgeline.estimator.parameters import main_format
from ridgeline.planner.expect import Expectation, Expected
from ridgeline.planner.outcome import Constraint
from ridgeline.specs.correction import NO_CORRECTION
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.provenance import summary
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy, expect

SHOWN = 5
"""Number of causes in the table; all are in the JSON document."""
UNLIKE = 20.0
"""Ratio of a measured to an expected time beyond which its unit is asked about: milliseconds taken for seconds make it
a thousand, and nothing that was measured of an engine was more than a few times off."""
SIMULATED = (
    "In measured loops requests bunch, since hosts jitter and lengths differ, and wait for each other. simulate --users"
    " plays neither: its waits are shorter; where all begin at once (--start-together), and stay together, longer"
)
"""Sentence on the waits of a simulation beside those that are expected."""
LIKELY = 0.2
"""Chance from which a difference is no surprise: inside the 80 % interval."""


@click.command("expect")
@click.argument("model", type=MODEL)
@ignore_unknown_option
@machine_option
@click.option("--layout", type=LAYOUT, required=True, help="Of one replica: tp8, or tp2,dp4,ep8.")
@click.option("--users", type=WHOLE, required=True, help="Requests under way on one replica, asked again at once.")
@click.option("--prompt", "prompt_tokens", type=WHOLE, required=True, help="Input tokens of a request: 4000, 8k.")
@click.option("--output", "output_tokens", type=WHOLE, required=True, help="Output tokens of a request.")
@click.option("--measured-tpot", "measured_tpot_s", type=TIME, help="Mean time per output token: 31ms.")
@fidelity_option
@engine_option
@kernels_option
@anchor_option
@weights_option
@kv_option
@operator_options
@json_option
def command(
    *,
    model: Model,
    machine: Machine,
    layout: Layout,
    users: int,
    prompt_tokens: int,
    output_tokens: int,
    measured_tpot_s: float | None,
    fidelity: Fidelity,
    engine: Engine | None,
    kernels: Path | None,
    anchor: Path | None,
    weights: str | None,
    kv: str | None,
    as_json: bool,
    **settings: Any,  # noqa: ANN401  those of operator_options
) -> None:
    """Say what a deployment should give; of a measurement, how unlikely the difference is and what could make it."""
    operated = Operated(**settings)
    model = with_load(model, operated)
    machine, engine = as_run(machine, fidelity, engine_for(machine, fidelity, engine, kernels), operated)
    if measured_tpot_s is not None and measured_tpot_s <= 0:
        raise click.BadParameter("must be above 0; write what was measured: 31ms", param_hint="--measured-tpot")
    if output_tokens < 2:  # noqa: PLR2004  the first token is the prompt's
        raise click.BadParameter("one token has no time between tokens; write 2 or more", param_hint="--output")
    deployment = deploy(model, machine, layout, fidelity=fidelity, engine=engine, weights=weights, kv=kv)
    anchors = read_anchors(anchor, deployment)
    correction = NO_CORRECTION if anchors is None else anchors.correction(layout)
    deployment = dataclasses.replace(deployment, correction=correction)
    workload = Workload(prompt_tokens=prompt_tokens, output_tokens=output_tokens)
    found = expect(
        deployment,
        prompt_tokens=prompt_tokens,
        output_tokens=output_tokens,
        users=users,
        measured_tpot_s=measured_tpot_s,
    )
    if as_json:
        inputs = {
            "model": model.id,
            "machine": machine.id,
            "layout": dataclasses.asdict(layout),
            "users": users,
            "prompt_tokens": prompt_tokens,
            "output_tokens": output_tokens,
            "fidelity": fidelity.name,
            "engine": engine.title,
            "formats": {"weights": weights, "kv": kv},
            "anchor": anchor_document(anchor, anchors),
            "kernels": kernels,
        }
        print_json(
            {
                "inputs": inputs,
                **_document(found),
                "notes": [
                    *length_caveat(model, workload.longest_tokens),
                    *deployment.notes,
                    *model.caveats,
                ],
            }
        )
        return
    _show(deployment, workload, found, users)
    say_kernels(kernels, machine, engine)
    for note in (*deployment.notes, *model.caveats):
        print_text(console(), f"note: {note}", style="dim")
    if measured_tpot_s is None:
        print_text(console(), "more: --measured-tpot 31ms compares a measurement with it; --json", style="dim")


def _document(found: Expectation) -> dict[str, Any]:
    return {
        "expected": dataclasses.asdict(found.expected),
        "measured": found.measured_tpot_s,
        "ratio": found.ratio,
        "probability": found.probability,
        "causes": [dataclasses.asdict(cause) for cause in found.causes],
        "carried_by": [carrier.to_row() for carrier in found.carried_by],
    }


def _show(deployment: Deployment, workload: Workload, found: Expectation, users: int) -> None:
    out, expected = console(), found.expected
    model, machine = deployment.model, deployment.machine
    show_window(out, model, workload.longest_tokens)
    show_doubtful_units(out, machine)
    asked = f"{counted(users, 'user')}, {workload.prompt_tokens:,.0f} tokens in, {workload.output_tokens:,.0f} out"
    print_text(out, f" in layout {deployment.layout} on {machine.name}: {asked}", head=model.name)
    print_text(
        out,
        f"weights {main_format(model, deployment.precision)}, KV cache {deployment.precision.kv.name}; engine"
        f" {deployment.engine.title}, fidelity {deployment.fidelity.name}",
    )
    out.print()
    under_way = f"{show(expected.in_flight, 'count')} of {users:,} users have their first token and wait for the rest"
    rows = [
        ("expected TPOT", f"{show(expected.tpot_s, 's')}, 80 % interval {_interval(expected)}"),
        *_measured(found),
        ("expected TTFT", f"{show(expected.ttft_s, 's')}, the mean of {BENCHMARK}"),
        ("and later", _later(expected)),
        ("under way", f"{under_way}, on the mean"),
        *_waiting(expected, users),
        ("carried by", summary(found.carried_by)),
    ]
    print_table(out, ("", ""), [(f"  {name}", said) for name, said in rows], left=(0, 1))
    print_text(out, SIMULATED, style="dim")
    out.print()
    if found.probability is None:
        return
    if found.probability >= LIKELY:
        print_text(out, "Nothing to explain: what was measured lies inside the interval of the prediction.")
        return
    if not found.causes:
        print_text(out, "None of the causes that were tried makes such a difference by itself.")
        return
    causes = [
        (one.cause, show(one.would_explain_s, "s"), show(one.tpot_s, "s"), one.check) for one in found.causes[:SHOWN]
    ]
    print_table(out, ("what may be otherwise", "changes it by", "to", "to find out"), causes, left=(0, 3))
    print_text(out, "Each by itself; several may be true at once.", style="dim")


def _later(expected: Expected) -> str:
    """First tokens without the benchmark's burst, and why most may come sooner than the mean with it."""
    said = (
        f"90 % within {show(expected.steady_ttft_s, 's')} once that first burst is over, as in a plan for these users"
    )
    return said + ("; the mean has the burst's waits in it" if expected.steady_ttft_s < expected.ttft_s else "")


def _waiting(expected: Expected, users: int) -> list[tuple[str, str]]:
    """Row on users who wait to be let in, and for what; none where memory and the engine let in all."""
    waiting = users - expected.admitted
    if waiting < 1:
        return []
    held, others = counted(round(expected.admitted, 1), "request"), f"those of the other {waiting:,.0f} users wait"
    if expected.admitted_by is Constraint.ENGINE:
        return [("engine", f"takes {held} at once and no more (--max-sequences); {others} to be let in")]
    return [("KV cache", f"full with {held}; {others} for room")]


def _measured(found: Expectation) -> list[tuple[str, str]]:
    """Rows on what was measured; none without a measurement."""
    if found.measured_tpot_s is None or found.ratio is None or found.probability is None:
        return []
    times = f"{found.ratio:.2f}" if found.ratio < UNLIKE else f"{found.ratio:,.0f}"
    unit = f": is it {show(found.measured_tpot_s / 1e3, 's')}?" if found.ratio > UNLIKE else ""
    return [
        ("measured TPOT", f"{show(found.measured_tpot_s, 's')}, {times} times the expected{unit}"),
        ("chance", f"{chance(found.probability)} that a prediction of this kind is off by as much"),
    ]


def _interval(expected: Expected) -> str:
    return f"{show(expected.low_s, 's')} - {show(expected.high_s, 's')}"
