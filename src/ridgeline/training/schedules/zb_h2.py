"""ZB-H2: twice the forward passes of ZB-H1 ahead, which leave no bubble where all three parts take equally long.

The paper's ZB-2P is searched for with as much memory, at the actual times, and idles less where these differ much.
"""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.training.schedules.schedule import Schedule, Shape
from ridgeline.training.schedules.task import Task
from ridgeline.training.schedules.turns import in_turn

__all__ = ["ZB_H2"]


def _tasks(device: int, shape: Shape) -> Iterator[Task]:
    return in_turn(
        chunk=device,
        micro_batches=shape.micro_batches,
        ahead=2 * (shape.stages - device) - 1,
        behind=2 * device,
        is_split=True,
    )


ZB_H2 = Schedule(
    id="zb-h2",
    name="ZB-H2",
    aliases=("zb-2p", "zb2p", "zbh2"),
    source='Qi et al. 2023, "Zero Bubble Pipeline Parallelism" (arXiv 2401.10241), section 2.2',
    tasks=_tasks,
    is_split=True,
)
