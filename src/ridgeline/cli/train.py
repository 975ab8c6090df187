"""``ridgeline train``: how to lay out a training run, how long it takes, and what it costs."""

from __future__ import annotations

import dataclasses
import re
import shlex
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridgeline.catalog.trainers import trainer_ids
from ridgeline.cli.arguments import (
    ELECTRICITY,
    MODEL,
    PUE_HELP,
    TIME,
    WHOLE,
    NamedType,
    QuantityType,
    fidelity_option,
    ignore_unknown_option,
    json_option,
    machine_option,
)
from ridgeline.cli.chip_price import price_option
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.kernels import kernels_option, refuse_at_peaks, say_kernels
from ridgeline.cli.market import market_option
from ridgeline.cli.number_range import NumberRange
from ridgeline.cli.output import print_json, show
from ridgeline.cli.schedules import MOST_DRAWN
from ridgeline.cli.train_text import show_training
from ridgeline.glossary import GLOSSARY
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.trainer import IDEAL_TRAINER
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.recipe import DISPATCHERS, GRADIENTS, ROUTINGS
from ridgeline.training.usual import FORMATS
from ridgeline.verbs import train

if TYPE_CHECKING:
    from ridgeline.training.job import TrainingJob
    from ridgeline.training.outcome import Training
    from ridgeline.training.plan import TrainingPlan
    from ridgeline.training.run import TrainingRun

__all__ = ["command"]


TRAINED = QuantityType("count", "COUNT", whole=True, least=GLOSSARY["tokens"].low)
OF_A_RUN = QuantityType("count", "CHIPS", whole=True, of="chips")


BETWEEN = re.compile(r"\s+,\s*|,\s+|,(?!\d{3}(?![\w.]))|(?<!\d),|(?<=\d{4}),")
"""Comma between two numbers; one that is left may group the digits of one number: 2,048."""

OPEN = re.compile(r",(?!0)")
"""Comma within digits that may as well stand between two numbers, since no number begins with 0."""


def _numbers(text: str) -> tuple[int, ...]:
    """One number of chips, its digits grouped or not; or several, between commas."""
    parts = BETWEEN.split(text.strip())
    one_by_one = ", ".join(part.replace(",", "") for part in parts)
    if any(OPEN.search(part) for part in parts):
        apart = ", ".join(OPEN.sub(", ", part) for part in parts)
        raise ValueError(
            f"{text!r} may be one number or several; write {shlex.quote(one_by_one)} or {shlex.quote(apart)}"
        )
    numbers = one_by_one.split(", ")
    if cut := next((one for one in numbers if re.match(r"0\d", one)), None):
        raise ValueError(f"{cut!r} in {text!r} begins with 0; write all digits of a number without commas")
    return tuple(int(OF_A_RUN.convert(one, None, None)) for one in numbers)


