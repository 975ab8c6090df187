"""The best single pool for the workload that two are planned for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ridgeline.planner.choice import Choice, best_choices
from ridgeline.planner.details import plan_of
from ridgeline.planner.order import in_order
from ridgeline.planner.rejection import Candidate
from ridgeline.planner.served import serve
from ridgeline.planner.two_pools.compare import cost_of
from ridgeline.planner.two_pools.outcome import OnePool, TwoPoolPlan
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.serving.pool_times import PoolTimes

__all__ = ["best_one_pool"]


def best_one_pool(
    candidates: Sequence[Candidate], times: PoolTimes | None, terms: Terms, best: TwoPoolPlan | None
) -> OnePool | None:
    """The cheapest plan of one pool on any of the machines; None where none serves.

    Args:
        candidates: candidates that may serve.
        times: times of their passes; None where there are none.
        terms: conditions of the search.
        best: best plan of two pools; None where none serves.
    """
    if times is None:
        return None
    machines = dict.fromkeys(one.deployment.machine.id for one in candidates)
    found = [(machine, one) for machine in machines if (one := _best_on(machine, candidates, times, terms))]
    has_load = terms.demand.has_load
    plans = [(machine, plan_of(choice, terms.usd_per_chip_s.get(machine))) for machine, choice in found]
    if not plans:
        return None
    machine, plan = min(plans, key=lambda one: cost_of(one[1], has_load=has_load))
    ratio = None if best is None else cost_of(plan, has_load=has_load) / cost_of(best, has_load=has_load)
    return OnePool(machine=machine, plan=plan, cost_ratio=ratio)


def _best_on(machine: str, candidates: Sequence[Candidate], times: PoolTimes, terms: Terms) -> Choice | None:
    """Best choice on one machine."""
    places = [place for place, one in enumerate(candidates) if one.deployment.machine.id == machine]
    mine = [candidates[place] for place in places]
    budget = None if terms.is_fed else terms.chips.get(machine)
    served = serve(mine, terms.workload, budget, terms.demand, times=times.cases(np.array(places)))
    return next(iter(in_order(best_choices(served), mine[0].deployment.engine, terms.demand)), None)
