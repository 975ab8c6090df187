"""All schedules side by side, with equal stages and micro-batches: bubble, activations, parameters and sends.

They show whether pipelining pays at equal memory: among the schedules whose activations and parameters fit, the one
with the smallest bubble wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ridgeline.training.schedules.play import Times, bubble_fraction, peaks
from ridgeline.training.schedules.schedule import Schedule, Shape
from ridgeline.training.schedules.schedules import SCHEDULES
from ridgeline.training.schedules.task import LongStepError, ScheduleError

__all__ = ["Compared", "StageTimes", "compare"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Properties of a schedule.

    Attributes:
        schedule: id of the schedule.
        virtual_stages: chunks that a device holds; rounds of an inference loop; null where there is no such shape.
        bubble_fraction: part of its own step that the busiest stage idles, where the next step follows without waiting
            for all stages.
        waiting_bubble_fraction: part of the step that the busiest stage idles where all stages wait for the last one
            before the optimizer's step.
        peak_micro_batches: micro-batches of which the fullest stage keeps activations, or caches.
        peak_over_1f1b: activations of the fullest stage over those of 1F1B.
        parameters_over_1f1b: parameters that a stage holds over those of 1F1B.
        sends_per_micro_batch: sends between devices, there and back.
        refusal: reason why there is no such shape, and the nearest that exists; empty where there is one.
    """

    schedule: str
    virtual_stages: int | None = None
    bubble_fraction: float | None = None
    waiting_bubble_fraction: float | None = None
    peak_micro_batches: float | None = None
    peak_over_1f1b: float | None = None
    parameters_over_1f1b: int | None = None
    sends_per_micro_batch: int | None = None
    refusal: str = ""


class StageTimes(NamedTuple):
    """Times of a micro-batch in all chunks of a stage, equal for every stage.

    Attributes:
        forward_s: forward pass, s.
        input_gradient_s: gradient that goes on to the stage before, s.
        weight_gradient_s: gradient of the stage's own parameters, s.
        hop_s: send from a device to another, s.
    """

    forward_s: float
    input_gradient_s: float
    weight_gradient_s: float
    hop_s: float

    def of(self, schedule: Schedule, virtual_stages: int | None = None) -> Times:
        """Times per chunk; each round of an inference loop passes all that a stage holds."""
        held = schedule.virtual_stages if virtual_stages is None else virtual_stages
        chunks = 1 if schedule.is_forward_only else held // schedule.directions
        return Times(
            forward_s=self.forward_s / chunks,
            input_gradient_s=self.input_gradient_s / chunks,
            weight_gradient_s=self.weight_gradient_s / chunks,
            hop_s=self.hop_s,
        )


def compare(
    *,
    stages: int,
    micro_batches: int,
    forward_s: float = 1.0,
    input_gradient_s: float = 1.0,
    weight_gradient_s: float = 1.0,
    hop_s: float = 0.0,
    virtual_stages: int | None = None,
) -> tuple[Compared, ...]:
    """Every schedule for equal stages; those without such a shape give the reason.

    Args:
        stages: devices of the pipeline.
        micro_batches: micro-batches of a step.
        forward_s: forward pass of a micro-batch through all that a stage holds, s.
        input_gradient_s: gradient of a micro-batch that goes on to the stage before, s.
        weight_gradient_s: gradient of a micro-batch for the stage's own parameters, s.
        hop_s: send from a device to another, s.
        virtual_stages: chunks a device where a schedule that trains has a choice.

    >>> for one in compare(stages=8, micro_batches=32)[1:5]:
    ...     print(one.schedule, f"{one.bubble_fraction:.3f}", one.peak_micro_batches, one.sends_per_micro_batch)
    1f1b 0.179 8.0 14
    interleaved 0.099 11.5 30
    zb-h1 0.068 8.0 14
    zb-h2 0.000 15.0 14
    """
    times = StageTimes(forward_s, input_gradient_s, weight_gradient_s, hop_s)
    return tuple(
        _compared(
            one,
            times,
            stages,
            micro_batches,
            virtual_stages if one.chooses_virtual_stages and not one.is_forward_only else None,
        )
        for one in SCHEDULES.values()
    )


def _compared(
    schedule: Schedule, times: StageTimes, stages: int, micro_batches: int, virtual_stages: int | None
) -> Compared:
    try:
        shape = schedule.shape(stages=stages, micro_batches=micro_batches, virtual_stages=virtual_stages)
    except ScheduleError as error:
        return Compared(schedule=schedule.id, refusal=str(error))
    counts = {"stages": stages, "micro_batches": micro_batches, "virtual_stages": shape.virtual_stages}
    of_chunks = times.of(schedule, shape.virtual_stages)
    try:
        own, waiting = (bubble_fraction(schedule, of_chunks, bypasses=bypasses, **counts) for bypasses in (True, False))
        peak = max(peaks(schedule, **counts))
    except LongStepError as error:
        return Compared(schedule=schedule.id, refusal=str(error))
    return Compared(
        schedule=schedule.id,
        virtual_stages=shape.virtual_stages,
        bubble_fraction=own,
        waiting_bubble_fraction=waiting,
        peak_micro_batches=peak,
        peak_over_1f1b=peak / min(stages, micro_batches),
        parameters_over_1f1b=schedule.directions,
        sends_per_micro_batch=_sends(schedule, shape),
    )


def _sends(schedule: Schedule, shape: Shape) -> int:
    """Sends between devices of a micro-batch, forward and, where there are gradients, backward."""
    way = schedule.devices(shape)[: shape.chunks // schedule.directions]
    there = sum(one != other for one, other in pairwise(way))
    return there if schedule.is_forward_only else 2 * there
