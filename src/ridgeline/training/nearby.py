"""A layout beside the best one or beside those that fit: why it is slower, and changes that would make it fit."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from contextlib import suppress

from ridgeline.errors import RidgelineError
from ridgeline.quantity_text import format_apart
from ridgeline.specs.layout import LayoutError
from ridgeline.training.degrees import require_divides
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import ZERO_WEIGHTS, TrainingLayout
from ridgeline.training.plan import TrainingPlan
from ridgeline.training.recompute import Recompute, recomputes_of
from ridgeline.training.schedules import Schedule
from ridgeline.training.search import pipelines

__all__ = ["fastest_that_runs", "other_turns", "runs", "ways_to_fit", "why_not"]


def why_not(
    own: TrainingJob, best: TrainingPlan, recomputes: Sequence[Recompute], schedules: Sequence[Schedule] = ()
) -> str:
    """Clause on why a job is not the best, by the parts that make it slower.

    Args:
        own: job in its own layout.
        best: the best plan.
        recomputes: recompute modes, of which the fastest that fits is taken.
        schedules: schedules of which the layout may take the fastest, with its best number of parts; empty for its own.
    """
    recipes = [dataclasses.replace(own.recipe, recompute=one) for one in recomputes]
    plans = [dataclasses.replace(best, job=dataclasses.replace(own, recipe=recipe)) for recipe in recipes]
    fitting = [plan for plan in plans if plan.fits]
    if not fitting:
        least = min(plan.memory.total_bytes for plan in plans)
        room = plans[0].room_bytes
        needed, (of, _) = format_apart(least, (room, room), "bytes")
        return f"{own.layout} needs at least {needed} of a chip's {of}"
    alone = min(fitting, key=lambda one: one.time.step_time_s)
    plan = min([alone, *other_turns(alone, schedules, recomputes)], key=lambda one: one.time.step_time_s)
    slower = plan.time.step_time_s / best.time.step_time_s - 1
    said = f"{plan.job.layout} with recompute {plan.job.recipe.recompute}"
    if plan is not alone:
        said += f", its fastest way ({plan.job.pipeline.id}),"
        said = f"{alone.job.layout} takes {alone.time.step_time_s:.3g} s; {said}"
    said += f" takes {plan.time.step_time_s:.3g} s"
    if slower <= 0:
        return f"{said}: nothing speaks against it"
    names = {*plan.time.parts_s, *best.time.parts_s}
    more = {name: plan.time.parts_s.get(name, 0.0) - best.time.parts_s.get(name, 0.0) for name in names}
    first, second, *_ = sorted(more, key=lambda name: -more[name])
    parts = " and ".join(f"{name} {more[name]:+.2g} s" for name in (first, second) if more[name] > 0)
    return f"{said}, {100 * slower:.1f} % more than {best.job.layout}: {parts}"


def fastest_that_runs(plan: TrainingPlan, recomputes: Iterable[Recompute]) -> TrainingPlan | None:
    """A plan's layout with that recompute mode of several by which it is the fastest that runs; None if none does."""
    recipes = (dataclasses.replace(plan.job.recipe, recompute=one) for one in recomputes)
    tried = (dataclasses.replace(plan, job=dataclasses.replace(plan.job, recipe=recipe)) for recipe in recipes)
    return min(filter(runs, tried), key=lambda one: one.time.step_time_s, default=None)


def other_turns(
    plan: TrainingPlan, schedules: Iterable[Schedule], recomputes: Sequence[Recompute]
) -> list[TrainingPlan]:
    """A plan's degrees under each schedule and number of parts of the layers, each as fast as it runs.

    Args:
        plan: plan with pipeline stages.
        schedules: schedules to try.
        recomputes: recompute modes, of which the fastest that fits is taken.
    """
    job, found = plan.job, []
    for schedule, parts in pipelines(job, schedules, job.layout.layout.pp, job.micro_batches):
        layout = dataclasses.replace(job.layout, virtual_stages=parts)
        own = dataclasses.replace(plan, job=dataclasses.replace(job, layout=layout, schedule=schedule))
        found.append(fastest_that_runs(own, recomputes))
    return [one for one in found if one is not None]


def ways_to_fit(plan: TrainingPlan, *, recomputes: Sequence[Recompute] = ()) -> tuple[TrainingPlan, ...]:
    """Nearest changes to a plan that does not fit with which it does, the fastest first.

    Args:
        plan: plan that does not fit.
        recomputes: recompute modes of which another layout takes the fastest that fits; empty for the plan's own.
    """
    layout = plan.job.layout
    changed: list[tuple[TrainingLayout, Schedule | None]] = []
    if layout.micro_batch > 1:
        changed.append((dataclasses.replace(layout, micro_batch=layout.micro_batch // 2), plan.job.schedule))
    if layout.virtual_stages > 1:
        changed.append((dataclasses.replace(layout, virtual_stages=1), None))
    if not layout.spreads_weights and layout.state_chips > 1:
        changed.append((dataclasses.replace(layout, zero_stage=ZERO_WEIGHTS), plan.job.schedule))
    if layout.replicas % 2 == 0:
        for degree in ("tp", "pp", "cp"):
            with suppress(LayoutError):
                changed.append((layout.doubled(degree), plan.job.schedule))
    modes = recomputes or (plan.job.recipe.recompute,)
    others = [dataclasses.replace(plan.job, layout=other, schedule=schedule) for other, schedule in changed]
    found = [fastest_that_runs(dataclasses.replace(plan, job=job), modes) for job in others]
    found += [fastest_that_runs(plan, (recompute,)) for recompute in recomputes_of(plan.job.model)]
    return tuple(sorted((one for one in found if one is not None), key=lambda one: one.time.step_time_s))


def runs(plan: TrainingPlan) -> bool:
    """Whether a plan divides, fits, and lies evenly over the machine's domains."""
    try:
        require_divides(plan.job)
        plan.job.require_whole()
    except RidgelineError:
        return False
    return plan.fits and plan.is_placed
