"""Bands from the errors of predictions on rows that did not fit them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.blocks import is_fitted_on
from ridgeline.calibration.fit.chip_fit import FEWEST_ROWS
from ridgeline.calibration.judge.folds import Held, Left
from ridgeline.numeric import INTERVAL_DEVIATIONS, INTERVAL_FRACTION, MEAN_DEVIATIONS
from ridgeline.specs.band import Band
from ridgeline.specs.evidence import Asked

__all__ = [
    "StepError",
    "growth_beyond",
    "half_width",
    "inside_bands",
    "own_bands",
    "step_width",
    "strangers_bands",
    "weighted_quantile",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepError:
    """Error of a whole pass, by kernels and an engine that were not fitted on it.

    Attributes:
        case: row of the case file.
        log_ratio: ``ln(predicted / measured)``.
        time_s: measured time, or the time behind the measured number, s.
        predicted_s: predicted value of ``time_s``, s.
        kernels_width: half-width of the interval from its kernels alone, in logarithms.
        asked: deployment under load, as far as its distance from other measurements goes; None for a pass.
    """

    case: Case
    log_ratio: float
    time_s: float
    predicted_s: float
    kernels_width: float
    asked: Asked | None = None


def half_width(log_errors: Iterable[float]) -> float:
    """Half-width that holds four of five errors."""
    return float(np.quantile(np.abs(list(log_errors)), INTERVAL_FRACTION))


def own_bands(cases: Sequence[Case], held: Iterable[Held], growth: float) -> dict[str, dict[str, tuple[Band, int]]]:
    """Band of each machine and kind from its own measurements, with their number: other shapes are left out."""
    errors: dict[tuple[str, str], list[Held]] = defaultdict(list)
    for row in held:
        if row.left is Left.SHAPES and is_fitted_on(cases[row.place]):
            errors[cases[row.place].machine, row.kind].append(row)
    found: dict[str, dict[str, tuple[Band, int]]] = defaultdict(dict)
    for (machine, kind), rows in sorted(errors.items()):
        if len(rows) >= FEWEST_ROWS:
            found[machine][kind] = _band(rows, half_width(row.log_error for row in rows), growth), len(rows)
    return dict(found)


def strangers_bands(cases: Sequence[Case], held: Iterable[Held], growth: float) -> dict[str, tuple[Band, int]]:
    """Band of an unmeasured chip for each kind, with the number of rows behind it: each family is left out.

    Every machine has equal weight, however many rows it has.
    """
    errors: dict[str, dict[str, list[Held]]] = defaultdict(lambda: defaultdict(list))
    for row in held:
        if row.left is Left.FAMILY and is_fitted_on(cases[row.place]):
            errors[row.kind][cases[row.place].machine].append(row)
    found = {}
    for kind, machines in sorted(errors.items()):
        enough = [rows for rows in machines.values() if len(rows) >= FEWEST_ROWS]
        if not enough:
            continue
        width = float(np.mean([half_width(row.log_error for row in rows) for rows in enough]))
        together = [row for rows in enough for row in rows]
        found[kind] = _band(together, width, growth), len(together)
    return found


def _band(rows: Sequence[Held], width: float, growth: float) -> Band:
    return Band(below=width, above=width, longest_s=max(row.time_s for row in rows), growth=growth)


def growth_beyond(cases: Sequence[Case], held: Iterable[Held]) -> float:
    """Growth of bands for each factor of e beyond the longest measured time.

    It is the slope of the errors' sizes over the distance, each kind with its own size at zero distance, as for the 80
    % interval of a normal error.
    """
    far = [row for row in held if row.left is Left.LONGEST and is_fitted_on(cases[row.place])]
    kinds = sorted({row.kind for row in far})
    if len(far) <= len(kinds):
        return 0.0
    columns = [[row.beyond, *(float(row.kind == kind) for kind in kinds)] for row in far]
    sizes = [abs(row.log_error) for row in far]
    slope = float(np.linalg.lstsq(np.array(columns), np.array(sizes), rcond=None)[0][0])
    return max(0.0, slope * INTERVAL_DEVIATIONS / MEAN_DEVIATIONS)


def step_width(errors: Mapping[Any, Sequence[StepError]]) -> float:
    """Width that whole steps add to their kernels' bands, so that both hold four of five measurements.

    Args:
        errors: errors by family or series, each with equal weight.
    """
    needed = [max(0.0, row.log_ratio**2 - row.kernels_width**2) for rows in errors.values() for row in rows]
    weights = np.array([1 / len(rows) for rows in errors.values() for _ in rows])
    if not needed:
        return 0.0
    return math.sqrt(weighted_quantile(needed, weights.tolist(), INTERVAL_FRACTION))


def weighted_quantile(values: Sequence[float], weights: Sequence[float], share: float) -> float:
    """Smallest value whose cumulative weight reaches a share."""
    order = np.argsort(values)
    reached = np.cumsum(np.array(weights)[order]) / np.sum(weights)
    return float(values[order[min(int(np.searchsorted(reached, share)), len(values) - 1)]])


def inside_bands(cases: Sequence[Case], held: Iterable[Held]) -> dict[int, bool]:
    """Whether each row, by index, in the folds of shapes lies inside the band from the other folds' rows.

    Rows of a machine and kind with too few rows for a band are left out.
    """
    groups: dict[tuple[str, str], list[Held]] = defaultdict(list)
    for row in held:
        if row.left is Left.SHAPES and is_fitted_on(cases[row.place]):
            groups[cases[row.place].machine, row.kind].append(row)
    found: dict[int, bool] = {}
    for rows in groups.values():
        for fold in {row.fold for row in rows}:
            others = [row.log_error for row in rows if row.fold != fold]
            if len(others) < FEWEST_ROWS:
                continue
            width = half_width(others)
            found |= {row.place: abs(row.log_error) <= width for row in rows if row.fold == fold}
    return found
