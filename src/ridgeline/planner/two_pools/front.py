"""The front of two pools: cost against speed, over all pairs of layouts, batches and splits, whatever the limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.numeric import ROUNDING
from ridgeline.planner.pareto import undominated
from ridgeline.planner.served import MOST_REPLICAS
from ridgeline.planner.two_pools.outcome import TwoPoolPoint
from ridgeline.planner.two_pools.queues import rate_of_users
from ridgeline.planner.two_pools.sides import Reader, Writer, best_readers, fewest_readers
from ridgeline.planner.two_pools.spent import chips_in_domains, site_power_w, spent_on
from ridgeline.planner.two_pools.splits import splits
from ridgeline.planner.two_pools.terms import Terms

__all__ = ["front_of"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A pair of layouts at several batches of the decode pool; arrays of one length.

    Attributes:
        reader: layout of the prefill pool.
        writer: layout of the decode pool.
        place: indices of the batches in the decode pool's grid.
        readers: replicas of the prefill pool.
        writers: replicas of the decode pool.
        requests_per_s: requests per second that both serve.
        paid_chip_s: paid chip-seconds per request, idle chips included, with electricity as the chip-time
            that costs as much.
        paid: cost of the paid chip-seconds.
    """

    reader: Reader
    writer: Writer
    place: NDArray[np.intp]
    readers: Array
    writers: Array
    requests_per_s: Array
    paid_chip_s: Array
    paid: Array

    @property
    def tpot_s(self) -> Array:
        """Time per output token, s."""
        return self.writer.tpot_s[self.place]


def front_of(readers: Sequence[Reader], writers: Sequence[Writer], terms: Terms) -> tuple[TwoPoolPoint, ...]:
    """Points that no other beats in both time per token and cost; fastest first.

    Args:
        readers: layouts of the prefill pool; among those with equally many chips of a machine, the fastest counts, and
            where power matters those that draw least.
        writers: layouts of the decode pool.
        terms: load or budget, and prices.
    """
    is_powered = terms.demand.heeds_power
    most = best_readers(readers) if is_powered else _most_read(readers)
    at = [(one, np.arange(len(one.batch))) for one in writers] if is_powered else _worth_pairing(writers)
    pairs = [_pair(one, writer, places, terms) for writer, places in at for one in most]
    pairs = [pair for pair in pairs if len(pair.place)]
    if not pairs:
        return ()
    owners = np.concatenate([np.full(len(pair.place), number) for number, pair in enumerate(pairs)])
    places = np.concatenate([np.arange(len(pair.place)) for pair in pairs])
    tpot_s, cost = (np.concatenate(values) for values in zip(*((one.tpot_s, one.paid) for one in pairs), strict=True))
    is_priced = bool(terms.usd_per_chip_s)
    return tuple(_point(pairs[owners[at]], int(places[at]), is_priced=is_priced) for at in undominated(tpot_s, cost))


def _most_read(readers: Sequence[Reader]) -> list[Reader]:
    """Fastest layout for each machine and number of chips."""
    best: dict[tuple[str, int], Reader] = {}
    for one in readers:
        key = one.deployment.machine.id, one.chips
        if key not in best or one.prompts_per_s > best[key].prompts_per_s:
            best[key] = one
    return list(best.values())


def _worth_pairing(writers: Sequence[Writer]) -> Iterator[tuple[Writer, NDArray[np.intp]]]:
    """Batches of each layout that no other with as many chips of the machine beats in both speed and throughput.

    More requests per second of a replica never cost more, whatever layout prefills.
    """
    alike: dict[tuple[str, int], list[Writer]] = {}
    for one in writers:
        alike.setdefault((one.deployment.machine.id, one.chips), []).append(one)
    for group in alike.values():
        owners = np.concatenate([np.full(len(one.batch), number) for number, one in enumerate(group)])
        places = np.concatenate([np.arange(len(one.batch)) for one in group])
        tpot_s, rate = (np.concatenate([getattr(one, name) for one in group]) for name in ("tpot_s", "requests_per_s"))
        kept = undominated(tpot_s, -rate)
        for number, one in enumerate(group):
            yield one, places[kept[owners[kept] == number]]


def _pair(reader: Reader, writer: Writer, places: NDArray[np.intp], terms: Terms) -> _Pair:
    """Whole numbers of replicas at each batch, where there is room for both."""
    readers, writers, rate = _matched(reader, writer, places, terms)
    served = np.flatnonzero(rate)
    readers, writers, rate = readers[served], writers[served], rate[served]
    place = places[served]
    spent = spent_on(reader, writer, readers=readers, writers=writers, place=place, requests_per_s=rate, terms=terms)
    return _Pair(
        reader=reader,
        writer=writer,
        place=place,
        readers=readers,
        writers=writers,
        requests_per_s=rate,
        paid_chip_s=np.asarray(spent.paid_chips / rate),
        paid=np.asarray(spent.paid / rate),
    )


def _matched(reader: Reader, writer: Writer, places: NDArray[np.intp], terms: Terms) -> tuple[Array, Array, Array]:
    """Replicas of both, and their throughput: the most of a budget, or a load; 0 where there is no room for both."""
    each = writer.requests_per_s[places]
    demand, chips = terms.demand, terms.chips_of(reader, writer)
    if not demand.has_load:
        readers, writers, rate = (np.asarray(one) for one in splits(reader, writer, places, terms))
        return readers, writers, rate
    if demand.users is None:
        rate = np.full(len(places), demand.requests_per_s or 0.0)
        writers = np.ceil(rate / each - ROUNDING)
    else:
        tpot_s = writer.tpot_s[places]
        rate = demand.users / (terms.workload.decode_steps * tpot_s + reader.first_s)
        writers = np.ceil(demand.users / writer.batch[places] - ROUNDING)
    writers = np.maximum(writers, 1.0)
    readers = fewest_readers(rate, reader.prompts_per_s)
    if demand.users is not None:
        # The cache's move, of milliseconds in rounds of seconds, is left out.
        rate, _ = rate_of_users(reader, terms, readers=readers, tpot_s=tpot_s, move_s=0.0)
    most = MOST_REPLICAS if chips is None else chips
    taken = np.maximum(readers, writers)
    if chips:
        taken = chips_in_domains(reader, readers) + chips_in_domains(writer, writers)
    is_there = taken <= most
    if demand.site_power_w is not None:
        request_j = writer.draw.request_j[places]
        drawn_w = site_power_w(reader, writer, readers, writers, rate, request_j, demand)
        is_there &= drawn_w <= demand.site_power_w * (1 + ROUNDING)
    return readers, writers, np.where(is_there, rate, 0.0)


def _point(pair: _Pair, place: int, *, is_priced: bool) -> TwoPoolPoint:
    at = pair.place[place]
    return TwoPoolPoint(
        prefill_layout=pair.reader.deployment.layout,
        prefill_weights=pair.reader.candidate.weights,
        prefill_machine=pair.reader.deployment.machine.id,
        prefill_replicas=int(pair.readers[place]),
        layout=pair.writer.deployment.layout,
        weights=pair.writer.candidate.weights,
        machine=pair.writer.deployment.machine.id,
        replicas=int(pair.writers[place]),
        batch=round(float(pair.writer.batch[at])),
        tpot_s=float(pair.writer.tpot_s[at]),
        paid_chip_s_per_request=float(pair.paid_chip_s[place]),
        usd_per_request=float(pair.paid[place]) if is_priced else None,
    )
