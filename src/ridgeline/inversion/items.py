"""What else a price list sells costs: caches, long prompts, and batch, flexible and fast modes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ridgeline.caching.cache import Asked as CacheAsked
from ridgeline.caching.cache import cache
from ridgeline.caching.provider_prices import FIVE_MINUTES_S, HOUR_S
from ridgeline.caching.tiers import Ownership
from ridgeline.catalog.storage import storage_devices
from ridgeline.errors import RidgelineError
from ridgeline.inversion.operating import Operating, Served, operating
from ridgeline.inversion.stack import Stack
from ridgeline.specs.workload import Workload

__all__ = ["CacheCost", "Modes", "cache_costs", "mode_costs", "per_read_token"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheCost:
    """A token that is kept for a time and found again.

    Attributes:
        held_s: for which it is kept.
        tier: the cheapest to keep it in for that long.
        keep_usd_per_token: of writing and keeping it, beside reading it.
        hit_usd_per_token: of bringing it back.
        hold_usd_per_token_s: of keeping it for a second.
    """

    held_s: float
    tier: str
    keep_usd_per_token: float
    hit_usd_per_token: float
    hold_usd_per_token_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Modes:
    """Costs of tokens in other modes than the plain one, dollars; and what could not be served, with the reason.

    Attributes:
        usd_per_token: by mode and kind: "batch_input", "fast_output", "input_above".
        long_prompt_tokens: of the prompts of ``input_above``.
        fast_tpot_s: time per output token of the fast mode; None where nothing is as fast.
        notes: what is left out, and why.
    """

    usd_per_token: dict[str, float]
    long_prompt_tokens: int
    fast_tpot_s: float | None
    notes: tuple[str, ...]


def per_read_token(usd_per_input_token: float, workload: Workload) -> float:
    """Cost of a token that is computed, by that of one that is computed or found."""
    return usd_per_input_token * workload.prompt_tokens / workload.read_tokens


def cache_costs(served: Served, at_work: Operating) -> tuple[tuple[CacheCost, ...], tuple[str, ...]]:
    """What keeping a prompt for five minutes and for an hour costs; and why not, where it cannot be said.

    Args:
        served: what is asked.
        at_work: where the deployment runs; of two pools a search finds the layout anew.
    """
    workload = served.workload
    layout = None if served.pools > 1 else next(iter(served.layouts), None)
    asked = CacheAsked(
        deployment=served.deployment,
        context_tokens=round(workload.prompt_tokens),
        output_tokens=round(workload.output_tokens),
        hold_s=FIVE_MINUTES_S,
        reuse=1.0,
        layout=layout,
        chips=served.chips,
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
    served: Served, at_work: Operating, stack: Stack, *, fast_speed_ratio: float, long_prompt_tokens: int
) -> Modes:
    """What tokens cost in other modes.

    A batch has no limit on its latency, and like the flexible mode it runs in hours that would be idle, so that it pays
    for chips at work and for failed work alone. The fast mode makes tokens so many times as fast.

    Args:
        served: what is asked.
        at_work: where the deployment runs when its chips are full.
        stack: of the plain mode, whose idle hours a fast request and a long one pay for as well.
        fast_speed_ratio: output tokens a second of the fast mode over those of the plain one.
        long_prompt_tokens: of prompts beyond a step of the list.
    """
    workload, costs, notes = served.workload, {}, []
    filling = 1 / (1 - stack.lost_fraction)

    def add(mode: str, point: Operating, asked: Workload, over_work: float, *, is_after: bool = False) -> None:
        inputs = per_read_token(point.input_usd + point.input_electricity_usd, asked)
        kinds = {"input": inputs, "output": point.output_usd + point.output_electricity_usd}
        for kind, usd in kinds.items():
            costs[f"{kind}_{mode}" if is_after else f"{mode}_{kind}"] = usd * over_work

    free = dataclasses.replace(workload, tpot_s=None, ttft_s=None)
    add("flex", at_work, workload, filling)
    add("batch", at_work if free == workload else operating(dataclasses.replace(served, workload=free)), free, filling)
    hurried = dataclasses.replace(workload, tpot_s=at_work.tpot_s / fast_speed_ratio)
    fast_tpot_s = None
    try:
        fast = operating(dataclasses.replace(served, workload=hurried))
        add("fast", fast, hurried, stack.over_work)
        fast_tpot_s = fast.tpot_s
    except RidgelineError:
        notes.append(f"nothing makes tokens {fast_speed_ratio:g} times as fast; another machine or --chips may")
    # A longer prompt may take longer to its first token.
    longer = dataclasses.replace(workload, prompt_tokens=long_prompt_tokens, ttft_s=None)
    try:
        add("above", operating(dataclasses.replace(served, workload=longer)), longer, stack.over_work, is_after=True)
    except RidgelineError as error:
        notes.append(f"no costs of prompts of {long_prompt_tokens:,} tokens: {error}")
    return Modes(
        usd_per_token=costs, long_prompt_tokens=long_prompt_tokens, fast_tpot_s=fast_tpot_s, notes=tuple(notes)
    )
