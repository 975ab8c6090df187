"""Loss of a step at scale, from series of steps of one model with the same work a chip on more and more chips."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.fit.chip_fit import Parameter
from ridgeline.specs.trainer import FITTED_CHIPS

__all__ = ["ScaledStep", "scale_exponent"]

PLACE = "shared.scale_exponent"

Centred = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaledStep:
    """A measured step in its series.

    Attributes:
        series: all that steps of one series share.
        chips: chips of the step.
        error: ``ln(predicted / measured)`` without loss at scale.
    """

    series: Hashable
    chips: int
    error: float


def scale_exponent(steps: Iterable[ScaledStep]) -> Parameter:
    """Exponent of the number of chips beyond ``FITTED_CHIPS``: the mean slope of the logarithms within series.

    A series is compared with itself alone, so that a model that is predicted too slow or too fast moves nothing. Its
    uncertainty is that of leaving series out one at a time. Without a series the exponent is 0, of no row.
    """
    found = _centred(steps)
    value = _slope(found)
    rows = sum(len(sizes) for sizes, _ in found)
    if not value > 0:
        return Parameter(name=PLACE, value=0.0, log_sd=0.0, rows=0)
    without = [_slope([*found[:place], *found[place + 1 :]]) for place in range(len(found))]
    spread = math.sqrt((len(found) - 1) * np.mean((np.array(without) - value) ** 2))
    return Parameter(name=PLACE, value=value, log_sd=spread / value, rows=rows)


def _centred(steps: Iterable[ScaledStep]) -> list[Centred]:
    """Logarithms of chips and errors of each series of several sizes, less their means."""
    series: dict[Hashable, list[tuple[float, float]]] = defaultdict(list)
    for step in steps:
        if step.chips >= FITTED_CHIPS:
            series[step.series].append((math.log(step.chips), step.error))
    tables = [np.array(points) for points in series.values() if len({size for size, _ in points}) > 1]
    return [(table[:, 0] - table[:, 0].mean(), table[:, 1] - table[:, 1].mean()) for table in tables]


def _slope(series: Sequence[Centred]) -> float:
    """Least-squares slope of what steps take longer than predicted; 0 without series."""
    spread = sum(float(sizes @ sizes) for sizes, _ in series)
    return -sum(float(sizes @ errors) for sizes, errors in series) / spread if spread else 0.0
