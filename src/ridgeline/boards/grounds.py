"""Known numbers that a guess can be reasoned from, in rows, and numbers that follow from the guess."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Follows", "Grounds", "Row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Follows:
    """A number that follows from the guess: it, or one over it, times a factor.

    Attributes:
        dimension: dimension of the number.
        times: factor, in the units of the number and of the guess.
        is_over: whether it falls as the guess rises.
        form: text around the number, which stands for "{}".
    """

    dimension: str
    times: float = 1.0
    is_over: bool = False
    form: str = "{}"

    def value(self, guess: float) -> float:
        """The number for a guess.

        >>> Follows(dimension="s", times=2, is_over=True).value(4)
        0.5
        """
        return self.times / guess if self.is_over else self.times * guess


Row = tuple[str, ...]
"""Texts of a row, one a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """Known numbers beside the one that is asked for.

    Attributes:
        columns: names of the columns.
        rows: known numbers, as texts.
        asked: row of what is asked, with what follows from a guess.
    """

    columns: Row
    rows: tuple[Row, ...]
    asked: tuple[str | Follows, ...]
