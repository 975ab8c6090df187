"""The inference loop: micro-batches go round the stages, one token a round; no gradients come back."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.training.schedules.schedule import Schedule, Shape, never
from ridgeline.training.schedules.task import Part, Task

__all__ = ["INFERENCE_LOOP"]

ROUNDS = 8
"""Rounds, in tokens, that are drawn by default."""


def _tasks(device: int, shape: Shape) -> Iterator[Task]:
    """Every micro-batch once a round; a virtual stage is a round over the same layers."""
    for number in range(shape.virtual_stages):
        for micro_batch in range(shape.micro_batches):
            yield Task(Part.FORWARD, micro_batch, number * shape.stages + device)


INFERENCE_LOOP = Schedule(
    id="inference-loop",
    name="inference loop",
    aliases=("inference", "loop"),
    source="the lecture at 0:58:00 (B9, B11)",
    tasks=_tasks,
    virtual_stages=ROUNDS,
    chooses_virtual_stages=True,
    is_forward_only=True,
    turn=never,
)
