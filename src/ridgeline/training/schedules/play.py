"""A schedule through time, for unequal stages: start of each task, time of the step, and activations kept.

A forward pass waits for the chunk before, an input gradient for the chunk after, and each task for its device's
previous one. Sends between devices take ``hop_s``, during which devices continue. Times are counted in whole ticks of
which every given time is a multiple, so that two ways to play a step give the same number, to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from ridgeline.training.schedules.program import WAIT, Program, Steps, linear, looped
from ridgeline.training.schedules.schedule import Schedule, Shape
from ridgeline.training.schedules.task import Part, ScheduleError

__all__ = ["Run", "Timeline", "Times", "bubble_fraction", "peaks", "play", "span_s"]

PerChunk = float | Sequence[float]
"""One number for every chunk, or one per chunk, along the way of a micro-batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Times of a micro-batch's work.

    Attributes:
        forward_s: forward pass through a chunk, s: one number, or one a chunk.
        input_gradient_s: gradient of a chunk's input, which goes on to the chunk before, s: one number, or one a chunk.
        weight_gradient_s: gradient of a chunk's own parameters, s; 0 where ``input_gradient_s`` has both.
        hop_s: send from a device to another, s.
        sends_overlap: whether a device works on while it sends.
    """

    forward_s: PerChunk
    input_gradient_s: PerChunk
    weight_gradient_s: PerChunk
    hop_s: float = 0.0
    sends_overlap: bool = True


class Run(NamedTuple):
    """A task as it was played.

    Attributes:
        device: device that did it, from 0.
        part: part of the work.
        micro_batch: index from 0; those of two directions in turn.
        chunk: consecutive layers, counted from 0 along the way of a micro-batch.
        start_s: start of the task from the step's start, s.
        end_s: end of the task from the step's start, s.
    """

    device: int
    part: Part
    micro_batch: int
    chunk: int
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """A step as it was played.

    Attributes:
        schedule: schedule that was played.
        shape: shape of the schedule.
        runs: all tasks, by start and then by device.
    """

    schedule: Schedule
    shape: Shape
    runs: tuple[Run, ...]

    @property
    def span_s(self) -> float:
        """Time from the step's start to its last end, where all wait for the optimizer's step, s."""
        return max(run.end_s for run in self.runs)

    @property
    def turnaround_s(self) -> float:
        """Longest of the devices' own steps, from first start to last end, s.

        It is the interval between steps where no device waits for all others before the optimizer's step. Zero bubble
        refers to these steps: norms and overflows have to be checked afterwards, and a step rolled back where they were
        wrong.
        """
        starts_s, ends_s = _reach(self.runs, self.shape.stages)
        return max(end_s - start_s for start_s, end_s in zip(starts_s, ends_s, strict=True))

    @property
    def work_s(self) -> tuple[float, ...]:
        """Time that each device works, s."""
        work = [0.0] * self.shape.stages
        for run in self.runs:
            work[run.device] += run.end_s - run.start_s
        return tuple(work)

    @property
    def idle_s(self) -> tuple[float, ...]:
        """Time up to the step's end in which each device does nothing, s."""
        span_s = self.span_s
        return tuple(span_s - work_s for work_s in self.work_s)

    @property
    def bubble_fraction(self) -> float:
        """Part of all devices' time up to the step's end in which they do nothing."""
        return sum(self.idle_s) / (self.shape.stages * self.span_s)

    def kept(
        self, device: int, *, chunk_bytes: PerChunk | None = None, kept_fraction: float = 1.0
    ) -> list[tuple[float, float]]:
        """Activations that a device keeps for backward passes: times of changes, s, and the amount from then on.

        Arguments as for ``peaks``.
        """
        changes = _changes(self.schedule, self.shape, chunk_bytes, kept_fraction)
        live, levels = 0.0, [(0.0, 0.0)]
        for run in self.runs:
            if run.device == device:
                live += changes[run.part * self.shape.chunks + run.chunk]
                levels.append((run.start_s if run.part is Part.FORWARD else run.end_s, live))
        return levels


