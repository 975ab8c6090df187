"""ZB-H1: 1F1B whose weight gradients wait until they fill the end, in no more memory than 1F1B's first stage."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.training.schedules.schedule import Schedule, Shape
from ridgeline.training.schedules.task import Task
from ridgeline.training.schedules.turns import in_turn

__all__ = ["ZB_H1"]


def _tasks(device: int, shape: Shape) -> Iterator[Task]:
    """The later the stage, the fewer forward passes run ahead and the more weight gradients may wait."""
    return in_turn(
        chunk=device,
        micro_batches=shape.micro_batches,
        ahead=shape.stages - device,
        behind=device,
        is_split=True,
    )


ZB_H1 = Schedule(
    id="zb-h1",
    name="ZB-H1",
    aliases=("zb-1p", "zb1p", "zbh1"),
    source='Qi et al. 2023, "Zero Bubble Pipeline Parallelism" (arXiv 2401.10241), section 2.1',
    tasks=_tasks,
    is_split=True,
)
