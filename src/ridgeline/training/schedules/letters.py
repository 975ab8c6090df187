"""An order of work over two chunks, spelled in letters."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ridgeline.training.schedules.task import Part, Task

__all__ = ["spelled"]

PARTS = {"F": Part.FORWARD, "P": Part.FORWARD, "B": Part.BACKWARD, "I": Part.INPUT_GRADIENT, "W": Part.WEIGHT_GRADIENT}


def spelled(letters: str, *, capital: int, small: int) -> Iterator[Task]:
    """Tasks of two chunks: F forward, B whole backward, I input gradient, W the weight gradient that waits longest.

    P is a forward pass that runs as one with the task after it.

    >>> [f"{task.part.text} {task.chunk}" for task in spelled("FiIWW", capital=0, small=3)][2:]
    ['input gradient 0', 'weight gradient 3', 'weight gradient 0']
    """
    counts: dict[tuple[bool, bool], int] = {}
    waiting: deque[Task] = deque()
    for letter in letters:
        part = PARTS[letter.upper()]
        if part is Part.WEIGHT_GRADIENT:
            yield waiting.popleft()
            continue
        passed = (letter.isupper(), part is Part.FORWARD)
        number = counts.get(passed, 0)
        counts[passed] = number + 1
        task = Task(part, number, capital if letter.isupper() else small, letter in "Pp")
        if part is Part.INPUT_GRADIENT:
            waiting.append(task._replace(part=Part.WEIGHT_GRADIENT))
        yield task
