"""A training run from its step: the fastest layouts, or one that is given, with time, memory, money and energy."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from ridgeline.catalog.reliability import usual_reliability
from ridgeline.catalog.trainers import default_trainer, load_trainer
from ridgeline.errors import RidgelineError
from ridgeline.estimator.placement import UnevenError
from ridgeline.glossary import require_in_range
from ridgeline.quantity_text import counted
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.tariff import Tariff
from ridgeline.specs.trainer import IDEAL_TRAINER
from ridgeline.training.batch import sequences_of
from ridgeline.training.degrees import require_divides
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.nearby import ways_to_fit, why_not
from ridgeline.training.outcome import (
    NothingFitsError,
    Site,
    Training,
    elasticities,
    expected_of,
    run_of,
)
from ridgeline.training.plan import TrainingPlan, is_unmeasured
from ridgeline.training.recipe import DISPATCHERS
from ridgeline.training.recompute import NO_RECOMPUTE, Recompute, recomputes_of
from ridgeline.training.run import ChipPower
from ridgeline.training.schedules import SCHEDULES, Schedule, find_schedule
from ridgeline.training.search import Found, Space, search
from ridgeline.training.usual import FORMATS, usual_recipe

__all__ = ["Asked", "train"]

TIMED = tuple(one for one in SCHEDULES.values() if not one.is_forward_only and one.directions == 1)
"""Schedules of a training step; two directions hold all parameters twice, which no layout says."""

ARITHMETIC = dict.fromkeys(FORMATS, "fp8") | {"bf16": "bf16", "mxfp8": "fp4"}
"""What tells that a chip multiplies in a format; scales of 32 values came with arithmetic of 4 bits."""

HOUR_S = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What ``ridgeline.train`` is asked, names of parts as text.

    Attributes:
        model: what is trained.
        machine: where.
        chips: numbers of chips; empty for those of the layout.
        tokens: that the run is trained on.
        batch_tokens: tokens of a step, as they were given.
        sequence_tokens: tokens of a sequence.
        layout: the one that is taken; null where all are searched.
        why_not: a layout that is asked about.
        schedule: how stages take turns; null for 1F1B and interleaved.
        recompute: what a backward pass computes again; null for several that are tried.
        micro_batch: sequences that go through the model together; null for all powers of two.
        number_format: what layers multiply in, and how 8 bits are scaled.
        framework: whose time is among the numbers.
        dispatcher: what sends tokens to experts.
        routing: "balanced" or "natural"; null for the framework's.
        gradients: number format of summed gradients; null for the framework's.
        hides_dispatch: whether tokens travel to experts while another micro-batch computes.
        fidelity: resolution of the model of time.
        tariff: price of a chip.
        electricity_usd_per_j: price of electricity beside it, $/J.
        pue: power usage effectiveness of the site.
        chip_mtbf_s: mean time between failures of one chip, s; null for that of published runs.
        measured_s: a measured step, s.
        count: layouts that are shown.
    """

    model: Model
    machine: Machine
    chips: tuple[int, ...]
    tokens: float
    batch_tokens: float
    sequence_tokens: int
    layout: str | None
    why_not: str | None
    schedule: str | None
    recompute: str | None
    micro_batch: int | None
    number_format: str
    framework: str | None
    dispatcher: str
    routing: str | None
    gradients: str | None
    hides_dispatch: bool
    fidelity: Fidelity
    tariff: Tariff | None
    electricity_usd_per_j: float | None
    pue: float
    chip_mtbf_s: float | None
    measured_s: float | None
    count: int


def train(asked: Asked) -> Training:
    """The answer to what is asked.

    Raises:
        RidgelineError: a name, a number or a combination is refused; says what to give instead.
    """
    _require_sense(asked)
    batch, said = sequences_of(asked.batch_tokens, asked.sequence_tokens)
    job = _job(asked, batch)
    _require_arithmetic(asked)
    site = _site(asked)
    notes = [said, *_ignored(asked), *_notes(job), *_price_notes(asked), *site.reliability.notes, *asked.model.caveats]
    found: tuple[Found, ...] = ()
    if asked.layout is None:
        found, left_out = _searches(asked, job)
        notes += left_out
        plans = tuple(plan for one in found for plan in one.plans)
    else:
        plans = (_placed(TrainingPlan(job=_laid_out(asked, job, asked.layout))),)
        notes += _idle_schedule(asked, plans[0])
    best = plans[0]
    return Training(
        plans=plans,
        runs=tuple(run_of(plan, asked.tokens, site) for plan in plans),
        found=found,
        elasticities=elasticities(best),
        expected=None if asked.measured_s is None else expected_of(best, asked.measured_s),
        why_not="" if asked.why_not is None else _why_not(asked, asked.why_not, job, best),
        ways=() if best.fits else ways_to_fit(best),
        tokens=asked.tokens,
        usd_per_chip_s=None if asked.tariff is None else asked.tariff.usd_per_chip_s,
        notes=tuple(filter(None, notes)),
    )


