"""``--market`` and ``--price``: market or number from which a chip's price is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ridgeline.catalog.rentals import MARKETS

__all__ = ["MARKET", "market_option", "refuse_price_in_market"]

MARKET = "ridgeline.market"
"""Key of the context under which the market is kept, for machines that are read after it."""


def _market(context: click.Context, param: click.Parameter, value: str | None) -> str | None:
    context.meta[MARKET] = value
    return value


def refuse_price_in_market(context: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Refuse ``--price`` beside ``--market``, as a callback of the option."""
    if value is not None and context.meta.get(MARKET):
        raise click.BadParameter("is a price, and --market names one; give one of them", context, param)
    return value


def market_option(*, is_kept: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Option ``--market``; eager, so that it is read before any machine.

    Args:
        is_kept: whether the command is given its value, to repeat it.
    """
    return click.option(
        "--market",
        is_eager=True,
        expose_value=is_kept,
        callback=_market,
        help=f"Newest price of which kind: {', '.join(MARKETS)}; contract@2025-10 for the newest up to then."
        "  [default: the first of these that is known]",
    )
