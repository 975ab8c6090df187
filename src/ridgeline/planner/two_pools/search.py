"""The search for two pools: all pairs of layouts, matched by rate, the cheapest first.

A replica of the first pool reads so many prompts a second, one of the second finishes so many requests, and each of
both is a whole number of replicas. All pairs of layouts are looked at; of layouts of the first pool with as many chips
only the ones that read most or soonest count, since nothing else of them matters to the second.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_in_range, require_whole
from ridgeline.planner.candidates import candidates, replica_budgets
from ridgeline.planner.compare import SAME_COST
from ridgeline.planner.outcome import Constraint, Rejection
from ridgeline.planner.ranked import Ranked
from ridgeline.planner.rejection import Candidate, rejection_of, require_decode
from ridgeline.planner.two_pools.front import front_of
from ridgeline.planner.two_pools.matching import Match, Terms, first_token_s, match_of, rank_of
from ridgeline.planner.two_pools.outcome import Part, TwoPoolPlan, TwoPools, TwoPoolWhyNot
from ridgeline.planner.two_pools.sides import Reader, Writer, best_readers, margin, readers_of, writers_of
from ridgeline.quantity_text import format_quantity
from ridgeline.serving.interval import load_interval
from ridgeline.serving.passes import pool_passes
from ridgeline.serving.transfer import cache_move_s
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.workload import Workload

__all__ = ["plan_two_pools"]


def plan_two_pools(
    prefill: Sequence[Deployment],
    decode: Sequence[Deployment],
    workload: Workload,
    *,
    chips: int | None = None,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
    usd_per_chip_s: float | None = None,
    why_not: tuple[Layout, Layout] | None = None,
) -> TwoPools:
    """Search pairs of layouts for the cheapest two pools.

    Args:
        prefill: what may read prompts: a deployment a machine, whose layout does not matter.
        decode: what may make tokens; the same.
        workload: lengths of requests and limits on their latency.
        chips: the budget of both pools; left out, one scale-up domain of the first machine, or what a load needs.
        demand: the load; left open, as much as the budget gives. A batch is that of a replica that makes tokens.
        usd_per_chip_s: price of a chip of any machine; left out, the catalog's of each.
        why_not: layouts of both pools to say of why they are not the plan.

    Raises:
        RidgelineError: chips or price are out of range, there is nothing to decode, or power is limited or paid for.
    """
    if demand.heeds_power:
        raise RidgelineError(
            "two pools take no limit on power and no price of electricity yet; leave site_power_w and"
            " electricity_usd_per_j out"
        )
    if chips is None and not demand.has_load:
        chips = decode[0].machine.scale_up_chips
    if chips is not None:
        require_in_range("plan_two_pools", "chips", require_whole("plan_two_pools", "chips", chips))
    if usd_per_chip_s is not None:
        require_in_range("plan_two_pools", "usd_per_chip_s", usd_per_chip_s)
    require_decode(workload)
    prices = {one.machine.id: _price(one.machine, usd_per_chip_s) for one in (*prefill, *decode)}
    known = {name: price for name, price in prices.items() if price is not None}
    # Of machines without a price a chip counts as much as of any other.
    known = known if len(known) == len(prices) else {}
    terms = Terms(workload=workload, demand=demand, chips=chips, usd_per_chip_s=known)
    search = _Search(terms)
    for largest in replica_budgets(decode, chips):
        search.rejected.clear()
        able = search.able(decode, largest, demand)
        if able:
            break
    writers = writers_of(able, workload, demand)
    # Those that read prompts have no batch that is asked for.
    may_read = (
        able if decode == prefill and demand.batch is None else search.able(prefill, largest, AS_MUCH_AS_IT_GIVES)
    )
    readers = readers_of(may_read, workload)
    matches = search.matches(readers, writers)
    plans = Ranked(matches, partial(_plan, terms=terms))
    return TwoPools(
        plans=plans,
        rejected=tuple(search.rejected.values()),
        front=front_of(readers, writers, terms),
        chips=chips,
        usd_per_chip_s=prices,
        points_evaluated=search.points,
        remedy="" if matches else _remedy(search, readers, writers),
        why_not=None if why_not is None else _verdict_on(why_not, readers, writers, search, plans),
    )


def _price(machine: Machine, asked: float | None) -> float | None:
    return asked if asked is not None or machine.tariff is None else machine.tariff.usd_per_chip_s


class _Search:
    """What is kept account of while pairs are looked at."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.rejected: dict[tuple[str, str, Constraint], Rejection] = {}
        self.points = 0

    def able(self, machines: Sequence[Deployment], chips: int, demand: Demand) -> list[Deployment]:
        """Deployments in all layouts that fit and that engines run."""
        found, workload = [], self.terms.workload
        for one in machines:
            for layout in candidates(one.model, one.machine, chips, prompt_tokens=workload.prompt_tokens):
                laid = dataclasses.replace(one, layout=layout)
                reason = rejection_of(Candidate(deployment=laid, weights=None), workload, demand)
                if reason is None:
                    found.append(laid)
                elif reason.kind is not Constraint.DIVIDES:
                    self.rejected[one.machine.id, str(layout), reason.kind] = reason
        return found

    def matches(self, readers: Sequence[Reader], writers: Sequence[Writer]) -> list[Match]:
        """The best pair of each layout that makes tokens, the best of all first."""
        terms, found = self.terms, []
        in_time = best_readers([one for one in readers if self._reads_in_time(one)])
        for writer in writers:
            if self._writes_in_time(writer):
                pairs = [match for reader in in_time if (match := match_of(reader, writer, terms)) is not None]
                self.points += len(in_time) * len(writer.batch)
                if pairs:
                    found.append(min(pairs, key=lambda one: rank_of(one, terms)))
        return sorted(found, key=lambda one: rank_of(one, terms))

    def _reads_in_time(self, one: Reader) -> bool:
        workload = self.terms.workload
        first_s = one.within_s(self.terms.demand.ttft_quantile) * margin(
            one.deployment, workload, self.terms.demand, "ttft_s"
        )
        if workload.ttft_s is None or first_s <= workload.ttft_s:
            return True
        self._reject(one.deployment, Constraint.TTFT, f"reads a prompt in {_over(first_s, workload.ttft_s)}")
        return False

    def _writes_in_time(self, one: Writer) -> bool:
        workload = self.terms.workload
        if one.best is not None or workload.tpot_s is None:
            return True
        fastest_s = float(one.tpot_s.min()) * margin(one.deployment, workload, self.terms.demand, "tpot_s")
        self._reject(one.deployment, Constraint.TPOT, f"makes a token in {_over(fastest_s, workload.tpot_s)}")
        return False

    def _reject(self, deployment: Deployment, kind: Constraint, reason: str) -> None:
        self.rejected[deployment.machine.id, str(deployment.layout), kind] = Rejection(
            layout=deployment.layout, weights=None, kind=kind, reason=reason
        )


