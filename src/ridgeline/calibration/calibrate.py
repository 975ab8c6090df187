"""Kernels and their bands from measured cases: all the catalog's fitted numbers of chips."""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ridgeline.calibration.cases import Case
from ridgeline.calibration.cases.model_table import ModelTable
from ridgeline.calibration.fit.chip_fit import FEWEST_ROWS, Fitted, Parameter, fit_chips
from ridgeline.calibration.fit.engine_fit import (
    EngineRun,
    FittedEngine,
    Starts,
    engine_runs,
    fit_engines,
    left_out,
)
from ridgeline.calibration.fit.load_fit import FittedLoads, LoadFit, fits_without
from ridgeline.calibration.fit.load_runs import load_runs, with_numbers
from ridgeline.calibration.fit.load_table import LinesOf
from ridgeline.calibration.fit.mapped import Mapped
from ridgeline.calibration.fit.priors import SAME, STARTS
from ridgeline.calibration.fit.split import Split
from ridgeline.calibration.judge.anchors import spread_of
from ridgeline.calibration.judge.bands import StepError, growth_beyond, own_bands, step_width, strangers_bands
from ridgeline.calibration.judge.distance import Distances, found_novelty
from ridgeline.calibration.judge.folds import Held, folds, held_out, of_kernels, with_fit
from ridgeline.calibration.judge.load_errors import Known, load_errors
from ridgeline.calibration.kinds.kind import pass_band
from ridgeline.calibration.kinds.run import Machines
from ridgeline.calibration.kinds.steps import passed
from ridgeline.callbacks import Report, no_report
from ridgeline.catalog.engines import USUAL, catalog_novelty, engine_ids, engine_of, fitted_engine, widened_by
from ridgeline.catalog.kernels import inherited
from ridgeline.catalog.machines import kernels_reference
from ridgeline.estimator.interval import interval_factors, total_s
from ridgeline.specs.band import PREFILL, STEP, Band
from ridgeline.specs.engine import Spread
from ridgeline.specs.evidence import Evidence

__all__ = ["Calibration", "FittedEngines", "calibrate", "fit_all_engines", "parts_of_errors", "step_errors"]

