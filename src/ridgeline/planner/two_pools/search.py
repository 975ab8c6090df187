"""The search for two pools: all pairs of layouts, matched by rate, the cheapest first.

A prefill replica reads a number of prompts per second, a decode replica finishes a number of requests, and each pool
has a whole number of replicas. All pairs of layouts are priced, many at once, and those that cost least are evaluated
in full; among prefill layouts with as many chips, only the fastest in throughput or latency count, and where power
matters those that draw least, since nothing else about them matters to the decode pool.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ridgeline.errors import RidgelineError
from ridgeline.estimator.drafting import speculation_notes
from ridgeline.estimator.engine_support import engine_notes
from ridgeline.estimator.notes import STAGES_UNMEASURED, caveats, engine_note
from ridgeline.glossary import require_in_range, require_whole
from ridgeline.planner.candidates import candidates, replica_budgets
from ridgeline.planner.elasticities import CONTENDERS, price_elasticities
from ridgeline.planner.formats import by_format, format_notes
from ridgeline.planner.outcome import Constraint, Rejection
from ridgeline.planner.power import (
    chip_s_per_j,
    chips_beyond_power,
    is_of_power,
    power_notes,
    replica_chips,
    require_power,
)
from ridgeline.planner.price import price_label, price_of
from ridgeline.planner.ranked import Ranked
from ridgeline.planner.rejection import Candidate, rejection_of, require_decode
from ridgeline.planner.two_pools.details import plan_of
from ridgeline.planner.two_pools.front import front_of
from ridgeline.planner.two_pools.matching import Match, best_matches, rank_of
from ridgeline.planner.two_pools.one_pool import best_one_pool
from ridgeline.planner.two_pools.outcome import TwoPools
from ridgeline.planner.two_pools.remedy import remedy_of
from ridgeline.planner.two_pools.sides import (
    Reader,
    Writer,
    best_readers,
    by_machine,
    margin,
    readers_of,
    times_of,
    writers_of,
)
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.planner.two_pools.why_not import verdict_on
from ridgeline.quantity_text import format_quantity
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.tariff import unlisted
from ridgeline.specs.workload import Workload

__all__ = ["plan_two_pools"]


def plan_two_pools(
    prefill: Sequence[Deployment],
    decode: Sequence[Deployment],
    workload: Workload,
    *,
    weights: str | None = None,
    chips: int | None = None,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
    usd_per_chip_s: float | None = None,
    why_not: tuple[Layout, Layout] | None = None,
    is_brief: bool = False,
) -> TwoPools:
    """Search pairs of layouts for the cheapest two pools.

    Args:
        prefill: deployments that may prefill, one per machine; their layouts do not matter.
        decode: deployments that may decode, one per machine; their layouts do not matter.
        workload: lengths of requests and limits on their latency.
        weights: name of the requested number format of the weights; "auto" searches all others that chip and engine
            have, too, for each pool separately. The cache keeps its format when it is transferred.
        chips: budget of both pools; left out, one scale-up domain of the first machine, as many as a load needs, or of
            each pair as many as a limit on power feeds.
        demand: load to serve; left open, as much as the budget gives. A batch is that of a decode replica, power that
            of both pools.
        usd_per_chip_s: price of a chip of any machine, $/s; left out, the catalog's of each.
        why_not: layouts of both pools for which to state why they are not the plan.
        is_brief: whether the front, the best single pool and elasticities are left out: for one of many searches.

    Raises:
        RidgelineError: chips or price are out of range, there is nothing to decode, the pools' caches have different
            formats, or the power of a chip is needed and unknown.
    """
    machines = {one.machine.id: one.machine for one in (*decode, *prefill)}
    for machine in machines.values():
        require_power(machine, demand)
    if usd_per_chip_s is not None:
        require_in_range("plan_two_pools", "usd_per_chip_s", usd_per_chip_s)
    require_decode(workload)
    _require_one_cache((*prefill, *decode))
    prices = {name: price_of(machine, usd_per_chip_s) for name, machine in machines.items()}
    known = {name: price for name, price in prices.items() if price is not None}
    # Without prices, all chips count alike.
    known = known if len(known) == len(prices) else {}
    is_fed = chips is None and all(is_of_power(machine, demand) for machine in machines.values())
    budget = _budget(list(machines.values()), chips, demand, is_fed=is_fed)
    terms = Terms(workload=workload, demand=demand, chips=budget, usd_per_chip_s=known, is_fed=is_fed)
    makes = [(name, laid) for one in decode for name, laid in by_format(one, weights).items()]
    reads = (
        makes
        if prefill == decode
        else [(name, laid) for one in prefill for name, laid in by_format(one, weights).items()]
    )
    search = _Search(terms)
    sizes = replica_budgets(decode, None if is_fed else max(budget.values(), default=None))
    if is_fed:
        first = max(replica_chips(machine, demand) for machine in machines.values())
        sizes = [first, *(size for size in sizes if size > first)]
    for largest in sizes:
        found = search.sides(makes, reads, largest)
        if found.able:
            break
    readers, writers = found.readers, found.writers
    matches = search.matches(readers, writers)
    plans = Ranked(matches, partial(plan_of, terms=terms))
    rejected = tuple(search.rejected.values())
    best = plans[0] if plans else None
    return TwoPools(
        plans=plans,
        rejected=rejected,
        front=() if is_brief else front_of(readers, writers, terms),
        chips=None if is_fed else max(budget.values(), default=None),
        usd_per_chip_s=prices,
        price_labels={name: price_label(machine, usd_per_chip_s) for name, machine in machines.items()},
        points_evaluated=search.points,
        one_pool=None if is_brief else best_one_pool(found.able, found.times, terms, best),
        elasticities={} if best is None or is_brief else price_elasticities(best),
        notes=_notes(decode, makes, matches[:CONTENDERS], terms, prices, is_given=usd_per_chip_s is not None),
        remedy=""
        if matches
        else remedy_of(tuple(search.rejected.values()), readers, writers, terms, points=search.points),
        why_not=None if why_not is None else verdict_on(why_not, readers, writers, rejected, plans, terms),
    )


def _budget(machines: Sequence[Machine], chips: int | None, demand: Demand, *, is_fed: bool) -> dict[str, int]:
    """Chips of both pools by machine id; empty for what a load needs, more than power feeds where that decides."""
    if chips is None and demand.has_load:
        return {}
    if is_fed:
        return {one.id: chips_beyond_power(one, demand) for one in machines}
    count = require_whole("plan_two_pools", "chips", machines[0].scale_up_chips if chips is None else chips)
    require_in_range("plan_two_pools", "chips", count, meaning="chips of both pools")
    return {one.id: count for one in machines}


def _require_one_cache(deployments: Sequence[Deployment]) -> None:
    """Refuse pools whose caches have different formats, since a cache is transferred as it is.

    Raises:
        RidgelineError: the formats differ; the message names them.
    """
    names = dict.fromkeys(one.precision.kv.name for one in deployments)
    if len(names) > 1:
        raise RidgelineError(
            f"a KV cache moves from one pool to the other as it is, and these are in {' and '.join(names)}; deploy both"
            " with one kv"
        )


def _notes(
    deployments: Sequence[Deployment],
    searched: Sequence[Asked],
    best: Sequence[Match],
    terms: Terms,
    prices: Mapping[str, float | None],
    *,
    is_given: bool,
) -> tuple[str, ...]:
    """Notes on all machines, each line once."""
    said = (
        (
            *caveats(one, terms.workload.longest_tokens),
            *power_notes(one.machine, terms.demand, prices[one.machine.id], is_given=is_given, is_fed=terms.is_fed),
            engine_note(one),
            *engine_notes(one, any_layout=True),
            *speculation_notes([one.speculation]),
        )
        for one in deployments
    )
    several = (SEVERAL_FORMATS,) if len({name for name, _ in searched}) > 1 else ()
    staged = any(side.deployment.layout.pp > 1 for one in best for side in (one.reader, one.writer))
    of_all = (note for notes in said for note in notes)
    return tuple(
        dict.fromkeys(
            (*format_notes(searched), *several, *((STAGES_UNMEASURED,) if staged else ()), *of_all, *_of_prices(prices))
        )
    )


SEVERAL_FORMATS = (
    "either pool has the weights' format that is best for both; the KV cache moves as it is, in one format"
)
"""Note on searches over formats."""


def _of_prices(prices: Mapping[str, float | None]) -> tuple[str, ...]:
    """Notes on machines without a listed price."""
    named = " and ".join(name for name, price in prices.items() if price is None)
    if not named:
        return ()
    return (unlisted(named, ", so no cost in dollars, and all chips count alike"),)


Asked = tuple[str | None, Deployment]
"""A deployment with the requested format of its weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """Layouts for both pools.

    Attributes:
        able: candidates that may decode.
        times: times of their passes; None where there are none.
        readers: layouts that may prefill.
        writers: ``able`` as layouts of the decode pool.
    """

    able: list[Candidate]
    times: PoolTimes | None
    readers: list[Reader]
    writers: list[Writer]


