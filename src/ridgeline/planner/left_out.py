"""Layouts that the engine does not run, and whether one would be better than those that it does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ridgeline.planner.outcome import Rejection
from ridgeline.planner.rejection import Candidate, rejection_of
from ridgeline.planner.served import ServedCurve, allowed_batches, serve
from ridgeline.specs.demand import Demand
from ridgeline.specs.workload import Workload

__all__ = ["left_out_note"]

WORTH_NAMING = 0.01
"""Relative saving per request from which on such a layout is named."""


def left_out_note(
    left_out: Sequence[tuple[Rejection, Candidate]],
    workload: Workload,
    best_cost: float,
    budget: int | None,
    demand: Demand,
) -> tuple[str, ...]:
    """Note on the layout that would save most if the engine ran it; empty where it saves too little.

    Args:
        left_out: candidates that the engine does not run, with the reason.
        workload: workload that is served.
        best_cost: paid chip-seconds per request of the best plan; infinite where there is none.
        budget: chips, replicas included; None where the load or the power determines them.
        demand: load to serve.
    """
    fitting = [
        (rejection, one)
        for rejection, one in left_out
        if rejection_of(one, workload, demand, heeds_engine=False) is None
    ]
    served = serve([one for _, one in fitting], workload, budget, demand)
    costs = [_least_cost(one) for one in served]
    if not costs or min(costs) >= best_cost * (1 - WORTH_NAMING):
        return ()
    cost, rejection = min(costs), fitting[int(np.argmin(costs))][0]
    saved = "would serve this" if np.isinf(best_cost) else f"would be {100 * (1 - cost / best_cost):.0f} % cheaper"
    name = " ".join(filter(None, (str(rejection.layout), rejection.weights, rejection.speculate)))
    return (f"left out: {name} {saved}, but {rejection.reason} (--engine ideal ranks all layouts)",)


def _least_cost(served: ServedCurve) -> float:
    """Paid chip-seconds per request at the cheapest batch that meets the limits; infinite where none does."""
    return float(np.min(served.paid_chip_s_per_request, where=allowed_batches(served), initial=np.inf))