def _reach(runs: Sequence[Run], stages: int) -> tuple[list[float], list[float]]:
    starts_s, ends_s = [float("inf")] * stages, [0.0] * stages
    for run in runs:
        starts_s[run.device] = min(starts_s[run.device], run.start_s)
        ends_s[run.device] = max(ends_s[run.device], run.end_s)
    return starts_s, ends_s


def play(
    schedule: Schedule, times: Times, *, stages: int, micro_batches: int, virtual_stages: int | None = None
) -> Timeline:
    """All tasks with their times: each starts once its device is free and its inputs have arrived.

    Args:
        schedule: schedule that is played.
        times: times of work and sends.
        stages: devices of the pipeline.
        micro_batches: micro-batches of a step.
        virtual_stages: chunks per device, where the schedule has a choice.

    Raises:
        ScheduleError: there is no such shape, or devices wait for each other; the message names one.

    >>> from ridgeline.training.schedules import find_schedule
    >>> times = Times(forward_s=1, input_gradient_s=1, weight_gradient_s=1)
    >>> played = play(find_schedule("gpipe"), times, stages=2, micro_batches=1)
    >>> [(run.device, run.part.text, run.start_s, run.end_s) for run in played.runs]
    [(0, 'forward', 0.0, 1.0), (1, 'forward', 1.0, 2.0), (1, 'backward', 2.0, 4.0), (0, 'backward', 4.0, 6.0)]
    """
    shape = schedule.shape(stages=stages, micro_batches=micro_batches, virtual_stages=virtual_stages)
    ticks = _Ticks.of(schedule, shape, times)
    steps = linear(schedule, shape)
    ends: list[int] = []
    _advance(ends, [0] * stages, steps, ticks)
    starts = [end - ticks.lasts[kind] for end, kind in zip(ends, steps.kinds, strict=True)]
    first = [start * stages + device for start, device in zip(starts, steps.devices, strict=True)]
    parts, each = tuple(Part), shape.chunks // schedule.directions
    runs = [
        Run(
            steps.devices[place],
            parts[steps.kinds[place] // shape.chunks],
            steps.micro_batches[place] * schedule.directions + steps.kinds[place] % shape.chunks // each,
            steps.kinds[place] % shape.chunks,
            starts[place] / ticks.per_s,
            ends[place] / ticks.per_s,
        )
        for place in sorted(range(len(ends)), key=first.__getitem__)
        if steps.kinds[place] < WAIT * shape.chunks
    ]
    return Timeline(schedule=schedule, shape=shape, runs=tuple(runs))


def span_s(
    schedule: Schedule,
    times: Times,
    *,
    stages: int,
    micro_batches: int,
    virtual_stages: int | None = None,
    bypasses: bool = False,
) -> float:
    """Time of a step, s: that of ``play``, without the timeline and much faster.

    Turns of a full pipeline are played until they differ from an earlier one only by a shift in time; from there on
    they always do, since all later times follow from those by sums and maxima. Turns that never repeat are played to
    the end.

    Args:
        schedule: schedule of the step.
        times: times of work and sends.
        stages: devices of the pipeline.
        micro_batches: micro-batches of a step.
        virtual_stages: chunks per device, where the schedule has a choice.
        bypasses: whether a device begins the next step without waiting for all others, as zero bubble needs it
            (``Timeline.turnaround_s``); else until the last device has ended.

    >>> from ridgeline.training.schedules import find_schedule
    >>> times = Times(forward_s=1, input_gradient_s=1, weight_gradient_s=1)
    >>> span_s(find_schedule("1f1b"), times, stages=8, micro_batches=1_000_000)
    3000021.0
    """
    shape = schedule.shape(stages=stages, micro_batches=micro_batches, virtual_stages=virtual_stages)
    return _span_s(schedule, shape, _Ticks.of(schedule, shape, times), bypasses=bypasses)


def _span_s(schedule: Schedule, shape: Shape, ticks: _Ticks, *, bypasses: bool) -> float:
    program = looped(schedule, shape)
    ends: list[int] = []
    free, starts = [0] * shape.stages, [0] * shape.stages
    _advance(ends, free, program.head, ticks)
    if bypasses:
        for place in range(len(ends) - 1, -1, -1):
            starts[program.head.devices[place]] = ends[place] - ticks.lasts[program.head.kinds[place]]
    _turn(ends, free, program, ticks)
    _advance(ends, free, program.tail, ticks)
    return max(end - start for start, end in zip(starts, free, strict=True)) / ticks.per_s


def _turn(ends: list[int], free: list[int], program: Program, ticks: _Ticks) -> None:
    """Play all turns, or skip them: the state is compared with a stored one at growing distances (Brent 1980)."""
    left, since, keep_for = program.repeats, 0, 1
    kept_at, kept = (ends[-1], _state(ends, free, program.reach)) if left else (0, ([], []))
    while left:
        _advance(ends, free, program.body, ticks)
        left, since = left - 1, since + 1
        if [one - ends[-1] for one in free] == kept[0] and _state(ends, free, program.reach) == kept:
            leap = (ends[-1] - kept_at) * (left // since)
            free[:] = [one + leap for one in free]
            first = max(0, len(ends) - program.reach)
            ends[first:] = [one + leap for one in ends[first:]]
            left, keep_for = left % since, 2 * left + 2
            kept = ([], [])
        elif since == keep_for:
            since, keep_for = 0, 2 * keep_for
            kept_at, kept = ends[-1], _state(ends, free, program.reach)


def _state(ends: list[int], free: list[int], reach: int) -> tuple[list[int], list[int]]:
    """All times that later tasks depend on, relative to the last end."""
    last = ends[-1]
    return [one - last for one in free], [one - last for one in ends[max(0, len(ends) - reach) :]]


def _advance(ends: list[int], free: list[int], steps: Steps, ticks: _Ticks) -> None:
    """Play the next tasks: append the end of each, and update when devices are free."""
    hop, append = ticks.hop, ends.append
    for device, back, last in zip(steps.devices, steps.backs, [ticks.lasts[kind] for kind in steps.kinds], strict=True):
        start = free[device]
        if back:
            ready = ends[-back] + hop
            if ready > start:
                start = ready
        free[device] = end = start + last
        append(end)


class _Ticks(NamedTuple):
    """Times in whole ticks: of each kind of task, of a send, and ticks per second."""

    lasts: list[int]
    hop: int
    per_s: int

    @classmethod
    def of(cls, schedule: Schedule, shape: Shape, times: Times) -> _Ticks:
        """Ticks of the given times."""
        forward, inputs, weights = (
            _of_chunks(schedule, shape, name, getattr(times, name))
            for name in ("forward_s", "input_gradient_s", "weight_gradient_s")
        )
        hop_s = _checked("hop_s", times.hop_s)
        if not any(chain(forward, [] if schedule.is_forward_only else [*inputs, *weights])):
            raise ScheduleError("forward_s, input_gradient_s and weight_gradient_s are all 0; give one that is not")
        per_s = max(one.as_integer_ratio()[1] for one in chain(forward, inputs, weights, [hop_s]))
        f, i, w = ([_ticks(one, per_s) for one in chunks] for chunks in (forward, inputs, weights))
        lasts = [*f, *(one + other for one, other in zip(i, w, strict=True)), *i, *w, *([0] * shape.chunks)]
        hop = _ticks(hop_s, per_s)
        if times.sends_overlap:
            return cls(lasts, hop, per_s)
        devices = schedule.devices(shape)
        for chunk, device in enumerate(devices):
            for parts, to in (
                ((Part.FORWARD,), schedule.after(chunk, shape)),
                ((Part.BACKWARD, Part.INPUT_GRADIENT), schedule.before(chunk, shape)),
            ):
                if to is not None and devices[to] != device:
                    for part in parts:
                        lasts[part * shape.chunks + chunk] += hop
        return cls(lasts, 0, per_s)


def _ticks(time_s: float, per_s: int) -> int:
    numerator, denominator = time_s.as_integer_ratio()
    return numerator * (per_s // denominator)


def _of_chunks(schedule: Schedule, shape: Shape, name: str, given: PerChunk) -> list[float]:
    """One number per chunk; a second direction repeats the first's."""
    each = shape.chunks // schedule.directions
    numbers = [given] * each if isinstance(given, (int, float)) else list(given)
    if len(numbers) != each:
        raise ScheduleError(
            f"{name} has {len(numbers)} numbers, and {schedule.id} of {shape.stages} stages has {each} chunks; give one"
            " number, or one a chunk along the way of a micro-batch"
        )
    return [_checked(name, number) for number in numbers] * schedule.directions


def _checked(name: str, number: float) -> float:
    if not 0 <= number < float("inf"):
        raise ScheduleError(f"{name} of {number} is none; give a finite number from 0 on")
    return float(number)


def bubble_fraction(
    schedule: Schedule,
    times: Times,
    *,
    stages: int,
    micro_batches: int,
    virtual_stages: int | None = None,
    bypasses: bool = False,
) -> float:
    """Part of all devices' time in a step in which they do nothing; arguments as for ``span_s``.

    >>> from ridgeline.training.schedules import find_schedule
    >>> times = Times(forward_s=1, input_gradient_s=1, weight_gradient_s=1)
    >>> bubble_fraction(find_schedule("1f1b"), times, stages=4, micro_batches=4)
    0.43
    """
    shape = schedule.shape(stages=stages, micro_batches=micro_batches, virtual_stages=virtual_stages)
    ticks = _Ticks.of(schedule, shape, times)
    parts = (Part.FORWARD,) if schedule.is_forward_only else (Part.FORWARD, Part.BACKWARD)
    work = sum(sum(ticks.lasts[part * shape.chunks : (part + 1) * shape.chunks]) for part in parts)
    work_s = work * micro_batches / schedule.directions / ticks.per_s
    return 1 - work_s / (stages * _span_s(schedule, shape, ticks, bypasses=bypasses))


def peaks(
    schedule: Schedule,
    *,
    stages: int,
    micro_batches: int,
    virtual_stages: int | None = None,
    chunk_bytes: PerChunk | None = None,
    kept_fraction: float = 1.0,
) -> tuple[float, ...]:
    """Peak of each device's activations kept for backward passes, from the start of a forward pass on.

    It does not depend on times, since each device has a fixed order. An inference loop keeps its caches: they grow with
    each round, and none is released.

    Args:
        schedule: schedule of the step.
        stages: devices of the pipeline.
        micro_batches: micro-batches of a step.
        virtual_stages: chunks per device, where the schedule has a choice.
        chunk_bytes: activations of a micro-batch in a chunk, bytes: one number, or one a chunk; left out, micro-batches
            are counted, each as one in all chunks of a way through that a device holds.
        kept_fraction: part of them that the weight gradient needs, kept from the input gradient until then.

    >>> from ridgeline.training.schedules import find_schedule
    >>> peaks(find_schedule("1f1b"), stages=4, micro_batches=9)
    (4.0, 3.0, 2.0, 1.0)
    >>> peaks(find_schedule("interleaved"), stages=4, micro_batches=8)
    (5.5, 4.5, 3.5, 2.5)
    """
    shape = schedule.shape(stages=stages, micro_batches=micro_batches, virtual_stages=virtual_stages)
    changes = _changes(schedule, shape, chunk_bytes, kept_fraction)
    program = looped(schedule, shape)
    live, most = [0.0] * stages, [0.0] * stages
    for device, kind in zip(
        chain(program.head.devices, program.tail.devices), chain(program.head.kinds, program.tail.kinds), strict=True
    ):
        live[device] += changes[kind]
        most[device] = max(most[device], live[device])
    return tuple(most)


def _changes(schedule: Schedule, shape: Shape, chunk_bytes: PerChunk | None, kept_fraction: float) -> list[float]:
    """Change in kept activations by each kind of task."""
    if not 0 <= kept_fraction <= 1:
        raise ScheduleError(f"kept_fraction of {kept_fraction} is no part; give a number from 0 to 1")
    given = schedule.directions / shape.virtual_stages if chunk_bytes is None else chunk_bytes
    each = _of_chunks(schedule, shape, "chunk_bytes", given)
    return [
        *each,
        *(-one for one in each),
        *(-one * (1 - kept_fraction) for one in each),
        *(-one * kept_fraction for one in each),
        *([0.0] * shape.chunks),
    ]
