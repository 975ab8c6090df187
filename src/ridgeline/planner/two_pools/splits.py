"""Split of a budget between both pools that serves the most."""

from __future__ import annotations

import math
from bisect import bisect_right
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from ridgeline.estimator.placement import replicas_within
from ridgeline.planner.served import ROUNDING
from ridgeline.planner.two_pools.sides import Reader, Writer
from ridgeline.planner.two_pools.spent import site_power_w
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.specs.demand import Demand

__all__ = ["replicas_inside", "splits"]

Array = NDArray[np.float64]


def replicas_inside(side: Reader | Writer, chips: int) -> int:
    """Number of replicas that lie inside domains of ``chips`` chips."""
    return replicas_within(side.candidate.deployment.machine.fabric, chips, side.chips)


def splits(reader: Reader, writer: Writer, places: NDArray[np.intp], terms: Terms) -> tuple[Array, Array, Array]:
    """Split of a budget with the most throughput at each batch, among those inside domains and within the power.

    Args:
        reader: layout of the prefill pool.
        writer: layout of the decode pool.
        places: indices of the batches in the decode pool's grid.
        terms: conditions with the budget.

    Returns:
        The result is replicas of each pool, and the requests per second that they serve: 0 where there is no room for
        both.
    """
    chips = terms.chips_of(reader, writer) or 0
    most = (chips - reader.chips) // writer.chips
    most = min(most, replicas_inside(writer, chips)) if most > 0 else 0
    found = [_split(reader, writer, place, terms.demand, chips, most) for place in places.tolist()]
    readers, writers, served = np.array(found, dtype=float).reshape(-1, 3).T
    return readers, writers, served


def _split(reader: Reader, writer: Writer, place: int, demand: Demand, chips: int, most: int) -> tuple[int, int, float]:
    """Replicas of each pool, and the requests per second that they serve, with up to ``most`` decode replicas.

    Every decode replica takes chips and power from the prefill pool and asks for more of it. Throughput rises for as
    long as there is enough of that pool, and falls from then on; the best split stands at this edge.
    """
    each, draws = float(writer.requests_per_s[place]), demand.site_power_w is not None

    def needed(writers: int) -> int:
        return math.ceil(writers * each / reader.prompts_per_s - ROUNDING)

    def there_are(writers: int) -> int:
        """Prefill replicas that there is room and power for, as far as they are needed."""
        readers = min(needed(writers), replicas_inside(reader, chips - writers * writer.chips))
        return _powered(reader, writer, readers, writers, place, demand) if draws else readers

    def served(readers: int, writers: int) -> float:
        return min(readers * reader.prompts_per_s, writers * each)

    # Up to the edge, none is missing.
    enough = bisect_right(range(1, most + 1), 0, key=lambda writers: needed(writers) - there_are(writers))
    edge = [(there_are(writers), writers) for writers in (enough, enough + 1) if 1 <= writers <= most]
    return max(((*both, served(*both)) for both in edge), key=itemgetter(2), default=(0, 0, 0.0))


def _powered(reader: Reader, writer: Writer, readers: int, writers: int, place: int, demand: Demand) -> int:
    """Prefill replicas that there is power for, up to ``readers``.

    With fewer prefill replicas than the decode pool needs, they limit it, and each of them works without a break.
    """
    limit_w = (demand.site_power_w or 0.0) * (1 + ROUNDING)
    request_j = float(writer.draw.request_j[place])

    def site_w(readers: int, writers: int, requests_per_s: float) -> float:
        return float(site_power_w(reader, writer, readers, writers, requests_per_s, request_j, demand))

    served = min(readers * reader.prompts_per_s, writers * float(writer.requests_per_s[place]))
    if site_w(readers, writers, served) <= limit_w:
        return readers
    left_w, one_w = limit_w - site_w(0, writers, 0.0), site_w(1, 0, reader.prompts_per_s)
    return min(max(math.floor(left_w / one_w), 0), readers)
