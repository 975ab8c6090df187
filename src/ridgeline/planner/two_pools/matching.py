"""Whole numbers of replicas of both pools, matched by rate: for a budget the most, for a load the fewest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import answered_within_s, queue_wait_s, wait_quantile_s
from ridgeline.estimator.placement import replicas_within
from ridgeline.planner.compare import asked_of_stages
from ridgeline.planner.served import MOST_REPLICAS, ROUNDING
from ridgeline.planner.two_pools.sides import Reader, Writer, margin
from ridgeline.serving.load import MOST_BUSY
from ridgeline.serving.transfer import cache_move_s
from ridgeline.specs.demand import Demand
from ridgeline.specs.machine import FabricLevel
from ridgeline.specs.workload import Workload

__all__ = ["Match", "Terms", "first_token_s", "match_of", "rank_of", "site_power_w", "spent_on", "splits"]

Array = NDArray[np.float64]

Number = float | Array

Place = int | NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What pairs are matched for.

    Attributes:
        workload: lengths of requests, and limits.
        demand: the load; left open, as much as the budget gives.
        chips: the budget of both pools, by the machine's id where power alone says how many; empty for as many as the
            load needs.
        usd_per_chip_s: price of a chip by the machine's id; empty where not all are known, and all chips count alike.
    """

    workload: Workload
    demand: Demand
    chips: dict[str, int]
    usd_per_chip_s: dict[str, float]

    def within(self, side: Reader | Writer, chips: int) -> Array:
        """Replicas that lie inside domains of so many chips, for every number of them up to the budget."""
        return _replicas_inside(side.candidate.deployment.machine.fabric, chips, side.chips)

    def chips_of(self, reader: Reader, writer: Writer) -> int | None:
        """The budget of a pair: of two machines that of the hungrier chip; None for as many as the load needs."""
        if not self.chips:
            return None
        first, second = reader.candidate.deployment.machine.id, writer.candidate.deployment.machine.id
        return self.chips[first] if first == second else min(self.chips[first], self.chips[second])

    @property
    def usd_per_j(self) -> float:
        """Price of electricity that comes beside that of chips; 0 where either has none."""
        return (self.demand.electricity_usd_per_j or 0.0) if self.usd_per_chip_s else 0.0

    def price_of(self, side: Reader | Writer) -> float:
        """Of a chip."""
        return self.usd_per_chip_s.get(side.deployment.machine.id, 1.0)


