"""Seconds of longer units of time."""

from __future__ import annotations

__all__ = ["DAY_S", "FIVE_MINUTES_S", "HOUR_S", "MINUTE_S", "YEAR_S"]

MINUTE_S = 60.0
FIVE_MINUTES_S = 5 * MINUTE_S
HOUR_S = 60 * MINUTE_S
DAY_S = 24 * HOUR_S
YEAR_S = 365 * DAY_S
