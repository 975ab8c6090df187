"""Overhead of training frameworks from measured steps: few numbers, most of them shared by all."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.cases.model_table import ModelTable
from ridgeline.calibration.fit.chip_fit import Parameter
from ridgeline.calibration.fit.priors import Prior
from ridgeline.calibration.fit.robust import robust_fit
from ridgeline.calibration.fit.training_scale import ScaledStep, scale_exponent
from ridgeline.calibration.kinds.run import Run, machine_of
from ridgeline.calibration.kinds.training import STEP_QUANTITIES, measured_step_s
from ridgeline.calibration.kinds.training_job import job_of
from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import FactFile
from ridgeline.catalog.trainers import run_defaults
from ridgeline.specs.fidelity import MEASURED
from ridgeline.specs.trainer import IDEAL_TRAINER, OTHER, Trainer
from ridgeline.training.job import TrainingJob
from ridgeline.training.step_time import step_time
from ridgeline.training.step_work import StepWork, step_work

__all__ = ["REPORTED", "FittedTraining", "MeasuredStep", "fit_training", "held_out_errors", "measured_steps"]

Array = NDArray[np.float64]

SOFT = 0.08
"""Residual from which a row's pull is constant: about the effect of settings that no row states."""

REPORTED = ("train_headline", "train_bridge_repeats", "train_bridge_unstated")
"""Families that are reported and not fitted on: whole runs, repeated steps, and steps without settings."""

UNTUNED = frozenset({"train_bridge_functional", "train_mlm_release", "train_primus", "train_simumax_a100"})
"""Families of untuned runs, or with settings stated in part: they show a host's times, and weigh less."""

UNTUNED_WEIGHT = 0.1
"""Weight of an untuned run over a tuned one's: its unstated settings move its step about ten times as far."""

FRACTIONS = frozenset({"hidden_gradients", "hidden_gathers", "hidden_tp", "hidden_dispatch", "captured_host_fraction"})
"""Numbers that are fractions, fitted by their odds."""

GPUS = ("ampere", "hopper", "blackwell")
"""Families of chips whose mean stands for those of other makers."""


class _PriorFile(FactFile):
    shared: dict[str, Any]
    own: dict[str, Prior]
    attention: dict[str, Prior]


_PRIORS = read_toml(Path(__file__).with_name("training_priors.toml"), _PriorFile)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredStep:
    """A measured step.

    Attributes:
        case: row of the case file.
        job: training job, with the ideal framework.
        trainer: id of the framework that ran it.
        work: work of a step.
        measured_s: measured step time, s.
    """

    case: Case
    job: TrainingJob
    trainer: str
    work: StepWork
    measured_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedTraining:
    """Fitted numbers of all frameworks.

    Attributes:
        trainers: frameworks by id.
        parameters: each number, by path, with its uncertainty.
        logs: fitted logarithms of the numbers.
    """

    trainers: dict[str, Trainer]
    parameters: tuple[Parameter, ...]
    logs: Array


def measured_steps(cases: Sequence[Case], models: ModelTable) -> list[MeasuredStep]:
    """Measured steps that are predicted."""
    found = []
    for case in cases:
        defaults = run_defaults(case.engine)
        if case.kind != "train_step" or not case.measured or case.quantity not in STEP_QUANTITIES or defaults is None:
            continue
        try:
            machine, _ = machine_of(case)
            run = Run(case=case, machine=machine, fidelity=MEASURED, models=models)
            job = job_of(run, IDEAL_TRAINER)
            work = step_work(job)
        except Unsupported:
            continue
        measured_s = measured_step_s(job, case.quantity, case.measured)
        found.append(MeasuredStep(case=case, job=job, trainer=defaults.trainer, work=work, measured_s=measured_s))
    return found


def _leaves(table: Mapping[str, Any], place: str = "") -> dict[str, Prior]:
    """Priors of a table by path."""
    found: dict[str, Prior] = {}
    for name, value in table.items():
        here = f"{place}.{name}" if place else name
        found |= _leaves(value, here) if isinstance(value, Mapping) else {here: tuple(value)}
    return found


def _priors(runs: Sequence[MeasuredStep]) -> dict[str, Prior]:
    """All numbers by their path in the catalog's file; attention's only where a framework's chip was measured."""
    found = {f"shared.{name}": prior for name, prior in _leaves(_PRIORS.shared).items()}
    chips = defaultdict(set)
    for run in runs:
        chips[run.trainer].add(run.job.machine.family)
    for trainer, families in sorted(chips.items()):
        found |= {f"trainers.{trainer}.{name}": prior for name, prior in _PRIORS.own.items()}
        for family, prior in _PRIORS.attention.items():
            if family in families:
                found[f"trainers.{trainer}.attention_factor.{family}"] = prior
    return found


def _log(place: str, value: float) -> float:
    return math.log(value / (1 - value)) if place.rsplit(".", 1)[-1] in FRACTIONS else math.log(value)


def _value(place: str, log: float) -> float:
    return 1 / (1 + math.exp(-log)) if place.rsplit(".", 1)[-1] in FRACTIONS else math.exp(log)