def _over(time_s: float, limit_s: float) -> str:
    return f"{format_quantity(time_s, 's')} at its fastest, over {format_quantity(limit_s, 's')}"


def _remedy(search: _Search, readers: Sequence[Reader], writers: Sequence[Writer]) -> str:
    """What to change where no pair serves: the limit that nothing keeps to, or chips."""
    kinds = {kind for _, _, kind in search.rejected}
    if writers and all(one.best is None for one in writers):
        fast = min(writers, key=lambda one: float(one.tpot_s.min()))
        reached = format_quantity(float(fast.tpot_s.min()), "s")
        return f"the fastest token takes {reached} ({fast.deployment.layout}); relax --tpot"
    if readers and writers and not search.points:
        soon = min(readers, key=lambda one: one.first_s)
        reached = format_quantity(soon.first_s, "s")
        return f"the fastest first token takes {reached} ({soon.deployment.layout}); relax --ttft"
    if readers and writers:
        limits = ", or relax --ttft" if search.terms.workload.ttft_s is not None else ""
        return f"both pools need a replica or more: give more --chips, or a smaller load{limits}"
    if Constraint.BATCH in kinds:
        return "no layout takes as large a batch: give a smaller --batch, or more --chips"
    if Constraint.MEMORY in kinds:
        return "it does not fit in memory: give it more --chips, or narrower --weights or --kv"
    return "no layout divides the model and the machine: try another number of --chips, or another --engine"


