"""Split of a budget between both pools that serves the most."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.estimator.placement import replicas_within
from ridgeline.numeric import ROUNDING, Numeric, ceil, floor, maximum, minimum, where
from ridgeline.planner.two_pools.sides import Reader, Writer
from ridgeline.planner.two_pools.spent import Place, site_power_w
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.specs.demand import Demand

__all__ = ["replicas_inside", "splits"]


def replicas_inside(side: Reader | Writer, chips: Numeric) -> Numeric:
    """Number of replicas that lie inside domains of ``chips`` chips."""
    return replicas_within(side.candidate.deployment.machine.fabric, chips, side.chips)


def splits(reader: Reader, writer: Writer, place: Place, terms: Terms) -> tuple[Numeric, Numeric, Numeric]:
    """Split of a budget with the most throughput at each batch, among those inside domains and within the power.

    Every decode replica takes chips and power from the prefill pool and asks for more of it. Throughput rises for as
    long as there is enough of that pool, and falls from then on; the best split stands at this edge.

    Args:
        reader: layout of the prefill pool.
        writer: layout of the decode pool.
        place: index of the batch in the decode pool's grid, or indices of several.
        terms: conditions with the budget.

    Returns:
        The result is replicas of each pool, and the requests per second that they serve: 0 where there is no room for
        both.
    """
    chips, demand = terms.chips_of(reader, writer) or 0, terms.demand
    most = int(minimum(max((chips - reader.chips) // writer.chips, 0), replicas_inside(writer, chips)))
    each, draws = _at(writer.requests_per_s, place), demand.site_power_w is not None

    def needed(writers: Numeric) -> Numeric:
        return ceil(writers * each / reader.prompts_per_s - ROUNDING)

    def there_are(writers: Numeric) -> Numeric:
        """Prefill replicas that there is room and power for, as far as they are needed."""
        readers = minimum(needed(writers), replicas_inside(reader, chips - writers * writer.chips))
        return _powered(reader, writer, readers, writers, place, demand) if draws else readers

    def served(readers: Numeric, writers: Numeric) -> Numeric:
        is_there = (writers >= 1) & (writers <= most)
        return where(is_there, minimum(readers * reader.prompts_per_s, writers * each), 0.0)

    # Up to the edge, no prefill replica is missing: halves of what is open, at all batches together.
    enough: Numeric = 0.0 if isinstance(place, int) else np.zeros_like(each)
    last: Numeric = float(most) if isinstance(place, int) else np.full_like(each, most)
    for _ in range(most.bit_length()):
        middle = (enough + last + 1) // 2
        is_enough = needed(middle) <= there_are(middle)
        enough, last = where(is_enough, middle, enough), where(is_enough, last, middle - 1)
    readers, more = there_are(enough), there_are(enough + 1)
    before, after = served(readers, enough), served(more, enough + 1)
    return where(after > before, more, readers), where(after > before, enough + 1, enough), maximum(before, after)


def _at(values: NDArray[np.float64], place: Place) -> Numeric:
    found: Numeric = values[place]
    return float(found) if isinstance(place, int) else found


def _powered(
    reader: Reader, writer: Writer, readers: Numeric, writers: Numeric, place: Place, demand: Demand
) -> Numeric:
    """Prefill replicas that there is power for, up to ``readers``.

    With fewer prefill replicas than the decode pool needs, they limit it, and each of them works without a break.
    """
    limit_w = (demand.site_power_w or 0.0) * (1 + ROUNDING)
    request_j, each = _at(writer.draw.request_j, place), _at(writer.requests_per_s, place)

    def site_w(readers: Numeric, writers: Numeric, requests_per_s: Numeric) -> Numeric:
        return site_power_w(reader, writer, readers, writers, requests_per_s, request_j, demand)

    served = minimum(readers * reader.prompts_per_s, writers * each)
    left_w, one_w = limit_w - site_w(0, writers, 0.0), site_w(1, 0, reader.prompts_per_s)
    fed = minimum(maximum(floor(left_w / one_w), 0), readers)
    return where(site_w(readers, writers, served) <= limit_w, readers, fed)
