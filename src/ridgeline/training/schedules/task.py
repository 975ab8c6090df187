"""A task of a device: a part of the work on one micro-batch in one chunk of layers."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from ridgeline.errors import RidgelineError

__all__ = ["LongStepError", "Part", "ScheduleError", "Task"]


class ScheduleError(RidgelineError):
    """A schedule that is not possible, or an order of work that cannot be played."""


class LongStepError(ScheduleError):
    """A step with too many tasks to be played."""


class Part(IntEnum):
    """Parts of the work; a backward pass that is not split is both gradients in one."""

    FORWARD = 0
    BACKWARD = 1
    INPUT_GRADIENT = 2
    WEIGHT_GRADIENT = 3

    @property
    def text(self) -> str:
        """Name of the part in words.

        >>> Part.INPUT_GRADIENT.text
        'input gradient'
        """
        return self.name.lower().replace("_", " ")


class Task(NamedTuple):
    """One part of one micro-batch in one chunk.

    Attributes:
        part: part of the work.
        micro_batch: index from 0, separate for each direction.
        chunk: consecutive layers, counted from 0 along the way of a micro-batch.
        is_paired: whether a forward pass runs as one with the backward pass after it: both start when the inputs of
            both have arrived, and their outputs are sent when both are done.
    """

    part: Part
    micro_batch: int
    chunk: int
    is_paired: bool = False
