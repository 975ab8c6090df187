"""Engine overhead and scheduling from measured closed loops: few numbers, the same on all chips.

A step's time is a line in each of an engine's numbers, so that passes are timed once for each of them and a fit only
adds. First come the numbers that tokens show, then, with those as they are, the ones that first tokens show.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.cases.model_table import ModelTable
from ridgeline.calibration.fit.chip_fit import Parameter
from ridgeline.calibration.fit.mapped import Mapped
from ridgeline.calibration.fit.priors import FIRST_TOKENS, SAME, TOKENS, Prior
from ridgeline.calibration.fit.robust import robust_fit
from ridgeline.calibration.kinds.kind import KINDS, LoadKind
from ridgeline.calibration.kinds.loads import LoadPasses, LoadQuantity
from ridgeline.calibration.kinds.run import Machines, Run, as_stated, machine_of
from ridgeline.catalog.engines import USUAL, engine_ids, engine_of, fitted_engine
from ridgeline.serving.admission import sequence_limit
from ridgeline.serving.load import CASES, Loaded, PoolTimes, Rules, closed_loop, rules_of, saturated
from ridgeline.serving.passes import PoolPasses, pool_times
from ridgeline.specs.engine import IDEAL_ENGINE, Engine, Release, Replay, overhead_left
from ridgeline.specs.engine_options import EngineOptions
from ridgeline.specs.fidelity import MEASURED

__all__ = [
    "FittedLoads",
    "LoadFit",
    "LoadRun",
    "Split",
    "fits_without",
    "group_of",
    "known_numbers",
    "load_runs",
    "stand_in",
    "with_numbers",
]

Array = NDArray[np.float64]

SOFT = 0.12
"""Error from which a row pulls no harder."""

SERIES_WEIGHT, SERIES_POWER = 0.35, -0.6
"""Weight of a row, and the power of its series' length by which it falls: rows of a series err alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRun:
    """A measured row under load.

    Attributes:
        case: the row.
        run: with its records.
        passes: of its pools.
        quantity: that was measured.
    """

    case: Case
    run: Run
    passes: LoadPasses
    quantity: LoadQuantity

    @property
    def band(self) -> str:
        """Which of its quantities' errors it shows."""
        return self.quantity.band

    @property
    def series(self) -> tuple[str, ...]:
        """What is the same of rows that differ in users and lengths alone."""
        layout = str(self.passes.pools[-1].deployment.layout)
        names = ("engine", "model", "machine", "weight_dtype", "chips")
        return (self.case.family, self.band, layout, *(self.case.text(name) for name in names))


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedLoads:
    """Numbers of engines, by name as in ``TOKENS`` and ``FIRST_TOKENS``, and how they came about."""

    numbers: dict[str, float]
    parameters: tuple[Parameter, ...]


def load_runs(cases: Iterable[Case], *, models: ModelTable, machines: Machines) -> list[LoadRun]:
    """Measured rows under load; those that are not predicted are left out."""
    found = []
    for case in cases:
        kind = KINDS.get(case.kind)
        if not isinstance(kind, LoadKind) or not case.measured or case.quantity not in kind.quantities:
            continue
        try:
            machine, _ = machine_of(case, machines)
            engine = as_stated(engine_of(case.engine), case)
            run = Run(case=case, machine=machine, fidelity=MEASURED, models=models, engine=engine)
            passes = kind.passes(run)
        except Unsupported:
            continue
        found.append(LoadRun(case=case, run=run, passes=passes, quantity=kind.quantities[case.quantity]))
    return found


def with_numbers(engine: Engine, numbers: Mapping[str, float]) -> Engine:
    """An engine that replays steps with other numbers; those of other engines are passed over."""
    if engine.replay is None:
        return engine
    name = SAME.get(engine.name, engine.name)
    changes: dict[str, dict[str, Any]] = {"replay": {}, "scheduling": {}, "": {}}
    for key, value in numbers.items():
        *owner, field = key.split(".")
        table = owner[-1] if owner and owner[-1] in changes else ""
        if owner[: len(owner) - bool(table)] in ([], [name]):
            changes[table][field] = value
    # Only the engine with prefill-first scheduling has its waves.
    if engine.name == name:
        changes["scheduling"].pop("prefill_first_fraction", None)
    return dataclasses.replace(
        engine,
        replay=dataclasses.replace(engine.replay, **changes["replay"]),
        scheduling=dataclasses.replace(engine.scheduling, **changes["scheduling"]),
        **changes[""],
    )


