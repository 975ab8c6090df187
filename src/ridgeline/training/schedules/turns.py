"""Forward and backward in turn: the common part of GPipe, 1F1B, ZB-H1 and ZB-H2."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.training.schedules.task import Part, Task

__all__ = ["in_turn"]


def in_turn(*, chunk: int, micro_batches: int, ahead: int, behind: int = 0, is_split: bool = False) -> Iterator[Task]:
    """Forward passes ``ahead`` of the first backward pass, then backward and forward in turn, then what is left.

    Where the backward pass is split, weight gradients run ``behind`` micro-batches after the input gradients.

    >>> tasks = in_turn(chunk=0, micro_batches=3, ahead=2, behind=1, is_split=True)
    >>> " ".join(f"{task.part.name[0]}{task.micro_batch}" for task in tasks)
    'F0 F1 I0 F2 I1 W0 I2 W1 W2'
    """
    for number in range(min(ahead, micro_batches)):
        yield Task(Part.FORWARD, number, chunk)
    for number in range(micro_batches):
        yield Task(Part.INPUT_GRADIENT if is_split else Part.BACKWARD, number, chunk)
        if is_split and number >= behind:
            yield Task(Part.WEIGHT_GRADIENT, number - behind, chunk)
        if number + ahead < micro_batches:
            yield Task(Part.FORWARD, number + ahead, chunk)
    for number in range(max(0, micro_batches - behind), micro_batches if is_split else 0):
        yield Task(Part.WEIGHT_GRADIENT, number, chunk)
