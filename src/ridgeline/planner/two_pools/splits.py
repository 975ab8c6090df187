"""Split of a budget between both pools that serves the most."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ridgeline.estimator.placement import replicas_within
from ridgeline.numeric import ROUNDING, Numeric, ceil, floor, maximum, minimum, where
from ridgeline.planner.two_pools.sides import Reader, Writer
from ridgeline.planner.two_pools.spent import Place, site_power_w
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.specs.demand import Demand
from ridgeline.specs.machine import FabricLevel

__all__ = ["replicas_inside", "splits"]


def replicas_inside(side: Reader | Writer, chips: Numeric) -> Numeric:
    """Number of replicas that lie inside domains of ``chips`` chips."""
    return replicas_within(side.candidate.deployment.machine.fabric, chips, side.chips)


MOST_KEPT = 4096
"""Chips of a budget up to which replicas are looked up for each number of chips of it."""


# Pairs of layouts by the thousand ask for the same numbers, at every batch and halving.
@lru_cache(maxsize=512)
def _replicas_by_chips(fabric: tuple[FabricLevel, ...], most: int, chips: int) -> NDArray[np.float64]:
    """Replicas of ``chips`` chips that lie inside domains, by the number of chips that there are, up to ``most``."""
    return np.asarray(replicas_within(fabric, np.arange(most + 1.0), chips), dtype=float)


def _replicas_beside(reader: Reader, writer: Writer, chips: int) -> Callable[[Numeric], Numeric]:
    """Function from replicas of the decode pool to those of the prefill pool that the rest of a budget has room for."""
    if chips > MOST_KEPT:
        return lambda writers: replicas_inside(reader, chips - writers * writer.chips)
    there_are = _replicas_by_chips(reader.candidate.deployment.machine.fabric, chips, reader.chips)

    def beside(writers: Numeric) -> Numeric:
        if isinstance(writers, (int, float)):
            return float(there_are[max(int(chips - writers * writer.chips), 0)])
        # More of the decode pool than there is room for leave none, and are not taken.
        return np.asarray(there_are[np.maximum(chips - writers * writer.chips, 0).astype(np.intp)])

    return beside


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
    beside = _replicas_beside(reader, writer, chips)

    def needed(writers: Numeric) -> Numeric:
        return ceil(writers * each / reader.prompts_per_s - ROUNDING)

    def there_are(writers: Numeric, needed: Numeric) -> Numeric:
        """Prefill replicas that there is room and power for, as far as they are needed."""
        readers = minimum(needed, beside(writers))
        return _powered(reader, writer, readers, writers, place, demand) if draws else readers

    def served(readers: Numeric, writers: Numeric) -> Numeric:
        is_there = (writers >= 1) & (writers <= most)
        return where(is_there, minimum(readers * reader.prompts_per_s, writers * each), 0.0)

    # Up to the edge, no prefill replica is missing: halves of what is open, at all batches together.
    enough: Numeric = 0.0 if isinstance(place, int) else np.zeros_like(each)
    last: Numeric = float(most) if isinstance(place, int) else np.full_like(each, most)
    for _ in range(most.bit_length()):
        middle = (enough + last + 1) // 2
        wanted = needed(middle)
        is_enough = wanted <= there_are(middle, wanted)
        enough, last = where(is_enough, middle, enough), where(is_enough, last, middle - 1)
    readers, more = (there_are(writers, needed(writers)) for writers in (enough, enough + 1))
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
