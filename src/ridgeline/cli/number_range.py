"""Numbers within bounds as options take them."""

from __future__ import annotations

import math
from typing import Any

import click

__all__ = ["NumberRange"]


class NumberRange(click.FloatRange):
    """A finite number within bounds; click's own range takes ``nan``, which is neither above nor below any bound."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """The number."""
        found = float(super().convert(value, param, ctx))
        if not math.isfinite(found):
            self.fail(f"{value!r} is not a number in the range {self._describe_range()}", param, ctx)
        return found
