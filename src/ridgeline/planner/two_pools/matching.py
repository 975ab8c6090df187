"""Whole numbers of replicas of both pools, matched by rate: for a budget the most, for a load the fewest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import answered_within_s, wait_quantile_s
from ridgeline.estimator.placement import replicas_within
from ridgeline.planner.compare import asked_of_stages
from ridgeline.planner.served import MOST_REPLICAS, ROUNDING
from ridgeline.planner.two_pools.sides import Reader, Writer, margin
from ridgeline.serving.load import MOST_BUSY, WAITING
from ridgeline.serving.transfer import cache_move_s
from ridgeline.specs.demand import Demand
from ridgeline.specs.machine import FabricLevel
from ridgeline.specs.workload import Workload

__all__ = ["Match", "Terms", "first_token_s", "match_of", "rank_of", "splits"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What pairs are matched for.

    Attributes:
        workload: lengths of requests, and limits.
        demand: the load; left open, as much as the budget gives.
        chips: the budget of both pools; None for as many as the load needs.
        usd_per_chip_s: price of a chip by the machine's id; empty where not all are known, and all chips count alike.
    """

    workload: Workload
    demand: Demand
    chips: int | None
    usd_per_chip_s: dict[str, float]

    def price_of(self, side: Reader | Writer) -> float:
        """Of a chip."""
        return self.usd_per_chip_s.get(side.deployment.machine.id, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A pair with whole numbers of replicas.

    Attributes:
        reader: of the first pool.
        writer: of the second.
        readers: replicas of the first.
        writers: replicas of the second.
        place: batch of the second, as a place in its grid.
        requests_per_s: that both serve.
        paid_chips: with those of a budget that idle.
        paid: what they cost a second.
    """

    reader: Reader
    writer: Writer
    readers: int
    writers: int
    place: int
    requests_per_s: float
    paid_chips: float
    paid: float


def rank_of(match: Match, terms: Terms) -> tuple[float, float]:
    """What pairs are sorted by: cost, of which stages must save what is unproven of them; then speed."""
    asked = asked_of_stages(max(match.reader.deployment.layout.pp, match.writer.deployment.layout.pp))
    cost = (match.paid if terms.demand.has_load else match.paid / match.requests_per_s) * (1 + asked)
    return cost, match.reader.first_s + float(match.writer.tpot_s[match.place])


def match_of(reader: Reader, writer: Writer, terms: Terms) -> Match | None:
    """Numbers of replicas of both that serve the load, or fill the budget best; None where none do."""
    if writer.best is None:
        return None
    if terms.demand.has_load:
        found = _for_load(reader, writer, writer.best, terms)
    elif terms.chips is not None and _keeps_first(reader, writer, terms, None):
        found = _for_budget(reader, writer, writer.best, terms.chips)
    else:
        found = None
    if found is None:
        return None
    readers, writers, place, rate = found
    if not _fits(reader, writer, readers, writers, terms.chips):
        return None
    first, second = (terms.price_of(one) for one in (reader, writer))
    used = readers * reader.chips + writers * writer.chips
    idle = 0 if terms.chips is None or terms.demand.has_load else terms.chips - used
    return Match(
        reader=reader,
        writer=writer,
        readers=readers,
        writers=writers,
        place=place,
        requests_per_s=rate,
        paid_chips=used + idle,
        paid=readers * reader.chips * first + writers * writer.chips * second + idle * min(first, second),
    )


def _fits(reader: Reader, writer: Writer, readers: int, writers: int, chips: int | None) -> bool:
    """Whether replicas of both lie inside domains of the budget."""
    if chips is None:
        return max(readers, writers) <= MOST_REPLICAS
    left = chips - writers * writer.chips
    return left >= 0 and writers <= _within(writer, chips)[chips] and readers <= _within(reader, chips)[left]


def _within(side: Reader | Writer, chips: int) -> Array:
    """Replicas that lie inside domains of so many chips, for every number of them up to the budget."""
    return _replicas_within(side.deployment.machine.fabric, side.chips, chips)


@lru_cache(maxsize=512)
def _replicas_within(fabric: tuple[FabricLevel, ...], of_one: int, chips: int) -> Array:
    return np.array([replicas_within(fabric, budget, of_one) for budget in range(chips + 1)], dtype=float)


def splits(reader: Reader, writer: Writer, requests_per_s: Array, chips: int) -> tuple[Array, Array, Array]:
    """The split of a budget that serves most at each rate of a writer's replica, of those that lie inside domains.

    Args:
        reader: of the first pool.
        writer: of the second.
        requests_per_s: of one replica of the second pool, at each batch.
        chips: the budget.

    Returns:
        Replicas of either pool, and the requests a second that they serve: 0 where there is no room for both.
    """
    most = min((chips - reader.chips) // writer.chips, int(_within(writer, chips)[chips]))
    if most < 1:
        nothing = np.zeros(len(requests_per_s))
        return nothing, nothing, nothing
    writers = np.arange(1, most + 1)
    room = _within(reader, chips)[chips - writers * writer.chips]
    rates = writers * requests_per_s[:, None]
    readers = np.minimum(np.ceil(rates / reader.prompts_per_s - ROUNDING), room)
    served = np.minimum(readers * reader.prompts_per_s, rates)
    best = np.argmax(served, axis=1)
    at = np.arange(len(best)), best
    return readers[at], writers[best].astype(float), served[at]


def _for_budget(reader: Reader, writer: Writer, place: int, chips: int) -> tuple[int, int, int, float] | None:
    """The split of a budget that serves most."""
    readers, writers, served = splits(reader, writer, writer.requests_per_s[place : place + 1], chips)
    return (int(readers[0]), int(writers[0]), place, float(served[0])) if served[0] else None


def _for_load(reader: Reader, writer: Writer, best: int, terms: Terms) -> tuple[int, int, int, float] | None:
    """As few replicas as serve a load; prompts then wait no longer than the limit on the first token allows."""
    demand = terms.demand
    if demand.users is not None:
        writers = math.ceil(demand.users / float(writer.batch[best]))
        place = int(np.searchsorted(writer.batch, math.ceil(demand.users / writers)))
        cycle_s = terms.workload.decode_steps * float(writer.tpot_s[place]) + reader.first_s
        rate = demand.users / cycle_s
    else:
        rate = float(demand.requests_per_s or 0.0)
        writers = max(math.ceil(rate / float(writer.requests_per_s[best]) - ROUNDING), 1)
        # Rates rise with the batch but for dips, behind which they come up again.
        place = int(np.argmax(writer.requests_per_s >= rate / writers * (1 - ROUNDING)))
    fewest = max(math.ceil(rate / (MOST_BUSY * reader.prompts_per_s)), 1)
    for readers in range(fewest, 2 * fewest + 2):
        if _keeps_first(reader, writer, terms, rate / readers):
            return readers, writers, place, rate
    return None


def _keeps_first(reader: Reader, writer: Writer, terms: Terms, requests_per_s: float | None) -> bool:
    """Whether the first token keeps to its limit, as surely as is asked."""
    if terms.workload.ttft_s is None:
        return True
    surely = margin(reader.deployment, terms.workload, terms.demand, "ttft_s")
    return surely * first_token_s(reader, writer, terms, requests_per_s) <= terms.workload.ttft_s


def first_token_s(reader: Reader, writer: Writer, terms: Terms, requests_per_s: float | None) -> float:
    """Time to the first token, the cache's move included, s.

    Args:
        reader: that reads the prompt.
        writer: to which its cache is sent.
        terms: lengths of requests, and the load.
        requests_per_s: of a replica of the first pool; None in an idle system.
    """
    quantile = terms.demand.ttft_quantile
    read_s = reader.within_s(quantile)
    if requests_per_s is not None:
        busy = requests_per_s / reader.prompts_per_s
        mean_s = WAITING * (1 + reader.variation) * busy / (1 - busy) * reader.pass_s
        read_s = _queued_s(reader, mean_s, busy, quantile)
    move_s = cache_move_s(reader.deployment, writer.deployment, terms.workload.prompt_tokens)
    return reader.deployment.correction.ttft_factor * (read_s + move_s)


def _queued_s(reader: Reader, mean_wait_s: float, busy: float, quantile: float) -> float:
    """Time to the first token with the queue, which a part of the requests stays below, s."""
    if len(reader.beyond_s) == 1:
        return reader.first_s + float(wait_quantile_s(mean_wait_s=mean_wait_s, busy=busy, quantile=quantile))
    services_s = tuple((reader.first_s + reader.beyond_s).tolist())
    return float(answered_within_s(services_s=services_s, mean_wait_s=mean_wait_s, busy=busy, quantile=quantile))
