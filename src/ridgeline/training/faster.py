"""Options that would make a plan's step faster in its own layout: another dispatch of tokens, another schedule."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ridgeline.errors import RidgelineError
from ridgeline.training.asked import Asked, asked_job, laid_out
from ridgeline.training.nearby import runs
from ridgeline.training.outcome import FasterWay
from ridgeline.training.plan import TrainingPlan
from ridgeline.training.recompute import Recompute, recomputes_of

__all__ = ["faster_ways"]

WORTH_NAMING = 1.03
"""Ratio of two steps' times from which on an option is named: less lies within the error of any of them."""


DISPATCH = {"dispatcher": "deepep", "hides_dispatch": True}
SCHEDULE = {"schedule": "zb-v"}
CHANGES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "--dispatcher deepep --hide-dispatch": DISPATCH,
        "--schedule zb-v": SCHEDULE,
        "--dispatcher deepep --hide-dispatch --schedule zb-v": DISPATCH | SCHEDULE,
    }
)
"""Options that are tried, with the fields of ``Asked`` that they set."""


def faster_ways(asked: Asked, best: TrainingPlan) -> tuple[FasterWay, ...]:
    """Options with which the best plan's layout takes less time, the fastest first; none that were asked for.

    Args:
        asked: options of the run.
        best: fastest plan of the run.
    """
    if not best.fits:
        return ()
    found = []
    for option, change in CHANGES.items():
        is_new = all(getattr(asked, name) != value for name, value in change.items())
        if not is_new or ("dispatcher" in change and not asked.model.is_routed):
            continue
        if "schedule" in change and (asked.schedule is not None or best.job.layout.layout.pp == 1):
            continue
        plan = min(_plans(asked, best, change), key=lambda one: one.time.step_time_s, default=None)
        if plan is not None:
            found.append(
                FasterWay(option=option, plan=plan, times_faster=best.time.step_time_s / plan.time.step_time_s)
            )
    worth = [one for one in found if one.times_faster >= WORTH_NAMING]
    return tuple(sorted(worth, key=lambda one: -one.times_faster))


def _plans(asked: Asked, best: TrainingPlan, change: Mapping[str, Any]) -> Iterator[TrainingPlan]:
    """Plans of the best one's degrees with other options that run, each with another recompute mode."""
    degrees = best.job.layout
    if "schedule" in change:
        # As many virtual stages as the other schedule has.
        degrees = dataclasses.replace(degrees, virtual_stages=1)
    other = dataclasses.replace(asked, chips=(), layout=str(degrees), **change)
    try:
        job = laid_out(other, asked_job(other, best.job.batch), str(degrees))
    except RidgelineError:
        return
    modes = recomputes_of(job.model) if asked.recompute is None else (Recompute.from_text(asked.recompute),)
    for recompute in dict.fromkeys((best.job.recipe.recompute, *modes)):
        recipe = dataclasses.replace(job.recipe, recompute=recompute)
        # Layers of the search were computed for its own dispatch, so that its table is no help.
        plan = TrainingPlan(job=dataclasses.replace(job, recipe=recipe), memory_fraction=best.memory_fraction)
        if runs(plan):
            yield plan
