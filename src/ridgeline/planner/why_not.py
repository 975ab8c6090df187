"""Why a layout that somebody has in mind is not the plan: the constraint that it breaks, or what it loses by."""

from __future__ import annotations

from collections.abc import Sequence

from ridgeline.planner.compare import why_dearer
from ridgeline.planner.outcome import Constraint, Plan, Rejection, WhyNot
from ridgeline.planner.search import Served, best_plan, serve
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["why_not"]


def why_not(
    deployments: Sequence[tuple[str | None, Deployment]],
    workload: Workload,
    plans: Sequence[Plan],
    *,
    budget: int,
    price: float | None,
) -> WhyNot:
    """Say why a layout is not the plan.

    Args:
        deployments: in the layout, by the number format of their weights; whichever serves best counts.
        workload: what is asked.
        plans: those found, the best first.
        budget: chips, replicas included.
        price: of a chip.
    """
    layout = deployments[0][1].layout
    if layout.chips > budget:
        reason = f"one replica needs {layout.chips} chips, and the budget is {budget}"
        return WhyNot(layout=layout, kind=Constraint.CHIPS, reason=reason)
    outcomes = [serve(one, workload, weights, budget) for weights, one in deployments]
    found = [best_plan(one, price) if isinstance(one, Served) else one for one in outcomes]
    served = sorted((one for one in found if isinstance(one, Plan)), key=lambda one: one.paid_chip_s_per_request)
    if not served:
        rejection = next(one for one in found if isinstance(one, Rejection))
        return WhyNot(layout=layout, kind=rejection.kind, reason=rejection.reason)
    mine = served[0]
    rank = next(
        (place for place, one in enumerate(plans, 1) if one.layout == layout and one.weights == mine.weights), None
    )
    if rank == 1:
        return WhyNot(layout=layout, kind=None, reason="it is the best plan", plan=mine, rank=rank)
    if not plans:
        reason = "it serves this, where no layout that the search tried does"
        return WhyNot(layout=layout, kind=None, reason=reason, plan=mine)
    if rank is None and mine.paid_chip_s_per_request < plans[0].paid_chip_s_per_request:
        gain = 1 - mine.paid_chip_s_per_request / plans[0].paid_chip_s_per_request
        reason = f"it would be {gain:.1%} cheaper than the best plan found; the search did not try it"
        return WhyNot(layout=layout, kind=None, reason=reason, plan=mine)
    return WhyNot(layout=layout, kind=Constraint.COST, reason=why_dearer(mine, plans[0]), plan=mine, rank=rank)
