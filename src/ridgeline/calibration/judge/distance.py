"""Widening of an interval under load with the distance from measured deployments, from fits that leave rows out.

There is a factor for each kind of distance, such that four of five of the rows at that distance are held. Rows of one
layout of a deployment count as one, however many users were tried.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np

from ridgeline.calibration.cases.series import deployment_of
from ridgeline.calibration.fit.chip_fit import FEWEST_ROWS
from ridgeline.calibration.fit.split import Split, group_of, stand_in
from ridgeline.calibration.judge.bands import StepError, step_width, weighted_quantile
from ridgeline.catalog.engines import engine_of, widened_by
from ridgeline.numeric import INTERVAL_FRACTION
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.evidence import Asked, Evidence

__all__ = ["LATENCIES", "Distances", "Errors", "found_novelty", "latency_of"]

Errors = Mapping[str, Sequence[StepError]]
"""Errors by measured quantity."""

LATENCIES = ("tpot_s", "ttft_s")

FEWEST_SERIES = 5
"""Least number of series; of five, four are four of five."""

Novelty = dict[str, dict[str, float]]
"""Factors by what is new and by quantity, as in ``novelty`` of the catalog's file."""


def latency_of(band: str) -> str:
    """Latency whose distances a quantity's errors have."""
    return LATENCIES[band.endswith(LATENCIES[1])]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """Part of a measured row in its engine's evidence; ``groups`` are those that it is left out with."""

    band: str
    asked: Asked
    deployed: tuple[str, str] | None
    groups: Mapping[Split, Hashable | None]


class Distances:
    """Distances of rows from those in a fit without them, and the resulting widening of their intervals."""

    def __init__(self, errors: Mapping[str, Errors], factors: Evidence) -> None:
        """Take the errors of rows by engine and quantity, and the factors."""
        self._factors = factors
        self._rows = {
            engine: [_row(band, one) for band in LATENCIES for one in bands.get(band, ()) if one.asked]
            for engine, bands in errors.items()
        }
        chips = [row.asked.chips for rows in self._rows.values() for row in rows]
        self._chips = float(np.exp(np.mean(np.log(chips)))) if chips else 1.0
        self._found: dict[tuple[str, Split, Hashable], Evidence] = {}

    def by(self, factors: Evidence) -> Distances:
        """Distances of the same rows with other factors."""
        other = copy(self)
        other._factors = factors  # noqa: SLF001  its own kind
        return other

    def evidence(self, engine: str) -> Evidence:
        """Evidence of an engine with nothing left out, and the factors."""
        known = self._without(engine, Split.NOTHING, None)
        factors = {name: getattr(self._factors, name) for name in FACTORS}
        return dataclasses.replace(known, **factors)

    def _without(self, engine: str, split: Split, group: Hashable | None) -> Evidence:
        """Evidence of an engine with a group of rows left out."""
        key = engine, split, group
        if key not in self._found:
            kept = {
                name: [row for row in rows if group is None or row.groups[split] != group]
                for name, rows in self._rows.items()
            }
            self._found[key] = _known_by(kept, engine, self._chips)
        return self._found[key]

    def powers(self, engine: str, one: StepError, split: Split = Split.DEPLOYMENT) -> dict[str, float]:
        """Distance of a row from the others with its group left out: exponents of the factors."""
        if one.asked is None:
            return {}
        # With its engine left out, a row is predicted as another's, from which nothing is left out.
        is_another = split is Split.ENGINE
        rest = (
            self._without(stand_in(engine), Split.NOTHING, None)
            if is_another
            else self._without(engine, split, group_of(one.case, split))
        )
        return rest.distances(one.asked) | ({"of_known": 0.0} if is_another else {})

    def widening(self, engine: str, one: StepError, band: str, split: Split = Split.DEPLOYMENT) -> float:
        """Widening of a row's interval with its group left out."""
        return self._factors.by(self.powers(engine, one, split), latency_of(band))

    def width(self, engine: str, band: str, errors: Errors) -> float:
        """Width that an engine adds to kernels' bands, from rows with nothing new but their models on their machines.

        By all of its rows where there are too few of those; and never less than of the latency that its errors follow,
        which more rows tell of: by those alone where its own series are so few that the worst would be the width.
        """
        rows, nearest = errors.get(band, ()), latency_of(band)
        own = self._width(engine, band, rows)
        if band == nearest:
            return own
        of_latency = self._width(engine, nearest, errors.get(nearest, ()))
        few = len({deployment_of(one.case) for one in rows}) < FEWEST_SERIES
        return of_latency if few else max(own, of_latency)

    def _width(self, engine: str, band: str, rows: Sequence[StepError]) -> float:
        near = [one for one in rows if not self._is_new(engine, one)]
        series: dict[Hashable, list[StepError]] = defaultdict(list)
        for one in near if len(near) >= FEWEST_ROWS else rows:
            as_near = dataclasses.replace(one, log_ratio=one.log_ratio / self.widening(engine, one, band))
            series[deployment_of(one.case)].append(as_near)
        return step_width(series)

    def _is_new(self, engine: str, one: StepError) -> bool:
        powers = self.powers(engine, one)
        return any(powers.get(f"of_{what}") for what in OF_SPLITS)


