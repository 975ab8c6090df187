"""Effect of fewer or more chips: half and double of a budget, or one replica fewer and one more for a load."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ridgeline.estimator.placement import chips_of_replicas
from ridgeline.planner.choice import Choice
from ridgeline.planner.compare import lacks_memory, remedy
from ridgeline.planner.details import plan_of
from ridgeline.planner.outcome import Plan, Planning
from ridgeline.planner.ranked import Ranked
from ridgeline.quantity_text import format_quantity

__all__ = ["ChipStep", "chip_steps", "least_chips"]

FACTOR = 2
"""Factor on a budget, down and up."""
MOST_DOUBLINGS = 6
"""Times that a budget is doubled where a model does not fit: from one chip to 64, or from a rack to as many racks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipStep:
    """Result for another number of chips.

    Attributes:
        chips: the budget, or the chips of all replicas for a load.
        plan: best plan on them; for a load, the best layout with its load spread over these. None where nothing serves.
        reason: reason why limits do not hold on them; empty where all hold.
    """

    chips: int
    plan: Plan | None
    reason: str


def chip_steps(found: Planning, search: Callable[[int], Planning]) -> tuple[ChipStep, ...]:
    """A step down and a step up in chips from the best plan, where they exist.

    Args:
        found: result of the search.
        search: search for the same workload with another budget.
    """
    plans = found.plans
    # Power feeds as many chips as it feeds: no other number is a choice.
    if not plans or not isinstance(plans, Ranked) or found.is_fed:
        return ()
    if found.demand.has_load:
        return tuple(_of_load(plans.choices[0], found.usd_per_chip_s))
    return tuple(_of_budget(chips, search(chips)) for chips in (found.chips // FACTOR, found.chips * FACTOR) if chips)


def least_chips(found: Planning, search: Callable[[int], Planning]) -> int | None:
    """Chips of the smallest replica that serves, where memory is all that a budget is short of; None otherwise.

    Args:
        found: result of the search.
        search: search for the same workload with another budget.
    """
    chips = found.chips
    for _ in range(MOST_DOUBLINGS):
        if found.demand.has_load or found.demand.site_power_w is not None or not lacks_memory(found):
            return None
        chips *= FACTOR
        found = search(chips)
        if isinstance(found.plans, Ranked) and found.plans:
            return int(min(one.layout.chips for one in found.plans.choices))
    return None


def _of_budget(chips: int, found: Planning) -> ChipStep:
    best = found.plans[0] if found.plans else None
    return ChipStep(chips=chips, plan=best, reason="" if best else remedy(found))


def _of_load(choice: Choice, price: float | None) -> Iterator[ChipStep]:
    """A layout with one replica fewer and one more, where its load can be spread so."""
    served, replicas = choice.served, int(choice.served.copies[choice.index])
    for copies in (replicas - 1, replicas + 1):
        places = np.flatnonzero(served.copies == copies)
        if len(places):
            there = Choice(served=served, index=int(places[-1]))
            plan = plan_of(there, price)
            yield ChipStep(chips=there.all_chips, plan=plan, reason="; ".join(_broken(plan, choice)))
        elif 0 < copies < replicas:
            why = "have no room for the users" if served.demand.users is not None else "finish fewer requests than come"
            needed = int(chips_of_replicas(served.deployment.machine.fabric, copies, served.chips))
            yield ChipStep(chips=needed, plan=None, reason=f"so few replicas {why}")


def _broken(plan: Plan, choice: Choice) -> Iterator[str]:
    """Limits that a plan does not meet with the required certainty."""
    served = choice.served
    limits = (
        ("TPOT", plan.tpot_s, served.tpot_margin, served.workload.tpot_s),
        ("TTFT", plan.ttft_s, served.ttft_margin, served.workload.ttft_s),
    )
    for name, time_s, surely, limit_s in limits:
        if limit_s is not None and surely * time_s > limit_s:
            yield f"{name} would be {format_quantity(surely * time_s, 's')}, over {format_quantity(limit_s, 's')}"
