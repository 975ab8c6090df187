"""V-Min: chunks as in ZB-V, timed so that about a third of 1F1B's activations are kept, the least that is known."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.training.schedules.building_block import repeated
from ridgeline.training.schedules.schedule import Schedule, Shape, folded
from ridgeline.training.schedules.task import Task

__all__ = ["V_MIN"]


def _tasks(device: int, shape: Shape) -> Iterator[Task]:
    """Every pass continues at once, there and back, and the gradient follows."""
    stages = shape.stages
    # Without it, passes of a multiple of three stages would meet in a slot.
    apart = 2 if stages % 3 == 0 else 0
    offsets = (
        device,
        2 * stages - 1 - device,
        2 * stages + apart + device,
        4 * stages - 1 + apart - device,
    )
    return repeated(offsets, (device, 2 * stages - 1 - device), shape.micro_batches)


V_MIN = Schedule(
    id="v-min",
    name="V-Min",
    aliases=("vmin",),
    source='Qi et al. 2024, "Pipeline Parallelism with Controllable Memory" (arXiv 2405.15362), section 3',
    tasks=_tasks,
    place=folded,
    virtual_stages=2,
    is_split=True,
)
