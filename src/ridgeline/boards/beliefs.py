"""Beliefs about one quantity, a row for each case over one axis: the same quantity before and after a price."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.colour import Colour
from ridgeline.boards.tick import Tick
from ridgeline.boards.written import LOOKED_AT

__all__ = ["Beliefs", "Row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Belief about a quantity in one case: after a price, or under an assumption.

    Attributes:
        name: the price, or what is assumed.
        text: summary in a few words with its numbers.
        colour: colour of its subject.
        heights: density over the common x, each row's highest 1; where x counts places, the probability of each.
        labels: chances in words, one a place; empty where x does not count places.
        low: 5th percentile; None where places have no order.
        middle: median; None likewise.
        high: 95th percentile, likewise.
        points: values of known things, in a row that shows those in place of chances.
        is_bold: whether it is a reading that the board is about.
    """

    name: str
    text: str
    colour: Colour
    heights: tuple[float, ...] = field(metadata=LOOKED_AT)
    labels: tuple[str, ...] = ()
    low: float | None = None
    middle: float | None = None
    high: float | None = None
    points: tuple[float, ...] = ()
    is_bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Beliefs:
    """Beliefs about one quantity in several cases, a row for each over one axis.

    Attributes:
        x: rising, in equal ratios; of a choice among a few, their places from 0 on.
        is_whole: whether x counts places: rows are then bars, each with its chance.
        rows: rows from the top.
        marks: values that somebody reads or measures, drawn across all rows.
        x_ticks: ticks of the horizontal axis.
        text: summary of all rows in a sentence.
    """

    x: tuple[float, ...]
    is_whole: bool
    rows: tuple[Row, ...]
    marks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    text: str
