"""Costs of the other items of a price list: caches, and batch, flexible and fast modes."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from dataclasses import dataclass

from ridgeline.caching.cache import Asked as CacheAsked
from ridgeline.caching.cache import cache
from ridgeline.caching.tiers import Ownership
from ridgeline.callbacks import Progress
from ridgeline.catalog.storage import storage_devices
from ridgeline.errors import RidgelineError, UnservedError
from ridgeline.inversion.operating import Operating, PricedDeployment, operating
from ridgeline.inversion.spread import Cost, InOut
from ridgeline.inversion.stack import Stack
from ridgeline.planner.choice import WORTH_WAITING_FOR
from ridgeline.quantity_text import format_quantity
from ridgeline.seconds import FIVE_MINUTES_S, HOUR_S
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

__all__ = ["CacheCost", "Modes", "cache_costs", "mode_costs", "per_read_token"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheCost:
    """Costs of a token that is kept for a time and found again.

    Attributes:
        held_s: time for which it is kept.
        tier: the cheapest tier to keep it in for that long.
        keep_usd_per_token: cost of writing and keeping a token, beside computing it.
        hit_usd_per_token: cost of bringing a token back.
        hold_usd_per_token_s: cost of keeping a token for a second.
    """

    held_s: float
    tier: str
    keep_usd_per_token: float
    hit_usd_per_token: float
    hold_usd_per_token_s: float


FAST_TPOT_S = 0.02
"""Largest seconds a token that are called fast: 50 tokens a second, 2.5 times the speed of DeepSeek's service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Modes:
    """Costs of tokens in other modes than the plain one; and what could not be served, with the reason.

    Attributes:
        costs: costs by mode and kind: "batch_input", "fast_output".
        fast_tpot_s: time per output token of the fast mode; None where nothing is as fast.
        notes: items that are left out, and why.
    """

    costs: dict[str, Cost]
    fast_tpot_s: float | None
    notes: tuple[str, ...]


def per_read_token(usd_per_input_token: float, workload: Workload) -> float:
    """Cost of a token that is computed, by that of one that is computed or found."""
    return usd_per_input_token * workload.prompt_tokens / workload.read_tokens


def cache_costs(served: PricedDeployment, at_work: Operating) -> tuple[tuple[CacheCost, ...], tuple[str, ...]]:
    """Costs of keeping a prompt for five minutes and for an hour; and notes on why not, where it cannot be said.

    Args:
        served: deployment, workload and prices of what is served.
        at_work: operating point at which the chips are full; of two pools a search finds the layout anew.
    """
    workload = served.workload
    layout = None if served.pools != 1 else Layout.from_text(at_work.layout)
    asked = CacheAsked(
        deployment=served.deployment,
        context_tokens=round(workload.prompt_tokens),
        output_tokens=round(workload.output_tokens),
        hold_s=FIVE_MINUTES_S,
        reuse=1.0,
        layout=layout,
        chips=served.chips if layout is None else layout.chips,
        usd_per_chip_s=served.usd_per_chip_s,
        devices=storage_devices(),
        tiers=(),
        owned=Ownership(electricity_usd_per_j=served.electricity_usd_per_j or 0.0),
        ttft_s=None,
        pools=1,
        margin_fraction=0.0,
    )
    try:
        found = cache(asked).prices
    except RidgelineError as error:
        return (), (f"no costs of caches: {error}",)
    costs = tuple(
        CacheCost(
            held_s=one.held_s,
            tier=one.tier,
            keep_usd_per_token=one.usd_per_token - found.input_usd_per_token,
            hit_usd_per_token=one.hit_usd_per_token,
            hold_usd_per_token_s=one.storage_usd_per_token_s,
        )
        for one in found.written
        if one.held_s in {FIVE_MINUTES_S, HOUR_S}
    )
    return costs, ()


def mode_costs(
    served: PricedDeployment, at_work: Operating, stack: Stack, *, fast_speed_ratio: float, told: Progress
) -> Modes:
    """Costs of tokens in the batch, flexible and fast modes.

    A batch has no limit on its latency, and like the flexible mode it runs in hours that would be idle. Both pay only
    for chips that work or wait for others, and for failed work. The fast mode makes tokens ``fast_speed_ratio`` times
    as fast, and 50 a second at least.

    Args:
        served: deployment, workload and prices of what is served.
        at_work: operating point at which the chips are full.
        stack: cost of a token in the plain mode, whose idle hours a fast request pays for as well.
        fast_speed_ratio: output tokens a second of the fast mode over those of the plain one.
        told: callback that takes the number of further searches that are done.
    """
    workload, costs, notes = served.workload, {}, []
    filling = (1 / (1 - stack.lost_fraction),) * 2
    hurried = stack.over_paid(at_work, workload)

    def add(mode: str, point: Operating, over_paid: InOut) -> None:
        over_work = point.over_work(over_paid, workload)
        costs[f"{mode}_input"] = point.input_cost(served.rents).times(per_read_token(over_work[0], workload))
        costs[f"{mode}_output"] = point.output_cost(served.rents).times(over_work[1])

    def point_of(tpot_s: float | None, ttft_s: float | None) -> Operating:
        limits = dataclasses.replace(workload, tpot_s=tpot_s, ttft_s=ttft_s)
        told(1)
        return operating(dataclasses.replace(served, workload=limits), is_brief=True)

    add("flex", at_work, filling)
    free = at_work if workload.tpot_s is None and workload.ttft_s is None else point_of(None, None)
    # What saves no more than a model of time can tell would part input and output in another way, and nothing else.
    saves = free.usd_per_request(workload) < (1 - WORTH_WAITING_FOR) * at_work.usd_per_request(workload)
    add("batch", free if saves else at_work, filling)
    limit_s = min(at_work.tpot_s / fast_speed_ratio, FAST_TPOT_S)
    fast = None
    if at_work.fastest_tpot_s <= limit_s:
        with suppress(UnservedError):
            fast = point_of(limit_s, workload.ttft_s)
    if fast is None:
        notes.append(
            f"no fast mode: nothing makes a token in {format_quantity(limit_s, 's')}, {fast_speed_ratio:g} times as"
            " fast and 50 a second at least; another machine or --chips may"
        )
    else:
        add("fast", fast, hurried)
    fast_tpot_s = None if fast is None else fast.tpot_s
    return Modes(costs=costs, fast_tpot_s=fast_tpot_s, notes=tuple(notes))
