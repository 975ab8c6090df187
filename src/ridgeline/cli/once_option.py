"""An option that is refused when it is given twice; click would take the last without a word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

__all__ = ["OnceOption"]


class OnceOption(click.Option):
    """Option that takes one value, and refuses several."""

    def __init__(self, declarations: Sequence[str], **attributes: Any) -> None:  # noqa: ANN401  as click has them
        super().__init__(declarations, **{**attributes, "multiple": True})

    def process_value(self, ctx: click.Context, value: Any) -> Any:  # noqa: ANN401  as click has them
        """Value of the option; None without any."""
        found = super().process_value(ctx, value)
        if len(found) > 1:
            raise click.BadParameter(
                f"is given {len(found)} times, and this command takes one; run it for each", ctx, self
            )
        return found[0] if found else None
