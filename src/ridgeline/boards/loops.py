"""The loop of a decode pipeline as it is drawn: batches that go round stages, alike or not, for some tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import fsum

from ridgeline.boards.journeys import Batch, Loop
from ridgeline.boards.picture import Colour
from ridgeline.boards.scene import Cells, Gantt, Played
from ridgeline.boards.schedules import clock_of, ticks_of
from ridgeline.equations import pipelines
from ridgeline.quantity_text import format_quantity
from ridgeline.training.schedules import SCHEDULES, Run, Times, play

__all__ = ["ROUNDS", "loop"]

ROUNDS = 3
"""Tokens of each sequence that are drawn."""


def loop(
    times_s: Sequence[float],
    *,
    batches: int,
    name: str,
    idle_fraction: float,
    cells: Callable[[Sequence[Run]], Iterable[Cells]],
    colours: Sequence[Colour],
    dimension: str,
) -> Loop:
    """Loop in which every batch goes from the last stage to the first again, as soon as that is free.

    Args:
        times_s: times of a batch in each stage, s.
        batches: number of batches in flight.
        name: name of the schedule.
        idle_fraction: idle fraction of all stages' time, once the loop is full.
        cells: function that makes cells of the batches' visits.
        colours: colours of a batch's tokens, in turn.
        dimension: dimension of the time axis.
    """
    stages = len(times_s)
    times = Times(forward_s=[*times_s] * ROUNDS, input_gradient_s=0.0, weight_gradient_s=0.0)
    step = play(SCHEDULES["inference-loop"], times, stages=stages, micro_batches=batches, virtual_stages=ROUNDS)
    period_s = pipelines.loop_time_s(path_s=fsum(times_s), slowest_s=max(times_s), micro_batches=batches)
    # Up to where the first batch would begin another token: there the loop is still full.
    end_s = ROUNDS * float(period_s)
    begun = [run for run in step.runs if run.start_s < end_s]
    runs = [run._replace(end_s=min(run.end_s, end_s)) for run in begun]
    busy_s = fsum(run.end_s - run.start_s for run in runs)
    said = f"{format_quantity(idle_fraction, 'fraction')} idle"
    unit, per_s, digits = clock_of(end_s, dimension)
    played = Played(
        name=name,
        cells=tuple(cells(runs)),
        kept=(),
        span=end_s,
        bubble_fraction=1 - busy_s / (stages * end_s),
        idle_text=f"{said} once full",
        text=f"{said} once full",
    )
    return Loop(
        gantt=Gantt(
            stages=stages,
            played=(played,),
            end=end_s,
            ticks=ticks_of(end_s, dimension),
            numbered="batch",
            kept="",
            clock_unit=unit,
            clock_per_unit=per_s,
            clock_digits=digits,
            text=f"once full, {said}",
        ),
        batches=tuple(_batch(begun, number) for number in range(batches)),
        colours=tuple(colours),
        text=f"once full, {said}",
    )


def _batch(runs: Iterable[Run], number: int) -> Batch:
    """Visits of a batch, in the order of its way."""
    own = sorted((run for run in runs if run.micro_batch == number), key=lambda run: run.chunk)
    return Batch(starts=tuple(run.start_s for run in own), ends=tuple(run.end_s for run in own))
