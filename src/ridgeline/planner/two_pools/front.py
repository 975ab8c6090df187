"""The front of two pools: cost against speed, over all pairs of layouts, batches and splits, whatever the limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ridgeline.numeric import ROUNDING
from ridgeline.planner.pareto import undominated
from ridgeline.planner.two_pools.outcome import TwoPoolPoint
from ridgeline.planner.two_pools.replicas import served
from ridgeline.planner.two_pools.sides import Reader, Writer, batches_of, best_readers, by_machine
from ridgeline.planner.two_pools.spent import least_paid
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
    tpot_s, cost = np.array([(one.tpot_s, _cost_of(one)) for one in found]).reshape(-1, 2).T
    return tuple(found[number] for number in undominated(tpot_s, cost))


def _cost_of(point: TwoPoolPoint) -> float:
    """Cost of a request, $; chip-seconds without a price."""
    return point.paid_chip_s_per_request if point.usd_per_request is None else point.usd_per_request


def _points(readers: Sequence[Reader], writers: Sequence[Writer], terms: Terms) -> Iterator[TwoPoolPoint]:
    """The front of decode layouts on one machine.

    Prefill layouts come from the cheapest on, each at the batches where it would cost no more than the best so far if
    chips never waited. Batches of all decode layouts form arrays of one length, in order of time per token.
    """
    batches, owner = batches_of(writers), np.repeat(np.arange(len(writers)), [len(one.batch) for one in writers])
    order = np.argsort(batches.tpot_s, kind="stable")
    batches, owner = batches.at(order), owner[order]
    chosen = np.zeros(len(order), dtype=np.intp)
    best = np.full((4, len(order)), np.inf)
    reading = [terms.price_of(one) * one.chips / one.prompts_per_s for one in readers]
    for number in np.argsort(reading):
        limit = np.minimum.accumulate(best[-1]) * (1 + ROUNDING)
        at = np.flatnonzero(least_paid(readers[number], batches, terms) <= limit)
        there, prefill, decode, rate, spent = served(readers[number], batches.at(at), terms)
        at, found = at[there], np.array([prefill, decode, spent.paid_chips / rate, spent.paid / rate])
        is_better = (found[-1] < best[-1, at]) | ((found[-1] == best[-1, at]) & (number < chosen[at]))
        chosen[at[is_better]], best[:, at[is_better]] = number, found[:, is_better]
    for at in undominated(np.asarray(batches.tpot_s), best[-1]):
        if np.isfinite(best[-1, at]):
            reader, writer, (prefill, decode, paid_chip_s, paid) = readers[chosen[at]], writers[owner[at]], best[:, at]
            yield TwoPoolPoint(
                prefill_layout=reader.deployment.layout,
                prefill_weights=reader.candidate.weights,
                prefill_machine=reader.machine.id,
                prefill_replicas=int(prefill),
                layout=writer.deployment.layout,
                weights=writer.candidate.weights,
                machine=writer.machine.id,
                replicas=int(decode),
                batch=round(float(np.take(batches.batch, at))),
                tpot_s=float(np.take(batches.tpot_s, at)),
                paid_chip_s_per_request=float(paid_chip_s),
                usd_per_request=float(paid) if terms.usd_per_chip_s else None,
            )
