"""GPipe: all forward passes, then all backward passes."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.training.schedules.schedule import Schedule, Shape, never
from ridgeline.training.schedules.task import Task
from ridgeline.training.schedules.turns import in_turn

__all__ = ["GPIPE"]


def _tasks(device: int, shape: Shape) -> Iterator[Task]:
    return in_turn(chunk=device, micro_batches=shape.micro_batches, ahead=shape.micro_batches)


GPIPE = Schedule(
    id="gpipe",
    name="GPipe",
    source='Huang et al. 2018, "GPipe" (arXiv 1811.06965)',
    tasks=_tasks,
    turn=never,
)
