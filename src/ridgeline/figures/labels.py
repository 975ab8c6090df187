"""Placement of labels: beside their points, off the lines, and never on each other. All lengths share one unit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

__all__ = ["Label", "Obstacles", "Spot", "around", "is_clear", "place", "place_all", "spread", "stroke"]


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
    """Shapes that labels must avoid.

    Attributes:
        frame: frame that a label must stay inside.
        lines: lines that a label should not cross.
        boxes: boxes of other labels and marks, which a label must not touch.
    """

    frame: Bbox
    lines: Sequence[Path]
    boxes: Sequence[Bbox]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Place to try: the centre of the label, and the distance of its edge from its point, in gaps."""

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
        spots: positions to try, the nearest first.
        obstacles: shapes to keep off.
        point: point that a stroke joins to the label; the stroke should not cross lines either.
    """
    return _best(Label(size=size, spots=spots, point=point), obstacles)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Label to be placed.

    Attributes:
        size: width and height.
        spots: positions to try, the nearest first.
        point: point that a stroke joins to the label; None without a stroke.
    """

    size: tuple[float, float]
    spots: Iterable[Spot]
    point: tuple[float, float] | None = None


def _best(label: Label, obstacles: Obstacles) -> tuple[Bbox, float]:
    """Best of the places tried, and the harm of the label there."""
    (width, height), frame = label.size, obstacles.frame
    taken = np.array([box.extents for box in obstacles.boxes]).reshape(-1, 4)
    best, least = Bbox.null(), math.inf
    for spot in label.spots:
        if spot.gaps * FAR >= least:
            break
        x0, y0 = spot.x - width / 2, spot.y - height / 2
        if least < COVERED and (x0 < frame.x0 or x0 + width > frame.x1 or y0 < frame.y0 or y0 + height > frame.y1):
            continue
        box = Bbox.from_bounds(x0, y0, width, height)
        harm = spot.gaps * FAR + _covered(box, frame, taken)
        # What lines and strokes cross takes longest to find, and only adds harm.
        if harm < least:
            harm += _struck(box, obstacles)
        if label.point is not None and harm < least:
            harm += _crossed(stroke(box, label.point), obstacles)
        if harm < least:
            best, least = box, harm
    return best, least


def place_all(labels: Sequence[Label], obstacles: Obstacles, *, stroked_from: float) -> list[Bbox]:
    """Places of labels off each other and off each other's strokes, in the order given.

    Each is placed among those before it, and then again among all; of some orders to begin in the least harmful.

    Args:
        labels: the most wanted first; their spots are gone through more than once.
        obstacles: shapes that all labels keep off.
        stroked_from: distance of a label from its point from which on a stroke joins them.
    """
    forward = list(range(len(labels)))
    found: dict[int, Bbox] = {}
    least = math.inf
    for turn in forward[:ORDERS] or [0]:
        order = forward[turn:] + forward[:turn]
        placed, harm = _settled(labels, order, obstacles, stroked_from)
        if harm < least:
            found, least = placed, harm
        if least < CROSSED:
            break
    return [found[number] for number in forward]


def _settled(
    labels: Sequence[Label], order: Sequence[int], obstacles: Obstacles, stroked_from: float
) -> tuple[dict[int, Bbox], float]:
    """Places of labels, found in an order, and the harm that they do together."""
    placed: dict[int, Bbox] = {}
    harms: dict[int, float] = {}
    for _ in range(ROUNDS):
        before = dict(placed)
        for number in order:
            others = {one: box for one, box in placed.items() if one != number}
            ends = [stroke(box, point) for one, box in others.items() if (point := labels[one].point) is not None]
            strokes = [Path(one) for one in ends if math.dist(*one) > stroked_from]
            beside = Obstacles(
                frame=obstacles.frame, lines=[*obstacles.lines, *strokes], boxes=[*obstacles.boxes, *others.values()]
            )
            placed[number], harms[number] = _best(labels[number], beside)
        if before and all(before[one].bounds == box.bounds for one, box in placed.items()):
            break
    return placed, sum(harms.values())


