"""Effect of one percent more of a machine's quantity, of its price, or of the limit on the time per token.

There are two questions. The cost of a request is asked of all good plans together, each with its batch chosen anew: the
lowest of several costs is continuous where two plans change places. A batch is a real number here, up to the last
fraction of a sequence that memory and the limit allow, so that steps between whole numbers do not show; and a plan that
meets the limit on the first token is kept. The time of tokens, and the separate costs of input and output tokens, are
asked of the best plan with its layout and its batch.

No part of a machine that is faster by one percent shortens a plan's times by more. Where a limit on the time per token
bounds the batch, a larger batch uses up what is saved; so a cost falls by at most one percent plus what one percent
more of the limit saves, which stands beside it as ``chip_s_per_request:tpot_s``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.estimator.raised import CHANGES, STEP, raised_machines
from ridgeline.planner.choice import Choice
from ridgeline.planner.outcome import Plan
from ridgeline.planner.served import ServedCurve
from ridgeline.planner.two_pools.outcome import TwoPoolPlan
from ridgeline.seconds import HOUR_S
from ridgeline.serving.admission import room
from ridgeline.serving.passes import pool_times, steps_of_a_request
from ridgeline.serving.pool import PoolCurve, pool_curves, sequence_grid
from ridgeline.specs.machine import Machine

__all__ = ["CONTENDERS", "QUANTITIES", "elasticities", "price_elasticities"]

Grid = NDArray[np.float64]

CONTENDERS = 4
"""Number of best plans that are compared: one percent moves none from further down to the top."""

OF_THE_PLAN: dict[str, Callable[[PoolCurve, float], float]] = {
    "tpot_s": lambda curve, _: float(curve.tpot_s[0]),
    "ttft_s": lambda curve, _: curve.first_token_s,
    "usd_per_output_token": lambda curve, steps: _per_request(curve, curve.decode_fraction(steps)),
    "usd_per_input_token": lambda curve, steps: _per_request(curve, 1 - curve.decode_fraction(steps)),
}
"""Quantities of the best plan itself, proportional to functions of its curve and a request's decode steps."""


def _per_request(curve: PoolCurve, fraction: Grid) -> float:
    """Part of a request's pool time, s."""
    return float(fraction[0] / curve.requests_per_s[0])


QUANTITIES = ("chip_s_per_request", "usd_per_request", *OF_THE_PLAN)
"""Names of the quantities that change; dollars where there is a price."""


def elasticities(contenders: Sequence[Choice], price: float | None) -> dict[str, float]:
    """Percent of change for one percent more, by ``"what changes:what is raised"``.

    Args:
        contenders: layouts and batches of the best plans, the best first.
        price: price of a chip, $/s; without one, no costs in dollars.
    """
    served = [one.served for one in contenders]
    machine, limit_s = served[0].deployment.machine, served[0].workload.tpot_s
    leaves = any(one.chips > machine.scale_up_chips for one in served)
    # Links out of a domain that no layout crosses need no search.
    raised = {
        name: changed for name, changed in raised_machines(machine).items() if leaves or name != "scale_out_bytes_per_s"
    }
    now, *then = _on_machines(contenders, [machine, *raised.values()])
    before, changes = now.values(), {name: one.values() for name, one in zip(raised, then, strict=True)}
    found: dict[str, float] = {}
    for name in CHANGES:
        after = changes.get(name, before)
        found |= {f"{quantity}:{name}": _percent(before[quantity], after[quantity]) for quantity in QUANTITIES}
    if limit_s is not None:
        saved = _percent(before["chip_s_per_request"], now.least_chip_s(limit_s * STEP))
        found |= {"chip_s_per_request:tpot_s": saved, "usd_per_request:tpot_s": saved}
    found |= {f"{name}:usd_per_chip_s": float(name.startswith("usd")) for name in QUANTITIES}
    return found if price is not None else {name: change for name, change in found.items() if "usd" not in name}


def price_elasticities(best: Plan | TwoPoolPlan) -> dict[str, float]:
    """Elasticities of costs to the prices of chips and of electricity: the part of a plan's cost that each makes up.

    A plan's power is proportional to ``power_w`` of its chip, so that one percent more of that has the same effect as
    one percent more of the price of electricity.
    """
    found: dict[str, float] = {}
    for name, (whole, electricity) in _costs(best).items():
        part = electricity / whole
        found |= {f"{name}:usd_per_chip_s": 1 - part, f"{name}:electricity_usd_per_j": part}
    return found