class _Search:
    """State of the search while pairs are evaluated."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.rejected: dict[tuple[str, str, str | None, Constraint], Rejection] = {}
        self.points = 0

    def sides(self, makes: Sequence[Asked], reads: Sequence[Asked], chips: int) -> _Sides:
        """Layouts for both pools with replicas of up to ``chips`` chips."""
        workload, demand = self.terms.workload, self.terms.demand
        self.rejected.clear()
        able = self.able(makes, chips, demand)
        times = times_of(able, workload)
        # Prefill layouts have no requested batch.
        is_alike = reads is makes and demand.batch is None
        may_read = able if is_alike else self.able(reads, chips, dataclasses.replace(demand, batch=None))
        return _Sides(
            able=able,
            times=times,
            readers=readers_of(may_read, times if is_alike else times_of(may_read, workload), workload, demand),
            writers=writers_of(able, times, workload, demand),
        )

    def able(self, machines: Sequence[tuple[str | None, Deployment]], chips: int, demand: Demand) -> list[Candidate]:
        """Deployments in all layouts that fit and that engines support, each with the requested format."""
        found, workload, prices = [], self.terms.workload, self.terms.usd_per_chip_s
        for weights, one in machines:
            joule_s = chip_s_per_j(self.terms.demand, prices.get(one.machine.id))
            for layout in candidates(one.model, one.machine, chips, prompt_tokens=workload.prompt_tokens):
                laid = Candidate(
                    deployment=dataclasses.replace(one, layout=layout), weights=weights, chip_s_per_j=joule_s
                )
                reason = rejection_of(laid, workload, demand)
                if reason is None:
                    found.append(laid)
                elif reason.kind is not Constraint.DIVIDES:
                    self.rejected[one.machine.id, str(layout), weights, reason.kind] = reason
        return found

    def matches(self, readers: Sequence[Reader], writers: Sequence[Writer]) -> list[Match]:
        """Best pair for each layout of the decode pool, the best of all first."""
        in_time = best_readers([one for one in readers if self._reads_in_time(one)])
        able = [one for one in writers if self._writes_in_time(one)]
        self.points += len(in_time) * sum(len(one.batch) for one in able)
        found = [match for alike in by_machine(able) for match in best_matches(in_time, alike, self.terms)]
        return sorted(found, key=lambda one: rank_of(one, self.terms))

    def _reads_in_time(self, one: Reader) -> bool:
        workload = self.terms.workload
        first_s = one.within_s(self.terms.demand.ttft_quantile) * margin(
            one.deployment, workload, self.terms.demand, "ttft_s"
        )
        if workload.ttft_s is None or first_s <= workload.ttft_s:
            return True
        self._reject(one.candidate, Constraint.TTFT, f"reads a prompt in {_over(first_s, workload.ttft_s)}")
        return False

    def _writes_in_time(self, one: Writer) -> bool:
        workload = self.terms.workload
        if one.best is not None or workload.tpot_s is None:
            return True
        fastest_s = float(one.tpot_s.min()) * margin(one.deployment, workload, self.terms.demand, "tpot_s")
        self._reject(one.candidate, Constraint.TPOT, f"makes a token in {_over(fastest_s, workload.tpot_s)}")
        return False

    def _reject(self, candidate: Candidate, kind: Constraint, reason: str) -> None:
        deployment, weights = candidate.deployment, candidate.weights
        self.rejected[deployment.machine.id, str(deployment.layout), weights, kind] = Rejection(
            layout=deployment.layout, weights=weights, kind=kind, reason=reason
        )


def _over(time_s: float, limit_s: float) -> str:
    return f"{format_quantity(time_s, 's')} at its fastest, over {format_quantity(limit_s, 's')}"
