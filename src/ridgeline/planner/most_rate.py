"""The highest rate of requests that a budget of chips takes, and the layout that takes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ridgeline.planner.outcome import Planning
from ridgeline.planner.served import fitting
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout

__all__ = ["most_rate"]


def most_rate(
    deployment: Deployment, found: Planning, chips: int | None, search: Callable[[float], Planning]
) -> tuple[Layout, float] | None:
    """Layout that takes the highest rate on a budget too small for the one asked for, and that rate, requests/s.

    It is None where no rate was asked for, or where chips are not what lacks.

    Args:
        deployment: deployment that was planned; its layout does not matter.
        found: result of the search for the rate, without a plan.
        chips: budget; None for one scale-up domain.
        search: search for another rate, requests/s, on the same budget.
    """
    short = [one.needed_chips for one in found.rejected if one.needed_chips is not None]
    load = found.demand.requests_per_s
    if load is None or not short:
        return None
    # Every layout that fits serves half of what the chips could take, and its plan says how much it could.
    plans = search(load * found.chips / min(short) / 2).plans
    rates = [
        (
            (one.most_requests_per_s or 0.0)
            / one.replicas
            * fitting(dataclasses.replace(deployment, layout=one.layout), chips),
            one.layout,
        )
        for one in plans
    ]
    if not rates:
        return None
    rate, layout = max(rates, key=lambda one: one[0])
    return layout, rate
