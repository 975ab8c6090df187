"""Kernels and their bands from measured cases: all that the catalog holds of what chips reach."""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ridgeline.calibration.bands import growth_beyond, own_bands, step_width, strangers_bands
from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.fit import Fitted, fit_chips
from ridgeline.calibration.folds import Fold, Held, folds, held_out, of_kernels, with_fit
from ridgeline.calibration.predict import KINDS, predict
from ridgeline.calibration.run import ModelTable
from ridgeline.catalog.kernels import inherited
from ridgeline.catalog.machines import kernels_reference, load_machine
from ridgeline.estimator.interval import interval_factors
from ridgeline.specs.band import STEP, Band

__all__ = ["Calibration", "StepError", "calibrate", "step_errors"]

Mapped = Callable[[Callable[[Fold], list[Held]], Sequence[Fold]], Iterable[list[Held]]]
"""``map``, or an executor's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What measured cases say of chips.

    Attributes:
        shared: what chips share.
        chips: each machine with measurements.
        cases: kernels and messages that it rests on.
        held: these as predicted by fits that have not seen them.
    """

    shared: Fitted
    chips: dict[str, Fitted]
    cases: list[Case]
    held: list[Held]


def calibrate(
    cases: Sequence[Case], models: ModelTable, *, mapped: Mapped = map, said: Callable[[str], None] = lambda _: None
) -> Calibration:
    """Fit kernels, and find how sure they are by fits that leave rows out.

    Args:
        cases: measured rows; of whole steps only the bands are made, by predictions that are not fitted on them.
        models: rows of a model table, for models that the catalog lacks.
        mapped: ``map``, or an executor's, over the folds.
        said: told what is being done.
    """
    kernels = of_kernels(cases)
    shared, chips = fit_chips(kernels, reference=kernels_reference, said=said)
    held = [row for rows in mapped(partial(held_out, kernels), folds(kernels)) for row in rows]
    growth = growth_beyond(kernels, held)
    own, strangers = own_bands(kernels, held, growth), strangers_bands(kernels, held, growth)
    far = {kind: band for kind, (band, _) in strangers.items()}
    near = {machine: far | {kind: band for kind, (band, _) in found.items()} for machine, found in own.items()}
    shared = dataclasses.replace(
        shared,
        bands=far,
        band_rows={kind: f"{rows:,} rows of families left out" for kind, (_, rows) in strangers.items()},
    )
    banded: dict[str, Fitted] = {}
    for machine, fitted in chips.items():
        nearest = kernels_reference(machine)
        of_family = inherited(near[nearest], far) if nearest in near and nearest != machine else far
        mine = {kind: band for kind, (band, _) in own.get(machine, {}).items()}
        whose = "families left out" if of_family is far else f"half way from {nearest} to families left out"
        said_of = {kind: f"{rows:,} rows of other shapes" for kind, (_, rows) in own.get(machine, {}).items()}
        banded[machine] = dataclasses.replace(
            fitted, bands=of_family | mine, band_rows=dict.fromkeys(of_family, whose) | said_of
        )
    errors = step_errors(cases, models, shared, banded)
    if errors:
        width = step_width(
            {family: [(one.log_ratio, one.kernels_width) for one in rows] for family, rows in errors.items()}
        )
        behind = sum(len(rows) for rows in errors.values())
        step = {STEP: Band(below=width, above=width)}, {STEP: f"{behind:,} rows of whole passes"}
        shared, banded = _with(shared, *step), {machine: _with(one, *step) for machine, one in banded.items()}
    return Calibration(shared=shared, chips=banded, cases=kernels, held=held)


def _with(fitted: Fitted, bands: Mapping[str, Band], rows: Mapping[str, str]) -> Fitted:
    return dataclasses.replace(fitted, bands={**fitted.bands, **bands}, band_rows={**fitted.band_rows, **rows})


@dataclass(frozen=True, slots=True, kw_only=True)
class StepError:
    """The error of a whole pass by kernels that were not fitted on it.

    Attributes:
        case: the row.
        log_ratio: ``ln(predicted / measured)``.
        kernels_width: half-width of the interval that its kernels alone give it, in logarithms.
    """

    case: Case
    log_ratio: float
    kernels_width: float


def step_errors(
    cases: Sequence[Case], models: ModelTable, shared: Fitted, chips: Mapping[str, Fitted]
) -> dict[str, list[StepError]]:
    """By family, the errors of whole passes on chips with fitted kernels."""
    fidelity = with_fit(shared, chips)
    errors: dict[str, list[StepError]] = defaultdict(list)
    for case in cases:
        is_step = case.kind in KINDS and KINDS[case.kind].is_step
        if not is_step or not case.measured or kernels_reference(case.machine) is None:
            continue
        try:
            prediction = predict(case, models, fidelity)
        except Unsupported:
            continue
        bands = {**fidelity.efficiency(load_machine(case.machine)).bands, STEP: Band(below=0.0, above=0.0)}
        _, high = interval_factors(prediction.parts, bands, is_step=True)
        log_ratio = math.log(prediction.value / case.measured)
        errors[case.family].append(StepError(case=case, log_ratio=log_ratio, kernels_width=math.log(float(high))))
    return dict(errors)
