"""Numbers within bounds, as options take them."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import click

__all__ = ["NumberRange"]


class NumberRange(click.FloatRange):
    """Finite number within bounds; click's own range takes ``nan``, which is neither above nor below any bound.

    A fraction, of at most 1, may be written in percent.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Number as read from text; of a fraction percents, too."""
        text: Any = value.strip() if isinstance(value, str) else value
        if self.max == 1 and isinstance(text, str) and text.endswith("%"):
            try:
                text = float(text[:-1]) / 100
            except ValueError:
                self.fail(f"{value!r} is not a number", param, ctx)
        found = float(super().convert(text, param, ctx))
        if not math.isfinite(found):
            self.fail(f"{value!r} is not a number in the range {self._describe_range()}", param, ctx)
        return found

    def fail(self, message: str, param: click.Parameter | None = None, ctx: click.Context | None = None) -> NoReturn:
        """Refuse a value; of a part say how one is written."""
        super().fail(f"{message.rstrip('.')}; write 0.4 or 40%" if self.max == 1 else message, param, ctx)
