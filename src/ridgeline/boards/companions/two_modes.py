"""Price of a sequence in two modes of one offer: its own read, and its share of the weights' one."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.written import FLAT

__all__ = ["TwoModes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoModes:
    """Regular mode beside one of another speed: bars of what a sequence pays, of its own and for the weights.

    Attributes:
        regular_rows: sequences of the regular mode for each of the mode that is on offer.
        price: name of the line of prices, over the regular one.
        alone: name of the line of a sequence's own part of the price.
        text: summary in a few words.
    """

    regular_rows: float
    price: str
    alone: str = field(metadata=FLAT)
    text: str
