"""Whole numbers of replicas of both pools, matched by rate: most throughput of a budget, or fewest for a load."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.numeric import ROUNDING
from ridgeline.planner.compare import asked_of_stages
from ridgeline.planner.served import MOST_REPLICAS
from ridgeline.planner.two_pools.queues import Queue, at_random, first_token_s, of_users
from ridgeline.planner.two_pools.replicas import served
from ridgeline.planner.two_pools.sides import AtBatch, Reader, Writer, batches_of, fewest_readers, margin
from ridgeline.planner.two_pools.spent import chips_in_domains, site_power_w, spent_on
from ridgeline.planner.two_pools.splits import replicas_inside, splits
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.specs.demand import Demand

__all__ = ["Match", "best_matches", "match_of", "rank_of"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A pair with whole numbers of replicas.

    Attributes:
        reader: layout of the prefill pool.
        writer: layout of the decode pool.
        readers: replicas of the prefill pool.
        writers: replicas of the decode pool.
        place: index of the batch in the decode pool's grid.
        requests_per_s: requests per second that both serve.
        queue: queue before a prefill replica; None without a load.
        paid_chips: chips of both pools, with idle ones, and with electricity as the chips that cost as much.
        paid: cost of the paid chips per second.
        idle_chips: chips that are paid and idle: of a budget, or of the domains that each pool of a load fills.
    """

    reader: Reader
    writer: Writer
    readers: int
    writers: int
    place: int
    requests_per_s: float
    queue: Queue | None
    paid_chips: float
    paid: float
    idle_chips: int

    @property
    def chips(self) -> int:
        """Chips of both pools."""
        return self.readers * self.reader.chips + self.writers * self.writer.chips


def rank_of(match: Match, terms: Terms) -> tuple[float, float]:
    """Sort key of pairs: cost, raised by the saving required of stages; then speed."""
    asked = asked_of_stages(max(match.reader.deployment.layout.pp, match.writer.deployment.layout.pp))
    cost = (match.paid if terms.demand.has_load else match.paid / match.requests_per_s) * (1 + asked)
    return cost, match.reader.first_s + float(match.writer.tpot_s[match.place])


def best_matches(readers: Sequence[Reader], writers: Sequence[Writer], terms: Terms) -> Iterator[Match]:
    """The pair that ranks first for each of several decode layouts on one machine, where any serves."""
    for writer, least in zip(writers, _least_costs(readers, writers, terms).T, strict=True):
        best: tuple[tuple[float, float], int, Match] | None = None
        for number in np.argsort(least):
            if least[number] == np.inf or (best is not None and least[number] > best[0][0] * (1 + ROUNDING)):
                break
            match = match_of(readers[number], writer, terms)
            if match is not None:
                found = rank_of(match, terms), int(number), match
                best = found if best is None else min(best, found)
        if best is not None:
            yield best[2]


def _least_costs(readers: Sequence[Reader], writers: Sequence[Writer], terms: Terms) -> Array:
    """Cost of each pair as in its rank, of shape (readers, writers); infinite where there is no room for both.

    That of a load is a lower bound: prompts do not wait, and electricity is free.
    """
    demand = terms.demand
    if demand.has_load:
        free = dataclasses.replace(demand, site_power_w=None, electricity_usd_per_j=None)
        terms = dataclasses.replace(terms, demand=free)
    starts = np.cumsum([0, *(len(one.batch) for one in writers[:-1])])
    places = [_load_of(one, terms)[1] if demand.has_load else one.best or 0 for one in writers]
    batches = batches_of(writers).at(np.add(starts, places, dtype=np.intp))
    of_writers = np.array([asked_of_stages(one.deployment.layout.pp) for one in writers])
    costs = np.full((len(readers), len(writers)), np.inf)
    for cost, reader in zip(costs, readers, strict=True):
        found = served(reader, batches, terms)
        asked = np.maximum(of_writers, asked_of_stages(reader.deployment.layout.pp))[found.places]
        paid = found.spent.paid if demand.has_load else found.spent.paid / found.requests_per_s
        cost[found.places] = paid * (1 + asked)
    return costs


