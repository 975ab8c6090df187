"""Scores of predictions on measurements that were not fitted on, for the page on accuracy."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.chip_fit import FEWEST_ROWS
from ridgeline.calibration.fit.split import Split, group_of, stand_in
from ridgeline.calibration.judge.bands import StepError, inside_bands, step_width
from ridgeline.calibration.judge.distance import Distances, Errors, latency_of
from ridgeline.calibration.judge.folds import Held, Left
from ridgeline.calibration.kinds.kind import pass_band
from ridgeline.catalog.engines import engine_of
from ridgeline.numeric import ROUNDING
from ridgeline.specs.evidence import Evidence

__all__ = ["ScoredRow", "score", "score_new"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRow:
    """A measured row with its prediction by a fit without it.

    Attributes:
        case: row of the case file.
        log_ratio: ``ln(predicted / measured)``.
        is_inside: whether the measurement lies inside the 80 % interval from other rows; None where there is none.
        time_s: measured time, or the time behind the measured number, s.
        predicted_s: predicted value of ``time_s``, s.
        stranger_log_ratio: ``log_ratio`` with nothing of the chip's family measured; None where nothing was fitted.
    """

    case: Case
    log_ratio: float
    is_inside: bool | None
    time_s: float
    predicted_s: float
    stranger_log_ratio: float | None = None

    @property
    def measured(self) -> float:
        """Measured value in base units."""
        return self.case.measured or math.nan

    @property
    def predicted(self) -> float:
        """Predicted value in base units."""
        return self.measured * math.exp(self.log_ratio)


def score(
    cases: Sequence[Case],
    held: Sequence[Held],
    steps: Mapping[str, Sequence[StepError]],
    under_load: Mapping[str, Errors],
    factors: Evidence,
) -> list[ScoredRow]:
    """All predicted rows: kernels and messages without their shapes, passes and loads without their models.

    Args:
        cases: measured kernels and messages.
        held: predictions of these by fits without them.
        steps: errors of whole passes by family.
        under_load: errors of rows under load by engine and quantity.
        factors: factors on intervals under load, by the distance from measured deployments.
    """
    by_engine: dict[str, list[StepError]] = defaultdict(list)
    for rows in steps.values():
        for one in rows:
            by_engine[f"{engine_of(one.case.engine).name} {pass_band(one.case)}"].append(one)
    loads = score_new(Split.DEPLOYMENT, under_load, under_load, factors, {})
    return [*_kernels(cases, held), *_banded(by_engine), *loads]


def score_new(
    split: Split,
    errors: Mapping[str, Errors],
    usual: Mapping[str, Errors],
    factors: Evidence,
    of_engine: Mapping[str, float],
) -> list[ScoredRow]:
    """Rows under load as predicted by fits without what is new about them, and whether their intervals hold.

    Args:
        split: groups that were left out.
        errors: errors of fits without them, by engine and quantity.
        usual: errors of fits without each row's model on its machine, which give the intervals' widths.
        factors: factors on intervals, by the distance from measured deployments.
        of_engine: factors on intervals by quantity, where the engine was left out.
    """
    found, distances = [], Distances(usual, factors)
    by = Split.DEPLOYMENT if split is Split.NOTHING else split
    for engine, bands in errors.items():
        whose = stand_in(engine) if split is Split.ENGINE else engine
        for band, rows in bands.items():
            farther = of_engine.get(latency_of(band), 1.0) if split is Split.ENGINE else 1.0
            for group in sorted({group_of(one.case, by) for one in rows} - {None}, key=repr):
                others = {
                    name: [one for one in usual[whose].get(name, ()) if group_of(one.case, by) != group]
                    for name in {band, latency_of(band)}
                }
                width = distances.width(whose, band, others) if len(others[band]) >= FEWEST_ROWS else None
                found += [
                    _scored(one, width, farther * distances.widening(engine, one, band, split))
                    for one in rows
                    if group_of(one.case, by) == group
                ]
    return found


def _scored(one: StepError, width: float | None, widening: float = 1.0) -> ScoredRow:
    """Score of a row with an interval of that width, combined with its kernels', both widened."""
    reach = None if width is None else widening * math.hypot(width, one.kernels_width)
    return ScoredRow(
        case=one.case,
        log_ratio=one.log_ratio,
        # A factor that is a quantile puts the end of an interval on a row: inside, whichever way its last bits go.
        is_inside=None if reach is None else abs(one.log_ratio) <= reach * (1 + ROUNDING),
        time_s=one.time_s,
        predicted_s=one.predicted_s,
    )


def _kernels(cases: Sequence[Case], held: Sequence[Held]) -> list[ScoredRow]:
    inside = inside_bands(cases, held)
    alone = {
        row.place: math.log(row.predicted / (cases[row.place].measured or math.nan))
        for row in held
        if row.left is Left.FAMILY
    }
    return [
        ScoredRow(
            case=cases[row.place],
            log_ratio=math.log(row.predicted / (cases[row.place].measured or math.nan)),
            is_inside=inside.get(row.place),
            time_s=row.time_s,
            predicted_s=row.time_s * math.exp(row.log_error),
            stranger_log_ratio=alone.get(row.place),
        )
        for row in held
        if row.left is Left.SHAPES
    ]


def _banded(errors: Mapping[str, Sequence[StepError]]) -> list[ScoredRow]:
    """Rows with bands from rows of their kind on other models and machines, where there are enough."""
    found = []
    for rows in errors.values():
        for deployed in sorted({one.case.deployed for one in rows}):
            others = [one for one in rows if one.case.deployed != deployed]
            width = step_width({"others": others}) if len(others) >= FEWEST_ROWS else None
            found += [_scored(one, width) for one in rows if one.case.deployed == deployed]
    return found