def _row(band: str, one: StepError) -> _Row:
    asked = one.asked or Asked(model=one.case.model, machine=one.case.machine)
    is_known = engine_of(one.case.engine) != IDEAL_ENGINE
    groups = {split: group_of(one.case, split) for split in Split}
    return _Row(band=band, asked=asked, deployed=one.case.deployed if is_known else None, groups=groups)


def _known_by(kept: Mapping[str, Sequence[_Row]], engine: str, chips: float) -> Evidence:
    by_engine = {name: _measured(rows) for name, rows in kept.items()}
    deployments = {deployed for found in by_engine.values() for deployed in found}
    asked = [row.asked for rows in kept.values() for row in rows if row.deployed in deployments]
    mine = [row.asked for row in kept.get(engine, ())]
    return Evidence(
        deployments=by_engine.get(engine, ()),
        machines=tuple(sorted({machine for _, machine in deployments})),
        layer_kinds=tuple(sorted({name for one in asked for name in one.layer_kinds})),
        newest=max((one.released for one in mine), default=""),
        users=max((one.users for one in mine), default=math.inf),
        chips=chips,
    )


def _measured(rows: Sequence[_Row]) -> tuple[tuple[str, str], ...]:
    """Pairs of model and machine with enough closed-loop rows of either latency; stand-ins do not count."""
    counts = [Counter(row.deployed for row in rows if row.deployed and row.band == band) for band in LATENCIES]
    return tuple(sorted(one for one in counts[0] if one and all(count[one] >= FEWEST_ROWS for count in counts)))


FACTORS = tuple(name for name in Evidence.__dataclass_fields__ if name.startswith("of_"))


def found_novelty(news: Mapping[Split, Mapping[str, Errors]]) -> Novelty:
    """Factors of intervals by what is new about a row, found one after the other by fits that left it out."""
    usual = news[Split.DEPLOYMENT]
    novelty: Novelty = {"known": {}, "machine": {}, "layer_kind": {}, "release": {}, "users": {}}
    novelty["chips"] = {band: _growth_by_chips(usual, band) for band in LATENCIES}
    distances = Distances(usual, Evidence())
    for what, split in OF_SPLITS.items():
        for band in LATENCIES:
            factor = _needed(what, split, news, band, distances.by(widened_by(novelty)))
            if factor is not None:
                # More distant rows are never more certain; only measured deployments are.
                novelty[what][band] = factor if what == "known" else max(factor, 1.0)
    found = {band: _needed("engine", Split.ENGINE, news, band, distances.by(widened_by(novelty))) for band in LATENCIES}
    novelty["engine"] = {band: max(factor, 1.0) for band, factor in found.items() if factor is not None}
    return novelty


OF_SPLITS = {
    "layer_kind": Split.MODEL,
    "machine": Split.MACHINE,
    "release": Split.LATER,
    "users": Split.USERS,
    "known": Split.NOTHING,
}
"""Split by which each factor is found; kinds of layers go with the models that alone have them."""


def _growth_by_chips(errors: Mapping[str, Errors], band: str) -> float:
    """Factor of errors' sizes per doubling of chips: the slope of their logarithms, with an offset for each engine."""
    rows = [(engine, one) for engine, bands in errors.items() for one in bands.get(band, ()) if one.asked]
    engines = sorted({engine for engine, _ in rows})
    if len(rows) <= len(engines):
        return 1.0
    series = Counter(deployment_of(one.case) for _, one in rows)
    weights = np.sqrt([1 / series[deployment_of(one.case)] for _, one in rows])
    columns = [
        [math.log2(one.asked.chips if one.asked else 1.0), *(float(engine == name) for name in engines)]
        for engine, one in rows
    ]
    sizes = [math.log(max(abs(one.log_ratio), NO_ERROR)) for _, one in rows]
    slope = np.linalg.lstsq(np.array(columns) * weights[:, None], np.array(sizes) * weights, rcond=None)[0][0]
    return math.exp(max(float(slope), 0.0))


NO_ERROR = 1e-3
"""Least size of an error, a thousandth: less than repeated runs of one configuration differ by."""


def _needed(
    what: str, split: Split, news: Mapping[Split, Mapping[str, Errors]], band: str, distances: Distances
) -> float | None:
    """Factor by which intervals hold four of five rows that are new in one way; None where there are too few."""
    usual, is_engine = news[Split.DEPLOYMENT], split is Split.ENGINE
    sizes, together, powers = [], [], []
    for engine, bands in news[split].items():
        whose = stand_in(engine) if is_engine else engine
        width = distances.width(whose, band, usual.get(whose, {}))
        for one in bands.get(band, ()):
            group = group_of(one.case, split)
            power = float(group is not None)
            if not is_engine:
                power = distances.powers(engine, one, split).get(f"of_{what}", 0.0)
            if power:
                wider = distances.widening(engine, one, band, split) * math.hypot(width, one.kernels_width)
                sizes.append(abs(one.log_ratio) / wider)
                together.append(group if what in OF_GROUPS else deployment_of(one.case))
                powers.append(power)
    if len(sizes) < FEWEST_ROWS:
        return None
    count = Counter(together)
    held = weighted_quantile(sizes, [1 / count[one] for one in together], INTERVAL_FRACTION)
    return float(held ** (1 / np.mean(powers)))


OF_GROUPS = {"layer_kind"}
"""Factors for which rows that were left out together count as one; for the others, series do."""