Errors = dict[str, list[StepError]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Fitted numbers of chips and engines, with their errors.

    Attributes:
        shared: numbers shared by all chips.
        chips: each machine with measurements.
        engines: overhead of engines.
        loads: numbers of engines that rows under load determine.
        cases: kernels and messages that it was fitted on.
        held: predictions of these by fits without them.
        steps: errors of whole passes by family, predicted without their model on their machine.
        under_load: errors of rows under load by engine and quantity, predicted in the same way.
        spreads: components of the errors, by quantity.
        news: errors of rows under load by what else was left out, each like ``under_load``.
        novelty: widths of intervals by what is new and by quantity, over those for a new model on its machine.
        reach: deployments that all engines together were measured with.
    """

    shared: Fitted
    chips: dict[str, Fitted]
    engines: dict[str, FittedEngine]
    loads: tuple[Parameter, ...]
    cases: list[Case]
    held: list[Held]
    steps: dict[str, list[StepError]]
    under_load: dict[str, dict[str, list[StepError]]]
    spreads: dict[str, Spread]
    news: dict[Split, dict[str, Errors]]
    novelty: dict[str, dict[str, float]]
    reach: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedEngines:
    """Engines with their numbers under load, and errors of passes and loads that were not fitted on.

    Attributes:
        engines: overhead of engines, and widths of their intervals.
        loads: numbers of engines that rows under load determine.
        steps: errors of whole passes by family, predicted without their model on their machine.
        under_load: errors of rows under load by engine and quantity, predicted in the same way.
        news: errors of rows under load by what else was left out, each like ``under_load``.
        novelty: widths of intervals by what is new and by quantity, over those for a new model on its machine; the
            catalog's where not everything was left out.
    """

    engines: dict[str, FittedEngine]
    loads: tuple[Parameter, ...]
    steps: Errors
    under_load: dict[str, Errors]
    news: dict[Split, dict[str, Errors]]
    novelty: dict[str, dict[str, float]]


def calibrate(
    cases: Sequence[Case], models: ModelTable, *, mapped: Mapped = map, said: Report = no_report
) -> Calibration:
    """Fit kernels, and estimate their uncertainty by fits that leave rows out.

    Args:
        cases: measured rows; whole steps only give bands, by predictions that were not fitted on them.
        models: rows of a model table, for models that the catalog lacks.
        mapped: ``map``, or an executor's, over folds and other groups that are left out.
        said: progress callback, called with a line of text.
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
    machines = with_fit(shared, banded)
    fitted_engines = fit_all_engines(cases, models, machines, said, splits=tuple(Split), mapped=mapped)
    if fitted_engines.steps:
        width = step_width(fitted_engines.steps)
        behind = sum(len(rows) for rows in fitted_engines.steps.values())
        step = {STEP: Band(below=width, above=width)}, {STEP: f"{behind:,} rows of whole passes, models left out"}
        shared, banded = _with(shared, *step), {machine: _with(one, *step) for machine, one in banded.items()}
    return Calibration(
        shared=shared,
        chips=banded,
        engines=fitted_engines.engines,
        loads=fitted_engines.loads,
        cases=kernels,
        held=held,
        steps=fitted_engines.steps,
        under_load=fitted_engines.under_load,
        spreads={band: spread_of(found) for band, found in parts_of_errors(fitted_engines.under_load).items()},
        news=fitted_engines.news,
        novelty=fitted_engines.novelty,
        reach=Distances(fitted_engines.under_load, widened_by(fitted_engines.novelty)).evidence(USUAL),
    )


def fit_all_engines(
    cases: Sequence[Case],
    models: ModelTable,
    machines: Machines,
    said: Report,
    *,
    centres: Mapping[str, float] | None = None,
    starts: Starts = STARTS,
    splits: Sequence[Split] = (Split.DEPLOYMENT,),
    mapped: Mapped = map,
) -> FittedEngines:
    """Fit engines on passes and on loads, and find their errors by fits that leave rows out.

    Args:
        cases: measured rows of any kind.
        models: rows of a model table, for models that the catalog lacks.
        machines: machines by id, with their kernels.
        said: progress callback, called with a line of text.
        centres: start and prior of the numbers under load; round ones where left out.
        starts: start and prior of the numbers of passes.
        splits: groups of rows that are left out.
        mapped: ``map``, or an executor's, over the groups that are left out.
    """
    said("engines under load")
    rows = load_runs(cases, models=models, machines=machines)
    news: dict[Split, dict[str, Errors]] = {}
    loads = FittedLoads(numbers={}, parameters=())
    if rows:
        lines: LinesOf = {}
        fit = LoadFit(rows, centres, lines)
        loads = fit.found
        told: Known = {}  # most rows are left out in few of the splits
        for split in splits:
            said(f"engines under load, left out: {split}")
            news[split] = load_errors(rows, loads, fits_without(fit, rows, split, mapped), split, told, lines)
    under_load = news.get(Split.DEPLOYMENT, {})
    runs = engine_runs(
        cases, models=models, machines=machines, changed=lambda engine: with_numbers(engine, loads.numbers)
    )
    of_passes = fit_engines(runs, starts=starts, said=said)
    said("passes of models left out")
    steps = step_errors(runs, machines, starts)
    novelty = found_novelty(news) if set(news) == set(Split) else catalog_novelty()
    return FittedEngines(
        engines=_with_widths(of_passes, loads, steps, under_load, Distances(under_load, widened_by(novelty))),
        loads=loads.parameters,
        steps=steps,
        under_load=under_load,
        news=news,
        novelty=novelty,
    )


def _with_widths(
    of_passes: Mapping[str, FittedEngine],
    loads: FittedLoads,
    steps: Errors,
    under_load: Mapping[str, Errors],
    distances: Distances,
) -> dict[str, FittedEngine]:
    """Engines with the widths of their intervals, those without fitted passes among them, where enough rows say them.

    Args:
        of_passes: engines that were fitted on passes.
        loads: numbers of engines that rows under load determine.
        steps: errors of whole passes, by family.
        under_load: errors of rows under load, by engine and quantity.
        distances: widths by how far a deployment is from the measured ones.
    """
    engines = dict(of_passes)
    by_engine: dict[tuple[str, str], Errors] = defaultdict(lambda: defaultdict(list))
    for family, found in steps.items():
        for one in found:
            by_engine[engine_of(one.case.engine).name, pass_band(one.case)][family].append(one)
    for name in engine_ids():
        whose = SAME.get(name, name)
        widths = {
            band: distances.width(whose, band, under_load[whose])
            for band, found in sorted(under_load.get(whose, {}).items())
            if len(found) >= FEWEST_ROWS
        }
        for band in (STEP, PREFILL):
            if sum(len(found) for found in by_engine.get((name, band), {}).values()) >= FEWEST_ROWS:
                widths[band] = step_width(by_engine[name, band])
        if not widths:
            continue
        known = engines.get(name)
        engine = with_numbers(fitted_engine(name), loads.numbers) if known is None else known.engine
        behind = sum(len(found) for found in under_load.get(whose, {}).values())
        status = f"fitted on {behind:,} measurements under load" if behind else engine.status
        evidence = distances.evidence(whose) if behind else engine.evidence
        engines[name] = FittedEngine(
            engine=dataclasses.replace(engine, widths=widths, status=status, evidence=evidence),
            parameters=() if known is None else known.parameters,
        )
    return engines


def parts_of_errors(under_load: Mapping[str, Errors]) -> dict[str, list[tuple[Hashable, Hashable, float]]]:
    """Errors of times per token and first tokens in closed loops, by quantity, each with deployment and layout."""
    found: dict[str, list[tuple[Hashable, Hashable, float]]] = defaultdict(list)
    for engine, bands in under_load.items():
        for band in ("tpot_s", "ttft_s"):
            for one in bands.get(band, ()):
                case = one.case
                deployment = (engine, *case.deployed, case.weight_dtype, case.engine)
                layout = (case.tp, case.pp, case.ep, case.dp, case.chips)
                found[band].append((deployment, layout, one.log_ratio))
    return dict(found)


def _with(fitted: Fitted, bands: Mapping[str, Band], rows: Mapping[str, str]) -> Fitted:
    return dataclasses.replace(fitted, bands={**fitted.bands, **bands}, band_rows={**fitted.band_rows, **rows})


def step_errors(runs: Mapping[str, Sequence[EngineRun]], machines: Machines, starts: Starts = STARTS) -> Errors:
    """Errors of whole passes by family, on chips with fitted kernels, by engines fitted on other models."""
    errors: dict[str, list[StepError]] = defaultdict(list)
    for of_engine in runs.values():
        for run, engine in left_out(of_engine, starts):
            if kernels_reference(run.case.machine) is None:
                continue
            parts = passed(run.passes, engine)
            bands = {**machines(run.case.machine).efficiency.bands, STEP: Band(below=0.0, above=0.0)}
            _, high = interval_factors(parts, bands, is_step=True)
            log_error = math.log(float(total_s(parts)) / run.measured_s)
            errors[run.case.family].append(
                StepError(
                    case=run.case,
                    log_ratio=log_error if run.is_time else -log_error,
                    time_s=run.measured_s,
                    predicted_s=float(total_s(parts)),
                    kernels_width=math.log(float(high)),
                )
            )
    return dict(errors)
