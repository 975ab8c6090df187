"""How far off rows under load are that did not fit the numbers that predict them."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping

import numpy as np

from ridgeline.calibration.fit.load_fit import FittedLoads, LoadRun, Split, group_of, with_numbers
from ridgeline.calibration.fit.priors import SAME
from ridgeline.calibration.judge.bands import StepError
from ridgeline.calibration.kinds.loads import loaded
from ridgeline.calibration.kinds.quantity import Measure
from ridgeline.serving.interval import asked_of, load_width
from ridgeline.specs.evidence import Evidence

__all__ = ["load_errors"]


def load_errors(
    runs: Iterable[LoadRun],
    fitted: FittedLoads,
    left_out: Mapping[Hashable, Mapping[str, float]],
    split: Split = Split.DEPLOYMENT,
) -> dict[str, dict[str, list[StepError]]]:
    """By engine and what was measured, the errors of rows as predicted by fits without them.

    The times are of the rows' quantities; of a rate, the time of a request.

    Args:
        runs: the rows.
        fitted: numbers with all of them, for those that no fit leaves out.
        left_out: numbers without each group.
        split: how rows are grouped.
    """
    errors: dict[str, dict[str, list[StepError]]] = defaultdict(lambda: defaultdict(list))
    for one in runs:
        engine = with_numbers(one.passes.engine, left_out.get(group_of(one.case, split), fitted.numbers))
        bare = dataclasses.replace(engine, widths={one.band: 0.0}, evidence=Evidence())
        pool = one.passes.pools[-1].run_by(bare)
        predicted = one.quantity.value(one.run, one.passes, loaded(one.passes, engine))
        measured = one.case.measured or np.nan
        is_rate = one.quantity.measure is Measure.RATE
        errors[SAME.get(engine.name, engine.name)][one.band].append(
            StepError(
                case=one.case,
                log_ratio=float(np.log(predicted / measured)),
                time_s=1 / measured if is_rate else measured,
                predicted_s=1 / predicted if is_rate else predicted,
                kernels_width=load_width(pool, one.band),
                asked=asked_of(pool),
            )
        )
    return {engine: dict(bands) for engine, bands in errors.items()}
