"""Seconds of longer units of time, and joules of the unit of energy that is named for one of them."""

from __future__ import annotations

__all__ = ["DAY_S", "FIVE_MINUTES_S", "HOUR_S", "JULIAN_YEAR_S", "KWH_J", "MINUTE_S", "YEAR_S"]

MINUTE_S = 60.0
FIVE_MINUTES_S = 5 * MINUTE_S
HOUR_S = 60 * MINUTE_S
DAY_S = 24 * HOUR_S
YEAR_S = 365 * DAY_S
"""The year of service lives and yearly prices."""
JULIAN_YEAR_S = 365.25 * DAY_S
"""The year of dates and of rates a year, with its part of a leap day."""
KWH_J = 1000 * HOUR_S
"""Joules of a kilowatt-hour."""
