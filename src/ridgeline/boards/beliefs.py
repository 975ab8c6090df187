"""Beliefs about one quantity, a row for each case over one axis: the same quantity before and after a price."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.colour import Colour
from ridgeline.boards.tick import Tick
from ridgeline.boards.written import LOOKED_AT, WHERE_GIVEN

__all__ = ["Beliefs", "Row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Belief about a quantity in one case: after a price, or under an assumption.

    Attributes:
        name: name of the price or assumption.
        text: summary in a few words with its numbers.
        colour: colour of its subject.
        heights: density over the common x, each row's highest 1; where x counts places, the probability of each.
        labels: probabilities in words, one a place; empty where x does not count places.
        low: 5th percentile; None where places have no order.
        middle: median; None where places have no order.
        high: 95th percentile; None where places have no order.
        points: values of known things, in a row that shows those in place of a density.
        names: names of these things, for the pointer; None of a density.
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
    names: tuple[str, ...] | None = field(default=None, metadata=WHERE_GIVEN)
    is_bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Beliefs:
    """Beliefs about one quantity in several cases, a row for each over one axis.

    Attributes:
        x: abscissas in equal ratios, ascending; places from 0 on for a choice among a few.
        is_whole: whether x counts places: rows are then bars, each with its probability.
        rows: rows from the top.
        marks: values that were read or measured, drawn across all rows.
        x_ticks: ticks of the horizontal axis.
        text: summary of all rows in a sentence.
    """

    x: tuple[float, ...]
    is_whole: bool
    rows: tuple[Row, ...]
    marks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    text: str
