"""A check of a fit: every fifth case is held back, and predicted by what is fitted on the others."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from ridgeline.calibration.cases import Case
from ridgeline.calibration.judge.folds import SHAPES
from ridgeline.calibration.kinds.predict import predict
from ridgeline.calibration.kinds.run import Machines
from ridgeline.calibration.own import machines_fitted_on
from ridgeline.catalog import load_machine
from ridgeline.specs.fidelity import MEASURED

__all__ = ["Check", "Checked", "check_fit", "held_back"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Errors of predictions of cases that were held back.

    Attributes:
        kind: kind of the cases.
        rows: number of cases that were held back.
        median_abs_log_error: median of |ln(predicted/measured)| by the fit on the other cases.
        catalog_median_abs_log_error: median of |ln(predicted/measured)| by the catalog's numbers, on the same cases.
    """

    kind: str
    rows: int
    median_abs_log_error: float
    catalog_median_abs_log_error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Errors of predictions of the cases that were held back.

    Attributes:
        total: errors of all cases, whose kind is "all".
        kinds: errors of each kind of case.
    """

    total: Checked
    kinds: tuple[Checked, ...]


def held_back(cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Cases that are held back, every fifth of a kind in their order, and the others."""
    held: list[Case] = []
    others: list[Case] = []
    seen: dict[str, int] = defaultdict(int)
    for case in cases:
        seen[case.kind] += 1
        (held if seen[case.kind] % SHAPES == 0 else others).append(case)
    return held, others


def check_fit(cases: Sequence[Case]) -> Check | None:
    """Errors of the fit on four of five cases, on the fifth; None where there are fewer than five of every kind."""
    held, others = held_back(cases)
    if not held:
        return None
    fitted = machines_fitted_on(others)
    errors = {case.name: (_error(case, fitted), _error(case, load_machine)) for case in held}
    kinds = dict.fromkeys(case.kind for case in held)
    return Check(
        total=_checked("all", list(errors.values())),
        kinds=tuple(_checked(kind, [errors[case.name] for case in held if case.kind == kind]) for kind in kinds),
    )


def _checked(kind: str, errors: Sequence[tuple[float, float]]) -> Checked:
    """Errors of cases from those of each, by the fit and by the catalog."""
    return Checked(
        kind=kind,
        rows=len(errors),
        median_abs_log_error=median(own for own, _ in errors),
        catalog_median_abs_log_error=median(known for _, known in errors),
    )


def _error(case: Case, machines: Machines) -> float:
    """Size of a prediction's error, in logarithms."""
    return abs(math.log(predict(case, {}, MEASURED, machines=machines).value / (case.measured or math.nan)))
