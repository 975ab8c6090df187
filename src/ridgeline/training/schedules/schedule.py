"""A schedule: chunk placement on devices, and the order of their work."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ridgeline.training.schedules.task import ScheduleError, Task

__all__ = ["Schedule", "Shape", "around", "each", "folded", "never"]


class Shape(NamedTuple):
    """Size of a schedule.

    Attributes:
        stages: devices of the pipeline.
        micro_batches: micro-batches of a step, in all directions together.
        virtual_stages: chunks that a device holds.
    """

    stages: int
    micro_batches: int
    virtual_stages: int

    @property
    def chunks(self) -> int:
        """Chunks of all devices."""
        return self.stages * self.virtual_stages


def around(chunk: int, stages: int) -> int:
    """Device of a chunk where the last device sends to the first.

    >>> [around(chunk, 3) for chunk in range(6)]
    [0, 1, 2, 0, 1, 2]
    """
    return chunk % stages


def folded(chunk: int, stages: int) -> int:
    """Device of a chunk where the way turns round at the last device, or where two ways run in opposite directions.

    >>> [folded(chunk, 3) for chunk in range(6)]
    [0, 1, 2, 2, 1, 0]
    """
    return min(chunk, 2 * stages - 1 - chunk)


def each(stages: int) -> int:
    """A turn of one micro-batch."""
    return 1


def never(stages: int) -> int:
    """No turn."""
    return 0


def _nothing_to_refuse(shape: Shape) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Chunk placement on devices, and the order of their work.

    Attributes:
        id: id on the command line.
        name: name that its authors give it.
        source: reference of its publication.
        tasks: tasks of a device in order, by device and shape.
        aliases: alternative spellings of the id.
        place: device of a chunk, by chunk and number of devices.
        virtual_stages: chunks that a device holds, unless another number is given.
        chooses_virtual_stages: whether another number can be given.
        is_split: whether weight gradients have tasks of their own.
        is_forward_only: whether nothing is learnt.
        directions: ways through the devices, each over a copy of all parameters.
        turn: micro-batches after which the order repeats while the pipeline is full, by number of devices; 0 where it
            never does.
        refusal: reason why a shape is not possible, and the nearest possible one; empty where it is possible.
    """

    id: str
    name: str
    source: str
    tasks: Callable[[int, Shape], Iterable[Task]] = field(repr=False)
    aliases: tuple[str, ...] = ()
    place: Callable[[int, int], int] = field(default=around, repr=False)
    virtual_stages: int = 1
    chooses_virtual_stages: bool = False
    is_split: bool = False
    is_forward_only: bool = False
    directions: int = 1
    turn: Callable[[int], int] = field(default=each, repr=False)
    refusal: Callable[[Shape], str] = field(default=_nothing_to_refuse, repr=False)

    def shape(self, *, stages: int, micro_batches: int, virtual_stages: int | None = None) -> Shape:
        """Shape of the schedule, or a refusal that names the nearest possible one.

        Raises:
            ScheduleError: the shape is not possible.
        """
        held = self.virtual_stages if virtual_stages is None else virtual_stages
        if stages < 1 or micro_batches < 1 or held < 1:
            raise ScheduleError(
                f"{self.id} of {stages} stages, {micro_batches} micro-batches and {held} virtual stages does nothing;"
                " give at least one of each"
            )
        if held != self.virtual_stages and not self.chooses_virtual_stages:
            raise ScheduleError(
                f"{self.id} has {self.virtual_stages} chunks a device, not {held}; give virtual_stages"
                f" {self.virtual_stages} or none, or take interleaved"
            )
        shape = Shape(stages, micro_batches, held)
        if why := self.refusal(shape):
            raise ScheduleError(f"{self.id}: {why}")
        return shape

    def devices(self, shape: Shape) -> tuple[int, ...]:
        """Device of each chunk."""
        return tuple(self.place(chunk, shape.stages) for chunk in range(shape.chunks))

    def before(self, chunk: int, shape: Shape) -> int | None:
        """Chunk before a chunk; None where a micro-batch enters."""
        return None if chunk % (shape.chunks // self.directions) == 0 else chunk - 1

    def after(self, chunk: int, shape: Shape) -> int | None:
        """Chunk after a chunk; None where a micro-batch leaves."""
        return None if (chunk + 1) % (shape.chunks // self.directions) == 0 else chunk + 1
