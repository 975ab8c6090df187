"""Cost of serving a model, line by line of a price list, with published lists beside it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ridgeline.callbacks import Progress, no_progress
from ridgeline.catalog.quote import Quote
from ridgeline.errors import RidgelineError
from ridgeline.inversion.against import HIT_FRACTIONS, Against, HitCost, against, of_another_model
from ridgeline.inversion.items import CacheCost, cache_costs, mode_costs, per_read_token
from ridgeline.inversion.load import Load, load_of
from ridgeline.inversion.long_prompts import LongPrompts, long_prompts
from ridgeline.inversion.operating import Operating, PricedDeployment
from ridgeline.inversion.pools import cheaper, run_of
from ridgeline.inversion.promises import comparable, fast_speed_ratio
from ridgeline.inversion.spread import Cost, cost_of
from ridgeline.inversion.stack import Part, Stack, stack_of

__all__ = ["DEEPSEEKS_DAY", "LONG_PROMPT_TOKENS", "Pricing", "price", "searches"]

DEEPSEEKS_DAY = 226.75 / 278
"""Mean nodes over the most nodes of a day: open-infra-index, day 6 (2025-03-01). The one day that is published."""

LONG_PROMPT_TOKENS = 200_000
"""Prompt tokens at which Google's and xAI's lists step; OpenAI's do at 272,000."""


FEW_CHIPS, WIDER = 16, 8
"""Chips of a domain, up to which an expert meets few tokens a step; providers spread theirs over eight such domains."""

