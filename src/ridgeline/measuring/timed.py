"""Timing of cases within a budget of wall time."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ridgeline.calibration.cases import Case
from ridgeline.callbacks import Progress, no_progress
from ridgeline.measuring.bench import Bench, UnrunError

__all__ = ["LARGEST_SHARE", "Timed", "Untimed", "by_reason", "time_cases"]

LARGEST_SHARE = 0.1
"""Largest part of the time left at the start that one case may take: no kind waits for a single long kernel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Untimed:
    """A case without a time.

    Attributes:
        case: case of the order.
        reason: reason why it was not timed.
    """

    case: Case
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """Outcome of timing an order of cases.

    Attributes:
        cases: cases with their times, in the order in which they were timed.
        unreached: cases for which the budget was too short.
        unrun: cases that the bench does not run.
    """

    cases: tuple[Case, ...]
    unreached: tuple[Untimed, ...]
    unrun: tuple[Untimed, ...]


def by_reason(left: Sequence[Untimed]) -> dict[tuple[str, str], int]:
    """Numbers of cases without a time, by kind and reason."""
    return dict(Counter((one.case.kind, one.reason) for one in left))


def time_cases(
    bench: Bench,
    order: Sequence[Case],
    predicted_s: Callable[[Case], float],
    *,
    until_s: float,
    clock: Callable[[], float],
    told: Progress = no_progress,
) -> Timed:
    """Time cases in their order; one that would not end in time is left out, and shorter ones after it are tried.

    A case is expected to take its predicted time for each of the bench's runs, times the largest ratio of measured over
    predicted time of its kind so far, and the set-up of the last case of its kind; the first one's is left out, with
    which libraries are loaded and ranks start.

    Args:
        bench: bench that times them.
        order: cases in the order in which they are tried.
        predicted_s: predicted time of a case's kernel or message, s.
        until_s: reading of the clock at which all is to have ended, s.
        clock: clock of wall time, s.
        told: progress callback, called with the number of further cases that are done.
    """
    most_s = LARGEST_SHARE * (until_s - clock())
    ratios: dict[str, float] = {}
    set_ups_s: dict[str, float] = {}
    cases, unreached, unrun = [], [], []
    for case in order:
        began_s = clock()
        running_s = bench.runs * predicted_s(case) * ratios.get(case.kind, 1.0)
        if running_s > most_s:
            unreached.append(
                Untimed(case=case, reason=f"would take more than {100 * LARGEST_SHARE:.0f} % of the time for all")
            )
        elif began_s + running_s + set_ups_s.get(case.kind, 0.0) > until_s:
            unreached.append(Untimed(case=case, reason="the budget had ended"))
        else:
            try:
                time_s = bench.seconds(case)
            except UnrunError as error:
                unrun.append(Untimed(case=case, reason=str(error)))
            else:
                cases.append(dataclasses.replace(case, measured=time_s))
                if case.kind in ratios:
                    set_ups_s[case.kind] = max(clock() - began_s - bench.runs * time_s, 0.0)
                ratios[case.kind] = max(ratios.get(case.kind, 0.0), time_s / predicted_s(case))
        told(1)
    return Timed(cases=tuple(cases), unreached=tuple(unreached), unrun=tuple(unrun))
