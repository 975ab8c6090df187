"""Expected time of a measured deployment, probability of the difference, and its possible causes."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from ridgeline.equations.normal import two_sided_probability
from ridgeline.errors import RidgelineError
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.planner.outcome import Constraint
from ridgeline.planner.rejection import require_decode
from ridgeline.planner.suspects import SUSPECTS, Run
from ridgeline.quantity_text import format_quantity
from ridgeline.serving.admission import room, sequence_limit
from ridgeline.serving.interval import least_step_s, tpot_interval
from ridgeline.serving.load import Loaded, closed_loop
from ridgeline.serving.passes import pool_passes, pool_times
from ridgeline.serving.pool import most_sequences, queued_first_tokens
from ridgeline.serving.request_carriers import request_carriers
from ridgeline.serving.rules import rules_of
from ridgeline.specs.band import RAREST
from ridgeline.specs.demand import USUAL_QUANTILE
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.provenance import Carrier
from ridgeline.specs.workload import Workload

__all__ = ["Cause", "Expectation", "Expected", "expect"]

WORTH_TELLING = 0.05
"""Part of the difference below which a cause does not explain it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """Expected times under the described load.

    Attributes:
        tpot_s: time per output token, other requests' prefills included, s.
        low_s: lower end of its 80 % interval, s.
        high_s: upper end of its 80 % interval, s.
        ttft_s: mean time to the first token, queueing included, in a benchmark of ten requests a user, all of whom
            begin at once, s.
        steady_ttft_s: time within which nine of ten first tokens come after that first burst, s: that of a plan.
        in_flight: requests that have their first token and not yet their last.
        admitted: requests that memory and the engine let in at once, as a mean; those of the other users wait.
        admitted_by: constraint that keeps the other users waiting: memory, or the engine; None where none waits.
    """

    tpot_s: float
    low_s: float
    high_s: float
    ttft_s: float
    steady_ttft_s: float
    in_flight: float
    admitted: float
    admitted_by: Constraint | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One thing that may differ from the description.

    Attributes:
        cause: description in a few words.
        would_explain_s: change that it makes in the expected time per output token, s; negative where it is faster.
        tpot_s: expected time per output token with it, s.
        explained_fraction: part of the difference that it makes; above 1 where it makes more.
        check: advice on how to find out.
    """

    cause: str
    would_explain_s: float
    tpot_s: float
    explained_fraction: float
    check: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """A measured time per output token beside the expected one.

    Attributes:
        expected: expected times of the deployment as described.
        measured_tpot_s: measured time per output token, s; None where nothing was measured yet.
        probability: probability that such a prediction is off by at least as much, in either direction; ``RAREST`` or
            more, since rarer errors were not counted; None without a measurement.
        causes: causes of a part of the difference, the one that leaves least of it first; none without a measurement.
        carried_by: carriers of the expected time: measured on this chip, on its family, or assumed; worst first.
    """

    expected: Expected
    measured_tpot_s: float | None
    probability: float | None
    causes: tuple[Cause, ...]
    carried_by: tuple[Carrier, ...]

    @property
    def ratio(self) -> float | None:
        """Measured over expected time; None without a measurement."""
        return None if self.measured_tpot_s is None else self.measured_tpot_s / self.expected.tpot_s


def expect(
    deployment: Deployment, workload: Workload, *, users: int, measured_tpot_s: float | None = None
) -> Expectation:
    """Expected times of users in a closed loop on one replica, beside the measured one.

    Args:
        deployment: deployment that serves, with its engine.
        workload: lengths of requests.
        users: users of the replica.
        measured_tpot_s: measured mean time per output token, s; None where nothing was measured yet.

    Raises:
        RidgelineError: a number is out of range, the layout does not divide, or no request fits.
    """
    _require_runs(deployment, workload, users)
    if measured_tpot_s is not None:
        _require_possible(deployment, workload, measured_tpot_s)
    run = Run(deployment=deployment, workload=workload, users=users)
    loaded = _loaded(run)
    expected = _expected(run, loaded)
    return Expectation(
        expected=expected,
        measured_tpot_s=measured_tpot_s,
        probability=None if measured_tpot_s is None else _probability(expected, measured_tpot_s),
        causes=() if measured_tpot_s is None else _causes(run, expected, measured_tpot_s),
        carried_by=_carried_by(run, loaded),
    )


def _probability(expected: Expected, measured_tpot_s: float) -> float:
    """Probability that such a prediction is off by at least as much."""
    half_width, off = (abs(math.log(one / expected.tpot_s)) for one in (expected.high_s, measured_tpot_s))
    return max(float(two_sided_probability(off=off, half_width=half_width)), RAREST)


def _causes(run: Run, expected: Expected, measured_tpot_s: float) -> tuple[Cause, ...]:
    """Causes of a part of the difference, the one that leaves least of it first."""
    difference_s = measured_tpot_s - expected.tpot_s
    found = []
    for suspect in SUSPECTS:
        changed = suspect.changed(run)
        if changed is None or most_sequences(changed.deployment, changed.workload) == 0:
            continue
        tpot_s = _tpot_s(changed)
        explained = (tpot_s - expected.tpot_s) / difference_s if difference_s else 0.0
        if explained >= WORTH_TELLING:
            found.append(
                Cause(
                    cause=suspect.cause,
                    would_explain_s=tpot_s - expected.tpot_s,
                    tpot_s=tpot_s,
                    explained_fraction=explained,
                    check=suspect.check,
                )
            )
    return tuple(sorted(found, key=lambda one: abs(math.log(one.tpot_s / measured_tpot_s))))


def _require_runs(deployment: Deployment, workload: Workload, users: int) -> None:
    """Refuse what cannot run."""
    if users < 1:
        raise RidgelineError(f"users={users!r} must be a whole number from 1 up")
    require_decode(workload)
    if faults := layout_faults(deployment.model, deployment.machine, deployment.layout):
        raise RidgelineError("; ".join(faults))
    if most_sequences(deployment, workload) == 0:
        raise RidgelineError(
            f"{deployment.model.id} does not fit on {deployment.machine.id} in layout {deployment.layout} with"
            f" {workload.longest_tokens:,} tokens; name the layout and the formats that were run"
        )


def _require_possible(deployment: Deployment, workload: Workload, measured_tpot_s: float) -> None:
    """Refuse a time per token below that of a single sequence at the spec sheet's peaks."""
    if not 0 < measured_tpot_s < math.inf:
        raise RidgelineError(
            f"a measured time per token (measured_tpot_s) of {measured_tpot_s!r} s must be above 0; give the seconds"
            " that were measured: 0.031"
        )
    least_s = least_step_s(deployment, workload, 1.0)
    if measured_tpot_s < least_s:
        raise RidgelineError(
            f"no token takes a measured {format_quantity(measured_tpot_s, 's')}: a step of one sequence alone takes"
            f" {format_quantity(least_s, 's')} at the spec sheet's peaks, and nothing is faster; check its unit (31ms,"
            " 0.031s), the layout and the number formats, and whether tokens were drafted, of which a step adds several"
        )


