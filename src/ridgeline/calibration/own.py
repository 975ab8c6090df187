"""Calibration on a user's own measurements: numbers of their machines and engines, with the catalog's as priors.

The catalog's numbers rest on thousands of rows of many chips; a few rows of one chip move them only as far as their
weight allows.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ridgeline.calibration.calibrate import fit_all_engines
from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.cases.model_table import ModelTable
from ridgeline.calibration.fit.blocks import BLOCKS, block_of
from ridgeline.calibration.fit.chip_fit import FEWEST_ROWS, Fitted, Parameter, fit_machine
from ridgeline.calibration.fit.engine_fit import FittedEngine, known_starts
from ridgeline.calibration.fit.load_runs import known_numbers
from ridgeline.calibration.fit.mapped import Mapped
from ridgeline.calibration.fit.stacks import training
from ridgeline.calibration.judge.bands import own_bands
from ridgeline.calibration.judge.folds import SHAPES, Left, folds, held_out, shape_of, with_numbers_of
from ridgeline.calibration.kinds.kind import KINDS, KernelKind, PassKind
from ridgeline.calibration.kinds.predict import predict
from ridgeline.calibration.kinds.run import Machines, machine_of
from ridgeline.callbacks import Report, no_report
from ridgeline.catalog.engine_releases import newest_release
from ridgeline.catalog.engines import engine_ids, engine_of, fitted_engine
from ridgeline.catalog.machines import load_machine
from ridgeline.catalog.profiles import NAME
from ridgeline.quantity_text import counted
from ridgeline.specs.band import Band
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.fidelity import MEASURED
from ridgeline.specs.machine import Machine

__all__ = ["OwnCalibration", "Skipped", "calibrate_own", "machines_fitted_on"]

NEEDED = (
    f"a fit needs {FEWEST_ROWS}: {FEWEST_ROWS // SHAPES} for each of the {SHAPES} parts that are left out in turn,"
    " to see how far off it is"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Rows that no number was fitted on.

    Attributes:
        what: kind of the rows, and machine or engine.
        rows: number of rows.
        reason: reason why not.
    """

    what: str
    rows: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCalibration:
    """Result of a calibration on a user's own rows.

    Attributes:
        machines: numbers and bands of the kinds that were measured on each; its other numbers are the catalog's.
        engines: numbers of each, and widths of its intervals.
        loads: numbers of engines that rows under load determine.
        skipped: rows that nothing was fitted on.
    """

    machines: dict[str, Fitted]
    engines: dict[str, FittedEngine]
    loads: tuple[Parameter, ...]
    skipped: tuple[Skipped, ...]


Groups = dict[tuple[str, str], list[Case]]
"""Rows by kind, and by machine or engine."""


def calibrate_own(
    cases: Sequence[Case], models: ModelTable, *, mapped: Mapped = map, said: Report = no_report
) -> OwnCalibration:
    """Fit numbers of machines and engines on a user's own rows, and estimate their uncertainty.

    Args:
        cases: measured rows of any kind.
        models: rows of a model table, for models that the catalog lacks.
        mapped: ``map``, or an executor's, over folds and other groups that are left out.
        said: progress callback, called with a line of text.
    """
    kernels, engines, skipped = _sorted_out(cases, models)
    skipped += [*_drop_too_few(kernels), *_drop_too_few(engines)]
    of_kernels = [case for rows in kernels.values() for case in rows]
    machines = _fit(of_kernels, said)
    if machines:
        said("kernels again, each part of the shapes left out")
        parts = [fold for fold in folds(of_kernels) if fold.left is Left.SHAPES]
        held = [row for rows in mapped(partial(held_out, of_kernels, fitted=_fitted_on), parts) for row in rows]
        for name, bands in own_bands(of_kernels, held, growth=0.0).items():
            machine = load_machine(name)
            machines[machine.id] = _banded(machines[machine.id], bands, machine)
    of_engines = [_dated(case) for rows in engines.values() for case in rows]
    fitted: dict[str, FittedEngine] = {}
    loads: tuple[Parameter, ...] = ()
    if of_engines:
        found = fit_all_engines(
            of_engines,
            models,
            _with(machines),
            said,
            centres=known_numbers(),
            starts=known_starts(),
            mapped=mapped,
        )
        fitted, loads = found.engines, found.loads
    return OwnCalibration(
        machines=machines,
        engines={name: _widened(one) for name, one in fitted.items()},
        loads=loads,
        skipped=tuple(skipped),
    )


def machines_fitted_on(cases: Sequence[Case]) -> Machines:
    """Machines with the numbers that ``calibrate_own`` fits on these rows of kernels and messages, without bands."""
    kernels, _, _ = _sorted_out(cases, {})
    _drop_too_few(kernels)
    return _with(_fit([case for rows in kernels.values() for case in rows]))


def _dated(case: Case) -> Case:
    """A user's row without a release, given the newest that was measured, as a plan without one is."""
    engine = engine_of(case.engine)
    newest = newest_release(engine.name)
    if engine.release.version or newest is None:
        return case
    return dataclasses.replace(case, engine=f"{case.engine}-{newest[0]}")


