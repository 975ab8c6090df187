"""V-Half: chunks as in ZB-V, timed so that about half of 1F1B's activations are kept."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.training.schedules.building_block import repeated
from ridgeline.training.schedules.schedule import Schedule, Shape, folded
from ridgeline.training.schedules.task import Task

__all__ = ["V_HALF"]


def _tasks(device: int, shape: Shape) -> Iterator[Task]:
    """Forward passes on the way there take two slots a stage, so that few are in flight."""
    stages = shape.stages
    # Without it, passes of an even number of stages would meet in a slot.
    apart = 3 if stages % 2 == 0 else 0
    offsets = (
        2 * device,
        3 * stages - 2 - device,
        3 * stages - 1 + apart + 2 * device,
        6 * stages - 2 + apart - device,
    )
    return repeated(offsets, (device, 2 * stages - 1 - device), shape.micro_batches)


V_HALF = Schedule(
    id="v-half",
    name="V-Half",
    aliases=("vhalf",),
    source='Qi et al. 2024, "Pipeline Parallelism with Controllable Memory" (arXiv 2405.15362), section 3',
    tasks=_tasks,
    place=folded,
    virtual_stages=2,
    is_split=True,
)
