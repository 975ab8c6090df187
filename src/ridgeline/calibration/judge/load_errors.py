"""Errors of rows under load, predicted by numbers that were not fitted on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping

import numpy as np

from ridgeline.calibration.fit.load_fit import FittedLoads
from ridgeline.calibration.fit.load_runs import LoadRun, with_numbers
from ridgeline.calibration.fit.load_table import LinesOf, key_of
from ridgeline.calibration.fit.priors import SAME
from ridgeline.calibration.fit.split import Split, group_of
from ridgeline.calibration.judge.bands import StepError
from ridgeline.calibration.kinds.loads import loaded
from ridgeline.calibration.kinds.quantity import Measure
from ridgeline.serving.interval import asked_of, surest_widths, width_by_kernels
from ridgeline.serving.load import Loaded
from ridgeline.specs.engine import Engine
from ridgeline.specs.evidence import Asked

__all__ = ["Known", "load_errors"]

Known = dict[tuple[int, Engine], StepError]
"""Errors of rows by their ``id`` and by the engine that predicted them."""


def load_errors(
    runs: Iterable[LoadRun],
    fitted: FittedLoads,
    left_out: Mapping[Hashable, Mapping[str, float]],
    split: Split = Split.DEPLOYMENT,
    known: Known | None = None,
    lines: LinesOf | None = None,
) -> dict[str, dict[str, list[StepError]]]:
    """Errors of rows as predicted by fits without them, by engine and quantity.

    Times are those of the rows' quantities; for a rate, the time of a request.

    Args:
        runs: measured rows under load.
        fitted: numbers fitted on all rows, for rows that no fit leaves out.
        left_out: numbers fitted without each group.
        split: how rows are grouped.
        known: errors of these rows that were found before; missing ones are added.
        lines: linear passes of these rows, as far as a fit has them.
    """
    known = {} if known is None else known
    widths: dict[tuple[int, Engine], tuple[tuple[float, float], Asked]] = {}
    engines: dict[tuple[Engine, Hashable], Engine] = {}
    errors: dict[str, dict[str, list[StepError]]] = defaultdict(lambda: defaultdict(list))
    for one in runs:
        group = group_of(one.case, split)
        numbers = left_out.get(group, fitted.numbers)
        way = one.passes.engine, group if group in left_out else None
        if way not in engines:
            engines[way] = with_numbers(one.passes.engine, numbers)
        engine = engines[way]
        if (id(one), engine) not in known:
            # Rows that differ only in the measured quantity, or in users by less than a power of two, share their
            # passes.
            passes = one.passes.pools[-1]
            if (id(passes), engine) not in widths:
                pool = passes.run_by(engine)
                widths[id(passes), engine] = surest_widths(pool), asked_of(pool)
            found = _loaded(one, engine, numbers, lines or {})
            known[id(one), engine] = _error(one, found, *widths[id(passes), engine])
        errors[SAME.get(engine.name, engine.name)][one.band].append(known[id(one), engine])
    return {engine: dict(bands) for engine, bands in errors.items()}


def _loaded(one: LoadRun, engine: Engine, numbers: Mapping[str, float], lines: LinesOf) -> Loaded:
    """Latency and throughput of a row, by its passes as lines where a fit has them: the same numbers, much sooner."""
    passes = one.passes
    of_fit = lines.get(key_of(one)) if len(passes.pools) == 1 else None
    if of_fit is None:
        return loaded(passes, engine)
    return passes.by(passes, (of_fit.times(numbers, engine),), engine)


def _error(one: LoadRun, found: Loaded, widths: tuple[float, float], asked: Asked) -> StepError:
    predicted = one.quantity.value(one.run, one.passes, found)
    measured = one.case.measured or np.nan
    is_rate = one.quantity.measure is Measure.RATE
    return StepError(
        case=one.case,
        log_ratio=float(np.log(predicted / measured)),
        time_s=1 / measured if is_rate else measured,
        predicted_s=1 / predicted if is_rate else predicted,
        kernels_width=width_by_kernels(widths, one.band),
        asked=asked,
    )
