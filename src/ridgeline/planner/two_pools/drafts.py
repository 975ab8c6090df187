"""Two pools with several kinds of drafts, of which the cheapest is taken: both pools keep the same draft's cache."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from ridgeline.planner.two_pools.compare import cost_of
from ridgeline.planner.two_pools.outcome import TwoPools
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.speculation import Speculation

__all__ = ["with_each_draft"]


def with_each_draft(
    deployments: Sequence[Deployment],
    speculations: Sequence[Speculation],
    search: Callable[[list[Deployment]], TwoPools],
    *,
    has_load: bool,
) -> TwoPools:
    """The search whose best plan costs least, with a note on the costs of the others.

    Args:
        deployments: one deployment per machine.
        speculations: speculations to try, none included.
        search: search for two pools with given deployments.
        has_load: whether costs are those of the whole load.
    """
    found = {
        str(one) or "none": search([dataclasses.replace(each, speculation=one) for each in deployments])
        for one in speculations
    }
    if len(found) == 1:
        return next(iter(found.values()))
    costs = {name: cost_of(one.plans[0], has_load=has_load) for name, one in found.items() if one.plans}
    if not costs:
        return next(iter(found.values()))
    best = min(costs, key=lambda name: costs[name])
    others = [f"{name} {costs[name] / costs[best]:.2f} times" for name in costs if name != best]
    others += [f"{name} serves this by no pair" for name in found if name not in costs]
    note = f"drafts: {best} costs least; {', '.join(others)}"
    return dataclasses.replace(found[best], notes=(*found[best].notes, note))
