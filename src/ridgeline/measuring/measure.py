"""Measurement of a machine: its kernels timed within a budget, numbers fitted on them, and a check of the fit."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.kinds.predict import predict
from ridgeline.calibration.own import OwnCalibration, calibrate_own
from ridgeline.callbacks import Progress, no_progress
from ridgeline.measuring.bench import Bench
from ridgeline.measuring.check import Check, check_fit
from ridgeline.measuring.order import in_turn, spread
from ridgeline.measuring.shapes import Shapes, shapes
from ridgeline.measuring.timed import Timed, Untimed, time_cases
from ridgeline.specs.fidelity import MEASURED
from ridgeline.specs.machine import Machine

__all__ = ["Measurement", "fit_timed", "time_machine", "timing_ends_s"]

FIT_S, FIT_SHARE = 5.0, 0.25
"""Time that is kept for the fits, s, and the largest part of a budget that it is: on some 400 rows the three fits of
``--check`` take 3 s of one core of 2024.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """Outcome of measuring a machine.

    Attributes:
        timed: cases with their times, and those without.
        found: numbers fitted on them.
        check: errors of a fit on a part of them; None where it was not asked for, or where they are too few.
    """

    timed: Timed
    found: OwnCalibration
    check: Check | None


def timing_ends_s(began_s: float, budget_s: float) -> float:
    """Reading of the clock at which timing is to have ended, s, so that the fits end within the budget."""
    return began_s + budget_s - min(FIT_S, FIT_SHARE * budget_s)


def time_machine(
    bench: Bench,
    machine: Machine,
    named: str,
    *,
    until_s: float,
    clock: Callable[[], float],
    begun: Callable[[int], object] = no_progress,
    told: Progress = no_progress,
) -> Timed:
    """Time kernels and messages of a machine.

    Args:
        bench: bench that runs on the machine.
        machine: machine of the catalog, or of a user's file.
        named: catalog id of the machine, or the path to its file.
        until_s: reading of the clock at which timing is to have ended, s.
        clock: clock of wall time, s.
        begun: progress callback, called with the number of all cases.
        told: progress callback, called with the number of further cases that are done.
    """
    engine = f"ridgeline-measure ({bench.device.library})"
    asked = shapes(machine, named, chips=bench.device.chips, engine=engine)
    times_s, groups, unmodelled = _predicted(asked, machine)

    def predicted_s(case: Case) -> float:
        return times_s[case.name]

    order = in_turn([spread(cases, predicted_s) for cases in groups.values()])
    begun(len(order))
    timed = time_cases(bench, order, predicted_s, until_s=until_s, clock=clock, told=told)
    return dataclasses.replace(timed, unrun=(*unmodelled, *timed.unrun))


def fit_timed(timed: Timed, *, checks: bool) -> Measurement:
    """Fit numbers of a machine on its timed cases.

    Args:
        timed: cases with their times.
        checks: whether the fit is checked on cases that are held back.
    """
    return Measurement(
        timed=timed,
        found=calibrate_own(timed.cases, {}),
        check=check_fit(timed.cases) if checks else None,
    )


def _predicted(asked: Shapes, machine: Machine) -> tuple[dict[str, float], Shapes, tuple[Untimed, ...]]:
    """Predicted times of cases by name, s, the cases that have one, and those that are not modelled on the machine."""
    times_s: dict[str, float] = {}
    left: list[Untimed] = []
    groups: Shapes = {}
    for group, cases in asked.items():
        groups[group] = []
        for case in cases:
            try:
                times_s[case.name] = predict(case, {}, MEASURED, machines=lambda _: machine).value
            except Unsupported as reason:
                left.append(Untimed(case=case, reason=str(reason)))
            else:
                groups[group].append(case)
    return times_s, groups, tuple(left)
