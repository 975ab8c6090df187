"""Numbers within bounds, as options take them."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import click

__all__ = ["NumberRange"]

EXAMPLE = 0.4
"""Part that is written as an example, where it is in the range."""


PERCENT_MEANT = 10
"""Least number over 1 that is read as a percent without its sign: 90 is, and 1.5 is a slip of another kind."""


class NumberRange(click.FloatRange):
    """Finite number within bounds; click's own range takes ``nan``, which is neither above nor below any bound.

    A fraction, of at most 1, may be written in percent.

    Attributes:
        example: number in the range that is offered in place of a refused one; None for any.
    """

    def __init__(
        self,
        min: float | None = None,  # noqa: A002  click's own names
        max: float | None = None,  # noqa: A002
        *,
        min_open: bool = False,
        max_open: bool = False,
        example: float | None = None,
    ) -> None:
        super().__init__(min, max, min_open, max_open)
        self.example = example

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Number as read from text; of a fraction percents, too."""
        text = value.strip() if isinstance(value, str) else value
        in_percent = self.max == 1 and isinstance(text, str) and text.endswith("%")
        try:
            found = float(text[:-1]) / 100 if in_percent else float(text)
        except ValueError:
            self._refuse(f"{value!r} is not a number", math.nan, param, ctx)
        if not math.isfinite(found):
            self._refuse(f"{value!r} is not a number in the range {self._described()}", math.nan, param, ctx)
        if not self._holds(found):
            self._refuse(f"{text} is not in the range {self._described()}", found, param, ctx)
        return found

    def _holds(self, number: float) -> bool:
        """Whether a number lies within the bounds."""
        is_above = self.min is None or (number > self.min if self.min_open else number >= self.min)
        return is_above and (self.max is None or (number < self.max if self.max_open else number <= self.max))

    def _refuse(self, message: str, typed: float, param: click.Parameter | None, ctx: click.Context | None) -> NoReturn:
        """Refuse a value; of a part say how one in the range is written."""
        offered = self._part(typed) if self.max == 1 else None if self.example is None else f"{self.example:g}"
        self.fail(message if offered is None else f"{message}; write {offered}", param, ctx)

    def _described(self) -> str:
        """Range in words where it has one end, else as click writes it.

        >>> NumberRange(1)._described(), NumberRange(0, min_open=True)._described()
        ('from 1 up', 'above 0')
        """
        if self.min is None or self.max is not None:
            return self._describe_range()
        return f"above {self.min:g}" if self.min_open else f"from {self.min:g} up"

    def _part(self, typed: float) -> str:
        """A part in the range as it is written: what was typed, in percent, or an example.

        >>> NumberRange(0.5, 1, max_open=True)._part(0.3), NumberRange(0, 1)._part(99)
        ('0.75 or 75%', '99%')
        >>> NumberRange(0, 1, example=0.9)._part(1.5)
        '0.9 or 90%'
        """
        if self._holds(typed / 100) and typed >= PERCENT_MEANT:
            return f"{typed:g}%"
        part = self.example
        if part is None:
            part = EXAMPLE if self._holds(EXAMPLE) else ((self.min or 0.0) + 1) / 2
        return f"{part:g} or {100 * part:g}%"
