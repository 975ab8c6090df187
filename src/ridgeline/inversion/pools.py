"""One pool for prompts and tokens, or a pool for each: which costs less."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ridgeline.callbacks import Progress
from ridgeline.errors import UnservedError
from ridgeline.inversion.operating import POOLS, Operating, PricedDeployment, operating
from ridgeline.planner.compare import asked_against
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand

__all__ = ["Run", "cheaper", "kept_by_stages", "run_of"]

WORTH_TWO_POOLS = 0.02
"""Fraction of a request's cost that a second pool has to save: less is within the error of any model of time."""


def cheaper(
    served: PricedDeployment, demand: Demand = AS_MUCH_AS_IT_GIVES, *, is_brief: bool = False
) -> tuple[PricedDeployment, Operating]:
    """Cheaper operating point of one pool and of two, where that is left open; units for rent are those of both.

    Args:
        served: deployment, workload and prices of what is served.
        demand: load to serve; left out, as much as the chips give.
        is_brief: whether to leave out notes.

    Raises:
        UnservedError: neither serves it; says what comes nearest in one pool.
    """
    if served.pools is not None:
        return served, operating(served, demand, is_brief=is_brief)
    one, two = (dataclasses.replace(served, pools=pools) for pools in (1, POOLS))
    apart = _tried(two, demand, is_brief=is_brief)
    if apart is None:
        return one, operating(one, demand, is_brief=is_brief)
    together = _tried(one, demand, is_brief=is_brief)
    if together is None:
        return two, apart
    workload = served.workload
    saved = 1 - apart.usd_per_request(workload) / together.usd_per_request(workload)
    units = *apart.units, *together.units
    if 1 / (1 - saved) < (1 + asked_against(apart.stages, together.stages)) / (1 - WORTH_TWO_POOLS):
        units = *together.units, *apart.units
        notes = (*kept_by_stages(apart, together, saved), *together.notes)
        return one, dataclasses.replace(together, units=units, otherwise_ratio=1 - saved, notes=notes)
    note = (
        f"prompts and tokens have a pool each, which saves {100 * saved:.1f} % of what one pool for both costs"
        " (--pools 1)"
    )
    otherwise = 1 / (1 - saved)
    return two, dataclasses.replace(apart, units=units, notes=(note, *apart.notes), otherwise_ratio=otherwise)


def kept_by_stages(apart: Operating, together: Operating, saved: float) -> tuple[str, ...]:
    """Note on two pools that cost less and are not taken, since pipeline stages have to save more."""
    asked = asked_against(apart.stages, together.stages)
    if saved < WORTH_TWO_POOLS or not asked:
        return ()
    needed = 1 - (1 - WORTH_TWO_POOLS) / (1 + asked)
    said = (
        f"a pool each for prompts and tokens ({apart.layout}, --pools 2) costs {100 * saved:.0f} % less, but with"
        f" {apart.stages} pipeline stages, of which no run was ever measured, two pools are taken from"
        f" {100 * needed:.0f} % less on"
    )
    return (said,)


def _tried(served: PricedDeployment, demand: Demand, *, is_brief: bool) -> Operating | None:
    """Operating point of the deployment; None where nothing serves it so."""
    try:
        return operating(served, demand, is_brief=is_brief)
    except UnservedError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Deployment with its operating points.

    Attributes:
        asked: deployment and workload as asked for, with chips enough.
        served: deployment and workload with as many pools as cost less.
        at_work: operating point at which the chips are full.
        loaded: operating point at the load's most; None without a load.
    """

    asked: PricedDeployment
    served: PricedDeployment
    at_work: Operating
    loaded: Operating | None


def run_of(asked: PricedDeployment, most_requests_per_s: float | None, told: Progress) -> Run:
    """The cheaper way to serve, at the load's most and on full chips.

    Args:
        asked: deployment and workload as asked for.
        most_requests_per_s: requests a second at the load's most; None without a load.
        told: callback that takes the number of further searches that are done.

    Raises:
        UnservedError: nothing serves it; says what comes nearest.
    """
    served, loaded = asked, None
    if most_requests_per_s is not None:
        # What costs least under the load says whether there are two pools.
        served, loaded = cheaper(served, Demand(requests_per_s=most_requests_per_s))
        told(1)
    try:
        served, at_work = cheaper(served)
    except UnservedError:
        # A domain may have too few chips for either pool; what serves the load has enough.
        if loaded is None or served.pools != POOLS or served.chips is not None:
            raise
        asked, served = (dataclasses.replace(one, chips=loaded.chips) for one in (asked, served))
        served, at_work = cheaper(served)
    told(1)
    return Run(asked=asked, served=served, at_work=at_work, loaded=loaded)
