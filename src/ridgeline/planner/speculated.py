"""Range of batches in which speculation pays on a layout."""

from __future__ import annotations

import dataclasses

import numpy as np

from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import most_sequences, pool_curves, sequence_grid
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.speculation import NO_SPECULATION
from ridgeline.specs.workload import Workload

__all__ = ["paying_batches"]


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
