"""V schedules from a building block: the times of one micro-batch's passes, repeated for the next ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ridgeline.training.schedules.task import Part, Task

__all__ = ["repeated"]

INTERVAL = 6
"""Slots from a micro-batch to the next: two chunks of three parts, each of a slot."""

PARTS = (Part.FORWARD, Part.FORWARD, Part.INPUT_GRADIENT, Part.INPUT_GRADIENT)


def repeated(offsets: tuple[int, int, int, int], chunks: tuple[int, int], micro_batches: int) -> Iterator[Task]:
    """A device's tasks in the order of their slots; weight gradients take the slots that are left, as they come.

    Args:
        offsets: first slots of the forward passes there and back, and of the input gradients there and back.
        chunks: chunk on the way there, and chunk on the way back.
        micro_batches: micro-batches of a step.
    """
    there, back = chunks
    on_the_way = (there, back, back, there)
    passes = sorted(
        (offset + INTERVAL * number, Task(part, number, chunk))
        for part, chunk, offset in zip(PARTS, on_the_way, offsets, strict=True)
        for number in range(micro_batches)
    )
    waiting: deque[Task] = deque()
    free = 0
    for slot, task in passes:
        for _ in range(min(slot - free, len(waiting))):
            yield waiting.popleft()
        yield task
        if task.part is Part.INPUT_GRADIENT:
            waiting.append(task._replace(part=Part.WEIGHT_GRADIENT))
        free = slot + 1
    yield from waiting
