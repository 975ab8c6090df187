"""ZB-V: two chunks a device, there and back, so that the first device is also the last; no bubble in 1F1B's memory."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.training.schedules.letters import spelled
from ridgeline.training.schedules.schedule import Schedule, Shape, folded
from ridgeline.training.schedules.task import Task

__all__ = ["ZB_V"]


def _tasks(device: int, shape: Shape) -> Iterator[Task]:
    """Tasks of as many micro-batches as fill the pipeline, without those that do not exist."""
    whole = max(shape.micro_batches, 2 * shape.stages - 1)
    return (task for task in _full(device, shape.stages, whole) if task.micro_batch < shape.micro_batches)


def _full(device: int, stages: int, micro_batches: int) -> Iterator[Task]:
    """Capital letters are the chunk on the way there, small ones that on the way back."""
    ahead = 2 * stages - 1 - device
    letters = "F" * (ahead - device) + "fF" * device + "fiW" * (stages - device)
    letters += "FIWfiW" * (micro_batches - ahead) + "IWfiW" * (ahead - stages)
    letters += "Ii" * device + "IW" * (stages - device) + "W" * (2 * device)
    return spelled(letters, capital=device, small=2 * stages - 1 - device)


ZB_V = Schedule(
    id="zb-v",
    name="ZB-V",
    aliases=("zbv", "v-zb"),
    source='Qi et al. 2023, "Zero Bubble Pipeline Parallelism" (arXiv 2401.10241), section 6',
    tasks=_tasks,
    place=folded,
    virtual_stages=2,
    is_split=True,
)