def _sorted_out(cases: Sequence[Case], models: ModelTable) -> tuple[Groups, Groups, list[Skipped]]:
    """Rows of kernels, rows of engines, and those that nothing is fitted on."""
    kernels, engines = defaultdict(list), defaultdict(list)
    left: Counter[tuple[str, str]] = Counter()
    for case in cases:
        try:
            _require_predicted(case, models)
            if block := block_of(case):
                kernels[block, _kernels_on(case)].append(case)
            else:
                engines[_of_engine(case)].append(case)
        except Unsupported as reason:
            left[f"{case.kind} on {case.machine}", str(reason)] += 1
    skipped = [Skipped(what=what, rows=rows, reason=reason) for (what, reason), rows in left.items()]
    return dict(kernels), dict(engines), skipped


def _require_predicted(case: Case, models: ModelTable) -> None:
    if not case.measured:
        raise Unsupported("nothing was measured")
    predict(case, models, MEASURED)


def _kernels_on(case: Case) -> str:
    """Machine whose kernels a row determines."""
    machine, _ = machine_of(case)
    if machine.efficiency.kernels is None:
        raise Unsupported(f"no kernels of these kinds are fitted on {machine.id}")
    if not NAME.fullmatch(machine.id):
        raise Unsupported(f"machine id {machine.id!r} names no file; write letters, digits, '-', '_' and '.'")
    return machine.id


def _of_engine(case: Case) -> tuple[str, str]:
    """Kind of a row that determines an engine, and the engine."""
    kind = KINDS[case.kind]
    if isinstance(kind, KernelKind):
        raise Unsupported("nothing is fitted on such rows")
    engine = engine_of(case.engine)
    if engine == IDEAL_ENGINE:
        known = ", ".join(name for name in engine_ids() if name != IDEAL_ENGINE.name)
        raise Unsupported(f"what ran it is not known; write into column engine one of {known}")
    return ("passes" if isinstance(kind, PassKind) else f"{case.kind} {case.quantity}"), engine.name


def _drop_too_few(groups: Groups) -> list[Skipped]:
    """Remove groups that have too few rows, and return them."""
    columns = ("model", "output_tokens", "tp", "pp", "ep", "dp", "weight_dtype")
    skipped = []
    for key, rows in list(groups.items()):
        shapes = len({(shape_of(case), *(case.text(name) for name in columns)) for case in rows})
        if shapes < FEWEST_ROWS:
            of, whose = key
            skipped.append(
                Skipped(what=f"{of} of {whose}", rows=len(rows), reason=f"{counted(shapes, 'shape')}; {NEEDED}")
            )
            del groups[key]
    return skipped


def _fit(cases: Sequence[Case], said: Report = no_report) -> dict[str, Fitted]:
    """Fitted numbers of machines, with the catalog's as priors."""
    by_block = {name: training(cases, block) for name, block in BLOCKS.items()}
    machines = {stack.run.machine.id: stack.run.machine for stacks in by_block.values() for stack in stacks}
    found = {
        name: fit_machine(name, by_block, machine.efficiency.kernels, fewest=1, said=said)
        for name, machine in sorted(machines.items())
        if machine.efficiency.kernels is not None
    }
    return {name: fitted for name, fitted in found.items() if fitted is not None}


def _fitted_on(cases: Sequence[Case], _: Collection[str]) -> Machines:
    return _with(_fit(cases))


def _with(fitted: Mapping[str, Fitted]) -> Machines:
    """Machines by id, some with their own kernels and bands."""

    def machine(name: str) -> Machine:
        found = load_machine(name)
        own = fitted.get(found.id)
        return found if own is None else with_numbers_of(own, found)

    return machine


def _banded(fitted: Fitted, bands: Mapping[str, tuple[Band, int]], machine: Machine) -> Fitted:
    """A fit with bands of its own, which widen beyond the longest row as the catalog's do."""
    known, own = machine.efficiency.bands, {kind: found for kind, found in bands.items() if kind in fitted.rows}
    return dataclasses.replace(
        fitted,
        bands={
            kind: dataclasses.replace(band, growth=known[kind].growth if kind in known else 0.0)
            for kind, (band, _) in own.items()
        },
        band_rows={kind: f"{rows:,} rows of other shapes" for kind, (_, rows) in own.items()},
    )


def _widened(one: FittedEngine) -> FittedEngine:
    """A fit with the catalog's widths where rows are too few, and with the catalog's evidence added."""
    known = fitted_engine(one.engine.name)
    of_catalog, own = known.evidence, one.engine.evidence
    evidence = dataclasses.replace(
        of_catalog if of_catalog.machines else own,
        deployments=tuple(sorted({*of_catalog.deployments, *own.deployments})),
        machines=tuple(sorted({*of_catalog.machines, *own.machines})),
        users=max((one for one in (of_catalog.users, own.users) if one < math.inf), default=math.inf),
    )
    engine = dataclasses.replace(
        one.engine,
        widths={**known.widths, **one.engine.widths},
        status=f"own: {one.engine.status}",
        evidence=evidence,
    )
    return dataclasses.replace(one, engine=engine)
