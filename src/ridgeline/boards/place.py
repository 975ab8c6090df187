"""Position of an exercise's answer on a board's picture, so that a dot put there answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ridgeline.boards.picture import Curves, Line
from ridgeline.boards.written import flat

__all__ = ["FINE", "Given", "Place", "Way", "height_at", "line_named", "near_enough"]

FINE = 1.2
"""Ratio within which a dot counts as the answer: it forgives the hand, and no wrong idea."""
HAND = 0.04
"""Part of an axis that a hand may be off: some 30 pixels along and 15 upright, on a phone 12 and 10."""
MOST_OFF = 1.5
"""Largest ratio that is forgiven, however long the axis: an error of two is another idea."""

NEXT = 1e-6
"""Relative step to a second point at which a line is drawn that is asked for at a single abscissa."""

Given = Mapping[str, float]
"""An exercise's inputs."""


class Way(StrEnum):
    """Axis along which a dot is put."""

    ALONG = "x"
    UPRIGHT = "y"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Position of the answer once a board's controls stand at the exercise's numbers.

    Attributes:
        board: name of the board.
        way: axis that the answer is read from.
        line: name of the line on which the answer lies, as a step of the walk names it; drawn once the dot is put.
        turned: controls of the board in base units, from the exercise's inputs; the others stay the lecture's.
        at: abscissa of an answer that is read upright.
        mark: name of the board's mark at the answer, of one that is read along; without one the two lines meet there.
        view: number of the board's view, from 0.
        lines: names of the lines that are seen before.
        on: line of these along which the dot slides, for an answer that is read along.
        times: number on the axis over the answer: 1e9 where the axis prices a billion tokens.
        has_dots: whether things that lie on no line are seen before.
    """

    board: str
    way: Way
    line: str
    turned: Callable[[Given], Mapping[str, float]]
    at: Callable[[Given], float] | None = None
    mark: str = ""
    view: int = 0
    lines: tuple[str, ...] = ()
    on: str = ""
    times: float = 1.0
    has_dots: bool = False


def near_enough(ends: tuple[float, float], answer: float, *, is_logarithmic: bool) -> float:
    """Largest error of a dot, as a factor, on an axis between two ends: a hand's reach, and no other idea.

    >>> near_enough((1.0, 1e4), 50.0, is_logarithmic=True)
    1.45
    >>> near_enough((0.0, 1.0), 0.5, is_logarithmic=False)
    1.08
    """
    low, high = ends
    reach = (high / low) ** HAND if is_logarithmic else 1 + HAND * (high - low) / answer
    return float(min(reach, MOST_OFF))


def line_named(curves: Curves, name: str) -> Line:
    """The line that is meant by a name: what stands before a colon, or the words with which it alone begins.

    Raises:
        ValueError: no line or several are so named; lists those that there are.
    """
    stems = {flat(line.name).partition(":")[0]: line for line in curves.lines}
    found = [stems[name]] if name in stems else [line for stem, line in stems.items() if stem.startswith(f"{name} ")]
    if len(found) != 1:
        raise ValueError(f"{name!r} names {len(found)} lines; there are {', '.join(stems)}")
    return found[0]


def height_at(curves: Curves, name: str, x: float) -> float:
    """Ordinate of a line at any abscissa, by its equation: also between the points of the picture."""
    there = curves if x in curves.x else curves.over(x, x * (1 + NEXT))
    # Of lines that are known at their points alone there may be none between.
    there = there if there.x.size else curves
    return float(np.interp(x, there.x, line_named(there, name).y))