def _costs(best: Plan | TwoPoolPlan) -> dict[str, tuple[float, float]]:
    """Each cost of a plan with the electricity in it, $; empty without a price of chips."""
    if best.usd_per_output_token is None or best.usd_per_input_token is None or best.usd_per_h is None:
        return {}
    output_usd = input_usd = hourly_usd = 0.0
    if best.energy is not None and best.energy.electricity_usd_per_output_token is not None:
        output_usd = best.energy.electricity_usd_per_output_token
        input_usd = best.energy.electricity_usd_per_input_token or 0.0
        hourly_usd = HOUR_S * best.energy.site_power_w * output_usd / best.energy.energy_j_per_output_token
    return {
        "usd_per_request": (best.usd_per_h, hourly_usd),
        "usd_per_output_token": (best.usd_per_output_token, output_usd),
        "usd_per_input_token": (best.usd_per_input_token, input_usd),
    }


def _percent(before: float, after: float) -> float:
    return math.log(after / before) / math.log(STEP)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OnMachine:
    """The contenders on one machine.

    Attributes:
        served: contenders as they were found.
        rooms: sequences of a group that fit each on this machine, with the fraction of the next.
        sequences: sequences of a group at which each is evaluated.
        curves: curve of each on this machine.
        of_the_plan: the best plan's curve on this machine, at its batch.
    """

    served: Sequence[ServedCurve]
    rooms: Sequence[float]
    sequences: Sequence[Grid]
    curves: Sequence[PoolCurve]
    of_the_plan: PoolCurve

    def values(self) -> dict[str, float]:
        """Every quantity that changes, or one proportional to it."""
        first, best = self.of_the_plan, self.served[0]
        chip_s = self.least_chip_s(best.workload.tpot_s or math.inf)
        steps = steps_of_a_request(best.deployment, best.workload)
        return {
            "chip_s_per_request": chip_s,
            "usd_per_request": chip_s,
            **{name: value(first, steps) for name, value in OF_THE_PLAN.items()},
        }

    def least_chip_s(self, limit_s: float) -> float:
        """Paid chip-seconds per request of the cheapest layout, at any real batch."""
        each = zip(self.served, self.rooms, self.sequences, self.curves, strict=True)
        return min(_least_chip_s(one, room, sequences, curve, limit_s) for one, room, sequences, curve in each)


def _on_machines(contenders: Sequence[Choice], machines: Sequence[Machine]) -> list[_OnMachine]:
    """The contenders on each of some machines; all of their passes are timed together."""
    served, workload = [one.served for one in contenders], contenders[0].served.workload
    deployments = [dataclasses.replace(one.deployment, machine=machine) for machine in machines for one in served]
    rooms = [room(one, workload) for one in deployments]
    most = [one.most_sequences for one in served] * len(machines)
    # Whole numbers of sequences that one percent more memory does not change, and those that it makes room for.
    sequences = [
        np.concatenate([sequence_grid(before), np.arange(before + 1, math.ceil(now) + 1)])
        for before, now in zip(most, rooms, strict=True)
    ]
    times = pool_times(deployments, workload, max(float(grid[-1]) for grid in sequences))
    curves = pool_curves(times, deployments, workload, sequences)
    best, count = contenders[0], len(served)
    at = np.array([best.served.curve.batch[best.index] / best.layout.dp])
    firsts = np.arange(0, len(deployments), count)
    of_the_plan = pool_curves(
        times.cases(firsts), [deployments[place] for place in firsts], workload, [at] * len(machines)
    )
    return [
        _OnMachine(
            served=served,
            rooms=rooms[first : first + count],
            sequences=sequences[first : first + count],
            curves=curves[first : first + count],
            of_the_plan=plan,
        )
        for first, plan in zip(firsts, of_the_plan, strict=True)
    ]


def _least_chip_s(served: ServedCurve, most: float, sequences: Grid, curve: PoolCurve, limit_s: float) -> float:
    groups = served.layout.dp
    cycles_s = curve.batch / curve.requests_per_s
    return float(served.paid_chips.min()) / groups * _least_share(sequences, curve.tpot_s, cycles_s, most, limit_s)


def _least_share(sequences: Grid, tpot_s: Grid, cycles_s: Grid, most: float, limit_s: float) -> float:
    """Least time per request over the sequences that share it, piecewise linear in a curve's points, up to two limits.

    A line's share of a sequence is monotonic, so that the least is at one of its ends: at a point of the curve, where
    its time per token crosses the limit, or where room ends.
    """
    inside = sequences <= most
    counts = np.append(sequences[inside], most)
    times, cycles = (np.append(values[inside], np.interp(most, sequences, values)) for values in (tpot_s, cycles_s))
    shares = np.where(times <= limit_s, cycles / counts, np.inf)
    low, high = np.minimum(times[:-1], times[1:]), np.maximum(times[:-1], times[1:])
    crossed = np.flatnonzero((low <= limit_s) & (limit_s < high))
    part = (limit_s - times[crossed]) / (times[crossed + 1] - times[crossed])
    at, cycle = (values[crossed] + part * (values[crossed + 1] - values[crossed]) for values in (counts, cycles))
    return float(min(shares.min(), np.min(cycle / at, initial=np.inf)))
