"""Options that would make a plan's step faster in its own layout: another dispatch of tokens, schedule or format."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ridgeline.errors import RidgelineError
from ridgeline.specs.precision import Component
from ridgeline.training.asked import ARITHMETIC, Asked, asked_job, laid_out
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.nearby import other_turns, runs
from ridgeline.training.outcome import FasterWay
from ridgeline.training.plan import TrainingPlan
from ridgeline.training.recompute import Recompute, recomputes_of
from ridgeline.training.schedules.interleaved import INTERLEAVED
from ridgeline.training.usual import FORMATS

__all__ = ["faster_ways"]

WORTH_NAMING = 1.03
"""Smallest ratio of two steps' times at which an option is named: less lies within the error of any prediction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Option:
    """Option that is tried, with the field of ``Asked`` that it sets."""

    words: str
    name: str
    value: Any


DEFAULT_FORMAT = "bf16"

OF_CHECKPOINTS = {"fp8_block": "fp8-block", "fp8_row": "fp8-row", "fp8": "fp8"}
"""Format of training by that of published weights, for which it is known that the model bears it."""

OPTIONS = (
    _Option(words="--dispatcher deepep", name="dispatcher", value="deepep"),
    _Option(words="--hide-dispatch", name="hides_dispatch", value=True),
    _Option(words="--schedule zb-v", name="schedule", value="zb-v"),
    *(_Option(words=f"--format {one}", name="number_format", value=one) for one in FORMATS if one != DEFAULT_FORMAT),
)


def faster_ways(asked: Asked, best: TrainingPlan) -> tuple[FasterWay, ...]:
    """Options with which the best plan's layout takes less time, the fastest first; none that were asked for.

    Options are named together only where each of them saves time: with any one left out, the step takes at least
    ``WORTH_NAMING`` times as long.

    Args:
        asked: options of the run.
        best: fastest plan of the run.
    """
    if not best.fits:
        return ()
    left = [*(one for one in OPTIONS if _is_left(one, asked, best)), *_more_parts(asked, best)]
    times_faster, found = {frozenset[str](): 1.0}, []
    for several in _together(left):
        words = frozenset(one.words for one in several)
        plan = min(_plans(asked, best, several), key=lambda one: one.time.step_time_s, default=None)
        # Where nothing runs with some of them, they are compared with the best plan.
        times_faster[words] = 1.0 if plan is None else best.time.step_time_s / plan.time.step_time_s
        slowest = WORTH_NAMING * max(times_faster[words - {one}] for one in words)
        if plan is not None and times_faster[words] >= slowest:
            options = tuple(one.words for one in several)
            found.append(FasterWay(options=options, plan=plan, times_faster=times_faster[words]))
    return tuple(sorted(found, key=lambda one: -one.times_faster))


def _together(left: Sequence[_Option]) -> Iterator[tuple[_Option, ...]]:
    """Options that can be given together, the fewest first: a step has one schedule."""
    for count in range(1, len(left) + 1):
        for chosen in combinations(left, count):
            if sum(one.name in {"schedule", "layout"} for one in chosen) <= 1:
                yield chosen


def _more_parts(asked: Asked, best: TrainingPlan) -> Iterator[_Option]:
    """The given layout with the fastest number of parts of the layers; a search has tried them all."""
    if asked.layout is None or asked.schedule is not None or best.job.layout.layout.pp == 1:
        return
    modes = recomputes_of(best.job.model) if asked.recompute is None else (best.job.recipe.recompute,)
    tried = other_turns(best, (INTERLEAVED,), modes)
    layout = min(tried, key=lambda one: one.time.step_time_s).job.layout if tried else best.job.layout
    if layout != best.job.layout:
        yield _Option(words=f"--layout {layout}", name="layout", value=str(layout))


def _is_left(option: _Option, asked: Asked, best: TrainingPlan) -> bool:
    """Whether an option is not what is run, and makes a difference to such a run."""
    if option.name == "schedule":
        return asked.schedule is None and best.job.layout.layout.pp > 1
    if option.name == "number_format":
        return asked.number_format == DEFAULT_FORMAT and option.value == _published_format(asked)
    return asked.model.is_routed and getattr(asked, option.name) != option.value


def _published_format(asked: Asked) -> str | None:
    """8-bit format of training like that of the model's published weights; None without, or without the arithmetic."""
    if ARITHMETIC["fp8"] not in asked.machine.chip.flop_per_s:
        return None
    model = asked.model
    published = [*(model.precision.of(one).weight.name for one in Component), model.eight_bits]
    return next((own for name, own in OF_CHECKPOINTS.items() if name in published), None)


def _plans(asked: Asked, best: TrainingPlan, options: Sequence[_Option]) -> Iterator[TrainingPlan]:
    """Plans of the best one's degrees with other options that run, each with another recompute mode."""
    degrees, change = best.job.layout, {one.name: one.value for one in options}
    if "layout" in change:
        degrees = TrainingLayout.from_text(change["layout"])
    if "schedule" in change:
        # As many virtual stages as the other schedule has.
        degrees = dataclasses.replace(degrees, virtual_stages=1)
    other = dataclasses.replace(asked, chips=(), **change | {"layout": str(degrees)})
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
