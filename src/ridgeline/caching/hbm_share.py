"""Division of the KV memory between prefixes that wait for their next use and requests in flight."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.caching.loaded import MOST_OF_A_CONTEXT
from ridgeline.equations import caching
from ridgeline.estimator.memory import limits_of, memory_per_chip, sequence_cache_bytes
from ridgeline.numeric import bracket
from ridgeline.serving.admission import room
from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import pool_curves, sequence_grid
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["HbmShare", "hbm_share"]

Array = NDArray[np.float64]

KEPT = 49
"""Fractions of the new contexts to keep that are tried, from none to all."""

LEAST_PER_S = 1e-12
"""Requests per second of a replica that has no room for any."""

HALVINGS = 24
"""Bisections of the share of memory that holds them, until it no longer changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HbmShare:
    """Share of the chips' KV memory for waiting prefixes that serves most requests.

    Attributes:
        share_fraction: fraction of the KV memory for waiting prefixes.
        hit_fraction: fraction of the requests that then find their context there.
        requests_per_s: finished requests of one replica with it.
        requests_per_s_without: finished requests of one replica that keeps nothing.
        all_kept_fraction: fraction of the new contexts that this memory could hold for the hold time, if it held
            nothing else.
    """

    share_fraction: float
    hit_fraction: float
    requests_per_s: float
    requests_per_s_without: float
    all_kept_fraction: float


def hbm_share(deployment: Deployment, workload: Workload, *, held_s: float, reuse: float) -> HbmShare:
    """Search for that share: each share has the hits that it gives, and the requests that it leaves no room for.

    A kept context stays for the whole hold time, so that its hits cost the memory of one context for that time, shared
    by ``reuse`` uses.

    Args:
        deployment: deployment of one replica.
        workload: context and output of a request.
        held_s: time for which a context is kept, s.
        reuse: mean uses of it in that time.
    """
    memory = _Memory.of(
        deployment, workload, held_s=held_s, new_fraction=1 - float(caching.reused_fraction(reuses=reuse))
    )
    again = 1 - memory.new_fraction
    tried = [(memory.share_for(float(part)), float(part)) for part in np.linspace(0.0, 1.0, KEPT)]
    rates = [memory.requests_per_s(share, part * again) for share, part in tried]
    best = int(np.argmax(rates))
    share, part = tried[best]
    return HbmShare(
        share_fraction=share,
        hit_fraction=part * again,
        requests_per_s=rates[best],
        requests_per_s_without=rates[0],
        all_kept_fraction=memory.kept_fraction(1.0, rates[0]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Memory:
    """Throughput of one replica beside waiting prefixes.

    Attributes:
        capacity_bytes: memory beside the weights, of each chip that keeps a part of a context, times its groups.
        of_one: bytes of a context on such a chip.
        held_s: time for which a context is kept, s.
        new_fraction: fraction of the requests whose context is new.
        sequences: requests in flight.
        without_per_s: requests finished per second at each if no context is found.
        with_per_s: requests finished per second at each if all contexts are found.
        most: requests in flight that fit.
    """

    capacity_bytes: float
    of_one: float
    held_s: float
    new_fraction: float
    sequences: Array
    without_per_s: Array
    with_per_s: Array
    most: float

    @classmethod
    def of(cls, deployment: Deployment, workload: Workload, *, held_s: float, new_fraction: float) -> _Memory:
        """Memory and throughput of a replica."""
        empty = memory_per_chip(deployment, rows=limits_of(deployment).pass_tokens, sampled=1, kv_bytes=0.0)
        most = room(deployment, workload)
        grid = sequence_grid(max(int(most), 1))
        without_per_s, with_per_s = (
            pool_curves(pool_times([deployment], one, float(grid[-1])), [deployment], one, [grid])[0].requests_per_s
            for one in (workload, dataclasses.replace(workload, hit_fraction=MOST_OF_A_CONTEXT))
        )
        return cls(
            capacity_bytes=float(empty.free_bytes) * deployment.layout.dp * deployment.layout.kv_dp,
            of_one=float(sequence_cache_bytes(deployment, workload.prompt_tokens)),
            held_s=held_s,
            new_fraction=new_fraction,
            sequences=grid,
            without_per_s=without_per_s,
            with_per_s=with_per_s,
            most=most,
        )

    def requests_per_s(self, share: float, hits: float) -> float:
        """Requests per second with that share of memory for prefixes, if a part ``hits`` finds its context."""
        left = self.most * (1 - share)
        if left < 1:
            return 0.0
        mixed = caching.mixed_per_s(without_per_s=self.without_per_s, with_per_s=self.with_per_s, found_fraction=hits)
        rates = np.maximum.accumulate(mixed)
        return float(np.interp(left, np.append(0.0, self.sequences), np.append(0.0, rates)))

    def kept_fraction(self, share: float, requests_per_s: float) -> float:
        """Fraction of the new contexts that a share of memory holds for the hold time."""
        return float(
            caching.kept_fraction(
                capacity_bytes=share * self.capacity_bytes,
                requests_per_s=self.new_fraction * max(requests_per_s, LEAST_PER_S),
                held_s=self.held_s,
                bytes_per_request=self.of_one,
            )
        )

    def share_for(self, part: float) -> float:
        """Share of memory that holds a part of the new contexts."""
        if not part:
            return 0.0
        hits = part * (1 - self.new_fraction)

        def is_enough(share: float) -> bool:
            return self.kept_fraction(share, self.requests_per_s(share, hits)) >= part

        _, share = bracket(is_enough, 0.0, 1.0, halvings=HALVINGS)
        return share