def is_clear(box: Bbox, obstacles: Obstacles, words: Sequence[Bbox], *, point: tuple[float, float]) -> bool:
    """Whether a label lies over nothing, and its stroke over no words."""
    taken = np.array([one.extents for one in obstacles.boxes]).reshape(-1, 4)
    path = Path(stroke(box, point))
    harm = _covered(box, obstacles.frame, taken) + _struck(box, obstacles)
    return not harm and not any(path.intersects_bbox(one, filled=True) for one in words)


def stroke(box: Bbox, point: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Stroke from the nearest place of a label to its point."""
    x, y = point
    return (min(max(x, box.x0), box.x1), min(max(y, box.y0), box.y1)), point


FAR = 0.15
"""Harm of each gap between a label and its point: seven gaps cost as much as a stroke that crosses a line."""
CROSSED = 30
"""Harm of a line or a stroke through a label: worse than any line that its own stroke crosses."""
COVERED = 1000
"""Harm of a label that covers another, or leaves the picture: worse than both."""
ORDERS = 3
"""Orders that are tried where labels crowd."""
ROUNDS = 3
"""Rounds in which labels are placed anew, each among all others: the first to come did not know of the last."""
REACH = 48
"""Largest distance of a label from its point, in gaps: a third of a slide."""
NEAR = (8, 24)
"""Gaps within which most labels find a place."""
AT_POINT = 0.1
"""Part of a stroke nearest to a point without a mark that may lie on lines: the point is on one."""
OUTSIDE = 1.1
"""Radius hidden by a mark, in half-diagonals of its box."""


def _covered(box: Bbox, frame: Bbox, taken: NDArray[np.float64]) -> int:
    """Harm of a label that covers others, or leaves the picture."""
    outside = box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0 or box.y1 > frame.y1
    x0, y0, x1, y1 = taken.T
    covered = np.count_nonzero((x0 <= box.x1) & (box.x0 <= x1) & (y0 <= box.y1) & (box.y0 <= y1))
    return COVERED * (int(outside) + int(covered))


def _struck(box: Bbox, obstacles: Obstacles) -> int:
    """Harm of lines through a label."""
    return CROSSED * sum(bool(line.intersects_bbox(box, filled=False)) for line in obstacles.lines)


def _crossed(ends: tuple[tuple[float, float], tuple[float, float]], obstacles: Obstacles) -> int:
    """Harm that a stroke does: to lines, and to labels other than the mark that it leads to."""
    (x, y), (point_x, point_y) = ends
    own = [box for box in obstacles.boxes if box.contains(point_x, point_y)]
    others = (box for box in obstacles.boxes if not box.contains(point_x, point_y))
    length = math.hypot(x - point_x, y - point_y)
    # The point lies on a line: what counts begins outside its mark.
    hidden = OUTSIDE * max((math.hypot(box.width, box.height) / 2 for box in own), default=0.0)
    part = min(hidden / length, 1.0) if length and own else AT_POINT
    short = (point_x + part * (x - point_x), point_y + part * (y - point_y))
    path = Path([(x, y), short])
    lines = sum(bool(path.intersects_path(line, filled=False)) for line in obstacles.lines)
    return lines + CROSSED * sum(bool(path.intersects_bbox(box, filled=True)) for box in others)


def around(x: float, y: float, size: tuple[float, float], *, gap: float, reach: int = REACH) -> Iterator[Spot]:
    """Places for a label about a point, at least a gap and at most ``reach`` of them off; the nearest first."""
    width, height = size
    # Few labels need the far ones, which are many.
    for low, high in itertools.pairwise((1, *(one for one in NEAR if one < reach), reach)):
        across, up = (_steps(length / 2 + high * gap, gap) for length in (width, height))
        spots = (Spot(x=x + dx, y=y + dy, gaps=_distance(dx, dy, width, height) / gap) for dx in across for dy in up)
        near = (spot for spot in spots if low <= spot.gaps < high or spot.gaps == reach)
        yield from sorted(near, key=lambda spot: (round(spot.gaps), math.hypot(spot.x - x, spot.y - y)))


def _steps(reach: float, step: float) -> list[float]:
    count = math.floor(reach / step)
    return [step * number for number in range(-count, count + 1)]


def _distance(dx: float, dy: float, width: float, height: float) -> float:
    """Distance from a point to the nearest edge of a box whose centre is ``dx`` and ``dy`` away."""
    return math.hypot(max(abs(dx) - width / 2, 0.0), max(abs(dy) - height / 2, 0.0))
