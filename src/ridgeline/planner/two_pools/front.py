"""The front of two pools: cost against speed, over all pairs of layouts, batches and splits, whatever the limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ridgeline.numeric import ROUNDING
from ridgeline.planner.pareto import undominated
from ridgeline.planner.two_pools.outcome import TwoPoolPoint
from ridgeline.planner.two_pools.replicas import served
from ridgeline.planner.two_pools.sides import Reader, Writer, batches_of, best_readers, by_machine
from ridgeline.planner.two_pools.spent import least_paid, least_reading_paid
from ridgeline.planner.two_pools.terms import Terms

__all__ = ["front_of"]


def front_of(readers: Sequence[Reader], writers: Sequence[Writer], terms: Terms) -> tuple[TwoPoolPoint, ...]:
    """Points that no other beats in both time per token and cost; fastest first.

    Of prefill layouts that cost as much, the one of fewest stages counts, and of those the soonest to a first token.

    Args:
        readers: layouts of the prefill pool.
        writers: layouts of the decode pool.
        terms: load or budget, and prices.
    """
    best = sorted(best_readers(readers), key=lambda one: (one.deployment.layout.pp, one.first_s))
    found = [point for group in by_machine(writers) for point in _points(best, group, terms)]
    tpot_s, costs = np.array([(one.tpot_s, cost) for one, cost in found]).reshape(-1, 2).T
    return tuple(found[number][0] for number in undominated(tpot_s, costs))


def _points(readers: Sequence[Reader], writers: Sequence[Writer], terms: Terms) -> Iterator[tuple[TwoPoolPoint, float]]:
    """The front of decode layouts on one machine, with the cost of a request: $, or chip-seconds without a price.

    Prefill layouts come from the cheapest on, each at the batches where it would cost no more than the best so far if
    chips never waited. Batches of all decode layouts form arrays of one length, in order of time per token.
    """
    batches, owner = batches_of(writers), np.repeat(np.arange(len(writers)), [len(one.batch) for one in writers])
    order = np.argsort(batches.tpot_s, kind="stable")
    batches, owner = batches.at(order), owner[order]
    chosen = np.zeros(len(order), dtype=np.intp)
    prefill, decode, paid_chip_s, cost = np.full((4, len(order)), np.inf)
    for number in np.argsort([least_reading_paid(one, terms) for one in readers]):
        limit = np.minimum.accumulate(cost) * (1 + ROUNDING)
        at = np.flatnonzero(least_paid(readers[number], batches, terms) <= limit)
        there, reading, writing, rate, spent = served(readers[number], batches.at(at), terms)
        at, paid = at[there], spent.paid / rate
        is_better = (paid < cost[at]) | ((paid == cost[at]) & (number < chosen[at]))
        chosen[at[is_better]] = number
        for kept, found in (
            (prefill, reading),
            (decode, writing),
            (paid_chip_s, spent.paid_chips / rate),
            (cost, paid),
        ):
            kept[at[is_better]] = found[is_better]
    for at in undominated(np.asarray(batches.tpot_s), cost):
        if np.isfinite(cost[at]):
            reader, writer = readers[chosen[at]], writers[owner[at]]
            point = TwoPoolPoint(
                prefill_layout=reader.deployment.layout,
                prefill_weights=reader.candidate.weights,
                prefill_machine=reader.machine.id,
                prefill_replicas=int(prefill[at]),
                layout=writer.deployment.layout,
                weights=writer.candidate.weights,
                machine=writer.machine.id,
                replicas=int(decode[at]),
                batch=round(float(np.take(batches.batch, at))),
                tpot_s=float(np.take(batches.tpot_s, at)),
                paid_chip_s_per_request=float(paid_chip_s[at]),
                usd_per_request=float(cost[at]) if terms.usd_per_chip_s else None,
            )
            yield point, float(cost[at])
