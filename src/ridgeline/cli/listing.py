"""Options for a price list and for the hour of its prices."""

from __future__ import annotations

import datetime as dt

import click

from ridgeline.catalog import CatalogError
from ridgeline.catalog.quotes import listings
from ridgeline.cli.arguments import NamedType
from ridgeline.cli.completion import completes

__all__ = ["DAY", "LISTING", "date_option", "hour_option"]


def _day(text: str) -> dt.date:
    """Day in ISO format."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise CatalogError(f"{text!r} is no day; write one like 2026-03-01") from None


LISTING = NamedType("PROVIDER/MODEL", str, completes(listings))

DAY = NamedType("DATE", _day)

date_option = click.option(
    "--date",
    type=DAY,
    help="Day of the list's prices: 2026-03-01.  [default: the newest known]",
)
hour_option = click.option(
    "--hour", type=click.IntRange(0, 23), help="Hour of that day, UTC, where prices have one.  [default: 12]"
)
