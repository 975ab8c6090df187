"""A price list as it is named, and the hour of its prices."""

from __future__ import annotations

import datetime as dt

import click

from ridgeline.catalog.quotes import listings
from ridgeline.cli.arguments import NamedType
from ridgeline.cli.completion import completes

__all__ = ["LISTING", "date_option", "hour_option"]

LISTING = NamedType("PROVIDER/MODEL", str, completes(listings))

date_option = click.option(
    "--date",
    type=NamedType("DATE", dt.date.fromisoformat),
    help="Day of the list's prices: 2026-03-01.  [default: the newest known]",
)
hour_option = click.option(
    "--hour", type=click.IntRange(0, 23), help="Hour of that day, UTC, where prices have one.  [default: 12]"
)
