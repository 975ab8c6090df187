"""Whether a layout that the engine does not run would be better than those that it does."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np

from ridgeline.planner.outcome import Rejection
from ridgeline.planner.search import Served, allowed_batches, serve
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["left_out_note"]

WORTH_NAMING = 0.01
"""Part of a request's cost from which on a layout that would save it is named."""


def left_out_note(
    left_out: Iterable[tuple[Rejection, Deployment]], workload: Workload, best_cost: float, budget: int
) -> tuple[str, ...]:
    """A line on the layout that would save most if the engine ran it; none where that is not worth naming.

    Args:
        left_out: what the engine does not run, with why.
        workload: what is asked.
        best_cost: paid chip-seconds of a request by the best plan; infinite where there is none.
        budget: chips, replicas included.
    """
    found = [(_least_cost(one, workload, rejection.weights, budget), rejection) for rejection, one in left_out]
    cost, rejection = min(found, key=lambda one: one[0], default=(np.inf, None))
    if rejection is None or cost >= best_cost * (1 - WORTH_NAMING):
        return ()
    saved = "would serve this" if np.isinf(best_cost) else f"would be {1 - cost / best_cost:.0%} cheaper"
    name = f"{rejection.layout} {rejection.weights or ''}".strip()
    return (f"left out: {name} {saved}, but {rejection.reason} (--engine ideal ranks all layouts)",)


def _least_cost(deployment: Deployment, workload: Workload, weights: str | None, budget: int) -> float:
    """Paid chip-seconds of a request at the cheapest batch that meets the limits; infinite where none does."""
    runs_all = dataclasses.replace(deployment.engine, support=None)
    served = serve(dataclasses.replace(deployment, engine=runs_all), workload, weights, budget)
    limit = workload.ttft_s
    if not isinstance(served, Served) or (limit is not None and served.curve.first_token_s > limit):
        return np.inf
    return float(np.min(served.paid_chip_s_per_request, where=allowed_batches(served), initial=np.inf))