def _trainers(places: Sequence[str], logs: Array) -> dict[str, Trainer]:
    """Frameworks with these numbers."""
    tables: dict[str, dict[str, Any]] = defaultdict(dict)
    for place, log in zip(places, logs.tolist(), strict=True):
        *owner, field = place.removeprefix("trainers.").split(".")
        if len(owner) > 1:
            tables[owner[0]].setdefault(owner[1], {})[field] = _value(place, log)
        else:
            tables[owner[0]][field] = _value(place, log)
    shared = tables.pop("shared")
    for name in ("products_factor", "narrow_products_factor", "experts_factor"):
        _with_other(shared[name])
    for own in tables.values():
        _with_other(own["attention_factor"])
    return {
        name: dataclasses.replace(IDEAL_TRAINER, name=name, status="fitted", **{**shared, **own})
        for name, own in tables.items()
    }


def _with_other(numbers: dict[str, float]) -> None:
    """Geometric mean over GPUs, for families that were not measured; over all where no GPU was."""
    known = [number for family, number in numbers.items() if family in GPUS] or list(numbers.values())
    numbers[OTHER] = math.exp(sum(map(math.log, known)) / len(known))


def _errors(runs: Sequence[MeasuredStep], trainers: Mapping[str, Trainer]) -> Array:
    """Values of ``ln(predicted / measured)`` of times."""
    predicted = [
        step_time(dataclasses.replace(run.job, trainer=trainers[run.trainer]), run.work).step_time_s for run in runs
    ]
    return np.log(predicted) - np.log([run.measured_s for run in runs])


def _weights(runs: Sequence[MeasuredStep]) -> Array:
    """Weights of rows, which fall with the size of a family: its total grows with the square root of its rows."""
    counts = Counter(run.case.family for run in runs)
    trust = {family: UNTUNED_WEIGHT if family in UNTUNED else 1.0 for family in counts}
    weights = np.array([trust[run.case.family] * counts[run.case.family] ** -0.5 for run in runs])
    return np.asarray(weights * len(weights) / weights.sum())


def fit_training(runs: Sequence[MeasuredStep], start: FittedTraining | None = None) -> FittedTraining:
    """Numbers that fit measured steps best.

    Args:
        runs: measured steps; families in ``REPORTED`` are ignored.
        start: an earlier fit to start from, of the same frameworks.
    """
    alone = _alone(runs)
    fitted = [run for run in runs if run.case.family not in REPORTED and run.case.name not in alone]
    priors = _priors(runs)
    places = list(priors)
    best = robust_fit(
        lambda logs: _errors(fitted, _trainers(places, logs)),
        centre=np.array([_log(place, value) for place, (value, _) in priors.items()]),
        spread=np.array([spread for _, spread in priors.values()]),
        soft=SOFT,
        start=None if start is None else start.logs,
        weights=_weights(fitted),
        evaluations=25,
        tolerance=1e-5,
    )
    parameters = tuple(
        Parameter(name=place, value=_value(place, float(log)), log_sd=float(sd), rows=int(rows))
        for place, log, sd, rows in zip(places, best.logs, best.log_sd, best.rows, strict=True)
    )
    trainers = _trainers(places, best.logs)
    at_scale = scale_exponent(_scaled(fitted, trainers))
    return FittedTraining(
        trainers={
            name: dataclasses.replace(trainer, scale_exponent=at_scale.value) for name, trainer in trainers.items()
        },
        parameters=(*parameters, at_scale),
        logs=best.logs,
    )


def _scaled(runs: Sequence[MeasuredStep], trainers: Mapping[str, Trainer]) -> list[ScaledStep]:
    """Measured steps with their series."""
    errors = _errors(runs, trainers).tolist()
    return [
        ScaledStep(series=_series(run), chips=run.job.layout.chips, error=error)
        for run, error in zip(runs, errors, strict=True)
    ]


def _series(run: MeasuredStep) -> Hashable:
    """All of a run but the number of its replicas, at the same batch a chip."""
    job, layout = run.job, run.job.layout
    degrees = (layout.layout, layout.ep, layout.expert_tp, layout.virtual_stages, layout.zero_stage, layout.micro_batch)
    return run.trainer, run.case.deployed, degrees, job.recipe, job.sequence_tokens, job.batch / layout.chips


def _alone(runs: Sequence[MeasuredStep]) -> set[str]:
    """Names of runs of a model that is the only one of its kind, routed or dense, on such chips; none are fitted."""
    found: dict[tuple[str, bool], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        found[run.job.machine.family, run.job.model.is_routed][run.case.model].append(run.case.name)
    return {name for models in found.values() if len(models) == 1 for names in models.values() for name in names}


def held_out_errors(runs: Sequence[MeasuredStep], whole: FittedTraining) -> Array:
    """Value of ``ln(predicted / measured)`` of each step by a fit without its model on its machine.

    Args:
        runs: all measured steps.
        whole: fit on all of them, from which each search starts.
    """
    errors = np.empty(len(runs))
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, run in enumerate(runs):
        groups[run.case.deployed].append(place)
    for held in groups.values():
        left = [run for place, run in enumerate(runs) if place not in held]
        # Priors are those of all runs, so that numbers keep their places.
        fitted = fit_training([*left, *(_unfitted(runs[place]) for place in held)], whole)
        errors[held] = _errors([runs[place] for place in held], fitted.trainers)
    return errors


def _unfitted(run: MeasuredStep) -> MeasuredStep:
    """A run that is reported and not fitted on."""
    return dataclasses.replace(run, case=dataclasses.replace(run.case, family=REPORTED[0]))
