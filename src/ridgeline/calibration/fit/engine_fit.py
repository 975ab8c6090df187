"""Engine overhead from measured passes of whole models: few numbers, equal on all chips."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.cases.model_table import ModelTable
from ridgeline.calibration.fit.chip_fit import FEWEST_ROWS, LOOSE, OUTLIER, Parameter
from ridgeline.calibration.fit.priors import STARTS
from ridgeline.calibration.fit.robust import robust_fit
from ridgeline.calibration.kinds.kind import KINDS, PassKind
from ridgeline.calibration.kinds.quantity import Measure
from ridgeline.calibration.kinds.run import Machines, Run, as_stated, machine_of
from ridgeline.calibration.kinds.steps import LaunchedPass, passed
from ridgeline.callbacks import Report, no_report
from ridgeline.catalog.engines import engine_of, fitted_engine
from ridgeline.estimator.interval import total_s
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import MEASURED

__all__ = [
    "EngineRun",
    "FittedEngine",
    "Starts",
    "engine_residuals",
    "engine_runs",
    "fit_engines",
    "known_starts",
    "left_out",
]

Array = NDArray[np.float64]

Starts = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedEngine:
    """An engine, with its fit."""

    engine: Engine
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRun:
    """A measured pass.

    Attributes:
        case: row of the case file.
        engine: engine that ran it, from the catalog.
        passes: passes without engine overhead.
        measured_s: measured time, s.
        is_time: whether the row gives a time, and not a rate.
    """

    case: Case
    engine: Engine
    passes: tuple[LaunchedPass, ...]
    measured_s: float
    is_time: bool


def engine_runs(
    cases: Sequence[Case],
    *,
    models: ModelTable,
    machines: Machines,
    changed: Callable[[Engine], Engine] = lambda engine: engine,
) -> dict[str, list[EngineRun]]:
    """Measured passes by engine; rows that are not predicted are left out.

    Args:
        cases: measured rows of any kind.
        models: rows of a model table, for models that the catalog lacks.
        machines: machines by id, with their kernels.
        changed: function that adjusts each engine.
    """
    found: dict[str, list[EngineRun]] = defaultdict(list)
    for case in cases:
        kind = KINDS.get(case.kind)
        if not isinstance(kind, PassKind) or not case.measured or case.quantity not in kind.quantities:
            continue
        quantity = kind.quantities[case.quantity]
        try:
            engine = as_stated(changed(engine_of(case.engine)), case)
            machine, _ = machine_of(case, machines)
            run = Run(case=case, machine=machine, fidelity=MEASURED, models=models, engine=engine)
            passes, measured_s = kind.passes(run), float(quantity.time_s(run, case.measured))
        except Unsupported:
            continue
        is_time = quantity.measure is Measure.TIME
        found[engine.name].append(
            EngineRun(case=case, engine=engine, passes=passes, measured_s=measured_s, is_time=is_time)
        )
    return dict(found)


def engine_residuals(runs: Sequence[EngineRun], engine: Engine) -> Array:
    """Values of ``ln(predicted / measured)`` of times."""
    predicted = [float(total_s(passed(one.passes, engine))) for one in runs]
    return np.asarray(np.log(predicted) - np.log([one.measured_s for one in runs]))


def _changed(engine: Engine, numbers: Mapping[str, Any]) -> Engine:
    return dataclasses.replace(engine, **numbers)


def fit_engine(runs: Sequence[EngineRun], start: Mapping[str, float]) -> FittedEngine:
    """Numbers of an engine that fit its passes best."""
    known = runs[0].engine
    names, prior = list(start), np.log(list(start.values()))

    def changed(logs: Array) -> Engine:
        return _changed(known, dict(zip(names, np.exp(logs).tolist(), strict=True)))

    def errors(logs: Array) -> Array:
        return engine_residuals(runs, changed(logs))

    best = robust_fit(errors, centre=prior, spread=LOOSE, soft=OUTLIER)
    status = f"fitted on {len(runs):,} measured passes"
    parameters = tuple(
        Parameter(name=f"{known.name}.{name}", value=float(value), log_sd=float(sd), rows=len(runs))
        for name, value, sd in zip(names, np.exp(best.logs), best.log_sd, strict=True)
    )
    return FittedEngine(engine=dataclasses.replace(changed(best.logs), status=status), parameters=parameters)


def known_starts() -> dict[str, dict[str, float]]:
    """Start values with the catalog's numbers in place of round ones."""
    return {
        name: {field: getattr(fitted_engine(name), field) or round_one for field, round_one in start.items()}
        for name, start in STARTS.items()
    }


def fit_engines(
    runs: Mapping[str, Sequence[EngineRun]], *, starts: Starts = STARTS, said: Report = no_report
) -> dict[str, FittedEngine]:
    """Fit the overhead of engines with enough measured passes.

    Args:
        runs: measured passes by engine.
        starts: numbers to start from and to be held by, by engine.
        said: progress callback, called with a line of text.
    """
    fitted = {}
    for name, start in starts.items():
        if len(runs.get(name, ())) >= FEWEST_ROWS:
            said(f"engine {name}")
            fitted[name] = fit_engine(runs[name], start)
    return fitted


def left_out(runs: Sequence[EngineRun], starts: Starts = STARTS) -> list[tuple[EngineRun, Engine]]:
    """Passes, each with its engine as fitted to the passes of other models and machines.

    An engine without fitted numbers is the catalog's; one with too few other passes has the start values of a fit.
    """
    start = starts.get(runs[0].engine.name)
    if start is None or len(runs) < FEWEST_ROWS:
        return [(one, one.engine) for one in runs]
    found = []
    for group in sorted({one.case.deployed for one in runs}):
        others = [one for one in runs if one.case.deployed != group]
        engine = fit_engine(others, start).engine if len(others) >= FEWEST_ROWS else _changed(runs[0].engine, start)
        found += [(one, engine) for one in runs if one.case.deployed == group]
    return found
