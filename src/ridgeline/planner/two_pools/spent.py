"""Chips, power and cost of both pools with given numbers of replicas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ridgeline.estimator.placement import chips_of_replicas
from ridgeline.numeric import Numeric
from ridgeline.planner.two_pools.sides import AtBatch, Reader
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.specs.demand import Demand

__all__ = ["chips_in_domains", "least_paid", "least_reading_paid", "site_power_w", "spent_on"]

Array = NDArray[np.float64]


class Spent(NamedTuple):
    """Chips and cost of pairs; numbers, or arrays of one length.

    Attributes:
        idle_chips: chips that are paid and idle: of a budget, or else of the domains that each pool fills.
        paid_chips: chips of both pools, with idle ones, and with electricity as the chips that cost as much.
        paid: cost of the paid chips per second.
    """

    idle_chips: Numeric
    paid_chips: Numeric
    paid: Numeric


def spent_on(
    reader: Reader,
    writer: AtBatch,
    *,
    readers: Numeric,
    writers: Numeric,
    requests_per_s: Numeric,
    terms: Terms,
) -> Spent:
    """Chips and cost per second of a pair with a given number of replicas, or of the pair at several batches."""
    first, second = (terms.price_of(one) for one in (reader, writer))
    used, budget = readers * reader.chips + writers * writer.chips, terms.chips_of(reader, writer)
    idle: Numeric
    paid: Numeric
    if budget is None or terms.demand.has_load or terms.is_fed:
        reading, writing = chips_in_domains(reader, readers), chips_in_domains(writer, writers)
        idle, paid = reading + writing - used, reading * first + writing * second
    else:
        idle = budget - used
        paid = readers * reader.chips * first + writers * writer.chips * second + idle * min(first, second)
    if not terms.usd_per_j:
        return Spent(idle, used + idle, paid)
    electricity = terms.usd_per_j * site_power_w(reader, writer, readers, writers, requests_per_s, terms.demand)
    return Spent(idle, (used + idle) * (1 + electricity / paid), paid + electricity)


def least_paid(reader: Reader, writer: AtBatch, terms: Terms) -> Numeric:
    """Cost of a request if chips never wait and electricity is free: a lower bound."""
    return least_reading_paid(reader, terms) + terms.price_of(writer) * writer.chips / writer.requests_per_s


def least_reading_paid(reader: Reader, terms: Terms) -> float:
    """The prefill pool's part of ``least_paid``."""
    return terms.price_of(reader) * reader.chips / reader.prompts_per_s


def chips_in_domains(side: Reader | AtBatch, replicas: Array | float) -> Array:
    """Chips of a pool, with those of its domains that are too few for one more of its replicas."""
    return np.asarray(chips_of_replicas(side.machine.fabric, np.asarray(replicas), side.chips))


def site_power_w(
    reader: Reader,
    writer: AtBatch,
    readers: Numeric,
    writers: Numeric,
    requests_per_s: Numeric,
    demand: Demand,
) -> Numeric:
    """Power of both pools with the site's overhead, W; idle chips of a budget are off.

    Args:
        reader: layout of the prefill pool.
        writer: decode replica at a batch, or at several.
        readers: replicas of the prefill pool.
        writers: replicas of the decode pool.
        requests_per_s: requests per second that both serve.
        demand: demand with the site's overhead.
    """
    of_prompts, of_tokens = (
        side.draw.power_w(replicas, requests_per_s) for side, replicas in ((reader, readers), (writer, writers))
    )
    return demand.pue * (of_prompts + of_tokens)
