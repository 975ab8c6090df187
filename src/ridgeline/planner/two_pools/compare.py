"""Comparison of two pools with other two, and with one: the extra cost of a request, and its causes."""

from __future__ import annotations

from ridgeline.planner.compare import SAME_COST, times_the_cost, why_behind
from ridgeline.planner.outcome import Plan
from ridgeline.planner.two_pools.outcome import TwoPoolPlan

__all__ = ["cost_of", "stages_of", "why_dearer"]


def cost_of(plan: TwoPoolPlan | Plan, *, has_load: bool) -> float:
    """Rank of plans: cost per hour of a load, else cost per request, $; chips without a price."""
    if has_load:
        return plan.paid_chip_s_per_request * plan.requests_per_s if plan.usd_per_h is None else plan.usd_per_h
    return plan.paid_chip_s_per_request if plan.usd_per_request is None else plan.usd_per_request


def why_dearer(loser: TwoPoolPlan, winner: TwoPoolPlan, *, has_load: bool) -> str:
    """Clause on the extra cost, and on a request's chip-time in each pool."""
    ratio = cost_of(loser, has_load=has_load) / cost_of(winner, has_load=has_load)
    if abs(ratio - 1) < SAME_COST:
        return f"costs the same within {100 * SAME_COST:.2f} %"
    if ratio < 1:
        return f"{times_the_cost(ratio)}, {why_behind(stages_of(loser), stages_of(winner))}"
    return f"{times_the_cost(ratio)}: {_spent(loser, winner)}"


def stages_of(plan: TwoPoolPlan | Plan) -> int:
    """Most pipeline stages of a replica, of either pool where there are two."""
    if isinstance(plan, Plan):
        return plan.layout.pp
    return max(one.deployment.layout.pp for one in (plan.prefill, plan.decode))


def _spent(mine: TwoPoolPlan, best: TwoPoolPlan) -> str:
    """Clause on a request's chip-seconds in each pool against the best plan's."""
    parts = [
        (name, *(getattr(one, field).chips / one.requests_per_s for one in (mine, best)))
        for field, name in (("prefill", "to read its prompt"), ("decode", "to make its tokens"))
    ]
    return (
        "a request takes "
        + ", and ".join(f"{a:.3g} chip-seconds {name}, against {b:.3g}" for name, a, b in parts)
        + " in plan 1"
    )
