"""Small pictures of time: schedules, and messages over links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ridgeline.boards.flows import Passage
from ridgeline.boards.scene import Gantt
from ridgeline.boards.thumbnails.look import Look
from ridgeline.boards.thumbnails.stroke import HEIGHT, WIDTH, Stroke, bar, curve

__all__ = ["gantt_strokes", "passage_strokes"]

MOST_ROWS = 16
"""Rows of a schedule that can be told apart; of more stages the first are drawn."""
SHARE = 0.8
"""Height of a row that is filled."""


def gantt_strokes(picture: Gantt) -> Iterator[Stroke]:
    """The first schedule: its passes by colour."""
    return _schedule(picture, picture.played[0].span)


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