def _require_sense(asked: Asked) -> None:
    """Refuse numbers out of range, and resolutions by which no step is timed."""
    require_in_range("train", "tokens", asked.tokens)
    for chips in asked.chips:
        require_in_range("train", "chips", chips)
    if not asked.fidelity.by_operation:
        raise RidgelineError(
            f"fidelity {asked.fidelity.name} times a pass by one formula, and no step of training; take roofline or"
            " measured. On a napkin a step is six FLOP a parameter and token over the chips' peak"
        )


def _require_arithmetic(asked: Asked) -> None:
    """Refuse formats that the chip has not."""
    chip, arithmetic = asked.machine.chip, ARITHMETIC[asked.number_format]
    if arithmetic not in chip.flop_per_s:
        what = "scales of 32 values" if asked.number_format == "mxfp8" else f"{arithmetic} arithmetic"
        raise RidgelineError(f"{chip.name} has no {what}, which training in {asked.number_format} takes; give bf16")


def _ignored(asked: Asked) -> Iterator[str]:
    """What is asked and makes no difference."""
    if asked.model.is_routed:
        return
    of_experts = {
        "dispatcher": asked.dispatcher != DISPATCHERS[0],
        "routing": asked.routing is not None,
        "hides_dispatch": asked.hides_dispatch,
    }
    if names := [name for name, is_given in of_experts.items() if is_given]:
        yield f"{asked.model.id} has no routed experts, for which {' and '.join(names)} would be"


def _idle_schedule(asked: Asked, plan: TrainingPlan) -> Iterator[str]:
    """A schedule for stages that are not there."""
    if asked.schedule is not None and plan.job.layout.layout.pp == 1:
        yield f"{plan.job.layout} has one stage, which schedule {asked.schedule} makes no difference to"


def _notes(job: TrainingJob) -> Iterator[str]:
    """What was not measured of the framework on such chips."""
    trainer, family = job.trainer, job.machine.family
    if trainer.name == IDEAL_TRAINER.name:
        return
    if is_unmeasured(job):
        yield f"no step of {trainer.name} was measured on {family or 'such'} chips: others' numbers stand for theirs"
    elif job.model.is_routed and family not in trainer.experts_factor:
        yield f"no routed model was fitted on {family} chips: experts take there what they take on other chips"


def _price_notes(asked: Asked) -> Iterator[str]:
    """Where the price is from, or what to do without; and energy."""
    if asked.tariff is None:
        cost = "no cost in dollars" if asked.electricity_usd_per_j is None else "the cost is electricity's alone"
        yield f"no price of {asked.machine.id} is listed, so {cost}; give one: --price '$2/h'"
    else:
        yield f"price: ${asked.tariff.usd_per_chip_s * HOUR_S:.3g}/h a chip ({asked.tariff.label})"
    if asked.machine.chip.power_w is None:
        yield f"the power of a {asked.machine.chip.name} is not known, so no energy"


def _searches(asked: Asked, job: TrainingJob) -> tuple[tuple[Found, ...], list[str]]:
    """The fastest for each number of chips, or several for one; and what is to be said of those that have none."""
    if not asked.chips:
        raise RidgelineError("training: how many chips? Give them, such as 1024, or a layout: tp8,pp16,dp8")
    count = asked.count if len(asked.chips) == 1 else 1
    found, said = [], []
    for chips in sorted(set(asked.chips)):
        try:
            one = search(job, chips, _space(asked), count=count)
        except LayoutError as error:
            said.append(str(error))
            continue
        if one.plans:
            found.append(one)
        else:
            said.append(_nothing(one, job, chips))
    if not found:
        raise NothingFitsError("; ".join(said))
    return tuple(found), said


def _why_not(asked: Asked, text: str, job: TrainingJob, best: TrainingPlan) -> str:
    """What keeps a layout from being the best."""
    try:
        own = _laid_out(dataclasses.replace(asked, chips=(best.job.layout.chips,)), job, text)
        return why_not(own, best, _space(asked).recomputes or recomputes_of(own.model))
    except RidgelineError as error:
        return str(error)


