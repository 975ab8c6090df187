"""Small pictures of lines: curves over one axis, facets, beliefs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.board import View
from ridgeline.boards.flows import Facets
from ridgeline.boards.picture import Axis, Curves, Dots, Line
from ridgeline.boards.thumbnails.look import Look
from ridgeline.boards.thumbnails.stroke import HEIGHT, WIDTH, Stroke, bar, curve, disc

__all__ = ["beliefs_strokes", "curves_strokes", "facets_strokes"]

POINTS = 60
"""Points of a line: as many as its bends can be seen by."""
BEYOND = 80
"""Units that a line may leave the sheet by: what is farther is cut off, and need not be written."""
DOT, MARK = 4, 6
"""Radius of a dot and of a mark, units."""
GROUND = 0.1
"""Strength of the ground below the bold line."""
COLUMNS = 3
"""Facets side by side."""
ROW_PART = 0.9
"""Height of a belief in parts of its row."""


def curves_strokes(picture: Curves, view: View) -> Iterator[Stroke]:
    """Lines, dots and marks in the frame that the board has by itself; what the board is about stands on a ground."""
    ends = _ends(picture)
    upright = picture.ends(view.y)
    for line in picture.lines:
        ground = _corners(picture, line, view, ends, upright) if line.is_bold else []
        if ground:
            path = curve([*ground, (ground[-1][0], float(HEIGHT)), (ground[0][0], float(HEIGHT))])
            yield Stroke(path=f"{path}z", colour=line.colour, look=Look.FILL, strength=GROUND)
    for line in sorted(picture.lines, key=lambda line: line.is_bold):
        look = Look.BOLD if line.is_bold else Look.LEVEL if line.is_floor else Look.LINE
        yield Stroke(path=_line(picture, line, view, ends, upright), colour=line.colour, look=look)
    for dots in picture.dots:
        path = "".join(_dot(dots, which, view, ends, upright) for which in range(len(dots.x)))
        yield Stroke(path=path, colour=dots.colour, look=Look.FILL)
    for mark in picture.marks:
        x, y = WIDTH * _part(mark.x, ends, view.x), _y(mark.y, upright, view.y)
        if not mark.is_quiet and 0 <= x <= WIDTH and 0 <= y <= HEIGHT:
            yield Stroke(path=disc(x, y, MARK), colour=mark.colour, look=Look.FILL)


def _ends(picture: Curves) -> tuple[float, float]:
    along = [*picture.x, *(x for dots in picture.dots for x in dots.x)]
    return float(min(along)), float(max(along))


def _line(picture: Curves, line: Line, view: View, ends: tuple[float, float], upright: tuple[float, float]) -> str:
    return curve(_corners(picture, line, view, ends, upright))


def _corners(
    picture: Curves, line: Line, view: View, ends: tuple[float, float], upright: tuple[float, float]
) -> list[tuple[float, float]]:
    which = np.unique(np.linspace(0, len(picture.x) - 1, POINTS).round().astype(int))
    return [
        (WIDTH * _part(picture.x[at], ends, view.x), _y(line.y[at], upright, view.y))
        for at in which
        if math.isfinite(line.y[at])
    ]


def _dot(dots: Dots, which: int, view: View, ends: tuple[float, float], upright: tuple[float, float]) -> str:
    x, y = WIDTH * _part(dots.x[which], ends, view.x), _y(dots.y[which], upright, view.y)
    return disc(x, y, DOT)


def _y(value: float, ends: tuple[float, float], axis: Axis) -> float:
    return min(HEIGHT + BEYOND, max(-BEYOND, HEIGHT * (1 - _part(value, ends, axis))))


def _part(value: float, ends: tuple[float, float], axis: Axis) -> float:
    """Part of an axis at which a value lies."""
    low, high = ends
    if not axis.is_logarithmic:
        return (value - low) / (high - low)
    return math.log(value / low) / math.log(high / low) if value > 0 else -1.0


def facets_strokes(picture: Facets) -> Iterator[Stroke]:
    """Each quantity in a frame of its own."""
    rows = math.ceil(len(picture.facets) / COLUMNS)
    for which, facet in enumerate(picture.facets):
        row, column = divmod(which, COLUMNS)
        left, top = WIDTH / COLUMNS * column, HEIGHT / rows * row
        width, height = ROW_PART * WIDTH / COLUMNS, ROW_PART * HEIGHT / rows
        points = [
            (left + width * place, top + height * (1 - y / facet.top))
            for place, y in zip(_places(picture.x), facet.y, strict=True)
        ]
        yield Stroke(path=curve(points), colour=facet.colour, look=Look.BOLD)


def _places(x: Sequence[float]) -> list[float]:
    return [math.log(one / x[0]) / math.log(x[-1] / x[0]) for one in x]


def beliefs_strokes(picture: Beliefs) -> Iterator[Stroke]:
    """Ridges, a row for each case; bars where x counts places."""
    step = HEIGHT / len(picture.rows)
    for which, row in enumerate(picture.rows):
        base = step * (which + 1)
        if row.points:
            continue
        heights = [(place, ROW_PART * step * height) for place, height in enumerate(row.heights)]
        wide = WIDTH / len(row.heights)
        if picture.is_whole:
            path = "".join(bar(wide * at, base - high, wide * (at + 0.6), base) for at, high in heights)
        else:
            few = heights[:: max(1, len(heights) // POINTS)]
            path = f"{curve([(0.0, base), *((wide * at, base - high) for at, high in few), (float(WIDTH), base)])}z"
        yield Stroke(path=path, colour=row.colour, look=Look.FILL, strength=1.0 if row.is_bold else 0.6)
