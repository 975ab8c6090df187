"""Pipeline schedules as they are drawn: a row for each device, a block for each part of the work."""

from __future__ import annotations

from ridgeline.boards.picture import Block, Colour, Timeline
from ridgeline.quantity_text import format_quantity
from ridgeline.training.schedules import Part, peaks
from ridgeline.training.schedules import Timeline as Played

__all__ = ["COLOURS", "timeline"]

COLOURS = {
    Part.FORWARD: Colour.COMPUTE,
    Part.BACKWARD: Colour.BOUND,
    Part.INPUT_GRADIENT: Colour.BOUND,
    Part.WEIGHT_GRADIENT: Colour.WEIGHTS,
}

ROOM_FOR_NUMBERS = 24
"""Shortest tasks in a row whose numbers can be read."""


def timeline(played: Played, *, room: float = ROOM_FOR_NUMBERS) -> Timeline:
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
