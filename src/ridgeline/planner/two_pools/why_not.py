"""Verdict on a pair of layouts that is not the plan."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from ridgeline.planner.compare import SAME_COST
from ridgeline.planner.outcome import Constraint, Rejection
from ridgeline.planner.two_pools.compare import cost_of, why_dearer
from ridgeline.planner.two_pools.details import plan_of
from ridgeline.planner.two_pools.matching import match_of, rank_of
from ridgeline.planner.two_pools.outcome import TwoPoolPlan, TwoPoolWhyNot
from ridgeline.planner.two_pools.sides import Reader, Writer
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.layout import Layout

__all__ = ["verdict_on"]


def verdict_on(
    pair: tuple[Layout, Layout],
    readers: Sequence[Reader],
    writers: Sequence[Writer],
    rejected: Iterable[Rejection],
    plans: Sequence[TwoPoolPlan],
    terms: Terms,
) -> TwoPoolWhyNot:
    """Verdict on two layouts; where there are several formats of weights, on the best.

    Args:
        pair: layouts of a replica of each pool, prefill first.
        readers: layouts of the prefill pool.
        writers: layouts of the decode pool.
        rejected: rejected layouts, each with its reason.
        plans: plans that were found, the best first.
        terms: conditions of the search.
    """
    prefill, decode = pair

    def said(kind: Constraint | None, reason: str, plan: TwoPoolPlan | None = None) -> TwoPoolWhyNot:
        return TwoPoolWhyNot(prefill_layout=prefill, layout=decode, kind=kind, reason=reason, plan=plan)

    sides: tuple[tuple[Layout, Sequence[Reader | Writer], Constraint], ...] = (
        (prefill, readers, Constraint.TTFT),
        (decode, writers, Constraint.TPOT),
    )
    for layout, served, speed in sides:
        mine = [one for one in rejected if one.layout == layout]
        mine = [one for one in mine if one.kind not in {Constraint.TTFT, Constraint.TPOT} or one.kind is speed]
        able = [one for one in served if one.deployment.layout == layout]
        if mine and len(mine) >= len(able):
            return said(mine[0].kind, f"{layout} {mine[0].reason}" if mine[0].kind is speed else mine[0].reason)
        if not able:
            return said(Constraint.DIVIDES, f"the search does not try {layout}: {_untried(layout, readers, writers)}")
    found = [
        match
        for reader in readers
        for writer in writers
        if (reader.deployment.layout, writer.deployment.layout) == pair
        and (match := match_of(reader, writer, terms)) is not None
    ]
    if not found:
        power = "" if terms.demand.site_power_w is None else ", power"
        return said(Constraint.CHIPS, f"no whole numbers of replicas of both serve this within chips{power} and limits")
    plan, best = plan_of(min(found, key=lambda one: rank_of(one, terms)), terms), plans[0]
    if (best.prefill.deployment.layout, best.decode.deployment.layout) == pair:
        return said(None, "it is the best plan", plan)
    has_load = terms.demand.has_load
    if cost_of(plan, has_load=has_load) / cost_of(best, has_load=has_load) - 1 < SAME_COST:
        times = (format_quantity(time_s, "s") for time_s in (plan.ttft_s, best.ttft_s, plan.tpot_s, best.tpot_s))
        first, best_first, each, best_each = times
        reason = f"costs the same; TTFT {first}, not {best_first}, and TPOT {each}, not {best_each}"
        return said(Constraint.COST, reason, plan)
    return said(Constraint.COST, why_dearer(plan, best, has_load=has_load), plan)


def _untried(layout: Layout, readers: Sequence[Reader], writers: Sequence[Writer]) -> str:
    """Reason why a layout is not among those searched."""
    alone = dataclasses.replace(layout, dp=1)
    if layout.dp > 1 and alone in {
        *(one.deployment.layout for one in readers),
        *(one.deployment.layout for one in writers),
    }:
        return f"groups of dp that share no experts are replicas of {alone} each, and counted as such; ask of {alone}"
    return "it does not split the model or the chips evenly, or has more chips than the budget"