@click.command("train")
@click.argument("model", type=MODEL)
@ignore_unknown_option
@machine_option
@click.option(
    "--chips",
    type=NamedType("CHIPS", _numbers),
    help="Chips of the run: 16384; or several, '4096, 8192, 16384', for time against money.  [default: those of"
    " --layout]",
)
@click.option("--tokens", type=TRAINED, required=True, help="Tokens that the run is trained on: 15.6T.")
@click.option(
    "--batch-tokens",
    type=WHOLE,
    required=True,
    help="Tokens of a step: 4Mi; 16M is 16Mi where that alone is a whole number of sequences.",
)
@click.option(
    "--sequence", "sequence_tokens", type=WHOLE, default="8192", show_default=True, help="Tokens of a sequence."
)
@click.option("--layout", help="Take this one: tp8,pp16,dp128,vpp8.  [default: all are searched]")
@click.option("--why-not", help="Say why this layout is not the best.")
@click.option("--schedule", help="How stages take turns: 1f1b, zb-v, ..., or all.  [default: 1f1b and interleaved]")
@click.option(
    "--recompute",
    help="none, full, reversible, or selective:layernorm+mlp.  [default: the fastest that fits of several]",
)
@click.option(
    "--micro-batch", type=WHOLE, help="Sequences that go through the model together.  [default: all are tried]"
)
@click.option(
    "--format",
    "number_format",
    type=click.Choice(tuple(FORMATS)),
    default="bf16",
    show_default=True,
    help="What layers multiply in, and how 8 bits are scaled.",
)
@click.option(
    "--framework",
    type=click.Choice((*trainer_ids(), IDEAL_TRAINER.name)),
    help="Whose time is among the numbers.  [default: megatron, maxtext on TPUs]",
)
@click.option(
    "--dispatcher",
    type=click.Choice(DISPATCHERS),
    default="alltoall",
    show_default=True,
    help="Sends tokens to experts.",
)
@click.option("--routing", type=click.Choice(ROUTINGS), help="Whether experts are given even loads.")
@click.option("--gradients", type=click.Choice(GRADIENTS), help="Sums of them.  [default: the framework's]")
@click.option(
    "--hide-dispatch", "hides_dispatch", is_flag=True, help="Tokens travel while another micro-batch computes."
)
@fidelity_option
@kernels_option
@price_option
@market_option(is_kept=True)
@click.option(
    "--electricity", "electricity_usd_per_j", type=ELECTRICITY, help="Its price beside that of chips: 0.08/kWh."
)
@click.option(
    "--pue",
    type=NumberRange(1, example=1.3),
    default=1.0,
    show_default=True,
    help=PUE_HELP,
)
@click.option(
    "--mtbf", "chip_mtbf_s", type=TIME, help="Between failures of one chip: 50000h.  [default: published runs']"
)
@click.option("--measured", "measured_s", type=TIME, help="A measured step, to hold beside the predicted one: 5.2s.")
@click.option("--count", "--top", "count", type=WHOLE, default="5", show_default=True, help="Layouts to show.")
@click.option(
    "--details", is_flag=True, help="Show every part of the step, what chips hold, and what one percent more does."
)
@figure_options("the first layout's pipeline")
@json_option
def command(
    *,
    model: Model,
    machine: Machine,
    as_json: bool,
    details: bool,
    figure: Path | None,
    theme: str | None,
    market: str | None,
    kernels: Path | None,
    **asked: Any,  # noqa: ANN401  as verbs.train has them
) -> None:
    """Find the fastest ways to train MODEL: layout, step time, memory, days, cost.

    With --layout that one is taken; several --chips set time against money.
    """
    refuse_theme_alone(figure, theme)
    if asked["measured_s"] is not None and asked["measured_s"] <= 0:
        raise click.BadParameter("must be above 0; write what was measured: 5.2s", param_hint="--measured")
    refuse_at_peaks(kernels, asked["fidelity"])
    if asked["chips"] is None and asked["layout"] is None:
        raise click.UsageError("Missing option '--chips': give those of the run, such as 1024, or a --layout of them")
    if figure is not None and asked["layout"] is not None:
        layout = TrainingLayout.from_text(asked["layout"])
        if layout.layout.pp == 1:  # said before anything is computed
            raise click.BadParameter(_one_stage(layout), param_hint="--figure")
    found = train(model, machine, kernels=kernels, **asked)
    refusal = "" if figure is None else _undrawable(found.plans[0].job)
    if figure is not None and not refusal:
        _draw(found.plans[0], figure, theme)
    if as_json:
        print_json(_document(found, {**asked, "market": market, "kernels": kernels}))
    else:
        show_training(found, chips_asked=asked["chips"] or (), details=details)
        say_kernels(kernels, machine)
    if refusal:
        raise click.BadParameter(refusal, param_hint="--figure")
    if not found.plans[0].fits:
        first = f"; {found.ways[0].option} does" if found.ways else ""
        raise click.ClickException(f"{found.plans[0].job.layout} does not fit in memory{first}")


def _one_stage(layout: TrainingLayout) -> str:
    """Refusal to draw the pipeline of a layout that has none."""
    return f"layout {layout} has one stage and no pipeline to draw; give one with pp2 or more, or leave this out"


def _undrawable(job: TrainingJob) -> str:
    """Reason why a job's pipeline cannot be drawn, and what to give instead; empty where it can."""
    if job.layout.layout.pp == 1:
        return _one_stage(job.layout)
    passes = job.micro_batches * job.layout.layout.pp * job.layout.virtual_stages
    if passes <= MOST_DRAWN:
        return ""
    return (
        f"{passes:,} passes are too fine to be seen; {MOST_DRAWN:,} are the most: draw a smaller batch, or alike stages"
        " with ridgeline schedules"
    )


