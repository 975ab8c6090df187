"""Gain of speculation on a layout: range of batches in which it pays, and a batch with and without it."""

from __future__ import annotations

import dataclasses

import numpy as np

from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import most_sequences, pool_curves, sequence_grid
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.speculation import NO_SPECULATION
from ridgeline.specs.workload import Workload

__all__ = ["paying_batches", "without_speculation"]


def paying_batches(deployment: Deployment, workload: Workload) -> tuple[int | None, int | None]:
    """First and last number of requests in flight at which tokens come sooner than without speculation.

    Both count batches that fit with the draft and without it; the first is None where speculation never pays, the last
    where it pays up to the most that fit.
    """
    if not deployment.speculation:
        return None, None
    both = [deployment, dataclasses.replace(deployment, speculation=NO_SPECULATION)]
    most = min(most_sequences(one, workload) for one in both)
    if most == 0:
        return None, None
    grid = sequence_grid(most)
    drafted, plain = pool_curves(pool_times(both, workload, float(most)), both, workload, [grid, grid])
    sooner = np.flatnonzero(drafted.tpot_s < plain.tpot_s)
    if not len(sooner):
        return None, None
    first, last = (round(float(drafted.batch[place])) for place in sooner[[0, -1]])
    return first, None if sooner[-1] == len(grid) - 1 else last


def without_speculation(deployment: Deployment, workload: Workload, batch: int) -> tuple[float, float] | None:
    """Time per output token, s, and requests/s of a layout at a batch without speculation; None where it does not fit.

    Args:
        deployment: deployment with speculation.
        workload: requests that are served.
        batch: requests in flight on the replica, by users who each ask again as soon as they are answered.
    """
    plain, sequences = dataclasses.replace(deployment, speculation=NO_SPECULATION), batch / deployment.layout.dp
    if most_sequences(plain, workload) < sequences:
        return None
    times = pool_times([plain], workload, sequences)
    curve = pool_curves(times, [plain], workload, [np.array([sequences])])[0]
    return float(curve.tpot_s[0]), float(curve.requests_per_s[0])
