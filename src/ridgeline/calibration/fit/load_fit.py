"""Engine overhead and scheduling from measured closed loops: few numbers, equal on all chips.

A step's time is linear in each of an engine's numbers, so that passes are timed once for each of them and a fit only
adds. First come the numbers that times per token determine, then, with those fixed, the ones that first tokens
determine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.chip_fit import Parameter
from ridgeline.calibration.fit.load_runs import LoadRun, with_numbers
from ridgeline.calibration.fit.load_table import LinesOf, Table, kept_rows, load_table
from ridgeline.calibration.fit.mapped import Mapped
from ridgeline.calibration.fit.priors import FIRST_TOKENS, TOKENS, Prior
from ridgeline.calibration.fit.robust import robust_fit
from ridgeline.calibration.fit.split import Split, group_of, stand_in
from ridgeline.serving.load import Loaded, closed_loop, saturated
from ridgeline.serving.rules import Rules, rules_of
from ridgeline.specs.engine import IDEAL_ENGINE

__all__ = [
    "FittedLoads",
    "LoadFit",
    "fits_without",
]

Array = NDArray[np.float64]

SOFT = 0.12
"""Error from which a row's pull is constant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedLoads:
    """Numbers of engines, by name as in ``TOKENS`` and ``FIRST_TOKENS``, with their fit."""

    numbers: dict[str, float]
    parameters: tuple[Parameter, ...]


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
    """Numbers that fit best with others known, those that rows determine, and their logarithms.

    Numbers that start from zero have no logarithm, and stay.
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


class LoadFit:
    """Fits of numbers of engines that replay steps to rows under load, with all rows or without some.

    Rows of two pools, of unknown engines and of unstated layouts are predicted and not fitted.
    """

    def __init__(
        self, runs: Sequence[LoadRun], centres: Mapping[str, float] | None = None, lines: LinesOf | None = None
    ) -> None:
        """Take rows, and start and prior of the numbers where they are not the round ones.

        Args:
            runs: measured rows under load.
            centres: start and prior of the numbers.
            lines: linear passes that are known; missing ones are added.
        """
        lines = {} if lines is None else lines
        self._priors = tuple(
            {name: ((centres or {}).get(name, centre), spread) for name, (centre, spread) in priors.items()}
            for priors in (TOKENS, FIRST_TOKENS)
        )
        by_kind: dict[tuple[str, str], list[LoadRun]] = defaultdict(list)
        for one in runs:
            if one.run.engine != IDEAL_ENGINE and not one.run.attribute("layout_free"):
                by_kind[one.case.kind, one.case.quantity].append(one)
        fitted = by_kind["closed_loop", "tpot_s"], by_kind["saturated", "output_tokens_per_s"]
        self._tokens = [
            (load_table(rows, lines), predicted)
            for rows, predicted in zip(fitted, (_predicted_tpot, _predicted_saturated), strict=True)
            if rows
        ]
        self._first = [
            (load_table(rows, lines), _predicted_ttft) for rows in (by_kind["closed_loop", "ttft_s"],) if rows
        ]
        numbers, parameters, self._start = self._fit(lambda _: True, None)
        self.found = FittedLoads(numbers=numbers, parameters=parameters)

    def without(self, left: Callable[[Case], bool]) -> dict[str, float]:
        """Numbers fitted on the rows that are not left out."""
        return self._fit(lambda case: not left(case), self._start)[0]

    def _fit(
        self, is_kept: Callable[[Case], bool], start: tuple[Array, Array] | None
    ) -> tuple[dict[str, float], tuple[Parameter, ...], tuple[Array, Array]]:
        tokens_priors, first_priors = self._priors
        begun = {name: centre for name, (centre, _) in first_priors.items()}
        kept_in = ([(kept_rows(table, is_kept), how) for table, how in all_] for all_ in (self._tokens, self._first))
        some, more = ([(table, how) for table, how in tables if table.cases] for tables in kept_in)
        numbers, parameters, logs = _fitted(some, tokens_priors, begun, None if start is None else start[0])
        numbers, others, first_logs = _fitted(more, first_priors, numbers, None if start is None else start[1])
        return numbers, (*parameters, *others), (logs, first_logs)


def fits_without(
    fit: LoadFit, runs: Sequence[LoadRun], split: Split, mapped: Mapped = map
) -> dict[Hashable, dict[str, float]]:
    """Numbers of fits that leave rows out, by the group that each leaves out.

    Args:
        fit: fit of all rows.
        runs: measured rows under load.
        split: how they are grouped.
        mapped: ``map``, or an executor's, over parts of the groups.
    """
    groups = dict.fromkeys(group_of(one.case, split) for one in runs if one.case.kind != "disaggregated")
    groups.pop(None, None)
    ordered = sorted(groups, key=repr)
    # A fit is large to send to another process: it is sent a few times, and not for each group.
    parts = [part for place in range(PARTS) if (part := ordered[place::PARTS])]
    by_group = {group: one for part in mapped(partial(_numbers_without, fit, split), parts) for group, one in part}
    found = {group: by_group[group] for group in ordered}
    if split is not Split.ENGINE:
        return found
    return {engine: _as_another(numbers, str(engine)) for engine, numbers in found.items()}


PARTS = 8
"""Number of parts into which groups are divided, so that several processes stay busy until the end."""


def _numbers_without(fit: LoadFit, split: Split, groups: Sequence[Hashable]) -> list[tuple[Hashable, dict[str, float]]]:
    def without(group: Hashable) -> dict[str, float]:
        return fit.without(lambda case: group_of(case, split) == group)

    return [(group, without(group)) for group in groups]


def _as_another(numbers: Mapping[str, float], engine: str) -> dict[str, float]:
    """Numbers with which an engine stands in for another one."""
    own = {name: name.removeprefix(f"{engine}.") for name in numbers if name.startswith(f"{engine}.")}
    return {**numbers, **{name: numbers.get(f"{stand_in(engine)}.{field}", 0.0) for name, field in own.items()}}
