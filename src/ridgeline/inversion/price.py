"""What serving a model costs, line by line of a price list, and what lists ask beside it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ridgeline.catalog.fast_modes import fast_modes
from ridgeline.catalog.quotes import Quote
from ridgeline.errors import RidgelineError
from ridgeline.inversion.against import HIT_FRACTIONS, Against, HitCost, against
from ridgeline.inversion.items import CacheCost, cache_costs, mode_costs, per_read_token
from ridgeline.inversion.operating import Operating, Served, operating
from ridgeline.inversion.stack import Part, Stack, stack_of
from ridgeline.specs.demand import Demand

__all__ = ["DEEPSEEKS_DAY", "LONG_PROMPT_TOKENS", "Pricing", "fast_speed_ratio", "price"]

DEEPSEEKS_DAY = 226.75 / 278
"""Mean nodes over the most nodes of a day: open-infra-index, day 6 (2025-03-01). The one day that is published."""

LONG_PROMPT_TOKENS = 200_000
"""Where Google's and xAI's lists step; OpenAI's do at 272,000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pricing:
    """Costs of tokens, and price lists beside them.

    Attributes:
        served: what is served, where, and at what price of a chip.
        price_label: where the price of a chip comes from.
        operating: where the deployment runs when its chips are full.
        stack: cost of a token of a prompt, computed or found, and of an answer, part by part.
        usd_per_token: by line of a list. ``input`` is of a token that is computed, ``input_with_hits`` of any.
        caches: tokens that are kept for five minutes and for an hour.
        utilisation_fraction: the day's mean load over its most.
        lost_fraction: part of the work that failures take.
        long_prompt_tokens: of the prompts of ``input_above`` and ``output_above``.
        fast_tpot_s: time per output token of the fast mode; None where nothing is as fast.
        against: lists beside the costs.
        notes: departures and omissions.
    """

    served: Served
    price_label: str
    operating: Operating
    stack: tuple[Part, ...]
    usd_per_token: dict[str, float]
    caches: tuple[CacheCost, ...]
    utilisation_fraction: float
    lost_fraction: float
    long_prompt_tokens: int
    fast_tpot_s: float | None
    against: tuple[Against, ...]
    notes: tuple[str, ...]


def fast_speed_ratio() -> float:
    """How much faster the fastest mode that is sold is."""
    return max(one.speed_ratio for one in fast_modes().values())


def price(
    served: Served,
    *,
    price_label: str,
    utilisation_fraction: float | None,
    requests_per_s: float | None,
    quotes: tuple[Quote, ...],
) -> Pricing:
    """What serving costs, line by line.

    Args:
        served: what is served, where, and at what price of a chip.
        price_label: where that price comes from.
        utilisation_fraction: the day's mean load over its most; None for that of DeepSeek's day.
        requests_per_s: the load, which idle chips keep the limits of; None to leave them out.
        quotes: lists to hold against the costs.

    Raises:
        RidgelineError: nothing serves it, or a number is refused; says what to give instead.
    """
    utilisation = DEEPSEEKS_DAY if utilisation_fraction is None else utilisation_fraction
    if not 0 < utilisation <= 1:
        raise RidgelineError(f"price: --utilisation {utilisation:g} must be above 0 and at most 1; write 0.6 or 60%")
    at_work = operating(served)
    loaded = None if requests_per_s is None else operating(served, Demand(requests_per_s=requests_per_s))
    why = "as asked" if utilisation_fraction is not None else "as of DeepSeek's day, 226.75 nodes of 278 on the mean"
    stack = stack_of(
        at_work,
        served,
        loaded=loaded,
        utilisation_fraction=utilisation,
        utilisation_why=why,
    )
    long_prompt = _long_prompt(served, quotes)
    modes = mode_costs(served, at_work, stack, fast_speed_ratio=fast_speed_ratio(), long_prompt_tokens=long_prompt)
    caches, unkept = cache_costs(served, at_work)
    read_usd = per_read_token(stack.usd_per_input_token, served.workload)
    costs = {
        "input": read_usd,
        "input_with_hits": stack.usd_per_input_token,
        **_of_caches(caches, read_usd),
        "output": stack.usd_per_output_token,
        **modes.usd_per_token,
    }
    by_hits = _by_hits(served, stack) if quotes else ()
    return Pricing(
        served=served,
        price_label=price_label,
        operating=at_work,
        stack=stack.parts,
        usd_per_token=costs,
        caches=caches,
        utilisation_fraction=utilisation,
        lost_fraction=stack.lost_fraction,
        long_prompt_tokens=long_prompt,
        fast_tpot_s=modes.fast_tpot_s,
        against=tuple(
            against(
                one,
                costs,
                served,
                at_work,
                stack,
                by_hits=by_hits,
                utilisation_fraction=utilisation,
                long_prompt_tokens=long_prompt,
            )
            for one in quotes
        ),
        notes=(*modes.notes, *unkept, *at_work.notes),
    )


def _by_hits(served: Served, stack: Stack) -> tuple[HitCost, ...]:
    """Costs by the part of the input that is found, each by the plan for it; idle hours and the rest come on top.

    Where so few are found that limits on latency do not hold, there is no plan and no point.
    """
    found = []
    for hit in HIT_FRACTIONS:
        workload = dataclasses.replace(served.workload, hit_fraction=hit)
        try:
            at = operating(dataclasses.replace(served, workload=workload))
        except RidgelineError:
            continue
        found.append(
            HitCost(
                hit_fraction=hit,
                read_usd=stack.over_work * per_read_token(at.input_usd + at.input_electricity_usd, workload),
                output_usd=stack.over_work * (at.output_usd + at.output_electricity_usd),
            )
        )
    return tuple(found)


def _of_caches(caches: tuple[CacheCost, ...], read_usd: float) -> dict[str, float]:
    """A token found after five minutes, and those that are written to be kept."""
    if not caches:
        return {}
    short, *_, long = caches
    return {
        "cached_input": short.hit_usd_per_token,
        "cache_write_5min": read_usd + short.keep_usd_per_token,
        "cache_write_1h": read_usd + long.keep_usd_per_token,
    }


def _long_prompt(served: Served, quotes: tuple[Quote, ...]) -> int:
    """Beyond the first step of the lists, as far as the model goes."""
    steps = [cliff.threshold_tokens for one in quotes for cliff in one.cliffs[:1]]
    most = served.deployment.model.max_context_tokens
    asked = round(max(steps)) + 1 if steps else LONG_PROMPT_TOKENS
    return asked if most is None else min(asked, round(most - served.workload.output_tokens))
