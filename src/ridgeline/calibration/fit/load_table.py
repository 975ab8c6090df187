"""Rows under load as arrays: a step's time is linear in each of an engine's numbers, so that a fit only adds."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.load_runs import LoadRun, with_numbers
from ridgeline.calibration.fit.priors import SAME, TOKENS
from ridgeline.serving.admission import sequence_limit
from ridgeline.serving.passes import PoolPasses, pool_times
from ridgeline.serving.pool_times import CASES, PoolTimes
from ridgeline.specs.engine import Engine, Release, Replay, overhead_left
from ridgeline.specs.engine_options import EngineOptions

__all__ = [
    "LinesOf",
    "Table",
    "kept_rows",
    "key_of",
    "load_table",
]

Array = NDArray[np.float64]

SERIES_WEIGHT, SERIES_POWER = 0.35, -0.6
"""Weight of a row, and exponent of its series' length by which it falls, since rows of a series have similar errors."""


DECLINE = "replay.overhead_decline_per_year"
"""Number by which overhead falls from one release to the next, in which passes are not linear."""

STEP_NUMBERS = tuple(name for name in TOKENS if ".scheduling." not in f".{name}" and name != DECLINE)
"""Numbers in which passes are linear."""

KEPT = frozenset({"replay.experts_busy_fraction", "replay.prefill_gap_fraction"})
"""Linear numbers that are equal in all releases."""

DECLINES = np.array([name not in KEPT for name in STEP_NUMBERS])
"""Whether each of them falls from one release to the next."""

LINEAR = ("step_s", "lone_s", "latency_s", "alone_s", "full_s")
"""Fields of ``PoolTimes`` that are linear in these numbers."""

UNIT = 1e-3
"""Step in a number by which a slope is found, s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A pool's passes as linear functions of an engine's numbers.

    Attributes:
        at_zero: times with all numbers zero.
        slopes: slopes of the fields in ``LINEAR``; the last axis is that of ``STEP_NUMBERS``.
    """

    at_zero: PoolTimes
    slopes: tuple[Array, ...]

    def times(self, numbers: Mapping[str, float], engine: Engine) -> PoolTimes:
        """Times of the passes with the numbers of an engine."""
        return _times(self.at_zero, self.slopes, numbers, np.array([engine.release.years]))


def _times(zero: PoolTimes, slopes: Sequence[Array], numbers: Mapping[str, float], years: Array) -> PoolTimes:
    """Times with an engine's numbers, as its releases have changed them by so many years after their date."""
    left = np.asarray(overhead_left(numbers[DECLINE], years))
    values = np.array([numbers[name] for name in STEP_NUMBERS]) * np.where(DECLINES, left[:, None], 1.0)
    moved = {
        field: getattr(zero, field) + np.einsum("r...n,rn->r...", slope, values)
        for field, slope in zip(LINEAR, slopes, strict=True)
    }
    return dataclasses.replace(zero, **moved)


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
    places = [STEP_NUMBERS.index(number) for number in units]

    def slopes(field: str) -> Array:
        of_engines = getattr(times, field)
        found = np.zeros((1, *of_engines.shape[1:], len(STEP_NUMBERS)))  # other engines' numbers change nothing
        for engine, (place, unit) in enumerate(zip(places, units.values(), strict=True), 1):
            found[0, ..., place] = (of_engines[engine] - of_engines[0]) / unit
        return found

    return Lines(at_zero=dataclasses.replace(at_zero, step_s=times.step_s[:1]), slopes=tuple(map(slopes, LINEAR)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of one kind as arrays: their passes as linear functions of all numbers.

    Attributes:
        cases: rows of the case files.
        engines: engines as they were run, with either kind of lengths.
        engine: index of each row's engine among them.
        most: maximum sequences that each row's deployment admits.
        zero: times of the passes with all numbers zero.
        slopes: slopes of the fields in ``LINEAR``; the last axis is that of ``STEP_NUMBERS``.
        years: time from the date that the numbers hold for to each row's release, years.
        users: number of users of each row.
        tokens: output tokens of a request, of all copies.
        weights: weight of each row.
        measured: measured values, in seconds, or rates.
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
        """Times of the rows' passes with an engine's numbers."""
        return _times(self.zero, self.slopes, numbers, self.years)


LinesOf = dict[tuple[int, str, EngineOptions], Lines]
"""Linear passes, by the passes and their engine."""


def key_of(run: LoadRun) -> tuple[int, str, EngineOptions]:
    """Key of a row's lines: engines share passes; each has its own numbers and options, and admits as many."""
    engine = run.passes.engine
    return id(run.passes.pools[0]), engine.name, engine.options


def load_table(runs: Sequence[LoadRun], lines: LinesOf) -> Table:
    """Rows of one kind with their passes as lines; those that are not among the lines yet are added."""
    series = Counter(one.series for one in runs)
    found = []
    for one in runs:
        key = key_of(one)
        if key not in lines:
            lines[key] = _lines(one.passes.pools[0], one.passes.engine)
        found.append(lines[key])
    nodes = max((one.at_zero.sequences for one in found), key=len)
    points = len(nodes)

    def padded(grid: Array) -> Array:
        return np.concatenate([grid, np.repeat(grid[:, -1:], points - grid.shape[1], axis=1)], axis=1)

    step_slopes, *others = zip(*(one.slopes for one in found), strict=True)
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
        slopes=(np.concatenate([padded(each) for each in step_slopes]), *map(np.concatenate, others)),
        years=np.array([one.passes.engine.release.years for one in runs]),
        users=np.array([one.passes.users / one.passes.copies for one in runs]),
        tokens=np.array([one.passes.copies * one.passes.pools[0].workload.output_tokens for one in runs]),
        weights=np.array([SERIES_WEIGHT * series[one.series] ** SERIES_POWER for one in runs]),
        measured=np.array([one.case.measured or np.nan for one in runs]),
    )


def kept_rows(table: Table, is_kept: Callable[[Case], bool]) -> Table:
    """A selection of the rows."""
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
