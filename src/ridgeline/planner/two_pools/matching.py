"""Whole numbers of replicas of both pools, matched by rate: most throughput of a budget, or fewest for a load."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import answered_within_s, queue_wait_s, wait_quantile_s
from ridgeline.estimator.placement import chips_of_replicas, replicas_within
from ridgeline.planner.compare import asked_of_stages
from ridgeline.planner.served import MOST_REPLICAS, ROUNDING
from ridgeline.planner.two_pools.sides import Reader, Writer, margin
from ridgeline.serving.load import MOST_BUSY
from ridgeline.serving.transfer import cache_move_s
from ridgeline.specs.demand import Demand
from ridgeline.specs.workload import Workload

__all__ = [
    "Match",
    "Terms",
    "chips_in_domains",
    "first_token_s",
    "match_of",
    "rank_of",
    "site_power_w",
    "spent_on",
    "splits",
]

Array = NDArray[np.float64]

Number = float | Array

Place = int | NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Conditions under which pairs are matched.

    Attributes:
        workload: lengths of requests, and limits.
        demand: load to serve; left open, as much as the budget gives.
        chips: budget of both pools, by machine id where power alone determines it; empty for as many as the load needs.
        usd_per_chip_s: price of a chip by machine id, $/s; empty where not all are known, so that all chips count
            alike.
    """

    workload: Workload
    demand: Demand
    chips: dict[str, int]
    usd_per_chip_s: dict[str, float]

    def chips_of(self, reader: Reader, writer: Writer) -> int | None:
        """Budget of a pair: of two machines, that of the chip with more power; None for as many as the load needs."""
        if not self.chips:
            return None
        first, second = reader.candidate.deployment.machine.id, writer.candidate.deployment.machine.id
        return self.chips[first] if first == second else min(self.chips[first], self.chips[second])

    @property
    def usd_per_j(self) -> float:
        """Price of electricity charged on top of chips, $/J; 0 where either has none."""
        return (self.demand.electricity_usd_per_j or 0.0) if self.usd_per_chip_s else 0.0

    def price_of(self, side: Reader | Writer) -> float:
        """Price of a chip."""
        return self.usd_per_chip_s.get(side.deployment.machine.id, 1.0)


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


def match_of(reader: Reader, writer: Writer, terms: Terms) -> Match | None:
    """Replicas of both that serve the load, or fill the budget best; None where none do."""
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
    """Chips and cost of pairs; numbers, or arrays of one length.

    Attributes:
        idle_chips: chips that are paid and idle: of a budget, or of the domains that each pool of a load fills.
        paid_chips: chips of both pools, with idle ones, and with electricity as the chips that cost as much.
        paid: cost of the paid chips per second.
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
    """Chips and cost per second of a pair with a given number of replicas, or of the pair at several batches."""
    first, second = (terms.price_of(one) for one in (reader, writer))
    used, budget = readers * reader.chips + writers * writer.chips, terms.chips_of(reader, writer)
    idle: Number
    paid: Number
    if budget is None or terms.demand.has_load:
        reading, writing = chips_in_domains(reader, readers), chips_in_domains(writer, writers)
        idle, paid = reading + writing - used, reading * first + writing * second
    else:
        idle = budget - used
        paid = readers * reader.chips * first + writers * writer.chips * second + idle * min(first, second)
    if not terms.usd_per_j:
        return Spent(idle, used + idle, paid)
    each_j = writer.draw.request_j[place]
    electricity = terms.usd_per_j * site_power_w(reader, writer, readers, writers, requests_per_s, each_j, terms.demand)
    return Spent(idle, (used + idle) * (1 + electricity / paid), paid + electricity)


def chips_in_domains(side: Reader | Writer, replicas: Array | float) -> Array:
    """Chips of a pool, with those of its domains that are too few for one more of its replicas."""
    return np.asarray(chips_of_replicas(side.deployment.machine.fabric, np.asarray(replicas), side.chips))


def site_power_w(
    reader: Reader,
    writer: Writer,
    readers: Number,
    writers: Number,
    requests_per_s: Number,
    request_j: Number,
    demand: Demand,
) -> Array:
    """Power of both pools with the site's overhead, W; idle chips of a budget are off.

    Args:
        reader: layout of the prefill pool.
        writer: layout of the decode pool.
        readers: replicas of the prefill pool.
        writers: replicas of the decode pool.
        requests_per_s: requests per second that both serve.
        request_j: energy of a request in the decode pool beyond its chips' idle power, J.
        demand: demand with the site's overhead.
    """
    of_prompts = reader.draw.power_w(readers, requests_per_s, float(reader.draw.request_j[0]))
    return np.asarray(demand.pue * (of_prompts + writer.draw.power_w(writers, requests_per_s, request_j)))


def _fits(reader: Reader, writer: Writer, readers: int, writers: int, terms: Terms) -> bool:
    """Whether replicas of both lie inside domains of the budget."""
    chips = terms.chips_of(reader, writer)
    if chips is None:
        return max(readers, writers) <= MOST_REPLICAS
    if chips_in_domains(reader, readers) + chips_in_domains(writer, writers) > chips:
        return False
    left = chips - writers * writer.chips
    return left >= 0 and writers <= _replicas_inside(writer, chips) and readers <= _replicas_inside(reader, left)


def _replicas_inside(side: Reader | Writer, chips: int) -> int:
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
    most = min(most, _replicas_inside(writer, chips)) if most > 0 else 0
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
        readers = min(needed(writers), _replicas_inside(reader, chips - writers * writer.chips))
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


Found = tuple[int, int, int, float]
"""Replicas of each pool, index of the batch in the decode pool's grid, and requests per second."""