def _job(asked: Asked, batch: int) -> TrainingJob:
    """The step, in a layout that stands for those that are searched."""
    name = asked.framework or (IDEAL_TRAINER.name if asked.fidelity.at_peaks else default_trainer(asked.machine.family))
    trainer = load_trainer(name)
    return TrainingJob(
        model=asked.model,
        machine=asked.machine,
        layout=TrainingLayout(layout=Layout()),
        recipe=usual_recipe(
            name,
            number_format=asked.number_format,
            recompute=NO_RECOMPUTE if asked.recompute is None else Recompute.from_text(asked.recompute),
            dispatcher=asked.dispatcher,
            routing=asked.routing,
            gradients=asked.gradients,
            hides_dispatch=asked.hides_dispatch,
        ),
        trainer=trainer,
        sequence_tokens=asked.sequence_tokens,
        batch=batch,
        fidelity=asked.fidelity,
    )


def _space(asked: Asked) -> Space:
    return Space(
        schedules=_schedules(asked.schedule),
        recomputes=() if asked.recompute is None else (Recompute.from_text(asked.recompute),),
        micro_batches=() if asked.micro_batch is None else (asked.micro_batch,),
    )


def _schedules(name: str | None) -> tuple[Schedule, ...]:
    """Those that are searched."""
    schedule = _schedule(name)
    if schedule is not None:
        return (schedule,)
    return Space().schedules if name is None else TIMED


def _schedule(name: str | None) -> Schedule | None:
    """The one that is asked for; None where all or none are."""
    if name is None or name.strip().lower() == "all":
        return None
    schedule = find_schedule(name)
    if schedule not in TIMED:
        raise RidgelineError(
            f"schedule {schedule.id} is not timed in a training step; give one of"
            f" {', '.join(one.id for one in TIMED)}, or see it with ridgeline schedules"
        )
    return schedule


def _placed(plan: TrainingPlan) -> TrainingPlan:
    """The plan, or a refusal where its groups do not lie evenly over the machine's domains."""
    try:
        _ = plan.work
    except UnevenError as error:
        raise LayoutError(
            f"training layout {plan.job.layout}: {error}; give degrees of powers of two, or leave the layout out to"
            " search those that do"
        ) from None
    return plan


def _laid_out(asked: Asked, job: TrainingJob, text: str) -> TrainingJob:
    """The job in a layout."""
    layout = TrainingLayout.from_text(text)
    if asked.micro_batch is not None:
        if layout.micro_batch not in {1, asked.micro_batch}:
            raise LayoutError(
                f"training layout {layout} has mb={layout.micro_batch}, and --micro-batch {asked.micro_batch} is asked"
                " for; give one of them"
            )
        layout = dataclasses.replace(layout, micro_batch=asked.micro_batch)
    schedule = _schedule(asked.schedule)
    if layout.layout.pp == 1:
        schedule = None
    elif schedule is not None and layout.virtual_stages == 1:
        layout = dataclasses.replace(layout, virtual_stages=schedule.virtual_stages)
    if asked.chips and layout.chips not in asked.chips:
        chips, replica = asked.chips[0], layout.chips // layout.replicas
        fitting = f"dp{chips // replica} has as many" if chips % replica == 0 else f"its replicas have {replica:,} each"
        raise LayoutError(f"training layout {layout} has {layout.chips:,} chips, not {chips:,}; {fitting}")
    job = dataclasses.replace(job, layout=layout, schedule=schedule)
    require_divides(job)
    job.require_whole()
    return job


def _site(asked: Asked) -> Site:
    """What the run costs and meets: as published runs did, unless it is said."""
    reliability = usual_reliability(asked.machine.family)
    if asked.chip_mtbf_s is not None:
        # The first note says whose failures are taken.
        notes = ("failures: as given", *reliability.notes[1:])
        reliability = dataclasses.replace(reliability, chip_mtbf_s=asked.chip_mtbf_s, notes=notes)
    drawn_w = asked.machine.chip.power_w
    power = (
        None
        if drawn_w is None
        else ChipPower(power_w=drawn_w, pue=asked.pue, electricity_usd_per_j=asked.electricity_usd_per_j)
    )
    return Site(reliability=reliability, tariff=asked.tariff, power=power)


def _nothing(found: Found, job: TrainingJob, chips: int) -> str:
    """Why nothing was found."""
    head = f"none of {found.layouts:,} ways to train {job.model.id} on {counted(chips, 'chip')}"
    if found.smallest is None:
        return f"{head} lies evenly over the domains of {job.machine.id}; give a power of two"
    smallest, memory = found.smallest.job, found.smallest.memory
    return (
        f"{head} fits in memory; the smallest, {smallest.layout} with recompute {smallest.recipe.recompute}, needs"
        f" {memory.total_bytes / 1e9:.1f} GB of {found.smallest.room_bytes / 1e9:.1f} GB; give more chips, or such with"
        " more memory"
    )
