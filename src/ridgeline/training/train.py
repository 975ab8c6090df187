"""A training run from its step: the fastest layouts, or a given one, with time, memory, cost and energy."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import suppress

from ridgeline.catalog.trainers import trainer_uncertainty
from ridgeline.equations.training import scale_ratio
from ridgeline.errors import RidgelineError, UnservedError
from ridgeline.estimator.notes import length_caveat
from ridgeline.quantity_text import counted, format_apart, format_quantity
from ridgeline.seconds import HOUR_S
from ridgeline.specs.layout import LayoutError
from ridgeline.specs.tariff import unlisted
from ridgeline.specs.trainer import FITTED_CHIPS, IDEAL_TRAINER
from ridgeline.training.asked import Asked, asked_job, asked_site, asked_space, laid_out, open_schedules, require_sense
from ridgeline.training.batch import sequences_of
from ridgeline.training.faster import faster_ways
from ridgeline.training.fewer_chips import half_the_chips
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.nearby import fastest_that_runs, other_turns, ways_to_fit, why_not
from ridgeline.training.outcome import (
    FittingWay,
    Site,
    Training,
    elasticities,
    expected_of,
    run_of,
)
from ridgeline.training.plan import MEMORY_FRACTION, TIGHT_FRACTION, TrainingPlan, is_unmeasured
from ridgeline.training.recipe import DISPATCHERS
from ridgeline.training.recompute import recomputes_of
from ridgeline.training.search import Found, search
from ridgeline.training.stages import ENDS, is_even

__all__ = ["train"]

MOST_DOUBLINGS = 8
"""Times that a number of chips is doubled in search of one on which a run fits."""


def train(asked: Asked) -> Training:
    """Result for the given options.

    Raises:
        RidgelineError: a name, a number or a combination is invalid; the message says what to give instead.
    """
    require_sense(asked)
    batch, said = sequences_of(asked.batch_tokens, asked.sequence_tokens)
    job = asked_job(asked, batch)
    site = asked_site(asked)
    notes = [said, *_ignored(asked), *_notes(job), *_price_notes(asked), *site.reliability.notes, *asked.model.caveats]
    notes += [*asked.machine.unit_doubts, *length_caveat(asked.model, asked.sequence_tokens)]
    found: tuple[Found, ...] = ()
    if asked.layout is None:
        found, left_out = _searches(asked, job, said)
        notes += left_out
        plans = tuple(plan for one in found for plan in one.plans)
    else:
        plans, said_of_memory = _given(asked, job, asked.layout)
        notes = [*said_of_memory, *notes, *_idle_schedule(asked, plans[0])]
    notes += [*_parts_notes(plans), *_scale_note(plans)]
    best = plans[0]
    half = half_the_chips(best) if best.fits and len(asked.chips) <= 1 else None
    roomy = _roomier(asked, best) if asked.layout is None and best.is_tight else None
    return Training(
        plans=plans,
        runs=tuple(run_of(plan, asked.tokens, site) for plan in plans),
        found=found,
        elasticities=elasticities(best),
        expected=None if asked.measured_s is None else expected_of(best, asked.measured_s),
        why_not="" if asked.why_not is None else _why_not(asked, asked.why_not, job, best),
        fewer=None if half is None else (half, run_of(half, asked.tokens, site)),
        roomier=None if roomy is None else (roomy, run_of(roomy, asked.tokens, site)),
        ways=() if best.fits else tuple(_ways(asked, best, site)),
        faster=faster_ways(asked, best),
        tokens=asked.tokens,
        usd_per_chip_s=None if asked.tariff is None else asked.tariff.usd_per_chip_s,
        notes=tuple(filter(None, notes)),
    )


def _ignored(asked: Asked) -> Iterator[str]:
    """Notes on options without effect."""
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
    """Note on a schedule without stages."""
    if asked.schedule is not None and plan.job.layout.layout.pp == 1:
        yield f"{plan.job.layout} has one stage, which schedule {asked.schedule} makes no difference to"


def _notes(job: TrainingJob) -> Iterator[str]:
    """Notes on what was not measured of the framework on such chips."""
    trainer, family = job.trainer, job.machine.family
    if trainer.name == IDEAL_TRAINER.name:
        return
    if is_unmeasured(job):
        yield f"no step of {trainer.name} was measured on {family or 'such'} chips: others' numbers stand for theirs"
    elif job.model.is_routed and family not in trainer.experts_factor:
        yield f"no routed model was fitted on {family} chips: experts take there what they take on other chips"


def _parts_notes(plans: Sequence[TrainingPlan]) -> Iterator[str]:
    """Note on parts into which the layers alone do not divide, one for all such plans of a model."""
    cut = {(job.layout.layout.pp, job.layout.virtual_stages): len(job.layers) for job in (one.job for one in plans)}
    uneven = {
        (stages, virtual): layers
        for (stages, virtual), layers in cut.items()
        if virtual > 1 and layers % (stages * virtual) and is_even(layers, stages * virtual)
    }
    for layers in dict.fromkeys(uneven.values()):
        alike = [one for one, there in uneven.items() if there == layers]
        named = ", ".join(f"vpp{virtual} on pp{stages}" for stages, virtual in alike)
        sizes = dict.fromkeys(stages * virtual for stages, virtual in alike)
        parts = " or ".join(f"{one} parts of {counted((layers + ENDS) // one, 'layer')}" for one in sizes)
        yield (
            f"{named}: embedding and loss count as a layer each, so that {layers} layers are cut as {layers + ENDS},"
            f" into {parts}"
        )


def _scale_note(plans: Sequence[TrainingPlan]) -> Iterator[str]:
    """Note on what steps lose on more chips than most measured ones ran on."""
    trainer, chips = plans[0].job.trainer, max(plan.job.layout.chips for plan in plans)
    if trainer.scale_exponent and chips > FITTED_CHIPS:
        doubled = scale_ratio(chips=2, from_chips=1, exponent=trainer.scale_exponent) - 1
        rows = trainer_uncertainty()["shared.scale_exponent"].rows
        yield (
            f"loss at scale: a step lengthens by {100 * doubled:.1f} % with each doubling beyond {FITTED_CHIPS} chips,"
            f" as {rows} measured steps with the same work a chip did. The wait for the slowest chip is"
            f" counted by itself from {trainer.measured_chips} chips, whose wait every measured step has in it, up to"
            f" {FITTED_CHIPS}; beyond, it is a part of this loss"
        )
    if chips > trainer.most_chips > 1:
        yield f"no measured step of {trainer.name} ran on more than {trainer.most_chips:,} chips"


def _price_notes(asked: Asked) -> Iterator[str]:
    """Notes on the source of the price, or on doing without one, and on energy."""
    if asked.tariff is None:
        cost = "no cost in dollars" if asked.electricity_usd_per_j is None else "the cost is electricity's alone"
        yield unlisted(asked.machine.id, f", so {cost}")
    else:
        yield f"price: ${asked.tariff.usd_per_chip_s * HOUR_S:.3g}/h a chip ({asked.tariff.label})"
    if asked.machine.chip.power_w is None:
        yield f"the power of {asked.machine.chip.name} is not known, so no energy"


def _searches(asked: Asked, job: TrainingJob, batch_said: str) -> tuple[tuple[Found, ...], list[str]]:
    """Results for each number of chips, or several plans for one; and notes on numbers without a plan.

    Raises:
        UnservedError: no number of chips has a plan; the message says how many are enough, or how the batch was read.
    """
    if not asked.chips:
        raise RidgelineError("training: how many chips? Give them, such as 1024, or a layout: tp8,pp16,dp8")
    count = asked.count if len(asked.chips) == 1 else 1
    found, said, is_uneven = [], [], False
    for chips in sorted(set(asked.chips)):
        try:
            one = search(job, chips, asked_space(asked), count=count)
        except LayoutError as error:
            said.append(str(error))
            is_uneven = True
            continue
        if one.plans:
            found.append(one)
        else:
            said.append(_nothing(one, job, chips))
    if not found:
        enough = None if is_uneven else _enough_chips(asked, job)
        more = f"{enough:,} chips are enough" if enough is not None else batch_said if is_uneven else ""
        raise UnservedError("; ".join(filter(None, (*said, more))))
    return tuple(found), said


def _enough_chips(asked: Asked, job: TrainingJob) -> int | None:
    """The fewest chips, among powers of two, on which a layout fits, beyond those that were asked for."""
    chips = 1 << max(asked.chips).bit_length()
    for _ in range(MOST_DOUBLINGS):
        with suppress(LayoutError):
            if search(job, chips, asked_space(asked), count=1).plans:
                return chips
        chips *= 2
    return None


def _roomier(asked: Asked, best: TrainingPlan) -> TrainingPlan | None:
    """The fastest plan with room to spare on the chips of the best; None where there is none."""
    # Plans of one search need not have it: for equal degrees it keeps the fastest recompute mode alone.
    of_all = MEMORY_FRACTION * TIGHT_FRACTION
    found = search(best.job, best.job.layout.chips, asked_space(asked), count=1, memory_fraction=of_all)
    return dataclasses.replace(found.plans[0], memory_fraction=MEMORY_FRACTION) if found.plans else None


def _given(asked: Asked, job: TrainingJob, text: str) -> tuple[tuple[TrainingPlan], list[str]]:
    """Plan of the given layout, with the fastest recompute that fits where none was given; and a note on that."""
    plan, said_of_turns = _in_turns(asked, _placed(TrainingPlan(job=laid_out(asked, job, text))), text)
    if plan.fits or asked.recompute is not None:
        return (plan,), said_of_turns
    found = fastest_that_runs(plan, recomputes_of(job.model))
    if found is None:
        return (plan,), said_of_turns
    said = (
        f"recompute {found.job.recipe.recompute} is the fastest that fits; without any, a chip needs"
        f" {format_quantity(plan.memory.total_bytes, 'bytes')} of {format_quantity(plan.room_bytes, 'bytes')}"
        " (--recompute takes another)"
    )
    return (found,), [*said_of_turns, said]


def _in_turns(asked: Asked, plan: TrainingPlan, text: str) -> tuple[TrainingPlan, list[str]]:
    """Plan with the fastest parts and schedule that run, of those that the options leave open; and a note on that."""
    schedules = open_schedules(asked)
    if plan.job.layout.layout.pp == 1 or TrainingLayout.from_text(text).virtual_stages > 1 or not schedules:
        return plan, []
    modes = recomputes_of(plan.job.model) if asked.recompute is None else (plan.job.recipe.recompute,)
    tried = other_turns(plan, schedules, modes)
    if not tried:
        return plan, []
    found = min(tried, key=lambda one: one.time.step_time_s)
    parts = ", ".join(f"vpp{one.job.layout.virtual_stages}" for one in tried if one.job.layout.virtual_stages > 1)
    if len(schedules) > 1:
        of, other = f"{len(tried)} schedules and numbers of parts that fit", "--schedule takes another"
    else:
        of, other = f"{parts} that fit", "--layout with a vpp takes another"
    said = f"{found.job.pipeline.id} in {found.job.layout} is the fastest of {of} ({other})"
    mode = found.job.recipe.recompute
    is_other = mode != plan.job.recipe.recompute
    if is_other:
        said += f"; with recompute {mode}, the fastest that fits (--recompute takes another)"
    return found, [said] if is_other or len(tried) > 1 else []


def _ways(asked: Asked, best: TrainingPlan, site: Site) -> Iterator[FittingWay]:
    """Changes that make a given layout fit, by their options."""
    for way in ways_to_fit(best, recomputes=recomputes_of(asked.model) if asked.recompute is None else ()):
        words, before = [], best.job
        if way.job.layout != before.layout:
            words += _layout_options(asked, way.job.layout)
        if way.job.pipeline != before.pipeline and asked.schedule is not None:
            words += ["--schedule", way.job.pipeline.id]
        if way.job.recipe.recompute != before.recipe.recompute:
            words += ["--recompute", str(way.job.recipe.recompute)]
        yield FittingWay(option=" ".join(words), plan=way, days=run_of(way, asked.tokens, site).days)


def _layout_options(asked: Asked, layout: TrainingLayout) -> list[str]:
    """Options that give a layout, with its micro-batch where the given ones have it."""
    if asked.micro_batch is None:
        return ["--layout", str(layout)]
    words = ["--layout", str(dataclasses.replace(layout, micro_batch=1))]
    if layout.micro_batch != asked.micro_batch:
        words += ["--micro-batch", str(layout.micro_batch)]
    return words


def _why_not(asked: Asked, text: str, job: TrainingJob, best: TrainingPlan) -> str:
    """Clause on why a layout is not the best."""
    try:
        own = laid_out(dataclasses.replace(asked, chips=(best.job.layout.chips,)), job, text)
        space, is_cut = asked_space(asked), TrainingLayout.from_text(text).virtual_stages > 1
        schedules = () if own.layout.layout.pp == 1 or is_cut else space.schedules
        return why_not(own, best, space.recomputes or recomputes_of(own.model), schedules)
    except RidgelineError as error:
        return str(error)


def _placed(plan: TrainingPlan) -> TrainingPlan:
    """The plan; an error where its groups do not lie evenly over the machine's domains."""
    if plan.placement_fault:
        raise LayoutError(
            f"training layout {plan.job.layout}: {plan.placement_fault}; give degrees of powers of two, or leave the"
            " layout out to search those that do"
        )
    return plan


def _nothing(found: Found, job: TrainingJob, chips: int) -> str:
    """Message on why nothing was found."""
    head = f"none of {found.layouts:,} ways to train {job.model.id} on {counted(chips, 'chip')}"
    if found.smallest is None:
        return f"{head} lies evenly over the domains of {job.machine.id}; give a power of two"
    smallest, room = found.smallest.job, found.smallest.room_bytes
    needed, (of, _) = format_apart(found.smallest.memory.total_bytes, (room, room), "bytes")
    return (
        f"{head} fits in memory; the smallest, {smallest.layout} with recompute {smallest.recipe.recompute}, needs"
        f" {needed} a chip, which has room for {of}; give more chips, or chips with more memory"
    )
