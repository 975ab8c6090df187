"""Several fronts: cost per request over a user's speed, by one pool, two, or other machines."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.planner.outcome import FrontPoint, Plan, Planning
from ridgeline.planner.two_pools.outcome import TwoPoolPlan, TwoPoolPoint, TwoPools
from ridgeline.seconds import HOUR_S
from ridgeline.specs.layout import Layout

__all__ = ["Front", "Place", "front_of_one", "front_of_two"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A speed with its cost.

    Attributes:
        tokens_per_s: output tokens per second of a user, after the first.
        chip_s: chip-seconds of a whole request, idle chips of a budget included.
        usd: cost of the request, $; None without a price.
        said: layouts and batch, in words.
    """

    tokens_per_s: float
    chip_s: float
    usd: float | None
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """Points that no other beats in both speed and cost, from the cheapest to the fastest.

    Attributes:
        name: name of the layout, pool or machine that serves.
        places: points of the front, at least one.
        plan: best plan within the limits; None where nothing meets them.
    """

    name: str
    places: tuple[Place, ...]
    plan: Place | None


def front_of_one(name: str, found: Planning) -> Front | None:
    """The front of a search for one pool; None where nothing fits."""
    price = found.usd_per_chip_s
    places = tuple(_place(one, one.usd_per_request, _said(one)) for one in reversed(found.front))
    plan = None
    if found.plans:
        best = found.plans[0]
        plan = _place(best, None if price is None else price * best.paid_chip_s_per_request, _said(best))
    return Front(name=name, places=places, plan=plan) if places else None


def front_of_two(name: str, found: TwoPools) -> Front | None:
    """The front of a search for two pools; None where nothing fits."""
    places = tuple(
        _place(
            one,
            one.usd_per_request,
            f"{_pool(one.prefill_replicas, one.prefill_layout, one.prefill_weights)},"
            f" {_pool(one.replicas, one.layout, one.weights)}\nbatch {one.batch:,}",
        )
        for one in reversed(found.front)
    )
    plan = _place_of_two(found.plans[0]) if found.plans else None
    return Front(name=name, places=places, plan=plan) if places else None


def _place(one: FrontPoint | Plan | TwoPoolPoint | TwoPoolPlan, usd: float | None, said: str) -> Place:
    return Place(tokens_per_s=1.0 / one.tpot_s, chip_s=one.paid_chip_s_per_request, usd=usd, said=said)


def _said(one: FrontPoint | Plan) -> str:
    name = " ".join(filter(None, (str(one.layout), one.weights, one.speculate)))
    return f"{one.replicas} x {name}\nbatch {one.batch:,}"


def _place_of_two(one: TwoPoolPlan) -> Place:
    usd = None if one.usd_per_h is None else one.usd_per_h / HOUR_S / one.requests_per_s
    parts = one.prefill, one.decode
    pools = ", ".join(_pool(part.replicas, part.deployment.layout, part.weights) for part in parts)
    return _place(one, usd, f"{pools}\nbatch {one.batch:,}")


def _pool(replicas: int, layout: Layout, weights: str | None) -> str:
    return " ".join(filter(None, (f"{replicas} x {layout}", weights)))
