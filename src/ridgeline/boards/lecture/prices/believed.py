"""Rows of beliefs on a price that the lecture reads: before it, by hand, by itself, and by the whole list."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.beliefs import Row
from ridgeline.boards.board import Control
from ridgeline.boards.constant import filled_in
from ridgeline.boards.lecture.prices.cache_prices import LIST_MODEL
from ridgeline.boards.picture import Colour
from ridgeline.boards.scale import LOGARITHMIC
from ridgeline.boards.scene import Tick
from ridgeline.inversion.alone.belief import Belief
from ridgeline.inversion.intervals import Interval
from ridgeline.inversion.machines import Candidates, candidates
from ridgeline.inversion.priors import priors
from ridgeline.inversion.recorded import RecordedBelief, RecordedList, recorded
from ridgeline.quantity_text import format_quantity

__all__ = [
    "BEFORE",
    "CACHE_LIST",
    "STEP_LIST",
    "UNBROKEN",
    "by_list",
    "chance_text",
    "decades",
    "interval_text",
    "machines",
    "models_alike",
    "number",
    "rounding_of",
    "row",
    "rows_x",
    "ticks",
]

STEP_LIST, CACHE_LIST = "gemini-3-1-pro", LIST_MODEL
"""Price lists: the one whose step he reads, and the one whose prices of output and of caches he reads."""

BEFORE = "before any price"

POINTS, DIGITS = 241, 2
"""Points of a row; and significant digits of the numbers beside it, which are no more precise."""


def by_list(key: str) -> RecordedList:
    """Sampled price list by its key."""
    return recorded().lists[key]


@lru_cache
def machines(key: str) -> Candidates:
    """Machines that may stand behind a list, at prices of its date."""
    one, known = by_list(key), priors()
    return candidates(known.machines_of(one.provider), one.date, known.chances.eight_bits)


def rounding_of(key: str, *lines: str) -> float:
    """Standard deviation of the logarithm of a ratio of prices, from the rounding of their digits."""
    return float(np.sqrt(sum(by_list(key).rounding_log_sd[line] ** 2 for line in lines)))


def models_alike(careful: int) -> Control:
    """Number of a vendor's models that are priced the same way."""
    return Control(
        name="models_alike",
        meaning="of the vendor's models that do the same",
        called="vendor's models priced the same way",
        short="models alike",
        dimension="count",
        low=1,
        high=30,
        lecture=filled_in(1, why="each price by itself"),
        careful=careful,
        is_whole=True,
    )


def decades(low: float, high: float, *found: Interval) -> tuple[float, float]:
    """Ends of an axis, moved by whole powers of ten until all rows are inside."""
    least, most = min(one.p05 for one in found), max(one.p95 for one in found)
    return (
        low if least >= low else float(10.0 ** np.floor(np.log10(least))),
        high if most <= high else float(10.0 ** np.ceil(np.log10(most))),
    )


def rows_x(ends: tuple[float, float]) -> NDArray[np.float64]:
    """Abscissas of all rows."""
    return np.geomspace(*ends, POINTS)


def row(
    name: str,
    belief: Belief | RecordedBelief,
    x: NDArray[np.float64],
    dimension: str,
    colour: Colour,
    *,
    more: str = "",
    is_bold: bool = False,
) -> Row:
    """Row of a belief, with its median and its 90 % interval."""
    on_grid = belief.belief() if isinstance(belief, RecordedBelief) else belief
    found = belief.interval()
    said = interval_text(found, dimension)
    return Row(
        name=name,
        text=f"{said}; {more}" if more else said,
        colour=colour,
        heights=tuple(on_grid.heights(np.log(x)).tolist()),
        low=found.p05,
        middle=found.p50,
        high=found.p95,
        is_bold=is_bold,
    )


def interval_text(found: Interval, dimension: str) -> str:
    """Text of a median and its interval."""
    low, middle, high = (number(one, dimension) for one in (found.p05, found.p50, found.p95))
    return f"{middle}, 90{UNBROKEN}% from {low} to {high}"


def number(value: float, dimension: str) -> str:
    """Number with as many digits as it is worth, on one line with its unit."""
    return format_quantity(float(f"{value:.{DIGITS}g}"), dimension, DIGITS).replace(" ", UNBROKEN)


UNBROKEN = "\N{NO-BREAK SPACE}"
"""Space between a number and its unit."""

LEAST_CHANCE, FEW = 0.001, 0.095


def chance_text(chance: float) -> str:
    """A chance in percent.

    >>> [chance_text(chance).replace(UNBROKEN, " ") for chance in (0.25, 0.0352, 0.00002, 1.0)]
    ['25 %', '3.5 %', 'below 0.1 %', '100 %']
    """
    if chance < LEAST_CHANCE:
        return f"below{UNBROKEN}{100 * LEAST_CHANCE:g}{UNBROKEN}%"
    return f"{100 * chance:.1f}{UNBROKEN}%" if chance < FEW else f"{100 * chance:.0f}{UNBROKEN}%"


def ticks(ends: tuple[float, float], dimension: str) -> tuple[Tick, ...]:
    """Ticks at powers of ten."""
    return tuple(Tick(at=one, text=format_quantity(one, dimension)) for one in LOGARITHMIC.ticks(*ends))
