"""1F1B: as few forward passes as bring the first gradient back, then one backward and one forward in turn."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.training.schedules.schedule import Schedule, Shape
from ridgeline.training.schedules.task import Task
from ridgeline.training.schedules.turns import in_turn

__all__ = ["ONE_FORWARD_ONE_BACKWARD"]


def _tasks(device: int, shape: Shape) -> Iterator[Task]:
    return in_turn(chunk=device, micro_batches=shape.micro_batches, ahead=shape.stages - device)


ONE_FORWARD_ONE_BACKWARD = Schedule(
    id="1f1b",
    name="1F1B",
    aliases=("one-forward-one-backward", "pipedream-flush", "dapple"),
    source='Narayanan et al. 2019, "PipeDream"; with a flush after each step, Narayanan et al. 2021 (arXiv 2104.04473)',
    tasks=_tasks,
)
