"""Each layout's best batch: the cheapest that meets the limits, and the fastest among equally good ones."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.estimator.placement import chips_of_replicas
from ridgeline.planner.outcome import Constraint, Rejection
from ridgeline.planner.served import MOST_REPLICAS, ServedCurve, allowed_batches, fitting, keeping_batches, powered
from ridgeline.quantity_text import counted, format_quantity
from ridgeline.serving.pool import pool_curves
from ridgeline.serving.pool_times import CASES
from ridgeline.specs.layout import Layout

__all__ = ["WORTH_WAITING_FOR", "Choice", "best_choices"]

WORTH_WAITING_FOR = 0.01
"""Relative saving below which a longer wait is not worth it; the estimate itself is less certain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A point of a layout's curve."""

    served: ServedCurve
    index: int

    @property
    def layout(self) -> Layout:
        """Layout of one replica."""
        return self.served.layout

    @property
    def weights(self) -> str | None:
        """Requested format of the weights."""
        return self.served.weights

    @property
    def paid_chip_s_per_request(self) -> float:
        """Chip-seconds per request, idle chips of the budget included."""
        return float(self.served.paid_chip_s_per_request[self.index])

    @property
    def tpot_s(self) -> float:
        """Time per output token at the batch, s."""
        return float(self.served.curve.tpot_s[self.index])

    @property
    def all_chips(self) -> int:
        """Chips of all replicas, with those that are paid and idle."""
        return int(self.served.all_chips[self.index])

    @property
    def rank(self) -> tuple[float, float]:
        """Sort key of plans: chips that the load needs, then cost per request; without a load, the cost alone."""
        needed = 0.0
        if self.served.demand.has_load:
            needed = float(self.served.copies[self.index] * self.served.charged_chips[self.index])
        return needed, self.paid_chip_s_per_request


def best_choices(served: Sequence[ServedCurve]) -> list[Choice | Rejection]:
    """Each layout's cheapest batch that meets the limits, the fastest among equally good ones; or a rejection."""
    return [_best(one) for one in _refined(served)]


def _best(served: ServedCurve) -> Choice | Rejection:
    workload, limit_s = served.workload, served.workload.ttft_s
    first_s = served.ttft_margin * served.first_token_s

    def rejected(kind: Constraint, reason: str) -> Rejection:
        return Rejection(
            layout=served.layout,
            weights=served.weights,
            kind=kind,
            reason=reason,
            speculate=served.candidate.speculate,
        )

    if limit_s is not None and float(first_s.min()) > limit_s:
        when = "with its queue at the least load" if served.demand.has_load else "in an idle system"
        sure = f", {100 * served.demand.sure:.6g} % sure" if served.ttft_margin > 1 else ""
        reason = (
            f"a first token takes {format_quantity(float(first_s.min()), 's')} {when}{sure},"
            f" over {format_quantity(limit_s, 's')}"
        )
        return rejected(Constraint.TTFT, reason)
    allowed = allowed_batches(served)
    if not allowed.any():
        fastest_s = served.tpot_margin * float(served.curve.tpot_s.min())
        if workload.tpot_s is not None and fastest_s > workload.tpot_s:
            sure = f", {100 * served.demand.sure:.6g} % sure" if served.tpot_margin > 1 else ""
            at = f"{format_quantity(fastest_s, 's')} at its fastest batch{sure}"
            return rejected(Constraint.TPOT, f"{at}, over {format_quantity(workload.tpot_s, 's')}")
        kept = keeping_batches(served)
        if served.demand.has_load and (kept.any() or served.copies.min() > MOST_REPLICAS):
            fewest = math.ceil(served.copies[kept].min() if kept.any() else served.copies.min())
            most = f"without --chips {MOST_REPLICAS:,} replicas are the most that are planned"
            limit = most if served.budget is None else f"the budget is {served.budget:,}"
            needed = int(chips_of_replicas(served.deployment.machine.fabric, fewest, served.chips))
            reason = (
                f"the load needs {counted(needed, 'chip')}, {counted(fewest, 'replica')} of {served.chips}, and {limit}"
            )
            return dataclasses.replace(rejected(Constraint.CHIPS, reason), needed_chips=needed)
        if hungry := _hungry(served):
            return hungry
        reason = "no batch keeps to both limits at once: the time per token and the time to the first token"
        return rejected(Constraint.TTFT, reason)
    # A load needs whole replicas, whose cost is what counts.
    each = served.copies * served.charged_chips if served.demand.has_load else served.paid_chip_s_per_request
    cost = np.where(allowed, each, np.inf)
    # A limit says how long a token may take; without one, a tiny gain is not worth a longer wait.
    slack = WORTH_WAITING_FOR if workload.tpot_s is None else 0.0
    worth_it = np.flatnonzero(cost <= cost.min() * (1 + slack))
    return Choice(served=served, index=int(worth_it[np.argmin(served.curve.tpot_s[worth_it])]))