def match_of(reader: Reader, writer: Writer, terms: Terms) -> Match | None:
    """Replicas of both that serve the load, or fill the budget best; None where none do."""
    if writer.best is None:
        return None
    found = _for_load(reader, writer, terms) if terms.demand.has_load else _for_budget(reader, writer, terms)
    if found is None:
        return None
    readers, writers, place, rate, queue = found
    spent = spent_on(reader, writer.at(place), readers=readers, writers=writers, requests_per_s=rate, terms=terms)
    return Match(
        reader=reader,
        writer=writer,
        readers=readers,
        writers=writers,
        place=place,
        requests_per_s=rate,
        queue=queue,
        paid_chips=float(spent.paid_chips),
        paid=float(spent.paid),
        idle_chips=int(spent.idle_chips),
    )


def _fits(reader: Reader, writer: AtBatch, readers: int, writers: int, terms: Terms) -> bool:
    """Whether replicas of both lie inside domains of the budget."""
    chips = terms.chips_of(reader, writer)
    if chips is None:
        return max(readers, writers) <= MOST_REPLICAS
    if chips_in_domains(reader, readers) + chips_in_domains(writer, writers) > chips:
        return False
    left = chips - writers * writer.chips
    return bool(left >= 0 and writers <= replicas_inside(writer, chips) and readers <= replicas_inside(reader, left))


Found = tuple[int, int, int, float, Queue | None]
"""Replicas of each pool, index of the batch in the decode pool's grid, requests per second, and queue of a load."""


def _for_budget(reader: Reader, writer: Writer, terms: Terms) -> Found | None:
    """Split of a budget with the most throughput that meets the limit on the first token."""
    if writer.best is None or not terms.chips:
        return None
    readers, writers, served = splits(reader, writer.at(writer.best), terms)
    chips = int(readers) * reader.chips + int(writers) * writer.chips
    if not served or not _keeps_first(reader, writer, terms, None, chips):
        return None
    return int(readers), int(writers), writer.best, float(served), None


def _for_load(reader: Reader, writer: Writer, terms: Terms) -> Found | None:
    """Fewest replicas that serve a load, with prefill queues short enough for the limit on the first token."""
    demand = terms.demand
    writers, place = _load_of(writer, terms)
    rate = float(demand.requests_per_s or 0.0)
    if demand.users is not None:
        rate = demand.users / (terms.workload.decode_steps * float(writer.tpot_s[place]) + reader.first_s)
    fewest = int(fewest_readers(rate, reader.prompts_per_s))
    for readers in range(fewest, 2 * fewest + 2):
        if not _fits(reader, writer.at(place), readers, writers, terms):
            return None
        chips = readers * reader.chips + writers * writer.chips
        if demand.users is not None:
            queue = of_users(reader, writer, terms, readers=readers, place=place, chips=chips)
        else:
            queue = at_random(reader, readers, rate)
        if _keeps_first(reader, writer, terms, queue, chips):
            found = readers, writers, place, queue.requests_per_s, queue
            return found if _has_power(reader, writer, found, demand) else None
    return None


def _load_of(writer: Writer, terms: Terms) -> tuple[int, int]:
    """Fewest replicas of the decode pool for a load, and index of the batch that it fills."""
    demand, best = terms.demand, writer.best or 0
    if demand.users is not None:
        writers = math.ceil(demand.users / float(writer.batch[best]))
        return writers, int(np.searchsorted(writer.batch, math.ceil(demand.users / writers)))
    rate = demand.requests_per_s or 0.0
    writers = max(math.ceil(rate / float(writer.requests_per_s[best]) - ROUNDING), 1)
    # Rates rise with the batch except for dips, after which they recover.
    return writers, int(np.argmax(writer.requests_per_s >= rate / writers * (1 - ROUNDING)))


def _has_power(reader: Reader, writer: Writer, found: Found, demand: Demand) -> bool:
    """Whether replicas of both draw no more than the limit."""
    if demand.site_power_w is None:
        return True
    readers, writers, place, rate, _ = found
    drawn_w = site_power_w(reader, writer.at(place), readers, writers, rate, demand)
    return float(drawn_w) <= demand.site_power_w * (1 + ROUNDING)


def _keeps_first(reader: Reader, writer: Writer, terms: Terms, queue: Queue | None, chips: int) -> bool:
    """Whether the first token meets its limit with the required certainty."""
    if terms.workload.ttft_s is None:
        return True
    surely = margin(reader.deployment, terms.workload, terms.demand, "ttft_s")
    return surely * first_token_s(reader, writer, terms, queue, chips) <= terms.workload.ttft_s
