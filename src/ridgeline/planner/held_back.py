"""Plans that cost less than the first one by the estimate and are ranked below it all the same, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ridgeline.planner.compare import SAME_COST, asked_against, load_cost
from ridgeline.planner.outcome import Plan
from ridgeline.specs.layout import Layout

__all__ = ["HeldBack", "WhyHeldBack", "held_back"]


class WhyHeldBack(StrEnum):
    """Reason why a cheaper plan is not the first."""

    STAGES = "stages"
    LOAD = "load"
    SIMPLEST = "simplest"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """A plan that costs less than the first one, and is ranked below it.

    Attributes:
        rank: rank among the plans, from 1.
        layout: layout of one replica.
        why: stages, which no measured run had and which have to save more; load, of whose cost it saves nothing; or
            simplest, where no model of time can tell the two apart and the first is the simplest such layout.
        saves_fraction: part of a request's cost that it saves against the first; below 0 where a request costs more.
        load_saves_fraction: part of the whole load's cost that it saves; None without a load.
        needed_fraction: part of the cost (of the load, where there is one) that it would have to save to rank first;
            None unless stages are the reason.
    """

    rank: int
    layout: Layout
    why: WhyHeldBack
    saves_fraction: float
    load_saves_fraction: float | None
    needed_fraction: float | None


def held_back(plans: Sequence[Plan], *, has_load: bool = False) -> tuple[HeldBack, ...]:
    """Plans that cost less than the first, of a request or of the load, and are ranked below it.

    Args:
        plans: plans in order of rank.
        has_load: whether plans are ranked by the cost of the load that all their replicas serve.
    """
    found = (_held(rank, one, plans[0], has_load=has_load) for rank, one in enumerate(plans[1:], start=2))
    return tuple(one for one in found if one is not None)


def _held(rank: int, one: Plan, first: Plan, *, has_load: bool) -> HeldBack | None:
    """A plan that costs less than the first, with the reason for its rank; None where it does not cost less."""
    saves = 1 - one.paid_chip_s_per_request / first.paid_chip_s_per_request
    of_load = 1 - load_cost(one) / load_cost(first)
    if max(saves, of_load if has_load else saves) < SAME_COST:
        return None
    asked = asked_against(one.layout.pp, first.layout.pp)
    why = WhyHeldBack.STAGES if asked else WhyHeldBack.SIMPLEST
    if has_load and (not asked or of_load < -SAME_COST):
        why = WhyHeldBack.LOAD
    return HeldBack(
        rank=rank,
        layout=one.layout,
        why=why,
        saves_fraction=saves,
        load_saves_fraction=of_load if has_load else None,
        needed_fraction=asked / (1 + asked) if why is WhyHeldBack.STAGES else None,
    )
