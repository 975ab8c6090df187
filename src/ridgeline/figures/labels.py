"""Placement of labels: beside their points, off the lines, and never on each other. All lengths share one unit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from operator import itemgetter

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
    width, height = label.size
    left, bottom, right, top = _ends(obstacles.frame)
    taken, lines = [_ends(box) for box in obstacles.boxes], _reaching(obstacles.lines)
    leads = None if label.point is None else _Leads(label.point, obstacles.boxes, lines)
    best, least = Bbox.null(), math.inf
    for spot in label.spots:
        if spot.gaps * FAR >= least:
            break
        x0, y0 = spot.x - width / 2, spot.y - height / 2
        x1, y1 = x0 + width, y0 + height
        is_outside = x0 < left or x1 > right or y0 < bottom or y1 > top
        ends = x0, y0, x1, y1
        harm = spot.gaps * FAR
        # One that lies over another label or outside does not come before one that has been found.
        if least > COVERED:
            harm += COVERED * (is_outside + _covered(ends, taken))
        elif is_outside or _is_covered(ends, taken):
            continue
        # What lines and strokes cross takes longest to find, and only adds harm.
        if harm >= least:
            continue
        box = Bbox.from_bounds(x0, y0, width, height)
        harm += _struck(box, ends, lines)
        if leads is not None and harm < least:
            harm += leads.crossed(_nearest(ends, leads.point))
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
    labels = [replace(one, spots=_Kept(one.spots)) for one in labels]
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


class _Kept:
    """Places that are worked out once, and only as far as they are gone through."""

    def __init__(self, spots: Iterable[Spot]) -> None:
        (self._spots,) = itertools.tee(spots, 1)

    def __iter__(self) -> Iterator[Spot]:
        return copy(self._spots)


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
    ends, frame, path = _ends(box), obstacles.frame, Path(stroke(box, point))
    is_outside = box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0 or box.y1 > frame.y1
    if is_outside or _covered(ends, [_ends(one) for one in obstacles.boxes]):
        return False
    is_struck = _struck(box, ends, _reaching(obstacles.lines))
    return not is_struck and not any(path.intersects_bbox(one, filled=True) for one in words)


def stroke(box: Bbox, point: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Stroke from the nearest place of a label to its point."""
    return _nearest(_ends(box), point), point


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


SLACK = 1e-3
"""Distance from which on a shape is left out without a closer look: far more than what is rounded."""

Ends = tuple[float, float, float, float]
"""Left, bottom, right and top of a box."""


def _ends(box: Bbox) -> Ends:
    x0, y0, x1, y1 = map(float, box.extents)
    return x0, y0, x1, y1


def _reaching(lines: Sequence[Path]) -> list[tuple[Path, Ends]]:
    """Lines with the boxes that they stay inside, and a little more."""
    return [(line, _around_all(np.asarray(line.vertices))) for line in lines if np.size(line.vertices)]


def _around_all(places: NDArray[np.float64]) -> Ends:
    (x0, y0), (x1, y1) = np.nanmin(places, axis=0), np.nanmax(places, axis=0)
    return float(x0) - SLACK, float(y0) - SLACK, float(x1) + SLACK, float(y1) + SLACK


def _touch(one: Ends, other: Ends) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _nearest(ends: Ends, point: tuple[float, float]) -> tuple[float, float]:
    """Place of a box that is nearest to a point."""
    x, y = point
    return min(max(x, ends[0]), ends[2]), min(max(y, ends[1]), ends[3])


def _covered(ends: Ends, taken: Sequence[Ends]) -> int:
    """Number of boxes that a label covers: asked of thousands of places, and so written out."""
    left, bottom, right, top = ends
    covered = 0
    for x0, y0, x1, y1 in taken:
        if left <= x1 and x0 <= right and bottom <= y1 and y0 <= top:
            covered += 1
    return covered


def _is_covered(ends: Ends, taken: Sequence[Ends]) -> bool:
    """Whether a label covers any box; the same."""
    left, bottom, right, top = ends
    for x0, y0, x1, y1 in taken:  # noqa: SIM110  a generator takes twice as long
        if left <= x1 and x0 <= right and bottom <= y1 and y0 <= top:
            return True
    return False


def _struck(box: Bbox, ends: Ends, lines: Sequence[tuple[Path, Ends]]) -> int:
    """Harm of lines through a label."""
    return CROSSED * sum(1 for line, reach in lines if _touch(ends, reach) and line.intersects_bbox(box, filled=False))


class _Leads:
    """Strokes to a point, by what they would cross: lines, and labels other than the mark that they lead to."""

    def __init__(self, point: tuple[float, float], boxes: Sequence[Bbox], lines: Sequence[tuple[Path, Ends]]) -> None:
        own = [box for box in boxes if box.contains(*point)]
        # The point lies on a line: what counts begins outside its mark.
        self.hidden = OUTSIDE * max((math.hypot(box.width, box.height) / 2 for box in own), default=0.0)
        self.has_mark = bool(own)
        self.point = point
        self.lines = lines
        self.others = [(box, _ends(box)) for box in boxes if not box.contains(*point)]

    def crossed(self, start: tuple[float, float]) -> int:
        """Harm that a stroke from a place does."""
        (x, y), (point_x, point_y) = start, self.point
        length = math.hypot(x - point_x, y - point_y)
        part = min(self.hidden / length, 1.0) if length and self.has_mark else AT_POINT
        short_x, short_y = point_x + part * (x - point_x), point_y + part * (y - point_y)
        path = Path([(x, y), (short_x, short_y)])
        left, right = sorted((x, short_x))
        low, high = sorted((y, short_y))
        over = left - SLACK, low - SLACK, right + SLACK, high + SLACK
        lines = sum(1 for line, reach in self.lines if _touch(over, reach) and path.intersects_path(line, filled=False))
        boxes = sum(1 for box, ends in self.others if _touch(over, ends) and path.intersects_bbox(box, filled=True))
        return lines + CROSSED * boxes


def around(x: float, y: float, size: tuple[float, float], *, gap: float, reach: int = REACH) -> Iterator[Spot]:
    """Places for a label about a point, at least a gap and at most ``reach`` of them off; the nearest first."""
    half_width, half_height = size[0] / 2, size[1] / 2
    # Few labels need the far ones, which are many.
    for low, high in itertools.pairwise((1, *(one for one in NEAR if one < reach), reach)):
        # To each place along an axis, how far the label's edge is from the point.
        across, up = (
            [(centre + step, max(abs(step) - half, 0.0)) for step in _steps(half + high * gap, gap)]
            for centre, half in ((x, half_width), (y, half_height))
        )
        near = []
        for spot_x, off_x in across:
            for spot_y, off_y in up:
                gaps = math.hypot(off_x, off_y) / gap
                if low <= gaps < high or gaps == reach:
                    near.append((round(gaps), math.hypot(spot_x - x, spot_y - y), spot_x, spot_y, gaps))
        near.sort(key=itemgetter(0, 1))
        yield from (Spot(x=spot_x, y=spot_y, gaps=gaps) for _, _, spot_x, spot_y, gaps in near)


def _steps(reach: float, step: float) -> list[float]:
    count = math.floor(reach / step)
    return [step * number for number in range(-count, count + 1)]
