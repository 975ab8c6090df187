"""Cheaper ways than the best plan of one pool to serve the same: two pools, prompts together, drafts, 8 bits."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TypedDict

from ridgeline.catalog.engine_flags import flags_of
from ridgeline.catalog.engine_options import OptionFact, options_of, run_with
from ridgeline.planner.compare import asked_against
from ridgeline.planner.formats import in_eight_bits
from ridgeline.planner.outcome import Plan, Planning
from ridgeline.planner.plan import plan
from ridgeline.planner.two_pools.compare import cost_of, stages_of
from ridgeline.planner.two_pools.outcome import TwoPoolPlan
from ridgeline.planner.two_pools.search import plan_two_pools
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine_options import EngineOptions
from ridgeline.specs.speculation import NO_SPECULATION, Speculation
from ridgeline.specs.workload import Workload

__all__ = ["CheaperWay", "cheaper_ways"]

WORTH_NAMING = 1.05
"""Times the cost from which on another way is named: the models of both differ by a few percent themselves."""

SAME_WORK = 1 / WORTH_NAMING
"""Part of the plan's requests/s, and of the part of an answer's time in which its tokens are written, below which
another way does not do the plan's work: less of a difference is no more than that of the models."""

STEPS_BETWEEN_PROMPTS = 16
"""Decode steps between prompts that are tried; of DeepSeek-V3 on an NVL72 8 cost half as much again, 32 the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheaperWay:
    """Another way to serve a workload, with what it costs.

    Attributes:
        name: plain name, such as "two pools".
        option: command-line option that asks for it.
        plan: best plan of it that does the same work.
        times_cheaper: cost of a request by the plan that it is held against, idle chips paid, over its own.
        cautions: clauses on what stands between it and a server: a release without its flag, no measurement, first
            tokens that come later.
    """

    name: str
    option: str
    plan: Plan | TwoPoolPlan
    times_cheaper: float
    cautions: tuple[str, ...] = ()


def cheaper_ways(
    deployment: Deployment,
    workload: Workload,
    found: Planning,
    *,
    chips: int | None = None,
    weights: str | None = None,
    usd_per_chip_s: float | None = None,
    drafted: Speculation = NO_SPECULATION,
) -> list[CheaperWay]:
    """Ways that cost less than the best plan of one pool; none where nothing serves.

    A way has to do the same work: to answer the users' requests about as fast as the plan, and to spend about as large
    a part of an answer's time on writing tokens, rather than on waiting for the first (``SAME_WORK``).

    Args:
        deployment: deployment that was planned; its layout does not matter.
        workload: lengths of requests and limits on their latency.
        found: plans of one pool.
        chips: budget that was asked for, whose idle chips are paid; left out, that of the plans, or what the load or
            the power takes.
        weights: name of the number format that weights were asked for in.
        usd_per_chip_s: price of a chip, $/s; left out, the catalog's.
        drafted: drafts that the model is published with, where it is known how many are accepted.
    """
    if not found.plans or found.demand.batch is not None:
        return []
    demand = found.demand
    if chips is None and not demand.has_load and demand.site_power_w is None:
        chips = found.chips
    first = found.plans[0]
    budget: _Budget = {"chips": chips, "demand": demand, "usd_per_chip_s": usd_per_chip_s}
    pools = plan_two_pools([deployment], [deployment], workload, weights=weights, is_brief=True, **budget)
    search = partial(plan, is_brief=True, **budget)
    tried = (
        (("two pools", "--pools 2", pools.plans, ()),),
        _of_one_pool(search, deployment, workload, found, weights=weights, drafted=drafted),
    )
    ways = []
    for name, option, plans, cautions in chain.from_iterable(tried):
        for best in plans:
            of_request = cost_of(first, has_load=False) / cost_of(best, has_load=False)
            of_load = cost_of(first, has_load=demand.has_load) / cost_of(best, has_load=demand.has_load)
            least = max(WORTH_NAMING, 1 + asked_against(stages_of(best), stages_of(first)))
            if of_load < least:  # those that follow save hardly more than their stages ask
                break
            if of_request >= least and _does_same_work(best, first, workload, demand):
                told = (*cautions, *_late_first_token(best, first, demand))
                ways.append(CheaperWay(name=name, option=option, plan=best, times_cheaper=of_request, cautions=told))
                break
    return ways


def _does_same_work(best: Plan | TwoPoolPlan, first: Plan, workload: Workload, demand: Demand) -> bool:
    """Whether a way answers about as many requests of the users, and waits for about as small a part of an answer."""
    if demand.users is not None and best.requests_per_s < SAME_WORK * first.requests_per_s:
        return False
    mine, theirs = (_written_fraction(one, workload, demand) for one in (best, first))
    return mine >= SAME_WORK * theirs


def _written_fraction(one: Plan | TwoPoolPlan, workload: Workload, demand: Demand) -> float:
    """Part of an answer's time in which its tokens are written; in the rest it waits for the first.

    Without a load the time is that of a full batch, by Little's law; of two pools it then has no queue.
    """
    tokens_s = workload.output_tokens * one.tpot_s
    if demand.has_load or not isinstance(one, Plan):
        return tokens_s / (tokens_s + one.ttft_s)
    return tokens_s / (one.replicas * one.batch / one.requests_per_s)


class _Budget(TypedDict):
    """Chips, load and price of all ways alike."""

    chips: int | None
    demand: Demand
    usd_per_chip_s: float | None


Way = tuple[str, str, Sequence[Plan] | Sequence[TwoPoolPlan], tuple[str, ...]]
"""Name, option, plans, the best first, and cautions of a way, whatever it costs."""


def _of_one_pool(
    search: Callable[..., Planning],
    deployment: Deployment,
    workload: Workload,
    found: Planning,
    *,
    weights: str | None,
    drafted: Speculation,
) -> Iterator[Way]:
    """Plans of one pool with prompts read together, with drafts, and with weights in 8 bits."""
    aligned = _aligned(deployment)
    if aligned is not None and any(one.layout.dp > 1 for one in found.front):
        option, together, cautions = aligned
        yield "prompts read together", option, search(together, workload, weights=weights).plans, cautions
    if drafted:
        plans = search(deployment, workload, weights=weights, speculations=(drafted,)).plans
        counted_on = f"it counts on {drafted.accepted_tokens:.3g} tokens a step (ridgeline catalog acceptance)"
        cautions = (counted_on, "with drafts no load was measured")
        yield "a token drafted by the model's own layer", f"--speculate {drafted}", plans, cautions
    narrow = in_eight_bits(deployment) if weights is None else None
    if narrow is not None:
        name, in_eight = narrow
        plans = search(in_eight, workload, weights=name).plans
        yield f"weights in {name}, whose answers may differ", f"--weights {name}", plans, ()


def _late_first_token(best: Plan | TwoPoolPlan, held: Plan, demand: Demand) -> tuple[str, ...]:
    """Caution on a first token that comes later than the plan's would at the upper end of its interval."""
    if best.ttft_s <= held.ttft_high_s:
        return ()
    late, early = (format_quantity(one.ttft_s, "s") for one in (best, held))
    where = "" if demand.has_load else " in an idle system"
    return (f"first token after {late}{where}, not {early}",)


