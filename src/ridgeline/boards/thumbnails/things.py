"""Small pictures of things: a train, batches in a ring, rails that cross, memories that fill."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ridgeline.boards.colour import Colour
from ridgeline.boards.flows import Crossing, Halves
from ridgeline.boards.journeys import Loop
from ridgeline.boards.row_of_racks import RowOfRacks
from ridgeline.boards.scene import Trains
from ridgeline.boards.thumbnails.look import Look
from ridgeline.boards.thumbnails.stroke import HEIGHT, WIDTH, Stroke, bar, curve, disc
from ridgeline.boards.two_chips import TwoChips

__all__ = [
    "crossing_strokes",
    "loop_strokes",
    "rails_strokes",
    "row_of_racks_strokes",
    "trains_strokes",
    "two_chips_strokes",
]

CARS, CAR_ROWS, CAR_COLUMNS = 3, 3, 6
"""Cars of a train, and rows and columns of seats in each."""
MOST_WAITING = 24
"""Requests on the platform that can be told apart."""
SAMPLES = 12
"""Points of a curve that crosses another, or of an arc."""
MOST_WAYS = 8
"""Ways from a token to its experts that can be told apart."""
ROUNDS = 3
"""Rounds of a network of halves that are drawn: what follows repeats them."""


def trains_strokes(picture: Trains) -> Iterator[Stroke]:
    """The first train with its seats, and those who come for the next one."""
    wide, top, bottom = WIDTH / CARS, 12, 112
    cars = [(wide * car + 3, wide * (car + 1) - 3) for car in range(CARS)]
    hull = "".join(bar(left, top, right, bottom) for left, right in cars)
    yield Stroke(path=hull, colour=Colour.BOUND)
    wheels = "".join(disc(x, bottom + 7, 5) for left, right in cars for x in (left + 18, right - 18))
    yield Stroke(path=wheels + curve([(0, bottom + 13), (WIDTH, bottom + 13)]), colour=Colour.BOUND)
    seats = [
        (left + (right - left) * (column + 0.5) / CAR_COLUMNS, top + (bottom - top) * (row + 0.5) / CAR_ROWS)
        for row in range(CAR_ROWS)
        for left, right in reversed(cars)
        for column in reversed(range(CAR_COLUMNS))
    ]
    taken = round(len(seats) * picture.departures[0].aboard / picture.seats)
    yield Stroke(path="".join(disc(x, y, 6) for x, y in seats[:taken]), colour=Colour.ALSO, look=Look.FILL)
    yield Stroke(
        path="".join(disc(x, y, 6) for x, y in seats[taken:]), colour=Colour.ASIDE, look=Look.FILL, strength=0.25
    )
    coming = [came % 1 for came in picture.requests.came_periods if 1 <= came < 2]  # noqa: PLR2004  the second period
    few = coming[:: -(-len(coming) // MOST_WAITING)]
    yield Stroke(path="".join(disc(8 + (WIDTH - 16) * at, 152, 5) for at in few), colour=Colour.ALSO, look=Look.FILL)


def loop_strokes(picture: Loop) -> Iterator[Stroke]:
    """Stages as parts of a ring, and the batches in them while the first one is in the last stage."""
    stages, middle, out, within = picture.gantt.stages, (WIDTH / 2, HEIGHT / 2), 86.0, 60.0

    def at(turn: float, radius: float) -> tuple[float, float]:
        angle = 2 * math.pi * turn - math.pi / 2
        return middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)

    gap = 0.08 / stages
    for stage in range(stages):
        low, high = stage / stages + gap, (stage + 1) / stages - gap
        turns = [low + (high - low) * one / SAMPLES for one in range(SAMPLES + 1)]
        around = [*(at(turn, out) for turn in turns), *(at(turn, within) for turn in reversed(turns))]
        yield Stroke(path=f"{curve(around)}z", colour=Colour.ALSO, look=Look.FILL, strength=0.25)
    first = picture.batches[0]
    moment = (first.starts[stages - 1] + first.ends[stages - 1]) / 2
    places = (
        (start, end, stage)
        for batch in picture.batches
        for stage, (start, end) in enumerate(zip(batch.starts, batch.ends, strict=True))
        if start <= moment < end
    )
    dots = [
        at((stage % stages + (moment - start) / (end - start)) / stages, (out + within) / 2)
        for start, end, stage in places
    ]
    yield Stroke(path="".join(disc(x, y, 13) for x, y in dots), colour=Colour.ALSO, look=Look.FILL)


def rails_strokes(_picture: Halves) -> Iterator[Stroke]:
    """Two halves as rails that cross after each round, and f between them."""
    wide, upper, lower = WIDTH / ROUNDS, 34.0, 146.0
    for rail, colour in enumerate((Colour.ALSO, Colour.BOUND)):
        points = []
        for which in range(ROUNDS):
            ends = (upper, lower) if (which + rail) % 2 == 0 else (lower, upper)
            points.append((wide * which, ends[0]))
            for one in range(SAMPLES + 1):
                part = one / SAMPLES
                along = wide * (which + 0.55 + 0.45 * part)
                points.append((along, ends[0] + (ends[1] - ends[0]) * (1 - math.cos(math.pi * part)) / 2))
        yield Stroke(path=curve(points), colour=colour, look=Look.BOLD)
    middles = [wide * (which + 0.3) for which in range(ROUNDS)]
    yield Stroke(path="".join(curve([(x, upper), (x, lower)]) for x in middles), colour=Colour.COMPUTE)
    boxes = "".join(bar(x - 20, HEIGHT / 2 - 15, x + 20, HEIGHT / 2 + 15) for x in middles)
    yield Stroke(path=boxes + "".join(disc(x, lower, 8) for x in middles), colour=Colour.COMPUTE, look=Look.FILL)


def crossing_strokes(picture: Crossing) -> Iterator[Stroke]:
    """Two racks with ways to experts inside, the way from one to the other, and the times of both as bars."""
    foot, middle = 116.0, 60.0
    # Each rack: its sides, its experts and the token's chip.
    racks = ((2, 132, 18, 112), (WIDTH - 132, WIDTH - 2, WIDTH - 18, WIDTH - 112))
    yield Stroke(path="".join(bar(left, 4, right, foot) for left, right, _, _ in racks), colour=Colour.ASIDE)
    ways = [
        (expert, token, 12 + (foot - 20) * (one + 0.5) / MOST_WAYS)
        for _, _, expert, token in racks
        for one in range(min(MOST_WAYS, picture.copies))
    ]
    yield Stroke(path="".join(curve([(token, middle), (x, y)]) for x, token, y in ways), colour=Colour.LINKS)
    yield Stroke(path="".join(disc(x, y, 6) for x, _, y in ways), colour=Colour.LINKS, look=Look.FILL)
    yield Stroke(path=curve([(racks[0][3], middle), (racks[1][3], middle)]), colour=Colour.AWAY, look=Look.BOLD)
    for top, long, colour in ((128, picture.inside, Colour.LINKS), (156, 1.0, Colour.AWAY)):
        path = bar(0, top, WIDTH * long / picture.end, top + 18)
        yield Stroke(path=path, colour=colour, look=Look.FILL)


def row_of_racks_strokes(picture: RowOfRacks) -> Iterator[Stroke]:
    """Bytes on a chip, by the number of racks in a row."""
    wide, most = (
        WIDTH / len(picture.counts),
        max(sum(held) for held in zip(*(one.held for one in picture.parts), strict=True)),
    )
    base = [float(HEIGHT)] * len(picture.counts)
    for part in picture.parts:
        tops = [foot - HEIGHT * held / most for foot, held in zip(base, part.held, strict=True)]
        path = "".join(
            bar(wide * (which + 0.12), top, wide * (which + 0.88), foot)
            for which, (top, foot) in enumerate(zip(tops, base, strict=True))
        )
        yield Stroke(path=path, colour=part.colour, look=Look.FILL)
        base = tops


def two_chips_strokes(picture: TwoChips) -> Iterator[Stroke]:
    """Each chip with its memory and its arithmetic, filled by how much of a pass they are busy."""
    wide = WIDTH / len(picture.sides)
    for column, side in enumerate(picture.sides):
        left, longest = wide * column + 12, max(side.weights + side.kv, side.compute)
        memory, chip = (left, 10.0, left + 44, HEIGHT - 10.0), (left + 64, 50.0, left + 136, 130.0)
        yield Stroke(path=bar(*memory) + bar(*chip), colour=Colour.ASIDE)
        foot, parts = memory[3], ((side.weights, Colour.WEIGHTS), (side.kv, Colour.KV))
        for read, colour in parts:
            top = foot - (memory[3] - memory[1]) * read / longest
            yield Stroke(path=bar(memory[0], top, memory[2], foot), colour=colour, look=Look.FILL)
            foot = top
        busy = bar(chip[0], chip[3] - (chip[3] - chip[1]) * side.compute / longest, chip[2], chip[3])
        yield Stroke(path=busy, colour=Colour.COMPUTE, look=Look.FILL)
