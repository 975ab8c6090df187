"""Verdict on a layout that is not the plan: the constraint that it breaks, or its disadvantage."""

from __future__ import annotations

from collections.abc import Sequence

from ridgeline.planner.choice import Choice, best_choices
from ridgeline.planner.compare import why_dearer
from ridgeline.planner.details import plan_of
from ridgeline.planner.outcome import Constraint, Plan, Rejection, WhyNot
from ridgeline.planner.ranked import Ranked
from ridgeline.planner.rejection import Candidate, rejection_of
from ridgeline.planner.served import serve
from ridgeline.quantity_text import counted
from ridgeline.specs.demand import Demand
from ridgeline.specs.workload import Workload

__all__ = ["why_not"]


def why_not(
    candidates: Sequence[Candidate],
    workload: Workload,
    plans: Ranked[Choice, Plan],
    *,
    budget: int | None,
    demand: Demand,
    price: float | None,
) -> WhyNot:
    """Verdict on a layout.

    Args:
        candidates: candidates of the layout, by the number format of their weights; the best one counts.
        workload: workload that is served.
        plans: plans that were found, the best first.
        budget: chips, replicas included; None where the load or the power determines them.
        demand: load to serve.
        price: price of a chip, $/s.
    """
    layout = candidates[0].deployment.layout
    if budget is not None and layout.chips > budget:
        reason = f"one replica needs {counted(layout.chips, 'chip')}, and the budget is {budget}"
        return WhyNot(layout=layout, kind=Constraint.CHIPS, reason=reason)
    rejections = [rejection_of(one, workload, demand) for one in candidates]
    able = [one for one, rejection in zip(candidates, rejections, strict=True) if rejection is None]
    found = best_choices(serve(able, workload, budget, demand))
    choices = sorted((one for one in found if isinstance(one, Choice)), key=lambda one: one.rank)
    if not choices:
        rejection = next(one for one in (*found, *rejections) if isinstance(one, Rejection))
        return WhyNot(layout=layout, kind=rejection.kind, reason=rejection.reason)
    mine = plan_of(choices[0], price)
    same = [
        (one.layout, one.weights, one.served.deployment.speculation) == (layout, mine.weights, mine.speculation)
        for one in plans.choices
    ]
    rank = same.index(True) + 1 if any(same) else None
    if rank == 1:
        return WhyNot(layout=layout, kind=None, reason="it is the best plan", plan=mine, rank=rank)
    if not plans:
        reason = "it serves this, where no layout that the search tried does"
        return WhyNot(layout=layout, kind=None, reason=reason, plan=mine)
    if rank is None and choices[0].rank < plans.choices[0].rank:
        gain = 1 - mine.paid_chip_s_per_request / plans[0].paid_chip_s_per_request
        reason = f"it would be {100 * gain:.1f} % cheaper than the best plan found; the search did not try it"
        return WhyNot(layout=layout, kind=None, reason=reason, plan=mine)
    reason = why_dearer(mine, plans[0], has_load=demand.has_load)
    return WhyNot(layout=layout, kind=Constraint.COST, reason=reason, plan=mine, rank=rank)
