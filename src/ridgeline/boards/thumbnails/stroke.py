"""A board's first picture, small: strokes on a sheet of whole units, without words and numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from ridgeline.boards.colour import Colour
from ridgeline.boards.thumbnails.look import Look

__all__ = ["HEIGHT", "WIDTH", "Stroke", "bar", "cell", "curve", "disc", "shade"]

WIDTH, HEIGHT = 320, 180
"""Size of the sheet, in units; y is counted downwards."""
BEND = 0.8
"""Distance from a straight line that can be seen, units."""
SHADES = 4
"""Strengths of a filled stroke that can be told apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """Part of a small picture, of one colour.

    Attributes:
        path: outline, in the commands of an SVG path.
        colour: colour of its subject.
        look: how it is drawn: as a line of some kind, or filled.
        strength: opacity, from 0 to 1.
    """

    path: str
    colour: Colour
    look: Look = Look.LINE
    strength: float = 1.0


def curve(points: Iterable[tuple[float, float]]) -> str:
    """Path through points in units, each from the one before it; points on a straight line to others are left out.

    >>> curve([(0, 90), (10, 80.2), (20, 70), (30, 70)])
    'M0 90l20-20 10 0'
    """
    whole = _bent([(round(x), round(y)) for x, y in points])
    moves = [(x - left, y - above) for (left, above), (x, y) in pairwise(whole)]
    steps = "".join(
        f"{' ' if which and x >= 0 else ''}{x}{'' if y < 0 else ' '}{y}" for which, (x, y) in enumerate(moves)
    )
    return f"M{whole[0][0]} {whole[0][1]}l{steps}" if steps else ""


def _bent(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Points between which a line is straight, to within ``BEND``; after Ramer, Douglas and Peucker."""
    if len(points) < 3:  # noqa: PLR2004  two points are a straight line
        return points
    (x, y), (to_x, to_y) = points[0], points[-1]
    long = math.hypot(to_x - x, to_y - y)
    # A path that comes back to its start has no line to be away from.
    away = [
        abs((to_x - x) * (y - at_y) - (x - at_x) * (to_y - y)) / long if long else math.hypot(at_x - x, at_y - y)
        for at_x, at_y in points
    ]
    farthest = max(range(len(points)), key=away.__getitem__)
    if away[farthest] <= BEND:
        return [points[0], points[-1]]
    return [*_bent(points[: farthest + 1])[:-1], *_bent(points[farthest:])]


def bar(left: float, top: float, right: float, bottom: float) -> str:
    """Path around a rectangle, at least a unit wide and high.

    >>> bar(0, 10, 20, 15.2)
    'M0 10h20v5h-20z'
    """
    x, y = round(left), round(top)
    width, height = max(1, round(right) - x), max(1, round(bottom) - y)
    return f"M{x} {y}h{width}v{height}h-{width}z"


def disc(x: float, y: float, radius: int) -> str:
    """Path around a circle.

    >>> disc(10, 20, 4)
    'M6 20a4 4 0 1 0 8 0a4 4 0 1 0-8 0z'
    """
    half = f"a{radius} {radius} 0 1 0"
    return f"M{round(x) - radius} {round(y)}{half} {2 * radius} 0{half}-{2 * radius} 0z"


def cell(row: int, column: int, rows: int, columns: int, gap: float = 0.25) -> str:
    """Path around a cell of a table that fills the sheet, with a gap in parts of a cell."""
    width, height = WIDTH / columns, HEIGHT / rows
    x, y = width * column, height * row
    return bar(x, y, x + (1 - gap) * width, y + (1 - gap) * height)


def shade(paths: Iterable[tuple[str, float]], colour: Colour) -> Iterator[Stroke]:
    """Filled paths with a strength each, from 0 to 1, by the few strengths that can be told apart."""
    found: dict[int, list[str]] = {}
    for path, strength in paths:
        found.setdefault(max(1, round(SHADES * min(1.0, strength))), []).append(path)
    for step in sorted(found):
        yield Stroke(path="".join(found[step]), colour=colour, look=Look.FILL, strength=step / SHADES)