def _for_budget(reader: Reader, writer: Writer, terms: Terms) -> Found | None:
    """Split of a budget with the most throughput that meets the limit on the first token."""
    if writer.best is None or not terms.chips:
        return None
    (readers,), (writers,), (served,) = splits(reader, writer, np.array([writer.best]), terms)
    chips = int(readers) * reader.chips + int(writers) * writer.chips
    if not served or not _keeps_first(reader, writer, terms, None, chips):
        return None
    return int(readers), int(writers), writer.best, float(served)


def _for_load(reader: Reader, writer: Writer, terms: Terms) -> Found | None:
    """Fewest replicas that serve a load, with prefill queues short enough for the limit on the first token."""
    demand, best = terms.demand, writer.best or 0
    if demand.users is not None:
        writers = math.ceil(demand.users / float(writer.batch[best]))
        place = int(np.searchsorted(writer.batch, math.ceil(demand.users / writers)))
        cycle_s = terms.workload.decode_steps * float(writer.tpot_s[place]) + reader.first_s
        rate = demand.users / cycle_s
    else:
        rate = float(demand.requests_per_s or 0.0)
        writers = max(math.ceil(rate / float(writer.requests_per_s[best]) - ROUNDING), 1)
        # Rates rise with the batch except for dips, after which they recover.
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
    """Whether replicas of both draw no more than the limit."""
    if demand.site_power_w is None:
        return True
    readers, writers, place, rate = found
    request_j = float(writer.draw.request_j[place])
    drawn_w = site_power_w(reader, writer, readers, writers, rate, request_j, demand)
    return float(drawn_w) <= demand.site_power_w * (1 + ROUNDING)


def _keeps_first(reader: Reader, writer: Writer, terms: Terms, requests_per_s: float | None, chips: int) -> bool:
    """Whether the first token meets its limit with the required certainty."""
    if terms.workload.ttft_s is None:
        return True
    surely = margin(reader.deployment, terms.workload, terms.demand, "ttft_s")
    return surely * first_token_s(reader, writer, terms, requests_per_s, chips) <= terms.workload.ttft_s


def first_token_s(reader: Reader, writer: Writer, terms: Terms, requests_per_s: float | None, chips: int) -> float:
    """Time to the first token, transfer of the cache included, s.

    Args:
        reader: prefill layout that reads the prompt.
        writer: decode layout that receives its cache.
        terms: lengths of requests, and the load.
        requests_per_s: load of a prefill replica, requests per second; None in an idle system.
        chips: chips of both pools together.
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
    """Quantile of the time to the first token with the queue, s."""
    if len(reader.beyond_s) == 1:
        return reader.first_s + float(wait_quantile_s(mean_wait_s=mean_wait_s, busy=busy, quantile=quantile))
    services_s = tuple((reader.first_s + reader.beyond_s).tolist())
    return float(answered_within_s(services_s=services_s, mean_wait_s=mean_wait_s, busy=busy, quantile=quantile))