DECLINE = "replay.overhead_decline_per_year"
"""By which overhead falls from one release to the next, and so no number in which passes are lines."""

STEP_NUMBERS = tuple(name for name in TOKENS if ".scheduling." not in f".{name}" and name != DECLINE)
"""Those in which passes are lines."""

KEPT = frozenset({"replay.experts_busy_fraction", "replay.prefill_gap_fraction"})
"""Of these, those that are the same in all releases."""

DECLINES = np.array([name not in KEPT for name in STEP_NUMBERS])
"""Whether each of them falls from one release to the next."""

LINEAR = ("step_s", "latency_s", "alone_s", "full_s")
"""Of ``PoolTimes``, what is a line in them."""

UNIT = 1e-3
"""A number of seconds by which a line's slope is found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A pool's passes as lines in an engine's numbers.

    Attributes:
        at_zero: with all of them zero.
        slopes: of each number that it has, by its name.
    """

    at_zero: PoolTimes
    slopes: dict[str, tuple[Array, ...]]


def _lines(passes: PoolPasses, engine: Engine) -> Lines:
    name = SAME.get(engine.name, engine.name)
    engine = dataclasses.replace(engine, release=Release())  # of the day of which numbers are
    nothing = dataclasses.replace(engine, replay=Replay(**dict.fromkeys(Replay.__dataclass_fields__, 0.0)))
    zero = with_numbers(nothing, dict.fromkeys(STEP_NUMBERS, 0.0))
    units = {
        number: UNIT if number.endswith("_s") else 1.0
        for number in STEP_NUMBERS
        if number.startswith(("replay.", f"{name}."))
    }
    engines = [zero, *(with_numbers(zero, {number: unit}) for number, unit in units.items())]
    # All engines' passes are timed together; they share most of their kernels.
    deployments = [dataclasses.replace(passes.deployment, engine=one) for one in engines]
    times = pool_times(deployments, passes.workload, float(passes.sequences[-1]))
    at_zero = times.cases(np.zeros(1, dtype=np.intp))
    slopes = {}
    for place, (number, unit) in enumerate(units.items(), 1):
        moved = {"step_s": times.step_s[[place]] - times.step_s[:1]}
        moved |= {field: getattr(times, field)[[place]] - getattr(times, field)[:1] for field in LINEAR[1:]}
        slopes[number] = tuple(moved[field] / unit for field in LINEAR)
    return Lines(at_zero=dataclasses.replace(at_zero, step_s=times.step_s[:1]), slopes=slopes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of one kind as arrays: their passes as lines in all numbers.

    Attributes:
        cases: the rows.
        engines: as they were run, with either kind of lengths.
        engine: the place of each row's among them.
        most: sequences that each row's deployment lets in.
        zero: their passes with all numbers zero.
        slopes: of what ``LINEAR`` names; the last axis is that of ``STEP_NUMBERS``.
        years: from the day of which numbers are to each one's release.
        users: of each.
        tokens: that a request of all copies puts out.
        weights: of each row.
        measured: in seconds, or a rate.
    """

    cases: Sequence[Case]
    engines: Sequence[tuple[Engine, bool]]
    engine: NDArray[np.intp]
    most: Array
    zero: PoolTimes
    slopes: tuple[Array, ...]
    years: Array
    users: Array
    tokens: Array
    weights: Array
    measured: Array

    def times(self, numbers: Mapping[str, float]) -> PoolTimes:
        """The rows' passes with an engine's numbers."""
        left = np.asarray(overhead_left(numbers[DECLINE], self.years))
        values = np.array([numbers[name] for name in STEP_NUMBERS]) * np.where(DECLINES, left[:, None], 1.0)
        moved = {
            field: getattr(self.zero, field) + np.einsum("r...n,rn->r...", slope, values)
            for field, slope in zip(LINEAR, self.slopes, strict=True)
        }
        return dataclasses.replace(self.zero, **moved)


LinesOf = dict[tuple[int, str, EngineOptions], Lines]
"""Passes as lines, by the passes and what runs them."""


def _table(runs: Sequence[LoadRun], lines: LinesOf) -> Table:
    series = Counter(one.series for one in runs)
    found = []
    for one in runs:
        passes, engine = one.passes.pools[0], one.passes.engine
        # Engines share passes; each has its own numbers and options, and lets in as many.
        key = id(passes), engine.name, engine.options
        if key not in lines:
            lines[key] = _lines(passes, engine)
        found.append(lines[key])
    nodes = max((one.at_zero.sequences for one in found), key=len)
    points = len(nodes)

    def padded(grid: Array) -> Array:
        return np.concatenate([grid, np.repeat(grid[:, -1:], points - grid.shape[1], axis=1)], axis=1)

    def slopes(place: int) -> Array:
        rows = []
        for one in found:
            zero = np.zeros_like(one.at_zero.step_s if place == 0 else one.at_zero.alone_s)
            of_each = [one.slopes[name][place] if name in one.slopes else zero for name in STEP_NUMBERS]
            rows.append(np.stack([padded(each) if place == 0 else each for each in of_each], axis=-1))
        return np.concatenate(rows)

    zero: dict[str, Any] = {name: np.concatenate([getattr(one.at_zero, name) for one in found]) for name in CASES}
    step_s = np.concatenate([padded(one.at_zero.step_s) for one in found])
    asked = [(one.passes.engine, one.passes.equal_lengths) for one in runs]
    keys = [(engine.name, engine.options, equal) for engine, equal in asked]
    engines = dict(zip(keys, asked, strict=True))
    places = {key: place for place, key in enumerate(engines)}
    return Table(
        cases=[one.case for one in runs],
        engines=list(engines.values()),
        engine=np.array([places[key] for key in keys], dtype=np.intp),
        most=np.array([float(sequence_limit(one.passes.deployment)) for one in runs]),
        zero=PoolTimes(sequences=nodes, step_s=step_s, pool=np.arange(len(found)), **zero),
        slopes=tuple(slopes(place) for place in range(len(LINEAR))),
        years=np.array([one.passes.engine.release.years for one in runs]),
        users=np.array([one.passes.users / one.passes.copies for one in runs]),
        tokens=np.array([one.passes.copies * one.passes.pools[0].workload.output_tokens for one in runs]),
        weights=np.array([SERIES_WEIGHT * series[one.series] ** SERIES_POWER for one in runs]),
        measured=np.array([one.case.measured or np.nan for one in runs]),
    )


def _closed(table: Table, numbers: Mapping[str, float]) -> Loaded:
    found = [
        rules_of(with_numbers(engine, numbers), equal_lengths=equal, is_benchmark=True)
        for engine, equal in table.engines
    ]
    rules = {
        name: np.concatenate([getattr(one, name) for one in found])[table.engine] for name in Rules.__dataclass_fields__
    }
    return closed_loop(table.times(numbers), Rules(**rules), table.users)


def _predicted_tpot(table: Table, numbers: Mapping[str, float]) -> Array:
    return _closed(table, numbers).tpot_s


def _predicted_ttft(table: Table, numbers: Mapping[str, float]) -> Array:
    return _closed(table, numbers).ttft_s


def _predicted_saturated(table: Table, numbers: Mapping[str, float]) -> Array:
    fractions = [with_numbers(engine, numbers).scheduling.batch_occupancy_fraction for engine, _ in table.engines]
    rate = saturated(table.times(numbers), table.most, np.array(fractions)[table.engine]).requests_per_s
    return np.asarray(rate * table.tokens)


Predicted = Callable[[Table, Mapping[str, float]], Array]


def _fitted(
    tables: Sequence[tuple[Table, Predicted]],
    priors: Mapping[str, Prior],
    known: Mapping[str, float],
    weak: Array | None,
) -> tuple[dict[str, float], list[Parameter], Array]:
    """The numbers that fit best with others known, those of them that rows tell of, and their logarithms.

    What starts from zero has no logarithm, and stays.
    """
    names = [name for name, (centre, _) in priors.items() if centre]
    centre = np.log([priors[name][0] for name in names])
    spread = np.array([priors[name][1] for name in names])

    def numbers(logs: Array) -> dict[str, float]:
        return {**known, **dict.fromkeys(priors, 0.0), **dict(zip(names, np.exp(logs).tolist(), strict=True))}

    def errors(logs: Array) -> Array:
        found = numbers(logs)
        return np.concatenate(
            [np.empty(0), *(np.log(predicted(table, found) / table.measured) for table, predicted in tables)]
        )

    best = robust_fit(
        errors,
        centre=centre,
        spread=spread,
        soft=SOFT,
        start=weak,
        weights=np.concatenate([np.empty(0), *(table.weights for table, _ in tables)]),
        evaluations=20,
        tolerance=1e-5,
    )
    found = numbers(best.logs)
    parameters = [
        Parameter(name=name, value=found[name], log_sd=float(sd), rows=int(rows))
        for name, sd, rows in zip(names, best.log_sd, best.rows, strict=True)
        if rows
    ]
    return found, parameters, best.logs


def known_numbers() -> dict[str, float]:
    """The catalog's numbers, by name as in ``TOKENS`` and ``FIRST_TOKENS``; zero where it has none."""
    found = {}
    for name in (*TOKENS, *FIRST_TOKENS):
        owner, _, field = name.rpartition(".")
        of_engine, _, table = owner.partition(".") if owner.split(".")[0] in engine_ids() else ("", "", owner)
        # What engines share stands with each of them; of one that is another but for a rule, the rule's with that.
        of_these = [of_engine or USUAL, *(other for other, same in SAME.items() if same == of_engine)]
        holders = (getattr(engine, table) if table else engine for engine in map(fitted_engine, of_these))
        found[name] = next((value for one in holders if (value := float(getattr(one, field)))), 0.0)
    return found


class Split(StrEnum):
    """What is left out of a fit together, and then predicted by it."""

    NOTHING = "nothing"
    DEPLOYMENT = "model on its machine"
    MODEL = "model"
    MACHINE = "machine"
    LATER = "later releases"
    USERS = "more users"
    ENGINE = "engine"


LATER_FROM = "2026-04-01"
"""The day that divides releases: half a year of the public benchmark's runs before it, and as much after it."""


MANY_USERS = 64
"""Users beyond which rows are left out together: loads of four more doublings lie above, and most rows below."""


def group_of(case: Case, split: Split) -> Hashable | None:
    """Rows with which a row is left out; None for one that never is."""
    engine = engine_of(case.engine)
    groups: dict[Split, Hashable | None] = {
        Split.NOTHING: None,
        Split.DEPLOYMENT: case.deployed,
        Split.MODEL: case.model,
        Split.MACHINE: case.machine,
        Split.LATER: split if engine.release.date >= LATER_FROM else None,
        Split.USERS: split if (case.batch or 0) > MANY_USERS else None,
        Split.ENGINE: SAME.get(engine.name, engine.name) if engine.replay else None,
    }
    return groups[split]


class LoadFit:
    """Fits of numbers of engines that replay steps to rows under load, with all rows or without some.

    Rows of two pools, of engines that are not known and of layouts that are not said are predicted and not fitted.
    """

    def __init__(self, runs: Sequence[LoadRun], centres: Mapping[str, float] | None = None) -> None:
        """Take rows, and numbers to start from and to be held by where they are not the round ones."""
        self._priors = tuple(
            {name: ((centres or {}).get(name, centre), spread) for name, (centre, spread) in priors.items()}
            for priors in (TOKENS, FIRST_TOKENS)
        )
        lines: LinesOf = {}
        by_kind: dict[tuple[str, str], list[LoadRun]] = defaultdict(list)
        for one in runs:
            if one.run.engine != IDEAL_ENGINE and not one.run.attribute("layout_free"):
                by_kind[one.case.kind, one.case.quantity].append(one)
        fitted = by_kind["closed_loop", "tpot_s"], by_kind["saturated", "output_tokens_per_s"]
        self._tokens = [
            (_table(rows, lines), predicted)
            for rows, predicted in zip(fitted, (_predicted_tpot, _predicted_saturated), strict=True)
            if rows
        ]
        self._first = [(_table(rows, lines), _predicted_ttft) for rows in (by_kind["closed_loop", "ttft_s"],) if rows]
        numbers, parameters, self._start = self._fit(lambda _: True, None)
        self.found = FittedLoads(numbers=numbers, parameters=parameters)

    def without(self, left: Callable[[Case], bool]) -> dict[str, float]:
        """Numbers as the rows tell of them that are not left out."""
        return self._fit(lambda case: not left(case), self._start)[0]

    def _fit(
        self, is_kept: Callable[[Case], bool], start: tuple[Array, Array] | None
    ) -> tuple[dict[str, float], tuple[Parameter, ...], tuple[Array, Array]]:
        tokens_priors, first_priors = self._priors
        begun = {name: centre for name, (centre, _) in first_priors.items()}
        kept_in = ([(_kept(table, is_kept), how) for table, how in all_] for all_ in (self._tokens, self._first))
        some, more = ([(table, how) for table, how in tables if table.cases] for tables in kept_in)
        numbers, parameters, logs = _fitted(some, tokens_priors, begun, None if start is None else start[0])
        numbers, others, first_logs = _fitted(more, first_priors, numbers, None if start is None else start[1])
        return numbers, (*parameters, *others), (logs, first_logs)


def fits_without(
    fit: LoadFit, runs: Sequence[LoadRun], split: Split, mapped: Mapped = map
) -> dict[Hashable, dict[str, float]]:
    """Numbers of fits that leave rows out, by the group that is left out of each.

    Args:
        fit: of all rows.
        runs: the rows.
        split: how they are grouped.
        mapped: ``map``, or an executor's, over parts of the groups.
    """
    groups = dict.fromkeys(group_of(one.case, split) for one in runs if one.case.kind != "disaggregated")
    groups.pop(None, None)
    ordered = sorted(groups, key=repr)
    # A fit is large to send to another process: a few times, and not for each group.
    parts = [part for place in range(PARTS) if (part := ordered[place::PARTS])]
    by_group = {group: one for part in mapped(partial(_numbers_without, fit, split), parts) for group, one in part}
    found = {group: by_group[group] for group in ordered}
    if split is not Split.ENGINE:
        return found
    return {engine: _as_another(numbers, str(engine)) for engine, numbers in found.items()}


PARTS = 8
"""Into which groups are divided: as many as keep a few processes busy until the last is done."""


def _numbers_without(fit: LoadFit, split: Split, groups: Sequence[Hashable]) -> list[tuple[Hashable, dict[str, float]]]:
    def without(group: Hashable) -> dict[str, float]:
        return fit.without(lambda case: group_of(case, split) == group)

    return [(group, without(group)) for group in groups]


def stand_in(engine: str) -> str:
    """The engine that one is taken for where it is left out: the usual one, and that for the one that has versions."""
    return USUAL if engine != USUAL else next(iter(SAME.values()))


def _as_another(numbers: Mapping[str, float], engine: str) -> dict[str, float]:
    """Numbers with which an engine is taken to be another one."""
    own = {name: name.removeprefix(f"{engine}.") for name in numbers if name.startswith(f"{engine}.")}
    return {**numbers, **{name: numbers.get(f"{stand_in(engine)}.{field}", 0.0) for name, field in own.items()}}


def _kept(table: Table, is_kept: Callable[[Case], bool]) -> Table:
    """Some of the rows."""
    kept = np.array([is_kept(case) for case in table.cases])
    if kept.all():
        return table

    def some(values: Array) -> Array:
        return np.asarray(values[kept])

    zero: dict[str, Any] = {name: some(getattr(table.zero, name)) for name in CASES}
    return Table(
        cases=[case for case, is_kept in zip(table.cases, kept, strict=True) if is_kept],
        engines=table.engines,
        engine=np.asarray(table.engine[kept]),
        most=some(table.most),
        zero=dataclasses.replace(
            table.zero,
            step_s=some(table.zero.step_s),
            pool=np.arange(int(kept.sum())),
            **zero,
        ),
        slopes=tuple(some(slope) for slope in table.slopes),
        years=some(table.years),
        users=some(table.users),
        tokens=some(table.tokens),
        weights=some(table.weights),
        measured=some(table.measured),
    )