def _hungry(served: ServedCurve) -> Rejection | None:
    """Rejection for lack of power for all replicas of a load, or for one without a load; None where it suffices."""
    demand, most_w = served.demand, served.demand.site_power_w
    if most_w is None or served.chip_power_w is None:
        return None
    copies = served.copies if demand.has_load else np.ones(len(served.copies))
    least_w = float((demand.pue * copies * served.chips * served.chip_power_w).min())
    if least_w <= most_w:
        return None
    what = "what serves the load" if demand.has_load else "one replica"
    reason = f"{what} draws {format_quantity(least_w, 'w')} at least, over {format_quantity(most_w, 'w')}"
    return Rejection(
        layout=served.layout, weights=served.weights, kind=Constraint.POWER, reason=reason, needed_power_w=least_w
    )


def _refined(served: Sequence[ServedCurve]) -> list[ServedCurve]:
    """The candidates with every whole batch between the last one allowed and the next on the grid."""
    if served and (served[0].demand.has_load or served[0].demand.batch is not None):
        return list(served)  # every point that there is was looked at
    grids = [_refined_grid(one) for one in served]
    finer = [number for number, grid in enumerate(grids) if grid is not None]
    found = list(served)
    if not finer:
        return found
    deployments = [served[number].deployment for number in finer]
    # All pools were timed together: the first one's steps are those of all.
    first = served[finer[0]].times
    rows = np.concatenate([served[number].times.pool for number in finer])
    times = dataclasses.replace(
        first,
        pool=rows,
        **_cases(served, finer),
    )
    curves = pool_curves(times, deployments, served[0].workload, [grid for grid in grids if grid is not None])
    for number, curve in zip(finer, curves, strict=True):
        copies = np.full(len(curve.batch), float(fitting(served[number].deployment, served[number].budget)))
        first_s = np.full(len(curve.batch), served[number].first_token_s[0])
        found[number] = dataclasses.replace(
            served[number], curve=curve, copies=copies, requests_per_s=curve.requests_per_s, first_token_s=first_s
        )
        if found[number].demand.heeds_power:
            found[number] = powered(found[number])
    return found


def _cases(served: Sequence[ServedCurve], finer: Sequence[int]) -> dict[str, Any]:
    """Times of some of the pools, field by field."""
    return {name: np.concatenate([getattr(served[number].times, name) for number in finer]) for name in CASES}


def _refined_grid(served: ServedCurve) -> NDArray[np.float64] | None:
    """Sequences of a group from the last allowed point to the next on the grid, every whole number."""
    allowed = np.flatnonzero(allowed_batches(served))
    if len(allowed) == 0 or allowed[-1] + 1 >= len(served.curve.batch):
        return None
    grid = served.curve.batch / served.layout.dp
    beyond = np.arange(grid[allowed[-1]] + 1, grid[allowed[-1] + 1] + 1)
    return np.concatenate([grid[: allowed[-1] + 1], beyond]) if len(beyond) > 1 else None
