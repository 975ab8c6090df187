"""Axes: linear, where lines through the origin are seen to be so, or logarithmic; few ticks, at round numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["DURATIONS", "LINEAR", "LOGARITHMIC", "Scale", "rounded_up", "scale"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Division of an axis.

    Attributes:
        name: name in the drawing library.
        ticks: round numbers between two ends.
    """

    name: str
    ticks: Callable[[float, float], list[float]]


def _linear_ticks(low: float, high: float) -> list[float]:
    """Three to five multiples of 1, 2 or 5 times a power of ten.

    >>> _linear_ticks(0, 51142)
    [0.0, 20000.0, 40000.0]
    """
    power = 10.0 ** math.floor(math.log10(high - low))
    step = next(part * power for part in (0.1, 0.2, 0.5, 1.0, 2.0) if (high - low) / (part * power) < MOST_TICKS)
    return [step * count for count in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _logarithmic_ticks(low: float, high: float) -> list[float]:
    """Powers of ten; over few decades also multiples of them, as fine as needed to read distances.

    >>> _logarithmic_ticks(3, 400)
    [5.0, 10.0, 20.0, 50.0, 100.0, 200.0]
    >>> _logarithmic_ticks(0.7, 1.7)
    [0.7, 1.0, 1.5]
    """
    few = math.log10(high / low) < FEW_DECADES
    if not few:
        return _folds(low, high, (1,))
    for parts in FOLDS:
        if len(ticks := _folds(low, high, parts)) >= ENOUGH_TICKS:
            return ticks
    # Over so little the steps of a logarithmic axis are as good as even; over nothing there are none.
    return _linear_ticks(low, high) if low < high else ticks


def _folds(low: float, high: float, parts: tuple[float, ...]) -> list[float]:
    """Multiples of powers of ten between two numbers."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    # From text, so that a tick at 0.1 is the 0.1 that is written.
    ticks = [float(f"{part}e{power}") for power in powers for part in parts]
    return [tick for tick in ticks if low <= tick <= high]


MOST_TICKS = 5
FEW_DECADES = 2.2
ENOUGH_TICKS = 3
FOLDS = ((1, 2, 5), (1, 1.5, 2, 3, 5, 7))

MOMENTS = (1e-3, 1e-2, 0.1, 1.0, 10.0, 60.0, 600.0, 3600.0, 36000.0, 86400.0, 864000.0)
"""Round numbers of seconds, minutes, hours and days, so far apart that each has room."""
UNITS_S = (1e-3, 1.0, 60.0, 3600.0, 86400.0)
"""Units of time that people use, in s."""


def _moments(low: float, high: float) -> list[float]:
    """Usual times between two ends; where there are few, multiples of their units.

    >>> _moments(5, 4000)
    [10.0, 60.0, 600.0, 3600.0]
    >>> _moments(70, 1000)
    [120.0, 300.0, 600.0]
    """
    moments = [moment for moment in MOMENTS if low <= moment <= high]
    if len(moments) >= ENOUGH_TICKS:
        return moments
    ends = [*UNITS_S[1:], math.inf]
    folds = [
        part * unit
        for unit, end in zip(UNITS_S, ends, strict=True)
        for part in (1, 2, 5, 10, 20, 50, 100, 200, 500)
        if low <= part * unit <= high and 2 * part * unit <= end
    ]
    return folds if len(folds) >= ENOUGH_TICKS else _logarithmic_ticks(low, high)


LINEAR = Scale(name="linear", ticks=_linear_ticks)
LOGARITHMIC = Scale(name="log", ticks=_logarithmic_ticks)
DURATIONS = Scale(name="log", ticks=_moments)


def scale(*, is_logarithmic: bool, dimension: str = "") -> Scale:
    """Scale of an axis: times from milliseconds to days have ticks of their own."""
    logarithmic = DURATIONS if dimension == "duration" else LOGARITHMIC
    return logarithmic if is_logarithmic else LINEAR


def rounded_up(value: float) -> float:
    """The next 1, 2 or 5 times a power of ten: an axis to it stays while what it shows grows a little.

    >>> rounded_up(0.031), rounded_up(5.0), rounded_up(5.1)
    (0.05, 5.0, 10.0)
    """
    power = math.floor(math.log10(value))
    # From text, so that a round number is the one that is written.
    return next(one for one in (float(f"{part}e{power}") for part in (1, 2, 5, 10)) if one >= value)