def _verdict_on(
    pair: tuple[Layout, Layout],
    readers: Sequence[Reader],
    writers: Sequence[Writer],
    search: _Search,
    plans: Sequence[TwoPoolPlan],
) -> TwoPoolWhyNot:
    """Why two layouts are not the plan."""
    prefill, decode = pair

    def said(kind: Constraint | None, reason: str, plan: TwoPoolPlan | None = None) -> TwoPoolWhyNot:
        return TwoPoolWhyNot(prefill_layout=prefill, layout=decode, kind=kind, reason=reason, plan=plan)

    for layout, sides, speed in ((prefill, readers, Constraint.TTFT), (decode, writers, Constraint.TPOT)):
        mine = [one for (_, name, _), one in search.rejected.items() if name == str(layout)]
        mine = [one for one in mine if one.kind not in {Constraint.TTFT, Constraint.TPOT} or one.kind is speed]
        if mine:
            return said(mine[0].kind, f"{layout} {mine[0].reason}" if mine[0].kind is speed else mine[0].reason)
        if not any(one.deployment.layout == layout for one in sides):
            return said(Constraint.DIVIDES, f"the search does not try {layout}: it does not divide, or is too large")
    found = [
        match
        for reader in readers
        for writer in writers
        if (reader.deployment.layout, writer.deployment.layout) == pair
        and (match := match_of(reader, writer, search.terms)) is not None
    ]
    if not found:
        return said(Constraint.CHIPS, "no whole numbers of replicas of both serve this within chips and limits")
    match = min(found, key=lambda one: rank_of(one, search.terms))
    plan = _plan(match, search.terms)
    best = plans[0]
    layouts = best.prefill.deployment.layout, best.decode.deployment.layout
    if layouts == pair:
        return said(None, "it is the best plan", plan)
    if search.terms.demand.has_load:
        dearer = (plan.usd_per_h or plan.chips) / (best.usd_per_h or best.chips) - 1
    else:
        dearer = plan.paid_chip_s_per_request / best.paid_chip_s_per_request - 1
    if dearer < SAME_COST:
        times = (format_quantity(time_s, "s") for time_s in (plan.ttft_s, best.ttft_s, plan.tpot_s, best.tpot_s))
        first, best_first, each, best_each = times
        reason = f"costs the same; TTFT {first}, not {best_first}, and TPOT {each}, not {best_each}"
        return said(Constraint.COST, reason, plan)
    return said(Constraint.COST, f"costs {100 * dearer:.1f} % more: {_spent(plan, best)}", plan)


def _spent(mine: TwoPoolPlan, best: TwoPoolPlan) -> str:
    """Chip-seconds of a request in either pool against the best plan's."""
    parts = [
        (name, *(getattr(one, field).chips / one.requests_per_s for one in (mine, best)))
        for field, name in (("prefill", "to read its prompt"), ("decode", "to make its tokens"))
    ]
    return "a request takes " + ", and ".join(f"{a:.3g} chip-seconds {name}, not {b:.3g}" for name, a, b in parts)


def _plan(match: Match, terms: Terms) -> TwoPoolPlan:
    reader, writer = match.reader, match.writer
    workload, demand = terms.workload, terms.demand
    prices = terms.usd_per_chip_s
    tpot_s, batch = float(writer.tpot_s[match.place]), float(writer.batch[match.place])
    move_s = cache_move_s(reader.deployment, writer.deployment, workload.prompt_tokens)
    each = match.requests_per_s / match.readers if demand.has_load else None
    first_s = first_token_s(reader, writer, terms, each)
    sequences = max(batch / writer.deployment.layout.dp, 1.0)
    low, high = load_interval(pool_passes(writer.deployment, workload, sequences), "disaggregated_tpot_s")
    first_low, first_high = load_interval(pool_passes(reader.deployment, workload, 1.0), "disaggregated_ttft_s")
    parts = (
        Part(
            deployment=one.deployment,
            replicas=replicas,
            batch=requests,
            requests_per_s=rate,
            busy_fraction=match.requests_per_s / (replicas * rate),
        )
        for one, replicas, requests, rate in (
            (reader, match.readers, reader.together, reader.prompts_per_s),
            (writer, match.writers, int(batch), float(writer.requests_per_s[match.place])),
        )
    )
    prefill, decode = parts
    costs = [
        None if not prices else one.chips * prices[one.deployment.machine.id] / match.requests_per_s
        for one in (prefill, decode)
    ]
    used = prefill.chips + decode.chips
    return TwoPoolPlan(
        prefill=prefill,
        decode=decode,
        batch=int(batch),
        tpot_s=tpot_s,
        tpot_low_s=tpot_s * low,
        tpot_high_s=tpot_s * high,
        ttft_s=first_s,
        ttft_low_s=first_s * first_low,
        ttft_high_s=first_s * first_high,
        ttft_quantile=demand.ttft_quantile if demand.has_load or workload.lengths else None,
        move_s=move_s,
        requests_per_s=match.requests_per_s,
        output_tokens_per_s_per_chip=match.requests_per_s * workload.output_tokens / used,
        usd_per_h=None if not prices else match.paid * 3600.0,
        usd_per_input_token=None if costs[0] is None else costs[0] / workload.prompt_tokens,
        usd_per_output_token=None if costs[1] is None else costs[1] / workload.output_tokens,
        paid_chip_s_per_request=match.paid_chips / match.requests_per_s,
    )
