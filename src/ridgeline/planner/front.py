"""The Pareto front of cost against speed, over all layouts and batches that fit, whatever the limits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ridgeline.planner.details import usd
from ridgeline.planner.outcome import FrontPoint
from ridgeline.planner.pareto import undominated
from ridgeline.planner.served import ServedCurve, within_budget

APART = 0.03
"""Relative difference in speed or cost below which points of one layout are one; steps are off by more than that."""

__all__ = ["front", "thinned"]


def front(served: Sequence[ServedCurve], price: float | None) -> tuple[FrontPoint, ...]:
    """Points that no other beats in both time per token and paid chip-seconds per request; fastest first."""
    if not served:
        return ()
    owners = np.concatenate([np.full(len(one.curve.batch), number) for number, one in enumerate(served)])
    places = np.concatenate([np.arange(len(one.curve.batch)) for one in served])
    tpot_s = np.concatenate([one.curve.tpot_s for one in served])
    cost = np.concatenate([one.paid_chip_s_per_request for one in served])
    # Points with enough power for one replica, and with chips for as many as a load needs there.
    there = np.flatnonzero(np.concatenate([(one.copies >= 1) & within_budget(one) for one in served]))
    best = there[undominated(tpot_s[there], cost[there])]
    return tuple(_front_point(served[owners[at]], int(places[at]), price) for at in best)


def _front_point(served: ServedCurve, index: int, price: float | None) -> FrontPoint:
    paid = float(served.paid_chip_s_per_request[index])
    return FrontPoint(
        layout=served.deployment.layout,
        weights=served.weights,
        replicas=int(served.copies[index]),
        batch=round(float(served.curve.batch[index])),
        tpot_s=float(served.curve.tpot_s[index]),
        ttft_s=float(served.first_token_s[index]),
        paid_chip_s_per_request=paid,
        usd_per_request=usd(price, paid),
        speculate=served.candidate.speculate,
    )


def thinned(points: Sequence[FrontPoint]) -> list[FrontPoint]:
    """Points of a front, the last among them, without those within 3 % of one before that serves the same way."""
    kept: list[FrontPoint] = []
    last: dict[tuple[object, ...], FrontPoint] = {}
    for point in points:
        way = point.layout, point.weights, point.speculate
        if way not in last or point is points[-1] or _is_apart(last[way], point):
            kept.append(point)
            last[way] = point
    return kept


def _is_apart(one: FrontPoint, other: FrontPoint) -> bool:
    return (
        other.tpot_s > (1 + APART) * one.tpot_s
        or other.paid_chip_s_per_request < (1 - APART) * one.paid_chip_s_per_request
    )
