"""Highest rate of requests that the replicas of a plan could be given within the limits."""

from __future__ import annotations

import dataclasses

import numpy as np

from ridgeline.planner.served import ServedCurve, keeping_batches, powered

__all__ = ["most_requests_per_s"]

RATES = 9
"""Rates that are evaluated together: few enough to be evaluated each, and not interpolated between."""

ROUNDS = 3
"""Rounds of evaluation; each narrows the rate down to an eighth, three to 0.2 % of what is left beyond the load."""


def most_requests_per_s(served: ServedCurve, index: int) -> float | None:
    """Highest rate, requests/s, at which the replicas of a point keep to the limits; None without a rate as the load.

    Latencies rise with the rate, so that what lies between a rate that is kept and one that is not is bracketed.

    Args:
        served: candidate that serves random arrivals.
        index: point of its curve.
    """
    pools = served.pools
    if pools is None:
        return None
    low, high = float(served.requests_per_s[index]), float(pools.most_per_s[0])
    copies = float(served.copies[index])
    for _ in range(ROUNDS):
        if high <= low:
            break
        rates = np.linspace(low, high, RATES)
        ((curve, first_s),) = pools.curves([rates], served.demand.ttft_quantile)
        at = dataclasses.replace(
            served,
            curve=curve,
            copies=np.full(RATES, copies),
            requests_per_s=rates,
            first_token_s=first_s,
            chip_power_w=None,
        )
        kept = keeping_batches(powered(at) if served.demand.heeds_power else at)
        last = int(np.argmin(kept)) - 1 if not kept.all() else RATES - 1
        if last == RATES - 1:
            low = high
        elif last < 0:
            break
        else:
            low, high = float(rates[last]), float(rates[last + 1])
    return copies * low
