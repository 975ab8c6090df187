"""The train's platform: one draw of Poisson arrivals, first come, first served, and who rides which train."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.board import Values
from ridgeline.boards.scene import Departure, Requests, Trains
from ridgeline.equations import departures
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["TRAINS", "mean_s", "station"]

TRAINS = 9
"""Number of trains; the last one is still filling when the one before arrives."""
SEED = 11
"""Seed of the one draw that is always shown."""

MOST_DOTS = 100
"""Seats of a train that are drawn."""
STEPS = 1, 2, 5, 10

NOBODY = "no train leaves anybody behind"

SHORT = 10_000
SLOW_S, FAST_S, TENTHS_UNDER = 0.2, 1e-3, 10
"""Least periods that are shown in seconds and in milliseconds, and the clock units in a period below which tenths are
shown.
"""

CAME_DIGITS = 4
"""Digits of an arrival's time in periods, which is only looked at."""


def station(values: Values) -> Trains:
    """Trains by the values of the board's controls, from an empty platform on."""
    seats, period = int(values["seats"]), values["period_s"]
    rng = np.random.default_rng(SEED)
    came = rng.poisson(values["load_fraction"] * seats, TRAINS)
    left = list(accumulate(came, lambda waiting, more: max(waiting + int(more) - seats, 0), initial=0))[1:]
    found = tuple(
        _departure(int(more), before + int(more) - after, after)
        for more, before, after in zip(came, [0, *left], left, strict=False)
    )
    per_dot, mean = _requests_per_dot(seats), float(mean_s(values, 1.0, values["load_fraction"]))
    full = sum(one.left > 0 for one in found)
    unit, per_s = ("s", 1.0) if period >= SLOW_S else ("ms", 1e3) if period >= FAST_S else ("µs", 1e6)
    return Trains(
        period_s=period,
        seats=seats,
        requests_per_dot=per_dot,
        departures=found,
        requests=_requests(rng, found, per_dot),
        mean_periods=mean / period,
        mean_text=_mean_text(mean, period),
        clock_unit=unit,
        clock_per_period=period * per_s,
        clock_digits=0 if period * per_s >= TENTHS_UNDER else 1,
        clock=tuple(f"{format_number(count * period * per_s)} {unit}" if count else "0" for count in range(TRAINS + 1)),
        load_fraction=values["load_fraction"],
        load_text=f"{format_quantity(values['load_fraction'], 'fraction')} taken",
        text=f"{full} of {TRAINS} trains {'leaves' if full == 1 else 'leave'} some behind" if full else NOBODY,
    )


def _mean_text(mean: float, period: float) -> str:
    """Mean time in words; of how many trains, where it is longer than those drawn have had the time to make it."""
    of = "mean over many more trains:" if mean > departures.worst_latency_s(period_s=period) else "mean"
    return f"{of} {format_quantity(mean, 's')}"


def _departure(came: int, aboard: int, left: int) -> Departure:
    return Departure(
        came=came, aboard=aboard, left=left, aboard_text=_count(aboard), left_text=_count(left) if left else ""
    )


def _requests_per_dot(seats: int) -> int:
    """The least of 1, 2, 5, 10, ... that leaves few enough dots."""
    power = 1
    while STEPS[-1] * power * MOST_DOTS < seats:
        power *= STEPS[-1]
    return next(step * power for step in STEPS if step * power * MOST_DOTS >= seats)


def _requests(rng: np.random.Generator, found: tuple[Departure, ...], per_dot: int) -> Requests:
    """Ranks of the requests that are drawn: the middle one of each group, in the order of arrival."""
    came = [one.came for one in found]
    drawn = np.arange(per_dot // 2, sum(came), per_dot)
    periods = np.searchsorted(np.cumsum(came), drawn, side="right")
    trains = np.searchsorted(np.cumsum([one.aboard for one in found]), drawn, side="right")
    times = np.concatenate(
        [
            period + _among(rng, drawn[periods == period] - sum(came[:period]), number)
            for period, number in enumerate(came)
        ]
    )
    return Requests(
        came_periods=tuple(round(time, CAME_DIGITS) for time in times.tolist()),
        train=tuple(np.where(trains < len(found), trains, -1).tolist()),
        passed=tuple((trains - periods).tolist()),
    )


def _among(rng: np.random.Generator, places: NDArray[np.int64], number: int) -> NDArray[np.float64]:
    """Arrival times at some ranks among ``number`` that arrive uniformly within a period, as fractions of it.

    Spacings between so many are exponential variables over their sum; those over several are gamma variables.
    """
    steps = np.diff([-1, *places, number])
    gaps = rng.standard_gamma(steps)
    return np.asarray(np.cumsum(gaps)[:-1] / gaps.sum())


def mean_s(values: Values, dispersion: float, load: Numeric) -> Numeric:
    """Mean time from arrival to token in the long run, s."""
    period, seats = values["period_s"], values["seats"]
    extra = departures.extra_wait_s(arrivals=load * seats, seats=seats, period_s=period, dispersion=dispersion)
    return departures.mean_latency_s(period_s=period, extra_wait_s=extra)


def _count(sequences: int) -> str:
    """Text of a number, in full as long as that is short."""
    return f"{sequences:,}" if sequences < SHORT else format_quantity(sequences, "count", 3)