def _draw(plan: TrainingPlan, path: Path, theme: str | None) -> None:
    """Draw the pipeline of a plan, stage by stage."""
    # The drawing library is an extra.
    from ridgeline.figures.schedule import schedule_figure  # noqa: PLC0415

    job = plan.job
    played = plan.timeline()
    title = f"{job.model.name} in {job.layout} on {job.machine.name}"
    subtitle = (
        f"{job.pipeline.name}, {job.micro_batches} micro-batches a step of {show(plan.time.step_time_s, 's')};"
        f" bubble {show(plan.time.bubble_fraction, 'fraction')}, the part of it in which the slowest stage waits"
    )
    draw_titled(
        partial(schedule_figure, played, step_s=plan.time.step_time_s),
        words=(title, subtitle, f"{job.pipeline.name}: {job.pipeline.source}."),
        path=path,
        theme=theme,
    )


def _document(found: Training, asked: Mapping[str, Any]) -> dict[str, Any]:
    """JSON document: the first plan's fields at the top, then all plans."""
    best = found.plans[0]
    job = best.job
    inputs = {
        "model": job.model.id,
        "machine": job.machine.id,
        **asked,
        "fidelity": job.fidelity.name,
        "chips": asked["chips"] or [job.layout.chips],
        "batch": job.batch,
        "usd_per_chip_s": found.usd_per_chip_s,
        "framework": job.trainer.name,
    }
    plans = [_of_run(plan, run) for plan, run in zip(found.plans, found.runs, strict=True)]
    return {
        "inputs": inputs,
        **plans[0],
        "plans": plans,
        "search": [
            {
                "chips": one.plans[0].job.layout.chips,
                "layouts": one.layouts,
                "too_large": one.too_large,
                "uneven": one.uneven,
                "timed": one.timed,
            }
            for one in found.found
        ],
        "elasticities": found.elasticities,
        "roomier": None if found.roomier is None else _of_run(*found.roomier),
        "expected": None if found.expected is None else dataclasses.asdict(found.expected),
        "why_not": found.why_not,
        "ways_to_fit": [{"option": way.option, "days": way.days, **_plan_document(way.plan)} for way in found.ways],
        "faster_ways": [
            {"option": way.option, "times_faster": way.times_faster, **_plan_document(way.plan)} for way in found.faster
        ],
        "framework_status": job.trainer.status,
        "notes": list(found.notes),
    }


def _of_run(plan: TrainingPlan, run: TrainingRun) -> dict[str, Any]:
    """JSON document of a plan with its run."""
    return {**_plan_document(plan), "run": dataclasses.asdict(run)}


def _plan_document(plan: TrainingPlan) -> dict[str, Any]:
    """JSON document of a plan of a training step."""
    low_s, high_s = plan.interval_s or (None, None)
    return {
        "layout": _layout_document(plan.job.layout),
        "schedule": plan.job.pipeline.id,
        "recompute": str(plan.job.recipe.recompute),
        "micro_batches": plan.job.micro_batches,
        "fits": plan.fits,
        "step_time_s": plan.time.step_time_s,
        "step_time_low_s": low_s,
        "step_time_high_s": high_s,
        "tokens_per_s": plan.tokens_per_s,
        "mfu_fraction": plan.mfu_fraction,
        "hfu_fraction": plan.hfu_fraction,
        "bubble_fraction": plan.time.bubble_fraction,
        "exposed_s": plan.exposed_s,
        "parts_s": plan.time.parts_s,
        "memory": {
            **dataclasses.asdict(plan.memory),
            "total_bytes": plan.memory.total_bytes,
            "room_bytes": plan.room_bytes,
        },
    }


def _layout_document(layout: TrainingLayout) -> dict[str, Any]:
    """JSON document of a layout's degrees, with its text."""
    own = dataclasses.asdict(layout)
    within = own.pop("layout")
    return {"text": str(layout), **{name: within[name] for name in ("tp", "pp", "cp")}, **own}