FAR = 1.5
"""Ratio of cost between one pool and two from which the dearer is not tried again at other hit rates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pricing:
    """Costs of tokens, and price lists beside them.

    Attributes:
        served: deployment, workload and prices of what is served.
        price_label: source of the price of a chip.
        operating: operating point at which the chips are full.
        load: the load that was given, and where the deployment runs under it; None without one.
        stack: cost of a token of a prompt, computed or found, and of an answer, part by part.
        costs: costs by line of a list, with their ends. ``input`` is of a token that is computed, ``input_with_hits``
            of any.
        usd_per_request: cost of a request of the workload's lengths and hits, dollars.
        caches: costs of tokens that are kept for five minutes and for an hour.
        utilisation_fraction: the day's mean load over its most.
        lost_fraction: fraction of the work that failures take.
        long_prompts: costs behind ``input_above`` and ``output_above``; None where there are none, or no room for one.
        fast_tpot_s: time per output token of the fast mode; None where nothing is as fast.
        against: price lists beside the costs.
        notes: departures and omissions of the plan.
    """

    served: PricedDeployment
    price_label: str
    operating: Operating
    load: Load | None
    stack: tuple[Part, ...]
    costs: dict[str, Cost]
    usd_per_request: float
    caches: tuple[CacheCost, ...]
    utilisation_fraction: float
    lost_fraction: float
    long_prompts: LongPrompts | None
    fast_tpot_s: float | None
    against: tuple[Against, ...]
    notes: tuple[str, ...]

    @property
    def usd_per_token(self) -> dict[str, float]:
        """Costs without their ends."""
        return {name: one.usd for name, one in self.costs.items()}


def searches(quotes: int, *, has_load: bool) -> int:
    """Number of searches that a price takes, for a progress bar."""
    return 5 + has_load + (len(HIT_FRACTIONS) if quotes else 0)


def price(
    served: PricedDeployment,
    *,
    price_label: str,
    utilisation_fraction: float | None,
    requests_per_s: float | None,
    quotes: tuple[Quote, ...],
    told: Progress = no_progress,
) -> Pricing:
    """Compute the cost of serving, line by line of a price list.

    Args:
        served: deployment, workload and prices of what is served.
        price_label: source of the price of a chip.
        utilisation_fraction: the day's mean load over its most; None for that of DeepSeek's day.
        requests_per_s: the day's mean load, for whose most there are chips; None to leave idle ones out.
        quotes: price lists to compare with the costs.
        told: callback that takes the number of further searches that are done, of ``searches``.

    Raises:
        UnservedError: nothing serves it; says what comes nearest.
        RidgelineError: a number is refused; says what to give instead.
    """
    utilisation = DEEPSEEKS_DAY if utilisation_fraction is None else utilisation_fraction
    if not 0 < utilisation <= 1:
        raise RidgelineError(f"price: --utilisation {utilisation:g} must be above 0 and at most 1; write 0.6 or 60%")
    _require_context(served)
    most_requests_per_s = None if requests_per_s is None else requests_per_s / utilisation
    run = run_of(served, most_requests_per_s, told)
    served, at_work, loaded, load = run.served, run.at_work, run.loaded, None
    if requests_per_s is not None and loaded is not None:
        load = load_of(loaded, at_work, requests_per_s=requests_per_s, utilisation_fraction=utilisation)
    why = "as asked" if utilisation_fraction is not None else "as of DeepSeek's day, 226.75 nodes of 278 on the mean"
    stack = stack_of(at_work, served, loaded=loaded, utilisation_fraction=utilisation, utilisation_why=why)
    modes = mode_costs(served, at_work, stack, fast_speed_ratio=fast_speed_ratio(quotes), told=told)
    caches, unkept = cache_costs(served, at_work)
    told(1)
    costs = _plain(served, at_work, stack) | modes.costs
    costs |= _of_caches(caches, costs["input"])
    longer, unread = _long(served, at_work, stack, costs["input"], quotes)
    told(1)
    if longer is not None:
        costs |= {"input_above": longer.input, "output_above": longer.output}
    usd = {name: one.usd for name, one in costs.items()}
    by_hits = _by_hits(run.asked, served, at_work, stack, told) if quotes else ()
    shown, unpromised = comparable(quotes, fast_speed_ratio(quotes))
    workload = served.workload
    return Pricing(
        served=served,
        price_label=price_label,
        operating=at_work,
        load=load,
        stack=stack.parts,
        costs=costs,
        usd_per_request=workload.prompt_tokens * usd["input_with_hits"] + workload.output_tokens * usd["output"],
        caches=caches,
        utilisation_fraction=utilisation,
        lost_fraction=stack.lost_fraction,
        long_prompts=longer,
        fast_tpot_s=modes.fast_tpot_s,
        against=tuple(
            against(
                one,
                usd,
                served,
                at_work,
                stack,
                by_hits=by_hits,
                utilisation_fraction=utilisation,
                long_prompt_tokens=None if longer is None else longer.prompt_tokens,
            )
            for one in shown
        ),
        notes=(
            *filter(None, (of_another_model(one.id, served.deployment.model) for one in quotes)),
            *(f"{one.id}: {note}" for one in quotes for note in one.notes),
            *unread,
            *unpromised,
            *_wider(served),
            *modes.notes,
            *unkept,
            *at_work.notes,
        ),
    )


def _require_context(served: PricedDeployment) -> None:
    """Refuse requests that are longer than the model takes."""
    most = served.deployment.model.max_context_tokens
    workload = served.workload
    asked = workload.prompt_tokens + workload.output_tokens
    if most is not None and asked > most:
        raise RidgelineError(
            f"price: --prompt {workload.prompt_tokens:,.0f} and --output {workload.output_tokens:,.0f} are"
            f" {asked:,.0f} tokens, and {served.deployment.model.name} is made for {most:,.0f}; write --prompt"
            f" {max(most - workload.output_tokens, 1):,.0f} or less, or name another model"
        )


def _wider(served: PricedDeployment) -> tuple[str, ...]:
    """Note that more chips may cost less a token, where experts have one small domain and no number was asked for."""
    chips = served.deployment.machine.scale_up_chips
    if served.chips is not None or not served.deployment.model.is_routed or chips > FEW_CHIPS:
        return ()
    return (f"experts on more chips may cost less a token: --chips {WIDER * chips} has {WIDER} domains, not one",)


def _plain(served: PricedDeployment, at_work: Operating, stack: Stack) -> dict[str, Cost]:
    """Tokens in and out of the plain mode, with all parts of the stack; idle chips cost their rent alone."""
    electricity = at_work.input_electricity_usd, at_work.output_electricity_usd
    ends = at_work.input_cost((1.0, 1.0)), at_work.output_cost((1.0, 1.0))
    wholes = stack.usd_per_input_token, stack.usd_per_output_token
    inputs, outputs = (
        cost_of(
            whole - joules,
            joules,
            times=(one.low_usd / one.usd, one.high_usd / one.usd),
            rents=served.rents,
        )
        for whole, joules, one in zip(wholes, electricity, ends, strict=True)
    )
    read = per_read_token(1.0, served.workload)
    return {"input": inputs.times(read), "input_with_hits": inputs, "output": outputs}


def _by_hits(
    asked: PricedDeployment, served: PricedDeployment, at_work: Operating, stack: Stack, told: Progress
) -> tuple[HitCost, ...]:
    """Costs by the fraction of the input that is found, each by its own plan; idle hours and the rest come on top.

    Where so few tokens are found that limits on latency do not hold, there is no plan and no point. Where pools are
    left open and their costs are close, one and two are compared anew for each.
    """
    ratio = at_work.otherwise_ratio
    searched = asked if ratio is not None and ratio < FAR else served
    found, over_paid = [], stack.over_paid(at_work, served.workload)
    for hit in HIT_FRACTIONS:
        workload = dataclasses.replace(served.workload, hit_fraction=hit)
        told(1)
        try:
            at = (
                at_work
                if hit == served.workload.hit_fraction
                else cheaper(dataclasses.replace(searched, workload=workload), is_brief=True)[1]
            )
        except RidgelineError:
            continue
        over_work = at.over_work(over_paid, workload)
        found.append(
            HitCost(
                hit_fraction=hit,
                read_usd=over_work[0] * per_read_token(at.input_usd + at.input_electricity_usd, workload),
                output_usd=over_work[1] * (at.output_usd + at.output_electricity_usd),
            )
        )
    return tuple(found)


def _of_caches(caches: tuple[CacheCost, ...], read: Cost) -> dict[str, Cost]:
    """A token found after five minutes, and those that are written to be kept; prices of memory are taken as they are.

    Reading a token back has no ends: its time was not compared with measurements.
    """
    if not caches:
        return {}
    short, *_, long = caches
    hit_usd = short.hit_usd_per_token
    return {
        "cached_input": Cost(usd=hit_usd, low_usd=hit_usd, high_usd=hit_usd),
        "cache_write_5min": read.times(1.0, beside_usd=short.keep_usd_per_token),
        "cache_write_1h": read.times(1.0, beside_usd=long.keep_usd_per_token),
    }


def _long(
    served: PricedDeployment, at_work: Operating, stack: Stack, plain: Cost, quotes: tuple[Quote, ...]
) -> tuple[LongPrompts | None, tuple[str, ...]]:
    """Prompts beyond the last of the lists' first steps, as far as the model goes; and what is to be said of that."""
    name, most = served.deployment.model.name, served.deployment.model.max_context_tokens
    steps = {one.id: one.cliffs[0].threshold_tokens for one in quotes if one.cliffs}
    asked = round(max(steps.values())) + 1 if steps else LONG_PROMPT_TOKENS
    tokens = asked if most is None else min(asked, round(most - served.workload.output_tokens))
    notes = [
        f"{listing} is dearer beyond {step:,.0f} tokens, and {name} goes no further than {most:,.0f}: long prompts are"
        " held against the price below that step"
        for listing, step in steps.items()
        if tokens <= step and most is not None
    ]
    if tokens <= served.workload.prompt_tokens:
        return None, ()
    found = long_prompts(served, at_work, stack, plain, prompt_tokens=tokens)
    if found is None:
        return None, (f"no costs of prompts of {tokens:,} tokens: no replica has room for one; give more --chips",)
    return found, tuple(notes)