def _aligned(deployment: Deployment) -> tuple[str, Deployment, tuple[str, ...]] | None:
    """The option by which all groups start prompts together, the deployment so, and cautions; None without one."""
    engine = deployment.engine
    named = ((name, fact) for name, fact in options_of(engine.name).items() if fact.sets == "aligned_prompt_steps")
    name, fact = next(named, (None, None))
    if name is None or fact is None or engine.options.aligned_prompt_steps is not None:
        return None
    together = run_with(engine, EngineOptions(aligned_prompt_steps=STEPS_BETWEEN_PROMPTS))
    is_new = len(together.options.unmeasured) > len(engine.options.unmeasured)
    cautions = (*_unflagged(engine.name, fact), *(("no load was measured so",) if is_new else ()))
    return (
        f"--engine-option {name}={STEPS_BETWEEN_PROMPTS}",
        dataclasses.replace(deployment, engine=together),
        cautions,
    )


def _unflagged(engine: str, fact: OptionFact) -> tuple[str, ...]:
    """Caution on an option that the release whose flags are known cannot be started with; none where it can."""
    flags = flags_of(engine)
    if any(flag.sets == fact.sets for flag in flags.flags.values()):
        return ()
    return (f"{engine} {flags.version} has no flag for it, so that it takes a later release and your own launch line",)
