"""Costs against a price list: the margin of each line and of a mix of traffic, and the load that pays for own chips."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ridgeline.catalog.quote import Prices, Quote
from ridgeline.catalog.sold_models import sold_model
from ridgeline.equations import pricing
from ridgeline.inversion.operating import Operating, PricedDeployment, Unit
from ridgeline.inversion.stack import Stack
from ridgeline.seconds import DAY_S
from ridgeline.specs.model import Model

__all__ = ["HIT_FRACTIONS", "Against", "BreakEven", "HitCost", "Line", "MixPoint", "against", "of_another_model"]

HIT_FRACTIONS = (0.0, 0.25, 0.5, 0.75, 0.9)
"""Hit rates of the curve, each with a plan of its own; no published service reports a higher one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a list.

    Attributes:
        name: line of the list.
        usd_per_token: price that the list asks.
        cost_usd_per_token: cost of serving a token of the line, dollars.
        margin_fraction: fraction of the price that is not cost; below 0 where it does not cover it.
        price_over_cost: price over cost of the line.
    """

    name: str
    usd_per_token: float
    cost_usd_per_token: float
    margin_fraction: float
    price_over_cost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HitCost:
    """Costs of tokens at one hit rate, by the plan for that hit rate.

    Attributes:
        hit_fraction: part of the input that is found in the cache.
        read_usd: cost of an input token that is computed.
        output_usd: cost of an output token.
    """

    hit_fraction: float
    read_usd: float
    output_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MixPoint:
    """The workload's requests with a part of their input found in the cache.

    Attributes:
        hit_fraction: part of the input that is found in the cache.
        usd_per_request: price of a request by the list, dollars.
        cost_usd_per_request: cost of serving a request, dollars.
        margin_fraction: fraction of the price that is not cost.
    """

    hit_fraction: float
    usd_per_request: float
    cost_usd_per_request: float
    margin_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEven:
    """Load above which own chips cost less than paying by the token.

    Attributes:
        tokens_per_day: tokens a day, input and output together, from which own chips cost less; None where they never
            do.
        layout: layout that is rented for it; where own chips never cost less, the cheapest way to serve.
        chips: chips that the layout takes.
        usd_per_day: rent of these chips for a day.
        most_tokens_per_day: most tokens a day that they serve, with the day's idle hours.
        own_usd_per_token: cost of a token on these chips at that most, dollars.
        paid_usd_per_token: price of a token of the mix by the list, dollars.
    """

    tokens_per_day: float | None
    layout: str
    chips: int
    usd_per_day: float
    most_tokens_per_day: float
    own_usd_per_token: float
    paid_usd_per_token: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """A price list beside what serving costs.

    Attributes:
        listing: provider and model of the list.
        time: hour of the prices, UTC.
        source: source of the prices.
        sold_model: catalog id of the model that the listing sells; None where the catalog has none of its name.
        lines: lines of the list whose cost is known.
        mix: the workload at its own hit rate.
        bills_hits_in_full: whether a found token is billed as any other.
        curve: workload at other hit rates, each by the plan for it; those at which limits on latency hold.
        break_even: load from which own chips cost less than paying by the token.
    """

    listing: str
    time: str
    source: str
    sold_model: str | None
    lines: tuple[Line, ...]
    mix: MixPoint
    bills_hits_in_full: bool
    curve: tuple[MixPoint, ...]
    break_even: BreakEven


def of_another_model(listing: str, model: Model) -> str:
    """Sentence that a listing sells another model than the one that is served; empty where it is known to sell it."""
    sold = sold_model(listing)
    if sold == model.id:
        return ""
    if sold is not None:
        return f"{listing} sells {sold}, and not {model.name}: prices and costs are those of two models"
    return f"{listing} is not known to be {model.name}: unless it is, prices and costs are those of two models"


def against(
    quote: Quote,
    costs: Mapping[str, float],
    served: PricedDeployment,
    at_work: Operating,
    stack: Stack,
    *,
    by_hits: Sequence[HitCost],
    utilisation_fraction: float,
    long_prompt_tokens: int | None,
) -> Against:
    """Compare costs with a list.

    Args:
        quote: the price list.
        costs: cost of a token by line of the list, dollars.
        served: deployment, workload and prices of what is served.
        at_work: operating point at which the chips are full.
        stack: cost of a token there, part by part.
        by_hits: costs by the fraction of the input that is found.
        utilisation_fraction: the day's mean load over its most.
        long_prompt_tokens: tokens of the prompts whose costs are those "above"; None without any.
    """
    asked = quote.at(served.workload.prompt_tokens)
    own = HitCost(hit_fraction=served.workload.hit_fraction, read_usd=costs["input"], output_usd=costs["output"])
    mix = _mix(asked, costs, served, own)
    return Against(
        listing=quote.id,
        time=quote.time.isoformat(),
        source=quote.source,
        sold_model=sold_model(quote.id),
        lines=tuple(
            _line(name, usd, costs[name])
            for name, usd in _listed(quote, asked, long_prompt_tokens).items()
            if name in costs
        ),
        mix=mix,
        bills_hits_in_full=asked.cache_read is None,
        curve=tuple(_mix(asked, costs, served, one) for one in by_hits) or (mix,),
        break_even=_break_even(mix.usd_per_request, served, at_work, stack, utilisation_fraction),
    )


def _line(name: str, usd: float, cost_usd: float) -> Line:
    return Line(
        name=name,
        usd_per_token=usd,
        cost_usd_per_token=cost_usd,
        margin_fraction=float(pricing.margin_fraction(price_usd=usd, cost_usd=cost_usd)),
        price_over_cost=usd / cost_usd if cost_usd else math.inf,
    )


def _listed(quote: Quote, asked: Prices, long_prompt_tokens: int | None) -> dict[str, float]:
    """Prices of a list by line."""
    found = {
        "input": asked.input,
        "cached_input": asked.cache_read,
        "cache_write_5min": asked.cache_write,
        "cache_write_1h": asked.cache_write_1h,
        "output": asked.output,
    }
    for mode, prices in quote.modes.items():
        found |= {f"{mode}_input": prices.input, f"{mode}_output": prices.output}
    if long_prompt_tokens is not None:
        above = quote.at(long_prompt_tokens)
        found |= {"input_above": above.input, "output_above": above.output}
    return {name: usd for name, usd in found.items() if usd is not None}


def _mix(asked: Prices, costs: Mapping[str, float], served: PricedDeployment, at: HitCost) -> MixPoint:
    """A request of the workload's lengths at a hit rate.

    Where a list has no price for a found token, it bills it as any other; where it sells cache writes, each computed
    token is billed as written. Where tokens are found, those that are computed are also kept in the cache.
    """
    workload = served.workload
    request = partial(
        pricing.mixed_usd_per_request,
        input_tokens=workload.prompt_tokens,
        output_tokens=workload.output_tokens,
        hit_fraction=at.hit_fraction,
    )
    is_kept = at.hit_fraction > 0
    keep_usd = costs.get("cache_write_5min", costs["input"]) - costs["input"]
    price = request(
        usd_per_input_token=asked.cache_write if is_kept and asked.cache_write is not None else asked.input,
        usd_per_cached_token=asked.input if asked.cache_read is None else asked.cache_read,
        usd_per_output_token=asked.output,
    )
    cost = request(
        usd_per_input_token=at.read_usd + (keep_usd if is_kept else 0.0),
        usd_per_cached_token=costs.get("cached_input", 0.0),
        usd_per_output_token=at.output_usd,
    )
    return MixPoint(
        hit_fraction=at.hit_fraction,
        usd_per_request=float(price),
        cost_usd_per_request=float(cost),
        margin_fraction=float(pricing.margin_fraction(price_usd=price, cost_usd=cost)),
    )


def _break_even(
    usd_per_request: float, served: PricedDeployment, at_work: Operating, stack: Stack, utilisation_fraction: float
) -> BreakEven:
    """The least load that any way to serve pays for, if that way can serve it at the day's peak."""
    tokens = served.workload.prompt_tokens + served.workload.output_tokens
    serving = utilisation_fraction * (1 - stack.lost_fraction)
    # Electricity is paid for what is served, and not all day.
    drawn = at_work.input_electricity_usd * served.workload.prompt_tokens
    drawn += at_work.output_electricity_usd * served.workload.output_tokens
    saved = usd_per_request - drawn
    found: tuple[float, Unit] | None = None
    for unit in at_work.units:
        usd_per_s = unit.chips * served.usd_per_chip_s
        needed = float(pricing.break_even_requests_per_s(usd_per_s=usd_per_s, usd_per_request=saved))
        if 0 < needed <= unit.requests_per_s * serving and (found is None or needed < found[0]):
            found = needed, unit
    unit = at_work.units[0] if found is None else found[1]
    most = unit.requests_per_s * serving * tokens
    rent = unit.chips * served.usd_per_chip_s
    return BreakEven(
        tokens_per_day=None if found is None else found[0] * tokens * DAY_S,
        layout=unit.layout,
        chips=unit.chips,
        usd_per_day=rent * DAY_S,
        most_tokens_per_day=most * DAY_S,
        own_usd_per_token=rent / most + drawn / tokens,
        paid_usd_per_token=usd_per_request / tokens,
    )
