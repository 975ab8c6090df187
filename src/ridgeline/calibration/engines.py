"""What engines take besides their kernels, from measured passes of whole models: few numbers, the same on all chips."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.fit import FEWEST_ROWS, LOOSE, OUTLIER, Parameter, with_kernels
from ridgeline.calibration.predict import KINDS
from ridgeline.calibration.run import ModelTable, Run, machine_of
from ridgeline.catalog.engines import engine_of
from ridgeline.estimator.estimate import MEASURED
from ridgeline.specs.engine import Engine
from ridgeline.specs.kernels import Kernels

__all__ = ["STARTS", "FittedEngine", "engine_residuals", "engine_runs", "fit_engines"]

Array = NDArray[np.float64]

STARTS: dict[str, dict[str, float]] = {
    "fastertransformer": {"step_s": 1e-3, "token_s": 1e-7},
    "tensorrt-llm": {"request_s": 4e-4},
    "vllm-v0": {"step_s": 5e-3},
    "vllm-2023": {"step_s": 5e-3, "sequence_s": 1e-4, "request_s": 1e-2, "launch_layer_s": 3e-4},
}
"""The numbers that measured passes tell of an engine, and round ones to start from and to be held by."""

PASSES = frozenset({"decode_step", "prefill", "generate"})
"""Kinds of cases that are passes, in which nothing but the engine comes besides the kernels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedEngine:
    """An engine and how it came about."""

    engine: Engine
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRun:
    """A measured pass.

    Attributes:
        run: what was run, and by what engine as the catalog has it.
        measured_s: how long it took.
        place: of its row among all.
    """

    run: Run
    measured_s: float
    place: int


def engine_runs(
    cases: Sequence[Case], *, models: ModelTable, kernels: Mapping[str, Kernels]
) -> dict[str, list[EngineRun]]:
    """Measured passes by engine; rows that are not predicted are left out.

    Args:
        cases: measured rows of any kind.
        models: rows of a model table, for models that the catalog lacks.
        kernels: of machines; those of the catalog where there are none.
    """
    found: dict[str, list[EngineRun]] = defaultdict(list)
    for place, case in enumerate(cases):
        if case.kind not in PASSES or not case.measured:
            continue
        engine = engine_of(case.facts.get("engine", ""))
        try:
            machine, _ = machine_of(case)
            if case.machine in kernels:
                machine = with_kernels(machine, kernels[case.machine])
            run = Run(case=case, machine=machine, fidelity=MEASURED, models=models, engine=engine)
            timed, quantities = KINDS[case.kind]
            timed(run)
            # What one second would be: a time is longer than that, a rate smaller.
            per_second = float(quantities[case.quantity](run, 1.0))
        except (Unsupported, KeyError):
            continue
        is_time = float(quantities[case.quantity](run, 2.0)) > per_second
        measured_s = case.measured / per_second if is_time else per_second / case.measured
        found[engine.name].append(EngineRun(run=run, measured_s=measured_s, place=place))
    return dict(found)


def engine_residuals(runs: Sequence[EngineRun], engine: Engine) -> Array:
    """``ln(predicted / measured)`` of times."""
    predicted = [
        KINDS[one.run.case.kind][0](dataclasses.replace(one.run, engine=engine, warnings=[], used=set()))
        for one in runs
    ]
    return np.asarray(np.log(np.array(predicted, dtype=float)) - np.log([one.measured_s for one in runs]))


def fit_engine(runs: Sequence[EngineRun], start: Mapping[str, float]) -> FittedEngine:
    """The numbers of an engine that fit its passes best."""
    from scipy.optimize import least_squares  # noqa: PLC0415  an extra, which nothing else needs

    known = runs[0].run.engine
    names, prior = list(start), np.log(list(start.values()))

    def changed(logs: Array) -> Engine:
        return dataclasses.replace(known, **dict(zip(names, np.exp(logs).tolist(), strict=True)))

    def errors(logs: Array) -> Array:
        found = engine_residuals(runs, changed(logs))
        soft = np.sign(found) * np.sqrt(2 * (np.sqrt(1 + (found / OUTLIER) ** 2) - 1))
        return np.concatenate([soft, (logs - prior) / LOOSE])

    best = least_squares(errors, prior, max_nfev=60)
    log_sd = np.sqrt(np.diag(np.linalg.inv(best.jac.T @ best.jac)))
    status = f"fitted on {len(runs):,} measured passes"
    parameters = tuple(
        Parameter(name=f"{known.name}.{name}", value=float(value), log_sd=float(sd), rows=len(runs))
        for name, value, sd in zip(names, np.exp(best.x), log_sd, strict=True)
    )
    return FittedEngine(engine=dataclasses.replace(changed(best.x), status=status), parameters=parameters)


def fit_engines(
    cases: Sequence[Case],
    *,
    models: ModelTable,
    kernels: Mapping[str, Kernels],
    said: Callable[[str], None] = lambda _: None,
) -> dict[str, FittedEngine]:
    """Fit what engines with enough measured passes take besides their kernels.

    Args:
        cases: measured rows; other kinds than passes are left alone.
        models: rows of a model table, for models that the catalog lacks.
        kernels: of machines; those of the catalog where there are none.
        said: told what is being fitted.
    """
    runs = engine_runs(cases, models=models, kernels=kernels)
    fitted = {}
    for name, start in STARTS.items():
        if len(runs.get(name, ())) >= FEWEST_ROWS:
            said(f"engine {name}")
            fitted[name] = fit_engine(runs[name], start)
    return fitted
