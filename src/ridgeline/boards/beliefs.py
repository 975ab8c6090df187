"""What is believed of one thing by several lights, a row each over one axis: the same row before and after a price."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ridgeline.boards.scene import Tick

if TYPE_CHECKING:  # pictures are of these, too
    from ridgeline.boards.picture import Colour

__all__ = ["Beliefs", "Row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What is believed by one of them.

    Attributes:
        name: of the light: a price, or what is assumed.
        text: what it says, in a few words with its numbers.
        colour: what it is about.
        heights: of its chances over the common x, each row's highest 1; of places that cannot be divided the chances.
        labels: these in words, one a place; empty of what can be divided.
        low: where 5 % lie below; None of what has no order.
        middle: where a half does.
        high: where 5 % lie above.
        points: values of known things, where a row is of those and not of chances.
        is_bold: whether it is a reading that the board is about.
    """

    name: str
    text: str
    colour: Colour
    heights: tuple[float, ...]
    labels: tuple[str, ...] = ()
    low: float | None = None
    middle: float | None = None
    high: float | None = None
    points: tuple[float, ...] = ()
    is_bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Beliefs:
    """Rows over one axis.

    Attributes:
        x: rising, in equal ratios; of what cannot be divided, places from 0 on.
        is_whole: whether it cannot: rows are then bars, each with its chance.
        rows: from the top.
        marks: values that somebody reads or measures, across all rows.
        x_ticks: on the axis along.
        text: what they say together, in a sentence.
    """

    x: tuple[float, ...]
    is_whole: bool
    rows: tuple[Row, ...]
    marks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    text: str