@lru_cache(maxsize=1024)  # of every size of a replica, which each pair asks for again
def _replicas_inside(fabric: tuple[FabricLevel, ...], chips: int, of_one: int) -> Array:
    """Replicas of ``of_one`` chips that lie inside domains, for every budget up to so many chips."""
    counts = np.array([replicas_within(fabric, budget, of_one) for budget in range(chips + 1)], dtype=float)
    counts.flags.writeable = False
    return counts


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
        paid_chips: with those of a budget that idle, and with electricity as those that would cost as much.
        paid: what they cost a second.
        idle_chips: of the budget.
    """

    reader: Reader
    writer: Writer
    readers: int
    writers: int
    place: int
    requests_per_s: float
    paid_chips: float
    paid: float
    idle_chips: int

    @property
    def chips(self) -> int:
        """Of both pools."""
        return self.readers * self.reader.chips + self.writers * self.writer.chips


def rank_of(match: Match, terms: Terms) -> tuple[float, float]:
    """What pairs are sorted by: cost, of which stages must save what is unproven of them; then speed."""
    asked = asked_of_stages(max(match.reader.deployment.layout.pp, match.writer.deployment.layout.pp))
    cost = (match.paid if terms.demand.has_load else match.paid / match.requests_per_s) * (1 + asked)
    return cost, match.reader.first_s + float(match.writer.tpot_s[match.place])


def match_of(reader: Reader, writer: Writer, terms: Terms) -> Match | None:
    """Numbers of replicas of both that serve the load, or fill the budget best; None where none do."""
    if writer.best is None:
        return None
    found = _for_load(reader, writer, terms) if terms.demand.has_load else _for_budget(reader, writer, terms)
    if found is None:
        return None
    readers, writers, place, rate = found
    spent = spent_on(reader, writer, readers=readers, writers=writers, place=place, requests_per_s=rate, terms=terms)
    return Match(
        reader=reader,
        writer=writer,
        readers=readers,
        writers=writers,
        place=place,
        requests_per_s=rate,
        paid_chips=float(spent.paid_chips),
        paid=float(spent.paid),
        idle_chips=int(spent.idle_chips),
    )


class Spent(NamedTuple):
    """What pairs take; numbers, or arrays of one length.

    Attributes:
        idle_chips: of a budget.
        paid_chips: of both pools, with those that idle, and with electricity as those that would cost as much.
        paid: what they cost a second.
    """

    idle_chips: Number
    paid_chips: Number
    paid: Number


def spent_on(
    reader: Reader,
    writer: Writer,
    *,
    readers: Number,
    writers: Number,
    place: Place,
    requests_per_s: Number,
    terms: Terms,
) -> Spent:
    """Chips and dollars a second of a pair with so many replicas, or of the pair at several batches."""
    first, second = (terms.price_of(one) for one in (reader, writer))
    used, budget = readers * reader.chips + writers * writer.chips, terms.chips_of(reader, writer)
    idle = used * 0 if budget is None or terms.demand.has_load else budget - used
    paid = readers * reader.chips * first + writers * writer.chips * second + idle * min(first, second)
    if not terms.usd_per_j:
        return Spent(idle, used + idle, paid)
    each_j = writer.draw.request_j[place]
    electricity = terms.usd_per_j * site_power_w(reader, writer, readers, writers, requests_per_s, each_j, terms.demand)
    return Spent(idle, (used + idle) * (1 + electricity / paid), paid + electricity)


def site_power_w(
    reader: Reader,
    writer: Writer,
    readers: Number,
    writers: Number,
    requests_per_s: Number,
    request_j: Number,
    demand: Demand,
) -> Array:
    """Power of both pools with the site's overhead, W; chips of a budget that idle are off.

    Args:
        reader: of the first pool.
        writer: of the second.
        readers: replicas of the first.
        writers: replicas of the second.
        requests_per_s: that both serve.
        request_j: energy of a request in the second pool, beyond what chips draw that wait, J.
        demand: with the site's overhead.
    """
    of_prompts = reader.draw.power_w(readers, requests_per_s, float(reader.draw.request_j[0]))
    return np.asarray(demand.pue * (of_prompts + writer.draw.power_w(writers, requests_per_s, request_j)))


def _fits(reader: Reader, writer: Writer, readers: int, writers: int, terms: Terms) -> bool:
    """Whether replicas of both lie inside domains of the budget."""
    chips = terms.chips_of(reader, writer)
    if chips is None:
        return max(readers, writers) <= MOST_REPLICAS
    left = chips - writers * writer.chips
    return left >= 0 and writers <= terms.within(writer, chips)[chips] and readers <= terms.within(reader, chips)[left]


def splits(reader: Reader, writer: Writer, places: NDArray[np.intp], terms: Terms) -> tuple[Array, Array, Array]:
    """The split of a budget that serves most at each batch, of those that lie inside domains and have the power.

    Args:
        reader: of the first pool.
        writer: of the second.
        places: batches of a replica of the second pool, as places in its grid.
        terms: the budget.

    Returns:
        Replicas of either pool, and the requests a second that they serve: 0 where there is no room for both.
    """
    chips = terms.chips_of(reader, writer) or 0
    each = writer.requests_per_s[places]
    most = (chips - reader.chips) // writer.chips
    most = min(most, int(terms.within(writer, chips)[chips])) if most > 0 else 0
    if most < 1:
        nothing = np.zeros(len(places))
        return nothing, nothing, nothing
    counts = np.arange(1, most + 1)
    writers, room = counts.astype(float), terms.within(reader, chips)[chips - counts * writer.chips]
    rates = writers * each[:, None]
    readers = np.minimum(np.ceil(rates / reader.prompts_per_s - ROUNDING), room)
    if terms.demand.site_power_w is not None:
        readers = _fed(reader, writer, readers, writers, rates, writer.draw.request_j[places][:, None], terms.demand)
    served = np.minimum(readers * reader.prompts_per_s, rates)
    best = np.argmax(served, axis=1)
    at = np.arange(len(best)), best
    return readers[at], writers[best], served[at]


def _fed(
    reader: Reader, writer: Writer, readers: Array, writers: Array, rates: Array, request_j: Array, demand: Demand
) -> Array:
    """Replicas of the first pool for which there is the power, of those that there is room for.

    With fewer than those the first pool holds the second back, and each of its replicas works without a break.
    """
    limit_w = (demand.site_power_w or 0.0) * (1 + ROUNDING)
    served = np.minimum(readers * reader.prompts_per_s, rates)
    is_enough = site_power_w(reader, writer, readers, writers, served, request_j, demand) <= limit_w
    left_w = limit_w - site_power_w(reader, writer, 0.0, writers, 0.0, request_j, demand)
    one_w = site_power_w(reader, writer, 1.0, 0.0, reader.prompts_per_s, request_j, demand)
    return np.where(is_enough, readers, np.clip(np.floor(left_w / one_w), 0.0, readers))


Found = tuple[int, int, int, float]
"""Replicas of either pool, the batch as a place in the grid of the second, and requests a second."""


def _for_budget(reader: Reader, writer: Writer, terms: Terms) -> Found | None:
    """The split of a budget that serves most, where the first token keeps to its limit."""
    if writer.best is None or not terms.chips:
        return None
    (readers,), (writers,), (served,) = splits(reader, writer, np.array([writer.best]), terms)
    chips = int(readers) * reader.chips + int(writers) * writer.chips
    if not served or not _keeps_first(reader, writer, terms, None, chips):
        return None
    return int(readers), int(writers), writer.best, float(served)


def _for_load(reader: Reader, writer: Writer, terms: Terms) -> Found | None:
    """As few replicas as serve a load; prompts then wait no longer than the limit on the first token allows."""
    demand, best = terms.demand, writer.best or 0
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
        chips = readers * reader.chips + writers * writer.chips
        if _keeps_first(reader, writer, terms, rate / readers, chips):
            found = readers, writers, place, rate
            is_there = _fits(reader, writer, readers, writers, terms)
            return found if is_there and _has_power(reader, writer, found, demand) else None
    return None


def _has_power(reader: Reader, writer: Writer, found: Found, demand: Demand) -> bool:
    """Whether replicas of both draw no more than there is."""
    if demand.site_power_w is None:
        return True
    readers, writers, place, rate = found
    request_j = float(writer.draw.request_j[place])
    drawn_w = site_power_w(reader, writer, readers, writers, rate, request_j, demand)
    return float(drawn_w) <= demand.site_power_w * (1 + ROUNDING)


def _keeps_first(reader: Reader, writer: Writer, terms: Terms, requests_per_s: float | None, chips: int) -> bool:
    """Whether the first token keeps to its limit, as surely as is asked."""
    if terms.workload.ttft_s is None:
        return True
    surely = margin(reader.deployment, terms.workload, terms.demand, "ttft_s")
    return surely * first_token_s(reader, writer, terms, requests_per_s, chips) <= terms.workload.ttft_s


def first_token_s(reader: Reader, writer: Writer, terms: Terms, requests_per_s: float | None, chips: int) -> float:
    """Time to the first token, the cache's move included, s.

    Args:
        reader: that reads the prompt.
        writer: to which its cache is sent.
        terms: lengths of requests, and the load.
        requests_per_s: of a replica of the first pool; None in an idle system.
        chips: of both pools together.
    """
    quantile = terms.demand.ttft_quantile
    read_s = reader.within_s(quantile)
    if requests_per_s is not None:
        busy = requests_per_s / reader.prompts_per_s
        mean_s = float(queue_wait_s(busy=busy, service_s=reader.pass_s, variation=reader.variation))
        read_s = _queued_s(reader, mean_s, busy, quantile)
    move_s = cache_move_s(reader.deployment, writer.deployment, terms.workload.prompt_tokens, chips=chips)
    return reader.deployment.correction.ttft_factor * (read_s + move_s)


def _queued_s(reader: Reader, mean_wait_s: float, busy: float, quantile: float) -> float:
    """Time to the first token with the queue, which a part of the requests stays below, s."""
    if len(reader.beyond_s) == 1:
        return reader.first_s + float(wait_quantile_s(mean_wait_s=mean_wait_s, busy=busy, quantile=quantile))
    services_s = tuple((reader.first_s + reader.beyond_s).tolist())
    return float(answered_within_s(services_s=services_s, mean_wait_s=mean_wait_s, busy=busy, quantile=quantile))
