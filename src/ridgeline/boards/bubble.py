"""The bubble of one training step, bracketed in its schedule; beside it, its share by the number of micro-batches.

Declarations alone, as those of ``scene``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.scene import Gantt

__all__ = ["Bubble"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bubble:
    """One schedule, with the gap of its first stage in a bracket, and the idle share by micro-batches.

    Attributes:
        gantt: schedule over time, without kept activations.
        gap_start: start of the first stage's gap on the time axis.
        gap_end: end of that gap.
        gap_text: length of the gap and of the step, in words.
        counts: numbers of micro-batches, ascending.
        idle: idle share of a stage's time with each of them.
        idle_text: each share in words.
        here: index of the number that the schedule has.
        text: summary in a few words.
    """

    gantt: Gantt
    gap_start: float
    gap_end: float
    gap_text: str
    counts: tuple[int, ...]
    idle: tuple[float, ...]
    idle_text: tuple[str, ...]
    here: int
    text: str
