"""``--price``: price of a chip in place of the catalog's."""

from __future__ import annotations

import click

from ridgeline.cli.arguments import DOLLAR_RATE
from ridgeline.cli.market import refuse_price_in_market

__all__ = ["price_option"]

price_option = click.option(
    "--price",
    "usd_per_chip_s",
    type=DOLLAR_RATE,
    callback=refuse_price_in_market,
    help="Price of a chip: '$2/h'.  [default: the catalog's]",
)
