"""How much of the memory beside weights to give to prefixes that wait for their next use, and how much to requests."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations import caching
from ridgeline.estimator.memory import limits_of, memory_per_chip, sequence_cache_bytes
from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import pool_curves, room, sequence_grid
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["HbmShare", "hbm_share"]

HITS = 13
"""Parts of the contexts that are kept, from none to all that are used again."""

HALVINGS = 24
"""Of the share of memory that holds them, until it does not move."""

MOST_HITS = 0.999
"""Of a context, which is never found whole: its last token is computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HbmShare:
    """The share of the chips' memory for keys and values that serves most requests.

    Attributes:
        share_fraction: of the memory that weights leave, for prefixes that wait.
        hit_fraction: part of the requests whose context is then found there.
        requests_per_s: of one replica with it.
        requests_per_s_without: of one replica that keeps nothing.
        all_kept_fraction: part of all contexts that this memory could hold for as long as asked, if it held nothing
            else.
    """

    share_fraction: float
    hit_fraction: float
    requests_per_s: float
    requests_per_s_without: float
    all_kept_fraction: float


def hbm_share(deployment: Deployment, workload: Workload, *, held_s: float, reuse: float) -> HbmShare:
    """Search for it: requests find a context with each chance up to ``reuse``, and pay for it with room.

    A context that is kept is kept for all of the time, and as many are kept as are found; requests under way share
    what is left.

    Args:
        deployment: of one replica.
        workload: a context and its answer.
        held_s: for which a context waits.
        reuse: times that it is then used.
    """
    limits = limits_of(deployment)
    empty = memory_per_chip(deployment, rows=limits.pass_tokens, sampled=1, kv_bytes=0.0)
    of_one = float(sequence_cache_bytes(deployment, workload.prompt_tokens))
    groups = deployment.layout.dp * deployment.layout.kv_dp
    capacity_bytes = float(empty.free_bytes) * groups
    best: tuple[float, float, float] | None = None
    most = min(reuse, 1.0) * MOST_HITS
    without = 0.0
    for hits in np.linspace(0.0, most, HITS):
        share, rate = _at(deployment, workload, float(hits), held_s, reuse, of_one, capacity_bytes)
        without = rate if hits == 0 else without
        if best is None or rate > best[0]:
            best = rate, share, float(hits)
    rate, share, hits = best or (0.0, 0.0, 0.0)
    kept = caching.kept_fraction(
        capacity_bytes=capacity_bytes, requests_per_s=without, held_s=held_s, bytes_per_request=of_one
    )
    return HbmShare(
        share_fraction=share,
        hit_fraction=hits,
        requests_per_s=rate,
        requests_per_s_without=without,
        all_kept_fraction=float(kept),
    )


def _at(
    deployment: Deployment,
    workload: Workload,
    hits: float,
    held_s: float,
    reuse: float,
    of_one: float,
    capacity_bytes: float,
) -> tuple[float, float]:
    """Share of the memory that so many hits take, and requests a second beside it."""
    # Of all requests so many find all: on the mean each finds that part of its context.
    found = dataclasses.replace(workload, hit_fraction=hits)
    most = room(deployment, found)
    grid = sequence_grid(max(int(most), 1))
    times = pool_times([deployment], found, float(grid[-1]))
    (curve,) = pool_curves(times, [deployment], found, [grid])
    rates: NDArray[np.float64] = np.maximum.accumulate(curve.requests_per_s)

    def rate_beside(share: float) -> float:
        left = most * (1 - share)
        return float(np.interp(left, np.append(0.0, grid), np.append(0.0, rates))) if left >= 1 else 0.0

    if not hits:
        return 0.0, rate_beside(0.0)
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        kept = caching.kept_fraction(
            capacity_bytes=middle * capacity_bytes,
            requests_per_s=max(rate_beside(middle), 1e-12),
            held_s=held_s,
            bytes_per_request=of_one,
        )
        low, high = (low, middle) if reuse * float(kept) >= hits else (middle, high)
    return high, rate_beside(high)
