"""Interleaved 1F1B: devices hold several chunks, and pass as many micro-batches as stages through each in turn."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.training.schedules.schedule import Schedule, Shape
from ridgeline.training.schedules.task import Part, Task
from ridgeline.training.schedules.turns import in_turn

__all__ = ["INTERLEAVED"]


def _tasks(device: int, shape: Shape) -> Iterator[Task]:
    stages, micro_batches, held = shape
    ahead = 2 * (stages - device - 1) + (held - 1) * stages + 1
    for task in in_turn(chunk=0, micro_batches=micro_batches * held, ahead=ahead):
        yield _pass(task.part, task.micro_batch, device, shape)


def _pass(part: Part, number: int, device: int, shape: Shape) -> Task:
    """A device's pass of that number: as many micro-batches as stages through each chunk, then through the next."""
    group, place = divmod(number, shape.chunks)
    held, micro_batch = divmod(place, shape.stages)
    if part is Part.BACKWARD:
        held = shape.virtual_stages - 1 - held
    return Task(part, group * shape.stages + micro_batch, held * shape.stages + device)


def _turn(stages: int) -> int:
    return stages


def _refusal(shape: Shape) -> str:
    if shape.virtual_stages == 1:
        return "takes at least 2 chunks a device; give virtual_stages 2, or take 1f1b"
    if over := shape.micro_batches % shape.stages:
        below, above = shape.micro_batches - over, shape.micro_batches - over + shape.stages
        nearest = f"{below} or {above}" if below else f"{above}"
        return (
            f"takes micro-batches in groups of as many as stages, and {shape.micro_batches} are no multiple of"
            f" {shape.stages}; give {nearest}"
        )
    return ""


INTERLEAVED = Schedule(
    id="interleaved",
    name="interleaved 1F1B",
    aliases=("1f1b-interleaved", "interleaved-1f1b", "1f1b-i", "vpp"),
    source='Narayanan et al. 2021, "Efficient Large-Scale Language Model Training" (arXiv 2104.04473), section 2.2',
    tasks=_tasks,
    virtual_stages=2,
    chooses_virtual_stages=True,
    turn=_turn,
    refusal=_refusal,
)
