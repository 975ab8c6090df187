"""A pipeline of unequal stages: bubble of the busiest while it fills and drains, and activations that each keeps.

It is in closed form where a schedule has one, with the mean of the other stages in place of equal stages; otherwise the
schedule is played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ridgeline.equations.pipelines import (
    flushed_bubble_s,
    interleaved_peak_micro_batches,
    peak_micro_batches,
    zb_h1_bubble_s,
    zb_h2_bubble_s,
)
from ridgeline.numeric import Numeric
from ridgeline.training.schedules import Schedule, Shape, Times, peaks, span_s

__all__ = ["StageParts", "chunk_times", "micro_batches_kept", "pipeline_bubble_s"]


class StageParts(NamedTuple):
    """Times of one micro-batch on a stage, all of its chunks together, s."""

    forward_s: float
    input_gradient_s: float
    weight_gradient_s: float

    @property
    def all_s(self) -> float:
        """Sum of forward and backward times, s."""
        return sum(self)


def _flushed(parts: StageParts, stages: int, virtual_stages: int) -> float:
    forward_s, input_gradient_s, weight_gradient_s = parts
    backward_s = input_gradient_s + weight_gradient_s
    return float(
        flushed_bubble_s(stages=stages, forward_s=forward_s, backward_s=backward_s, virtual_stages=virtual_stages)
    )


def _zb_h1(parts: StageParts, stages: int, _: int) -> float:
    return float(zb_h1_bubble_s(stages=stages, **parts._asdict()))


def _zb_h2(parts: StageParts, stages: int, _: int) -> float:
    return float(zb_h2_bubble_s(stages=stages, **parts._asdict()))


class _ClosedForm(NamedTuple):
    """Bubble of equal stages, and the number of micro-batches from which on it holds: ``a p + b``."""

    bubble_s: Callable[[StageParts, int, int], float]
    per_stage: int = 0
    more: int = 1


CLOSED_FORMS = {
    "gpipe": _ClosedForm(_flushed),
    "1f1b": _ClosedForm(_flushed),
    "interleaved": _ClosedForm(_flushed),
    "zb-h1": _ClosedForm(_zb_h1, per_stage=1, more=0),
    "zb-h2": _ClosedForm(_zb_h2, per_stage=2, more=-1),
}
"""Closed forms by the schedule's id."""


def pipeline_bubble_s(
    schedule: Schedule, stages: Sequence[StageParts], *, micro_batches: int, virtual_stages: int
) -> float:
    """Time for which the busiest stage waits for others, s.

    Args:
        schedule: pipeline schedule of the stages.
        stages: times of each stage for a micro-batch.
        micro_batches: micro-batches of a step.
        virtual_stages: chunks that a stage holds.

    Raises:
        ScheduleError: the schedule cannot have that shape.
    """
    if len(stages) == 1:
        return 0.0
    busiest = max(stages, key=lambda parts: parts.all_s)
    closed_form = CLOSED_FORMS.get(schedule.id)
    if closed_form is None or micro_batches < closed_form.per_stage * len(stages) + closed_form.more:
        return _played_s(schedule, stages, micro_batches, virtual_stages) - micro_batches * busiest.all_s
    others = len(stages) - 1
    mean = StageParts(*((sum(of_all) - own) / others for *of_all, own in zip(*stages, busiest, strict=True)))
    return closed_form.bubble_s(mean, len(stages), virtual_stages)


def _played_s(schedule: Schedule, stages: Sequence[StageParts], micro_batches: int, virtual_stages: int) -> float:
    shape = schedule.shape(stages=len(stages), micro_batches=micro_batches, virtual_stages=virtual_stages)
    return span_s(schedule, chunk_times(schedule, stages, shape), **shape._asdict(), bypasses=schedule.is_split)


def chunk_times(schedule: Schedule, stages: Sequence[StageParts], shape: Shape) -> Times:
    """Times in the form in which schedules are played: each stage's in equal parts over its chunks."""
    devices = schedule.devices(shape)
    of_chunks = ([stages[device][part] / shape.virtual_stages for device in devices] for part in range(3))
    forward_s, input_gradient_s, weight_gradient_s = of_chunks
    return Times(forward_s=forward_s, input_gradient_s=input_gradient_s, weight_gradient_s=weight_gradient_s)


@lru_cache(maxsize=4096)
def micro_batches_kept(
    schedule: Schedule, *, stages: int, micro_batches: int, virtual_stages: int
) -> tuple[float, ...]:
    """Micro-batches whose activations each stage keeps at its peak; a chunk counts as a part of one.

    Raises:
        ScheduleError: the schedule cannot have that shape.
    """
    if stages == 1:
        return (1.0,)
    kept = KEPT.get(schedule.id)
    if kept is None:
        return peaks(schedule, stages=stages, micro_batches=micro_batches, virtual_stages=virtual_stages)
    return tuple(float(kept(stages, stage, micro_batches, virtual_stages)) for stage in range(stages))


def _kept_by_1f1b(stages: int, stage: int, micro_batches: int, _virtual_stages: int) -> Numeric:
    return peak_micro_batches(stages=stages, stage=stage, micro_batches=micro_batches)


def _kept_by_interleaved(stages: int, stage: int, micro_batches: int, virtual_stages: int) -> Numeric:
    return interleaved_peak_micro_batches(
        stages=stages, stage=stage, micro_batches=micro_batches, virtual_stages=virtual_stages
    )


KEPT = {"1f1b": _kept_by_1f1b, "interleaved": _kept_by_interleaved}
"""Micro-batches that a stage keeps, by stages, its place, micro-batches and virtual stages, by schedule's id."""
