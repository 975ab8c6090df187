"""Whole numbers of replicas of both pools, at many batches of the decode pool at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ridgeline.numeric import ROUNDING
from ridgeline.planner.served import MOST_REPLICAS
from ridgeline.planner.two_pools.queues import rate_of_users
from ridgeline.planner.two_pools.sides import AtBatch, Reader, fewest_readers
from ridgeline.planner.two_pools.spent import Spent, chips_in_domains, site_power_w, spent_on
from ridgeline.planner.two_pools.splits import splits
from ridgeline.planner.two_pools.terms import Terms

__all__ = ["Served", "served"]

Array = NDArray[np.float64]


class Served(NamedTuple):
    """A prefill layout with decode replicas at the batches where there is room for both; arrays of one length.

    Attributes:
        places: indices of the batches.
        readers: replicas of the prefill pool.
        writers: replicas of the decode pool.
        requests_per_s: requests per second that both serve.
        spent: chips and cost per second.
    """

    places: NDArray[np.intp]
    readers: Array
    writers: Array
    requests_per_s: Array
    spent: Spent


def served(reader: Reader, batches: AtBatch, terms: Terms) -> Served:
    """Replicas with the most throughput of a budget, or fewest for a load whose prompts do not wait."""
    readers, writers, rate = _matched(reader, batches, terms)
    places = np.flatnonzero(rate)
    readers, writers, rate = readers[places], writers[places], rate[places]
    spent = spent_on(reader, batches.at(places), readers=readers, writers=writers, requests_per_s=rate, terms=terms)
    return Served(places, readers, writers, rate, spent)


def _matched(reader: Reader, batches: AtBatch, terms: Terms) -> tuple[Array, Array, Array]:
    """Replicas of both, and their throughput: the most of a budget, or a load; 0 where there is no room for both."""
    demand, chips = terms.demand, terms.chips_of(reader, batches)
    if not demand.has_load:
        readers, writers, rate = (np.asarray(one) for one in splits(reader, batches, terms))
        return readers, writers, rate
    if demand.users is None:
        rate = np.full_like(batches.tpot_s, demand.requests_per_s or 0.0)
        writers = np.ceil(rate / batches.requests_per_s - ROUNDING)
    else:
        rate = np.asarray(demand.users / (terms.workload.decode_steps * batches.tpot_s + reader.first_s))
        writers = np.ceil(demand.users / batches.batch - ROUNDING)
    writers = np.maximum(writers, 1.0)
    readers = fewest_readers(rate, reader.prompts_per_s)
    if demand.users is not None:
        # The cache's move, of milliseconds in rounds of seconds, is left out.
        rate, _ = rate_of_users(reader, terms, readers=readers, tpot_s=batches.tpot_s, move_s=0.0)
    most = MOST_REPLICAS if chips is None else chips
    taken = np.maximum(readers, writers)
    if chips:
        taken = chips_in_domains(reader, readers) + chips_in_domains(batches, writers)
    is_there = taken <= most
    if demand.site_power_w is not None:
        drawn_w = site_power_w(reader, batches, readers, writers, rate, demand)
        is_there &= drawn_w <= demand.site_power_w * (1 + ROUNDING)
    return readers, writers, np.where(is_there, rate, 0.0)
