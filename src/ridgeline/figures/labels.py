"""Where labels go: beside what they name, off the lines, and never on each other. Lengths are of one unit, any."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

__all__ = ["Obstacles", "Spot", "around", "is_clear", "place", "spread", "stroke"]


def spread(wanted: Sequence[float], heights: Sequence[float], *, low: float, high: float) -> list[float]:
    """Centres of labels in one column, as near to where they are wanted as they can be without touching.

    Labels keep the order in which they are wanted. Those that would touch form a block, whose place is the mean of its
    members' wishes; blocks that then touch are joined. What would leave the column is pushed back into it.

    >>> spread([0.0, 1.0, 10.0], [2.0, 2.0, 2.0], low=-5.0, high=20.0)
    [-0.5, 1.5, 10.0]
    """
    order = sorted(range(len(wanted)), key=lambda label: wanted[label])
    blocks: list[list[int]] = []
    for label in order:
        blocks.append([label])
        while len(blocks) > 1 and _bottom(blocks[-1], wanted, heights, low, high) < _top(
            blocks[-2], wanted, heights, low, high
        ):
            last = blocks.pop()
            blocks[-1] += last
    centres = [0.0] * len(wanted)
    for block in blocks:
        edge = _bottom(block, wanted, heights, low, high)
        for label in block:
            centres[label] = edge + heights[label] / 2
            edge += heights[label]
    return centres


def _bottom(block: list[int], wanted: Sequence[float], heights: Sequence[float], low: float, high: float) -> float:
    """Lower edge of a block at the mean of its members' wishes, inside the column."""
    below, wishes = 0.0, 0.0
    for label in block:
        wishes += wanted[label] - heights[label] / 2 - below
        below += heights[label]
    return max(low, min(high - below, wishes / len(block)))


def _top(block: list[int], wanted: Sequence[float], heights: Sequence[float], low: float, high: float) -> float:
    return _bottom(block, wanted, heights, low, high) + sum(heights[label] for label in block)


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacles:
    """What a label must keep off.

    Attributes:
        frame: that it must stay inside.
        lines: that it should not cross.
        boxes: of other labels and marks, that it must not touch.
    """

    frame: Bbox
    lines: Sequence[Path]
    boxes: Sequence[Bbox]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place to try: where a label's centre would lie, and how many gaps its edge is off what it names."""

    x: float
    y: float
    gaps: float


def place(
    size: tuple[float, float],
    spots: Iterable[Spot],
    obstacles: Obstacles,
    *,
    point: tuple[float, float] | None = None,
) -> Bbox:
    """The best of the places tried: near, off lines and off other labels.

    Args:
        size: width and height of the label.
        spots: where to try it, the nearest first.
        obstacles: what to keep off.
        point: to which a stroke leads from it, which should not cross lines either.
    """
    width, height = size
    taken = np.array([box.extents for box in obstacles.boxes]).reshape(-1, 4)
    best, least = Bbox.null(), math.inf
    for spot in spots:
        if spot.gaps * FAR >= least:
            break
        box = Bbox.from_bounds(spot.x - width / 2, spot.y - height / 2, width, height)
        harm = spot.gaps * FAR + _harm(box, obstacles, taken)
        # What a stroke crosses takes longest to find, and only adds harm.
        if point is not None and harm < least:
            harm += _crossed(stroke(box, point), obstacles)
        if harm < least:
            best, least = box, harm
    return best


def is_clear(box: Bbox, obstacles: Obstacles, words: Sequence[Bbox], *, point: tuple[float, float]) -> bool:
    """Whether a label lies over nothing, and its stroke over no words."""
    taken = np.array([one.extents for one in obstacles.boxes]).reshape(-1, 4)
    path = Path(stroke(box, point))
    return _harm(box, obstacles, taken) < CROSSED and not any(path.intersects_bbox(one, filled=True) for one in words)


def stroke(box: Bbox, point: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]]:
    """From the nearest place of a label to its point."""
    x, y = point
    return (min(max(x, box.x0), box.x1), min(max(y, box.y0), box.y1)), point


FAR = 0.15
"""For each gap between a label and its point: it may lie seven farther off rather than have its stroke cross a line."""
CROSSED = 10
"""A line or a stroke through a label is worse than any line that its own stroke crosses..."""
COVERED = 1000
"""...and a label that covers another, or leaves the picture, is worse than both."""
AT_POINT = 0.1
"""Part of a stroke nearest to its point that may lie on lines: the point is on one."""


def _harm(box: Bbox, obstacles: Obstacles, taken: NDArray[np.float64]) -> int:
    frame = obstacles.frame
    outside = box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0 or box.y1 > frame.y1
    x0, y0, x1, y1 = taken.T
    covered = np.count_nonzero((x0 <= box.x1) & (box.x0 <= x1) & (y0 <= box.y1) & (box.y0 <= y1))
    crossed = sum(bool(line.intersects_bbox(box, filled=False)) for line in obstacles.lines)
    return COVERED * (int(outside) + int(covered)) + CROSSED * crossed


def _crossed(ends: tuple[tuple[float, float], tuple[float, float]], obstacles: Obstacles) -> int:
    """Harm that a stroke does: to lines, and to labels other than the mark that it leads to."""
    (x, y), (point_x, point_y) = ends
    short = (point_x + AT_POINT * (x - point_x), point_y + AT_POINT * (y - point_y))
    path = Path([(x, y), short])
    lines = sum(bool(path.intersects_path(line, filled=False)) for line in obstacles.lines)
    others = (box for box in obstacles.boxes if not box.contains(point_x, point_y))
    return lines + CROSSED * sum(bool(path.intersects_bbox(box, filled=True)) for box in others)


def around(x: float, y: float, size: tuple[float, float], *, gap: float, reach: int = 24) -> list[Spot]:
    """Places for a label about a point, at least a gap and at most ``reach`` of them off; the nearest first."""
    width, height = size
    spots = [
        Spot(x=x + dx, y=y + dy, gaps=_distance(dx, dy, width, height) / gap)
        for dx in _steps(width / 2 + reach * gap, gap)
        for dy in _steps(height / 2 + reach * gap, gap)
    ]
    near = (spot for spot in spots if 1 <= spot.gaps <= reach)
    return sorted(near, key=lambda spot: (round(spot.gaps), math.hypot(spot.x - x, spot.y - y)))


def _steps(reach: float, step: float) -> list[float]:
    count = math.floor(reach / step)
    return [step * number for number in range(-count, count + 1)]


def _distance(dx: float, dy: float, width: float, height: float) -> float:
    """From a point to the nearest edge of a box whose centre lies ``dx`` and ``dy`` off."""
    return math.hypot(max(abs(dx) - width / 2, 0.0), max(abs(dy) - height / 2, 0.0))
