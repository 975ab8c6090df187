"""Pipeline schedules as they are drawn: a row for each device, a block for each part of the work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ridgeline.boards.picture import Block, Colour, Timeline
from ridgeline.boards.scale import LINEAR
from ridgeline.boards.scene import Cells, Gantt, Kept, Played, Tick
from ridgeline.quantity_text import format_quantity
from ridgeline.training.schedules import Part, peaks
from ridgeline.training.schedules import Timeline as Step

__all__ = ["COLOURS", "clock_of", "gantt", "ticks_of", "timeline"]

COLOURS = {
    Part.FORWARD: Colour.COMPUTE,
    Part.BACKWARD: Colour.ALSO,
    Part.INPUT_GRADIENT: Colour.ALSO,
    Part.WEIGHT_GRADIENT: Colour.WEIGHTS,
}

UPDATE_S = 1.0
"""Drawn length of the optimiser's step: a forward pass, so that a schedule ends on a whole column; it was not said."""

CLOCKS = ("s", 1.0), ("ms", 1e3), ("µs", 1e6)
LEAST_SHOWN, TENTHS_UNDER = 2, 100
"""Least range of a clock in its unit, and the range below which it shows tenths."""

ROOM_FOR_NUMBERS = 24
"""Shortest tasks in a row whose numbers can be read."""


def timeline(played: Step, *, room: float = ROOM_FOR_NUMBERS) -> Timeline:
    """A step as it was played, numbers of micro-batches in blocks where ``room`` of the shortest come into a row."""
    shortest_s = min(run.end_s - run.start_s for run in played.runs if run.end_s > run.start_s)
    has_numbers = played.span_s <= room * shortest_s
    kept = peaks(played.schedule, **played.shape._asdict())[0]
    return Timeline(
        rows=tuple(f"{row + 1}" for row in range(played.shape.stages)),
        blocks=tuple(
            Block(
                row=run.device,
                start=run.start_s,
                end=run.end_s,
                text=f"{run.micro_batch}" if has_numbers else "",
                colour=COLOURS[run.part],
            )
            for run in played.runs
        ),
        text=f"{format_quantity(played.bubble_fraction, 'fraction')} idle; stage 1 keeps {kept:g} at once",
    )


def gantt(steps: Iterable[Step], *, keeps: bool = True) -> Gantt:
    """Steps of the same work one above another, each up to the optimiser's step, before which no stage goes on.

    Args:
        steps: steps, from the top.
        keeps: whether the activations that stages keep are drawn, too.
    """
    steps = tuple(steps)
    longest = max(step.span_s for step in steps)
    return Gantt(
        stages=steps[0].shape.stages,
        played=tuple(_played(step, keeps=keeps) for step in steps),
        end=longest + UPDATE_S,
        ticks=ticks_of(longest, "count"),
        numbered="micro-batch",
        kept="micro-batches kept" if keeps else "",
        clock_unit="",
        clock_per_unit=1.0,
        clock_digits=1,
        text="idle: "
        + ", ".join(f"{step.schedule.name} {format_quantity(step.bubble_fraction, 'fraction')}" for step in steps),
    )


def _played(step: Step, *, keeps: bool) -> Played:
    kept = tuple(_kept(step, device) for device in range(step.shape.stages))
    share, most = format_quantity(step.bubble_fraction, "fraction"), max(one.peak for one in kept)
    return Played(
        name=step.schedule.name,
        cells=(*_passes(step), _update(step)),
        kept=kept if keeps else (),
        span=step.span_s,
        bubble_fraction=step.bubble_fraction,
        idle_text=f"{format_quantity(step.bubble_fraction, 'fraction', 2)} idle",
        text=f"{share} idle, keeps {most:g}" if keeps else f"{share} idle",
    )


def _passes(step: Step) -> Iterator[Cells]:
    """Passes by kind; kinds that a schedule does not have are left out."""
    for part in Part:
        runs = [run for run in step.runs if run.part is part]
        if runs:
            yield Cells(
                part=part.text,
                colour=COLOURS[part],
                rows=tuple(run.device for run in runs),
                starts=tuple(run.start_s for run in runs),
                ends=tuple(run.end_s for run in runs),
                numbers=tuple(run.micro_batch for run in runs),
            )


def _update(step: Step) -> Cells:
    stages, end = step.shape.stages, step.span_s
    return Cells(
        part="optimiser",
        colour=Colour.BOUND,
        rows=tuple(range(stages)),
        starts=(end,) * stages,
        ends=(end + UPDATE_S,) * stages,
        numbers=(),
    )


def _kept(step: Step, device: int) -> Kept:
    """Last level at each time, and the peak before anything is released."""
    levels = step.kept(device)
    last = dict(levels)
    return Kept(at=tuple(last), level=tuple(last.values()), peak=max(level for _, level in levels))


def ticks_of(end: float, dimension: str) -> tuple[Tick, ...]:
    """Round places on an axis of time that begins at zero."""
    return tuple(Tick(at=tick, text=format_quantity(tick, dimension)) for tick in LINEAR.ticks(0.0, end))


def clock_of(end: float, dimension: str) -> tuple[str, float, int]:
    """Form of a clock up to a time: its unit, such units in one of the axis, and decimals."""
    if dimension != "s":
        return "", 1.0, 1
    unit, per_s = next(((unit, per_s) for unit, per_s in CLOCKS if end * per_s >= LEAST_SHOWN), CLOCKS[-1])
    return unit, per_s, 0 if end * per_s >= TENTHS_UNDER else 1
