"""Comparison of predictions with measured cases, by family, quantity and machine; families are never pooled."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Case, Unsupported, unknown_columns
from ridgeline.calibration.cases.model_table import ModelTable
from ridgeline.calibration.cases.series import series_of
from ridgeline.calibration.kinds.predict import predict
from ridgeline.catalog.profiles import kernels_folder
from ridgeline.specs.fidelity import MEASURED, Fidelity
from ridgeline.tables import flat_row

__all__ = ["Group", "Row", "UnsupportedRow", "Validation", "spearman", "too_few_inside", "validate"]

INTERVAL_SHARE = 0.8
"""Expected share of measurements inside the intervals."""
RARE = 0.05
"""Probability below which a share inside the intervals counts as too small."""
FEWEST_FOR_RANKS = 3
"""Least number of rows for a rank correlation; ranks of two agree or not by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A predicted case."""

    case: str
    family: str
    kind: str
    quantity: str
    machine: str
    predicted: float
    measured: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsupportedRow:
    """A case without a prediction, with the reason."""

    case: str
    family: str
    kind: str
    quantity: str
    machine: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Scores of one family, quantity and machine; None where no row was measured.

    Attributes:
        kind: kind of its rows, or kinds where a family has several.
        scored: number of rows with a prediction.
        unsupported: number of rows without one.
        median_ratio: median of predicted over measured.
        median_abs_log_error: median of |ln(predicted/measured)|.
        p90_abs_log_error: 90th percentile of |ln(predicted/measured)|.
        spearman: rank correlation of predicted and measured.
        interval_80_coverage: share of measurements inside the 80 % interval.
        mean_abs_percent_error: mean of 100 |predicted/measured - 1|.
        series: number of sweeps over the batch, the users or the size, of at least two measured rows.
        median_abs_level_log_error: median over series of the error of a curve's level: |mean ln(predicted/measured)|.
        median_shape_log_error: median over series of the error of a curve's shape: standard deviation of
            ln(predicted/measured).
    """

    family: str
    kind: str
    quantity: str
    machine: str
    scored: int
    unsupported: int
    median_ratio: float | None
    median_abs_log_error: float | None
    p90_abs_log_error: float | None
    spearman: float | None
    interval_80_coverage: float | None
    mean_abs_percent_error: float | None
    series: int
    median_abs_level_log_error: float | None
    median_shape_log_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """All rows, predicted or not, and their groups.

    Attributes:
        warnings: facts of rows that predictions ignore, each with the number of rows.
    """

    groups: tuple[Group, ...]
    rows: tuple[Row, ...]
    unsupported: tuple[UnsupportedRow, ...]
    warnings: tuple[str, ...]

    def to_rows(self) -> list[dict[str, Any]]:
        """The predicted rows as rows of a table: ``pandas.DataFrame(found.to_rows())``."""
        return [flat_row(row) for row in self.rows]


def validate(
    cases: Iterable[Case],
    *,
    models: ModelTable | None = None,
    fidelity: Fidelity = MEASURED,
    kernels: str | Path | None = None,
) -> Validation:
    """Predict every case and score the predictions.

    Args:
        cases: rows of case files.
        models: rows of a model table, for models that the catalog lacks.
        fidelity: resolution of the model of time.
        kernels: profile or folder of the user's own calibration, in place of the catalog's numbers.

    Raises:
        CatalogError: there is no such calibration, or it is invalid.
    """
    folder = None if kernels is None else kernels_folder(kernels)
    cases = tuple(cases)
    rows: list[Row] = []
    series: list[tuple[str, ...]] = []
    unsupported: list[UnsupportedRow] = []
    warnings: Counter[str] = Counter()
    for case in cases:
        facts = {"case": case.name, "family": case.family, "kind": case.kind}
        facts |= {"quantity": case.quantity, "machine": case.machine}
        try:
            found = predict(case, models or {}, fidelity, kernels=folder)
        except Unsupported as reason:
            unsupported.append(UnsupportedRow(**facts, reason=str(reason)))
            continue
        warnings.update(found.warnings)
        rows.append(Row(**facts, predicted=found.value, measured=case.measured, low=found.low, high=found.high))
        series.append(series_of(case))
    return Validation(
        groups=tuple(_groups(rows, series, unsupported)),
        rows=tuple(rows),
        unsupported=tuple(unsupported),
        warnings=(
            *unknown_columns(cases),
            *(f"{text} ({count} rows)" for text, count in sorted(warnings.items())),
        ),
    )