def _loaded(run: Run) -> Loaded:
    """The closed loop, with as many requests admitted as memory and engine allow."""
    groups = run.deployment.layout.dp
    times = pool_times([run.deployment], run.workload, max(run.users / groups, 1.0))
    if not run.reads_prompts:
        none = np.zeros(1)
        times = dataclasses.replace(times, lone_s=none, latency_s=none, alone_s=none, full_s=none)
    rules = rules_of(run.deployment.engine, equal_lengths=False, is_benchmark=False)
    return closed_loop(times, rules, np.array([float(run.users)]))


def _expected(run: Run, loaded: Loaded) -> Expected:
    correction = run.deployment.correction
    low, high = tpot_interval(pool_passes(run.deployment, run.workload, max(run.users / run.deployment.layout.dp, 1.0)))
    tpot_s = correction.tpot_factor * float(loaded.tpot_s[0])
    admitted = room(run.deployment, run.workload) * run.deployment.layout.dp
    return Expected(
        tpot_s=tpot_s,
        low_s=tpot_s * low,
        high_s=tpot_s * high,
        ttft_s=correction.ttft_factor * float(loaded.ttft_s[0]),
        steady_ttft_s=_steady_ttft_s(run),
        in_flight=float(loaded.in_flight[0]),
        admitted=min(float(run.users), admitted),
        admitted_by=_fullest(run) if run.users > admitted else None,
    )


def _fullest(run: Run) -> Constraint:
    """Constraint that lets in fewer requests: memory, or the engine."""
    of_engine = room(run.deployment, run.workload) == sequence_limit(run.deployment)
    return Constraint.ENGINE if of_engine else Constraint.MEMORY


def _steady_ttft_s(run: Run) -> float:
    """Quantile of the time to the first token that a plan for as many users states, s."""
    sequences = np.array([run.users / run.deployment.layout.dp])
    times = pool_times([run.deployment], run.workload, max(float(sequences[0]), 1.0))
    ((found,),) = queued_first_tokens(times, [run.deployment], [sequences], USUAL_QUANTILE)
    return float(found)


def _carried_by(run: Run, loaded: Loaded) -> tuple[Carrier, ...]:
    return request_carriers(
        run.deployment,
        run.workload,
        batch=max(round(float(loaded.decoding[0])), 1),
        decode_s=run.workload.decode_steps * float(loaded.step_s[0] / loaded.decoding[0]),
        prompt_s=float(loaded.prompt_s[0]),
    )


def _tpot_s(run: Run) -> float:
    deployment = run.deployment
    # A step adds one token, or those that are drafted and accepted beside it.
    return deployment.correction.tpot_factor * float(_loaded(run).tpot_s[0]) / deployment.speculation.accepted_tokens
