"""A schedule as flat arrays: tasks of all devices in an order that respects their dependencies.

A task depends on its device's previous task and on at most one send: a forward pass on that of the chunk before, a
gradient on that of the chunk after. Anything else must have been done earlier on its own device, or the order is
refused.

While a pipeline is full, its tasks repeat, shifted by a turn of micro-batches. ``looped`` finds that turn once, so that
a step of any number of micro-batches is a head, some turns and a tail.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ridgeline.training.schedules.schedule import Schedule, Shape
from ridgeline.training.schedules.task import LongStepError, Part, ScheduleError

__all__ = ["WAIT", "Program", "Steps", "linear", "looped"]

WAIT = len(Part)
"""Kind of task besides the parts of the work: a device waits for the input of the second of two paired tasks."""
RECEIVES = (Part.BACKWARD, Part.INPUT_GRADIENT, WAIT)
"""Kinds of tasks that wait for a gradient."""


class Steps(NamedTuple):
    """Tasks one after another, in parallel arrays.

    Attributes:
        devices: device of each task.
        kinds: part and chunk of each: the part's number times all chunks, plus the chunk's.
        micro_batches: micro-batch of each task.
        backs: distance back to the task on another device whose output each receives; 0 for none.
    """

    devices: Sequence[int]
    kinds: Sequence[int]
    micro_batches: Sequence[int]
    backs: Sequence[int]

    def between(self, start: int, end: int | None) -> Steps:
        """Steps from one index to another."""
        return Steps(*(array[start:end] for array in self))


class Program(NamedTuple):
    """A step: its head, as many turns as its micro-batches need, and its tail.

    Attributes:
        head: steps until the pipeline is full.
        body: steps of one turn.
        tail: steps that remain.
        repeats: number of turns.
        reach: largest distance back from a turn, or the tail, to a task that it receives from.
    """

    head: Steps
    body: Steps
    tail: Steps
    repeats: int
    reach: int


NOTHING = Steps((), (), (), ())


def linear(schedule: Schedule, shape: Shape) -> Steps:
    """All tasks: each device works on until it waits for another.

    Raises:
        ScheduleError: a device waits for a task that never runs; the message names one.
    """
    chunks, micro_batches = shape.chunks, shape.micro_batches
    if chunks * micro_batches > MOST_PASSES:
        raise LongStepError(
            f"{schedule.id} of {shape.stages} stages and {micro_batches:,} micro-batches is too much to be played; give"
            f" at most {MOST_PASSES // chunks:,} micro-batches"
        )
    orders = [_order(schedule, shape, device) for device in range(shape.stages)]
    sources, is_far = _sources(schedule, shape)
    places = [-1] * (2 * chunks * micro_batches)  # of forward passes and input gradients that are done
    blocked: dict[int, int] = {}
    done = [0] * shape.stages
    devices: list[int] = []
    kinds: list[int] = []
    numbers: list[int] = []
    backs: list[int] = []
    ready = list(range(shape.stages - 1, -1, -1))
    while ready:
        device = ready.pop()
        order, at = orders[device], done[device]
        while at < len(order):
            part, number, chunk, is_paired = order[at]
            kind = part * chunks + chunk
            source = sources[kind]
            back = 0
            if source >= 0:
                place = places[source * micro_batches + number]
                if place < 0:
                    blocked[source * micro_batches + number] = device
                    break
                back = (len(devices) - place) * is_far[kind]
            if part < Part.WEIGHT_GRADIENT:
                mine = (chunk + chunks * (part != Part.FORWARD)) * micro_batches + number
                places[mine] = len(devices) + is_paired
                if mine in blocked:
                    ready.append(blocked.pop(mine))
            devices.append(device)
            kinds.append(kind)
            numbers.append(number)
            backs.append(back)
            at += 1
        done[device] = at
    for device, order in enumerate(orders):
        if done[device] < len(order):
            raise _waits(device, order[done[device]])
    return Steps(devices, kinds, numbers, backs)


def looped(schedule: Schedule, shape: Shape) -> Program:
    """A step with its repeated turns stored once; entirely head where it is short, or has no turns."""
    turn = schedule.turn(shape.stages)
    if turn:
        rest = shape.micro_batches % turn
        for pipelines in FULL_FROM:
            short = pipelines * shape.stages // turn * turn + rest
            if LONGER * short > shape.micro_batches:
                break
            if found := _turning(schedule, shape._replace(micro_batches=short), turn):
                return found._replace(repeats=(shape.micro_batches - short) // turn)
    whole = _whole if shape.chunks * shape.micro_batches <= MOST_KEPT else _whole.__wrapped__
    return whole(schedule, shape)


FULL_FROM = (4, 5, 6, 8)
"""Micro-batches per stage from which on a step is long enough to find a turn in."""
LONGER = 2
"""Length of a step, over two short ones, from which on a turn is sought."""
MOST_PASSES = 2_000_000
"""Maximum passes of a step that is played as a whole: a few seconds, and a gigabyte."""
MOST_KEPT = 20_000
"""Maximum passes of a step whose tasks are cached."""


LASTS = (1, 2, 1, 1, 0)
"""Time of each part, and of waiting, where forward passes and both gradients take equally long."""


@lru_cache(maxsize=64)
def _whole(schedule: Schedule, shape: Shape) -> Program:
    return Program(linear(schedule, shape), NOTHING, NOTHING, 0, 0)


@lru_cache(maxsize=256)
def _turning(schedule: Schedule, shape: Shape, turn: int) -> Program | None:
    """Head and tail of a step, and the turn between them in a longer one; None where none is found.

    Tasks are sorted by their starts with equal times for all parts: the input of each task was then sent before it, in
    the same turn or a fixed number of turns earlier, whatever the actual times.
    """
    shift = turn // schedule.directions
    short = _sorted(linear(schedule, shape), shape)
    longer = _sorted(linear(schedule, shape._replace(micro_batches=shape.micro_batches + turn)), shape)
    middle = shape.micro_batches // schedule.directions // 2
    first, end = (_place(longer, middle + number * shift) for number in range(2))
    body, after = longer.between(first, end), longer.between(end, 2 * end - first)
    tail = _later(longer.between(end, None), -shift)
    if _later(body, shift) != after or short != _joined(longer.between(0, first), tail):
        return None
    reach = max(back - place for part in (body, tail) for place, back in enumerate(part.backs))
    return Program(longer.between(0, first), body, tail, 0, reach)


def _place(steps: Steps, micro_batch: int) -> int:
    """Index of the step at which the first chunk starts a micro-batch."""
    return list(zip(steps.kinds, steps.micro_batches, strict=True)).index((0, micro_batch))


def _later(steps: Steps, shift: int) -> Steps:
    return steps._replace(micro_batches=[number + shift for number in steps.micro_batches])


def _joined(one: Steps, other: Steps) -> Steps:
    return Steps(*([*first, *second] for first, second in zip(one, other, strict=True)))


def _sorted(steps: Steps, shape: Shape) -> Steps:
    """Steps in the order of their starts, with equal times for all parts."""
    free: list[int] = [0] * shape.stages
    starts: list[int] = []
    ends: list[int] = []
    for device, kind, back in zip(steps.devices, steps.kinds, steps.backs, strict=True):
        start = max(free[device], ends[-back] if back else 0)
        free[device] = start + LASTS[kind // shape.chunks]
        starts.append(start)
        ends.append(free[device])
    order = sorted(range(len(starts)), key=lambda place: (starts[place], steps.devices[place]))
    now = [0] * len(order)
    for place, before in enumerate(order):
        now[before] = place
    backs = [now[before] - now[before - steps.backs[before]] for before in order]
    devices, kinds, numbers = ([array[before] for before in order] for array in steps[:3])
    return Steps(devices, kinds, numbers, backs)


def _order(schedule: Schedule, shape: Shape, device: int) -> list[tuple[int, int, int, bool]]:
    """A device's tasks, each after those that it needs on the same device; paired tasks wait for both inputs first."""
    order: list[tuple[int, int, int, bool]] = []
    done: set[tuple[bool, int, int]] = set()
    for task in schedule.tasks(device, shape):
        part, number, chunk, _ = task
        if part != Part.FORWARD and (part == Part.WEIGHT_GRADIENT, number, chunk) not in done:
            needs = Part.INPUT_GRADIENT if part == Part.WEIGHT_GRADIENT else Part.FORWARD
            raise ScheduleError(
                f"stage {device} takes micro-batch {number} {part.text} in chunk {chunk} before its {needs.text}; put"
                " that before it"
            )
        done.add((part != Part.FORWARD, number, chunk))
        if order and order[-1][3]:
            order.insert(-1, (WAIT, number, chunk, False))
        order.append(task)
    return order


def _sources(schedule: Schedule, shape: Shape) -> tuple[list[int], list[bool]]:
    """Source pass of each kind of task (gradients after all chunks, -1 for none), and whether on another device."""
    chunks, devices = shape.chunks, schedule.devices(shape)
    sources, is_far = [-1] * ((WAIT + 1) * chunks), [False] * ((WAIT + 1) * chunks)
    for chunk, device in enumerate(devices):
        before, after = schedule.before(chunk, shape), schedule.after(chunk, shape)
        for parts, source, first in (((Part.FORWARD,), before, 0), (RECEIVES, after, chunks)):
            if source is None:
                continue
            for part in parts:
                sources[part * chunks + chunk] = first + source
                is_far[part * chunks + chunk] = devices[source] != device
    return sources, is_far


def _waits(device: int, task: tuple[int, int, int, bool]) -> ScheduleError:
    part, number, chunk, _ = task
    what = (Part.BACKWARD if part == WAIT else Part(part)).text
    return ScheduleError(
        f"stage {device} waits for ever to take micro-batch {number} {what} in chunk {chunk}: what comes before it is"
        " never done; order each stage's work so that no two stages wait for each other"
    )
