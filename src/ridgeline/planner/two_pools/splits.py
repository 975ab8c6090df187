"""Split of a budget between both pools that serves the most."""

from __future__ import annotations

import numpy as np

from ridgeline.estimator.placement import replicas_within
from ridgeline.numeric import ROUNDING, Numeric, ceil, floor, maximum, minimum, where
from ridgeline.planner.two_pools.sides import AtBatch, Reader
from ridgeline.planner.two_pools.spent import site_power_w
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.specs.demand import Demand

__all__ = ["replicas_inside", "splits"]


def replicas_inside(side: Reader | AtBatch, chips: Numeric) -> Numeric:
    """Number of replicas that lie inside domains of ``chips`` chips."""
    return replicas_within(side.machine.fabric, chips, side.chips)


def splits(reader: Reader, writer: AtBatch, terms: Terms) -> tuple[Numeric, Numeric, Numeric]:
    """Split of a budget with the most throughput at each batch, among those inside domains and within the power.

    Every decode replica takes chips and power from the prefill pool and asks for more of it. Throughput rises for as
    long as there is enough of that pool, and falls from then on; the best split stands at this edge.

    Args:
        reader: layout of the prefill pool.
        writer: decode replica at a batch, or at several.
        terms: conditions with the budget.

    Returns:
        The result is replicas of each pool, and the requests per second that they serve: 0 where there is no room for
        both.
    """
    chips, each = float(terms.chips_of(reader, writer) or 0), writer.requests_per_s
    most = minimum(maximum((chips - reader.chips) // writer.chips, 0.0), replicas_inside(writer, chips))
    draws = terms.demand.site_power_w is not None

    def needed(writers: Numeric) -> Numeric:
        return ceil(writers * each / reader.prompts_per_s - ROUNDING)

    def there_are(writers: Numeric, needed: Numeric) -> Numeric:
        """Prefill replicas that there is room and power for, as far as they are needed."""
        readers = minimum(needed, replicas_inside(reader, chips - writers * writer.chips))
        return _powered(reader, writer, readers, writers, terms.demand) if draws else readers

    def served(readers: Numeric, writers: Numeric) -> Numeric:
        is_there = (writers >= 1) & (writers <= most)
        return where(is_there, minimum(readers * reader.prompts_per_s, writers * each), 0.0)

    # Up to the edge, no prefill replica is missing: halves of what is open, at all batches together.
    enough, last = most * 0.0, most
    for _ in range(int(np.max(most, initial=0)).bit_length()):
        middle = (enough + last + 1) // 2
        wanted = needed(middle)
        is_enough = wanted <= there_are(middle, wanted)
        enough, last = where(is_enough, middle, enough), where(is_enough, last, middle - 1)
    readers, more = (there_are(writers, needed(writers)) for writers in (enough, enough + 1))
    before, after = served(readers, enough), served(more, enough + 1)
    return where(after > before, more, readers), where(after > before, enough + 1, enough), maximum(before, after)


def _powered(reader: Reader, writer: AtBatch, readers: Numeric, writers: Numeric, demand: Demand) -> Numeric:
    """Prefill replicas that there is power for, up to ``readers``.

    With fewer prefill replicas than the decode pool needs, they limit it, and each of them works without a break.
    """
    limit_w = (demand.site_power_w or 0.0) * (1 + ROUNDING)

    def site_w(readers: Numeric, writers: Numeric, requests_per_s: Numeric) -> Numeric:
        return site_power_w(reader, writer, readers, writers, requests_per_s, demand)

    served = minimum(readers * reader.prompts_per_s, writers * writer.requests_per_s)
    left_w, one_w = limit_w - site_w(0, writers, 0.0), site_w(1, 0, reader.prompts_per_s)
    fed = minimum(maximum(floor(left_w / one_w), 0), readers)
    return where(site_w(readers, writers, served) <= limit_w, readers, fed)
