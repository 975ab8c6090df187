"""Prediction of a row's measured number from the facts of its run.

A prediction sees only the run's facts: never the measured value, nor the row's name, source or notes.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.cases.model_table import ModelTable
from ridgeline.calibration.kinds.kind import KINDS, KernelKind, LoadKind, PassKind, RlKind, TrainingKind
from ridgeline.calibration.kinds.loads import loaded
from ridgeline.calibration.kinds.quantity import Measure
from ridgeline.calibration.kinds.rl import LOST_BETWEEN_STAGES, of_rl
from ridgeline.calibration.kinds.run import Machines, Run, as_stated, machine_of, unread
from ridgeline.calibration.kinds.steps import passed
from ridgeline.calibration.kinds.training import of_training
from ridgeline.catalog.engine_options import names_understood
from ridgeline.catalog.engines import engine_of
from ridgeline.catalog.machines import load_machine
from ridgeline.estimator.interval import Part, bands_with, interval_factors, total_s
from ridgeline.serving.interval import load_interval
from ridgeline.specs.engine import IDEAL_ENGINE, Engine
from ridgeline.specs.fidelity import Fidelity

__all__ = ["Prediction", "predict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A predicted quantity with its 80 % interval, and warnings.

    Attributes:
        value: predicted value in the quantity's base unit.
        low: lower end of the interval.
        high: upper end of the interval.
        is_time: whether it is a time, and not a rate.
        parts: parts of the time behind it.
        warnings: assumptions and omissions of the prediction.
    """

    value: float
    low: float
    high: float
    is_time: bool
    parts: tuple[Part, ...]
    warnings: tuple[str, ...]


def predict(
    case: Case,
    models: ModelTable,
    fidelity: Fidelity,
    engine: Engine | None = None,
    *,
    kernels: Path | None = None,
    machines: Machines = load_machine,
) -> Prediction:
    """Predict the quantity of a row.

    Args:
        case: row of the case file.
        models: rows of a model table, for models that the catalog lacks.
        fidelity: resolution of the model of time.
        engine: engine in place of the one that the row names.
        kernels: user's own calibration, whose numbers machine and engine take.
        machines: machines by their ids; left out, the catalog's.

    Raises:
        Unsupported: the kind, the quantity, the model, the machine or the layout is not modelled.
    """
    kind = KINDS.get(case.kind)
    if kind is None:
        raise Unsupported(f"kind {case.kind!r} is not predicted; {', '.join(KINDS)} are")
    machine, of_machine = machine_of(case, machines, kernels)
    ran = as_stated(engine or engine_of(case.engine, kernels=kernels), case)
    run = Run(
        case=case,
        machine=machine,
        fidelity=fidelity,
        models=models,
        engine=ran,
        is_engine_asked=engine is not None,
        kernels=kernels,
    )
    if case.quantity not in kind.quantities:
        known = ", ".join(kind.quantities)
        raise Unsupported(f"quantity {case.quantity!r} of {case.kind} is not predicted; {known} are")
    if isinstance(kind, TrainingKind | RlKind):
        found = _of_training(run, kind)
    else:
        found = _under_load(run, kind) if isinstance(kind, LoadKind) else _of_a_time(run, kind, ran)
    understood = kind.attributes | names_understood(ran.name)
    left_out = unread(run, (name for name in case.attributes if name not in understood))
    return dataclasses.replace(found, warnings=tuple(dict.fromkeys([*of_machine, *found.warnings, *left_out])))


def _of_a_time(run: Run, kind: KernelKind[Any] | PassKind, ran: Engine) -> Prediction:
    """Prediction for a kernel, a message or whole passes, with the engine as it was before the fidelity changed it."""
    case, is_step = run.case, isinstance(kind, PassKind)
    if isinstance(kind, PassKind):
        passes = kind.passes(run)
        parts = passed(passes, run.engine)
        bands = bands_with(run.machine.efficiency.bands, run.engine, kind.errors)
        warnings = [warning for one in passes for warning in one.warnings]
        if case.engine not in {"", IDEAL_ENGINE.name} and ran == IDEAL_ENGINE:
            warnings.append(f"engine {case.engine!r} is not known: taken to take no time besides its kernels")
    else:
        parts = kind.parts(run)
        bands = run.machine.efficiency.bands
        warnings = [*kind.warned(run)]
    time_s = float(total_s(parts))
    if not 0 < time_s < math.inf:
        raise Unsupported(
            f"{case.kind}: predicted to take {time_s:g} s, which is not a possible time; check the row's numbers"
        )
    quantity = kind.quantities[case.quantity]
    ends = [float(quantity.of_time(run, time_s * factor)) for factor in interval_factors(parts, bands, is_step=is_step)]
    return Prediction(
        value=float(quantity.of_time(run, time_s)),
        low=min(ends),
        high=max(ends),
        is_time=quantity.measure is Measure.TIME,
        parts=parts,
        warnings=tuple(warnings),
    )


def _of_training(run: Run, kind: TrainingKind | RlKind) -> Prediction:
    value, log_width = of_rl(run, kind) if isinstance(kind, RlKind) else of_training(run, kind)
    is_time = kind.quantities[run.case.quantity].measure is Measure.TIME
    low, high = value * math.exp(-log_width), value * math.exp(log_width)
    warnings = (LOST_BETWEEN_STAGES,) if isinstance(kind, RlKind) else ()
    return Prediction(value=value, low=low, high=high, is_time=is_time, parts=(), warnings=warnings)


def _under_load(run: Run, kind: LoadKind) -> Prediction:
    passes, quantity = kind.passes(run), kind.quantities[run.case.quantity]
    value = quantity.value(run, passes, loaded(passes, passes.engine))
    low, high = load_interval(passes.pools[-1].run_by(passes.engine), quantity.band)
    if quantity.measure is Measure.RATE:
        low, high = 1 / high, 1 / low
    return Prediction(
        value=value,
        low=value * low,
        high=value * high,
        is_time=quantity.measure is Measure.TIME,
        parts=(),
        warnings=passes.warnings,
    )
