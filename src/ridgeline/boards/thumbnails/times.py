"""Small pictures of time: schedules, batches round a loop, messages over links, trains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ridgeline.boards.colour import Colour
from ridgeline.boards.flows import Passage
from ridgeline.boards.journeys import Loop
from ridgeline.boards.scene import Gantt, Trains
from ridgeline.boards.thumbnails.look import Look
from ridgeline.boards.thumbnails.stroke import HEIGHT, WIDTH, Stroke, bar, cell, curve

__all__ = ["gantt_strokes", "loop_strokes", "passage_strokes", "trains_strokes"]

MOST_ROWS = 16
"""Rows of a schedule that can be told apart; of more stages the first are drawn."""
MOST_PASSES = 16
"""Passes of the last stage of a loop that are drawn: what follows repeats them."""
SHARE = 0.8
"""Height of a row that is filled."""


def gantt_strokes(picture: Gantt) -> Iterator[Stroke]:
    """The first schedule: its passes by colour."""
    return _schedule(picture, picture.played[0].span)


def loop_strokes(picture: Loop) -> Iterator[Stroke]:
    """The first rounds of a loop, over time."""
    (schedule, *_) = picture.gantt.played
    last = picture.gantt.stages - 1
    ends = sorted(
        end for cells in schedule.cells for row, end in zip(cells.rows, cells.ends, strict=True) if row == last
    )
    return _schedule(picture.gantt, ends[MOST_PASSES] if len(ends) > MOST_PASSES else schedule.span)


def _schedule(picture: Gantt, until: float) -> Iterator[Stroke]:
    rows = min(MOST_ROWS, picture.stages)
    high, wide = HEIGHT / rows, WIDTH / until
    for cells in picture.played[0].cells:
        passes = sorted(zip(cells.rows, cells.starts, cells.ends, strict=True))
        shown = [one for one in passes if one[0] < rows and one[1] < until]
        path = "".join(
            bar(wide * start, high * row, wide * min(until, end), high * (row + SHARE))
            for row, start, end in _joined(shown, 1 / wide)
        )
        yield Stroke(path=path, colour=cells.colour, look=Look.FILL)


def _joined(passes: Sequence[tuple[int, float, float]], gap: float) -> list[tuple[int, float, float]]:
    """Passes of which those of a row that follow one another within a gap are one."""
    found: list[tuple[int, float, float]] = []
    for row, start, end in passes:
        if found and found[-1][0] == row and start - found[-1][2] < gap:
            found[-1] = (row, found[-1][1], end)
        else:
            found.append((row, start, end))
    return found


def passage_strokes(picture: Passage) -> Iterator[Stroke]:
    """Places as rows over time, and messages from one to another."""
    rows = sum(len(strip.places) for strip in picture.strips)
    high, above = HEIGHT / rows, 0
    for strip in picture.strips:
        wide = WIDTH / strip.end
        for stay in strip.stays:
            top = high * (above + stay.row)
            path = bar(wide * stay.start, top, wide * stay.end, top + SHARE * high)
            yield Stroke(path=path, colour=stay.colour, look=Look.FILL)
        for message in strip.messages:
            ends = (message.start, message.start + message.long)
            rows_of = (above + message.row + SHARE / 2, above + message.to_row + SHARE / 2)
            sides = [
                (wide * ends[0], high * rows_of[0]),
                (wide * ends[1], high * rows_of[0]),
                (wide * (ends[1] + message.latency), high * rows_of[1]),
                (wide * (ends[0] + message.latency), high * rows_of[1]),
            ]
            yield Stroke(path=f"{curve(sides)}z", colour=message.colour, look=Look.FILL, strength=0.5)
        above += len(strip.places)


def trains_strokes(picture: Trains) -> Iterator[Stroke]:
    """Departures one below another: seats that are taken, and requests that are left behind."""
    rows = len(picture.departures)
    seats = [cell(row, 0, rows, 1) for row in range(rows)]
    yield Stroke(path="".join(seats), colour=Colour.ASIDE, look=Look.FILL, strength=0.25)
    most = max(departure.aboard + departure.left for departure in picture.departures)
    wide, high = WIDTH / max(picture.seats, most), HEIGHT / rows
    taken, left = [], []
    for row, departure in enumerate(picture.departures):
        top, full = high * row, wide * departure.aboard
        taken.append(bar(0, top, full, top + 0.75 * high))
        if departure.left:
            left.append(bar(full, top, full + wide * departure.left, top + 0.75 * high))
    yield Stroke(path="".join(taken), colour=Colour.COMPUTE, look=Look.FILL)
    if left:
        yield Stroke(path="".join(left), colour=Colour.KV, look=Look.FILL)