def _groups(
    rows: Sequence[Row], series: Sequence[tuple[str, ...]], unsupported: Sequence[UnsupportedRow]
) -> Iterable[Group]:
    everything: list[Row | UnsupportedRow] = [*rows, *unsupported]
    keys = sorted({(one.family, one.quantity, one.machine) for one in everything})
    for family, quantity, machine in keys:
        key = (family, quantity, machine)
        places = [place for place, row in enumerate(rows) if (row.family, row.quantity, row.machine) == key]
        mine = [rows[place] for place in places]
        others = [one for one in unsupported if (one.family, one.quantity, one.machine) == key]
        kind = ", ".join(sorted({row.kind for row in mine} | {one.kind for one in others}))
        measured = [(row, row.measured) for row in mine if row.measured]
        of_series = [series[place] for place in places if rows[place].measured]
        predicted = np.array([row.predicted for row, _ in measured])
        truth = np.array([value for _, value in measured])
        logs = np.log(predicted / truth)
        errors = np.abs(logs) if measured else None
        levels, shapes = levels_and_shapes(logs, of_series)
        yield Group(
            family=family,
            kind=kind,
            quantity=quantity,
            machine=machine,
            scored=len(mine),
            unsupported=len(others),
            median_ratio=None if errors is None else float(np.median(predicted / truth)),
            median_abs_log_error=None if errors is None else float(np.median(errors)),
            p90_abs_log_error=None if errors is None else float(np.quantile(errors, 0.9)),
            spearman=spearman(predicted, truth),
            interval_80_coverage=(
                None if errors is None else float(np.mean([row.low <= value <= row.high for row, value in measured]))
            ),
            mean_abs_percent_error=None if errors is None else float(100 * np.mean(np.abs(predicted / truth - 1))),
            series=len(levels),
            median_abs_level_log_error=float(np.median(np.abs(levels))) if levels else None,
            median_shape_log_error=float(np.median(shapes)) if shapes else None,
        )


def too_few_inside(found: Validation) -> tuple[tuple[Group, int, int], ...]:
    """Groups with fewer measurements inside their intervals than chance explains, with both counts.

    If the intervals were right, and rows independent, such a low count would occur in less than ``RARE`` of such
    groups.
    """
    told = []
    for group in found.groups:
        key = (group.family, group.quantity, group.machine)
        mine = [one for one in found.rows if one.measured and (one.family, one.quantity, one.machine) == key]
        inside = sum(one.low <= (one.measured or 0.0) <= one.high for one in mine)
        if mine and _chance_of_at_most(inside, len(mine)) < RARE:
            told.append((group, inside, len(mine)))
    return tuple(told)


def _chance_of_at_most(inside: int, rows: int) -> float:
    """Cumulative probability of a binomial distribution.

    >>> round(_chance_of_at_most(0, 4), 6), _chance_of_at_most(4, 4)
    (0.0016, 1.0)
    """
    share = INTERVAL_SHARE
    return math.fsum(math.comb(rows, met) * share**met * (1 - share) ** (rows - met) for met in range(inside + 1))


def levels_and_shapes(logs: NDArray[np.float64], series: Sequence[Hashable]) -> tuple[list[float], list[float]]:
    """Means and standard deviations of errors, for each series of two rows or more.

    >>> levels_and_shapes(np.array([0.1, 0.3, 0.5]), ["a", "a", "b"])
    ([0.2], [0.141])
    """
    found = defaultdict(list)
    for one, error in zip(series, logs, strict=True):
        found[one].append(error)
    several = [errors for errors in found.values() if len(errors) > 1]
    return [float(np.mean(errors)) for errors in several], [float(np.std(errors, ddof=1)) for errors in several]


def spearman(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """Rank correlation of positive values, ties at their mean rank; None for fewer than three pairs or a constant side.

    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 15.0]))
    0.5
    """
    if len(first) < FEWEST_FOR_RANKS:
        return None
    ranks = [_mean_ranks(values) for values in (first, second)]
    if any(np.ptp(one) == 0 for one in ranks):
        return None
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


TIE_FRACTION = 1e-6
"""Relative difference up to which values are tied: equal predictions derived from their errors differ in last bits."""


def _mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    apart = np.diff(ascending) > TIE_FRACTION * ascending[:-1]
    place = np.concatenate([[0], np.cumsum(apart)])
    counts = np.bincount(place)
    ranks = np.empty(len(values))
    ranks[order] = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks
