"""Search all layouts and batches for the cheapest ways to serve a workload, and explain why the others lose."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ridgeline.estimator.bounds import bounds_of
from ridgeline.estimator.deploy import require_timed
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.drafting import speculation_notes
from ridgeline.estimator.engine_support import engine_notes
from ridgeline.estimator.notes import STAGES_UNMEASURED, caveats, engine_note, options_notes
from ridgeline.glossary import require_in_range, require_whole
from ridgeline.planner.candidates import candidates, replica_budgets
from ridgeline.planner.choice import Choice, best_choices
from ridgeline.planner.details import plan_of
from ridgeline.planner.elasticities import CONTENDERS, elasticities, price_elasticities
from ridgeline.planner.formats import by_format, format_notes
from ridgeline.planner.front import front
from ridgeline.planner.left_out import left_out_note
from ridgeline.planner.order import in_order, of_each_layout
from ridgeline.planner.outcome import Constraint, Plan, Planning, Rejection
from ridgeline.planner.power import (
    chip_s_per_j,
    is_of_power,
    least_power_w,
    power_notes,
    require_power,
    usual_chips,
)
from ridgeline.planner.price import price_label, price_of, unpriced
from ridgeline.planner.ranked import Ranked
from ridgeline.planner.rejection import Candidate, rejection_of, require_decode
from ridgeline.planner.served import serve
from ridgeline.planner.why_not import why_not as verdict_on
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.correction import NO_CORRECTION, Correction
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine, is_ideal
from ridgeline.specs.layout import Layout
from ridgeline.specs.speculation import Speculation
from ridgeline.specs.workload import Workload

__all__ = ["DRAFTS_UNSTAGED", "plan", "uncorrected"]

DRAFTS_UNSTAGED = (
    "with a draft, layouts with pipeline stages are left out, since drafting beside them is not modelled: hold these"
    " plans against those without a draft that have no pp"
)
"""Note on every search with speculation: without it, drafts would seem harmful where stages serve best."""


def uncorrected(_layout: Layout) -> Correction:
    """Correction of a layout that was not measured."""
    return NO_CORRECTION


def plan(
    deployment: Deployment,
    workload: Workload,
    *,
    weights: str | None = None,
    chips: int | None = None,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
    usd_per_chip_s: float | None = None,
    why_not: Layout | None = None,
    corrected: Callable[[Layout], Correction] = uncorrected,
    speculations: Sequence[Speculation] = (),
    is_brief: bool = False,
) -> Planning:
    """Search layouts and batches for the cheapest ways to serve a workload in one pool.

    Args:
        deployment: model, machine and engine that serve; its layout does not matter.
        workload: lengths of requests and limits on their latency.
        weights: name of the requested number format of its layers' weights; "auto" searches all others that chip and
            engine have, too.
        chips: the budget, replicas included; left out, one scale-up domain, or as many as the load needs.
        demand: load to be served by as few chips as possible, batch that is asked for, and certainty with which limits
            are met.
        usd_per_chip_s: price of a chip, $/s; left out, the catalog's.
        why_not: a layout for which to state why it is not the plan.
        corrected: function from a layout to its correction by measurements.
        speculations: speculations to search, with or without ``NO_SPECULATION``; left out, the deployment's own.
        is_brief: whether elasticities, and layouts that the engine does not run, are left out: for one of many
            searches.

    Raises:
        RidgelineError: a number format is unknown, chips or price are out of range, or there is nothing to decode.
    """
    model, machine, engine = deployment.model, deployment.machine, deployment.engine
    # A load determines the number of replicas; one of them is searched within a domain.
    largest = require_whole("plan", "chips", usual_chips(machine, demand) if chips is None else chips)
    require_in_range("plan", "chips", largest, meaning="chips of all replicas together")
    budget = None if chips is None and demand.has_load else largest
    if usd_per_chip_s is not None:
        require_in_range("plan", "usd_per_chip_s", usd_per_chip_s)
    require_decode(workload)
    for one in speculations:
        require_timed(one, deployment.fidelity)
    price = price_of(machine, usd_per_chip_s)
    require_power(machine, demand)
    formats = by_format(deployment, weights)
    search = partial(plan, deployment, workload, weights=weights, corrected=corrected, speculations=speculations)
    searched = tuple(speculations) or (deployment.speculation,)

    def laid_out(layout: Layout) -> list[Candidate]:
        return _candidates_of(layout, formats, searched, corrected(layout), chip_s_per_j(demand, price))

    for size in replica_budgets([deployment], budget):
        layouts = candidates(model, machine, size, prompt_tokens=workload.prompt_tokens)
        tried = [one for layout in layouts for one in laid_out(layout)]
        reasons = [rejection_of(one, workload, demand) for one in tried]
        largest = size
        if None in reasons:
            break
    served = serve(
        [one for one, reason in zip(tried, reasons, strict=True) if reason is None], workload, budget, demand
    )
    best = best_choices(served)
    choices = in_order(best, engine, demand)
    used = largest if budget is not None or not choices else choices[0].all_chips
    contenders, plans = choices[:CONTENDERS], Ranked(choices, partial(plan_of, price=price))
    rejected = of_each_layout([one for one in (*reasons, *best) if isinstance(one, Rejection)], beside=choices)
    is_told = any(one.needed_power_w is not None for one in rejected)
    if not choices and not is_told and chips is None and is_of_power(machine, demand):
        rejected += _unfed(search, deployment, demand, largest)
    undivided = [one for one in rejected if one.kind is Constraint.DIVIDES]
    board = partial(
        bounds_of,
        deployment,
        workload.decode_step(1),
        held_tokens=workload.ending_tokens,
        usd_per_chip_s=price,
        steps_per_output_token=workload.steps_per_output_token,
    )
    power = (*unpriced(machine, price), *power_notes(machine, demand, price, is_given=usd_per_chip_s is not None))
    found = Planning(
        plans=plans,
        # Of those that do not divide, only the ones that a reader would ask for: the whole budget as one replica.
        rejected=tuple(one for one in rejected if one.kind is not Constraint.DIVIDES or one.layout.chips == largest),
        front=front(served, price),
        bounds=board(chips=used),
        replica_bounds=board(chips=choices[0].served.chips) if choices else None,
        elasticities={} if is_brief else _elasticities(contenders, plans, price),
        undivided=len(undivided),
        points_evaluated=sum(len(one.curve.batch) for one in served),
        chips=used,
        demand=demand,
        usd_per_chip_s=price,
        price_label=price_label(machine, usd_per_chip_s),
        precision=deployment.precision,
        speculations=searched,
        notes=(
            *format_notes(tuple(formats.items())),
            *_notes(deployment, workload, contenders, searched, power),
            *_left_out_notes([] if is_brief else tried, reasons, choices, workload, budget, demand),
        ),
        why_not=None
        if why_not is None
        else verdict_on(laid_out(why_not), workload, plans, budget=budget, demand=demand, price=price),
    )
    if chips is not None or not is_of_power(machine, demand):
        return found
    again = partial(search, demand=demand, usd_per_chip_s=usd_per_chip_s, why_not=why_not, is_brief=is_brief)
    return _with_all_that_is_fed(found, again)


def _candidates_of(
    layout: Layout,
    formats: Mapping[str | None, Deployment],
    speculations: Sequence[Speculation],
    correction: Correction,
    paid_chip_s_per_j: float,
) -> list[Candidate]:
    """A layout in all formats, with all that may be drafted."""
    first = next(iter(formats.values()))
    # What does not divide the model does not, whatever is drafted.
    drafts = speculations[:1] if layout_faults(first.model, first.machine, layout) else speculations
    return [
        Candidate(
            deployment=dataclasses.replace(one, layout=layout, correction=correction, speculation=speculation),
            weights=name,
            chip_s_per_j=paid_chip_s_per_j,
        )
        for name, one in formats.items()
        for speculation in drafts
    ]


def _notes(
    deployment: Deployment,
    workload: Workload,
    contenders: Sequence[Choice],
    searched: Sequence[Speculation],
    power: Sequence[str],
) -> tuple[str, ...]:
    """Notes on the model, the machine and the engine, and on the evidence for the best plans.

    Args:
        deployment: deployment whose layouts were searched.
        workload: workload that they serve.
        contenders: best choices of the search.
        searched: drafts that were searched.
        power: notes on prices and power.
    """
    best = contenders[0].served.deployment if contenders else deployment
    return (
        *caveats(best, workload.longest_tokens, searched=searched),
        *((STAGES_UNMEASURED,) if any(one.layout.pp > 1 for one in contenders) else ()),
        *power,
        engine_note(deployment),
        *options_notes(deployment, is_pass=False),
        *engine_notes(deployment, any_layout=True),
        *_unserved(deployment.engine),
        *speculation_notes(one.served.deployment.speculation for one in contenders),
        *((DRAFTS_UNSTAGED,) if any(map(_runs_draft, searched)) else ()),
    )


def _left_out_notes(
    tried: Sequence[Candidate],
    reasons: Sequence[Rejection | None],
    choices: Sequence[Choice],
    workload: Workload,
    budget: int | None,
    demand: Demand,
) -> tuple[str, ...]:
    """Notes on what layouts that the engine does not run would save over the best plan with as many draft tokens."""
    if not tried:
        return ()
    alike = (choices[0].served if choices else tried[0]).deployment.speculation
    left_out = [
        (reason, one)
        for reason, one in zip(reasons, tried, strict=True)
        if reason is not None and reason.kind is Constraint.ENGINE and one.deployment.speculation == alike
    ]
    paid = choices[0].paid_chip_s_per_request if choices else math.inf
    return left_out_note(left_out, workload, paid, budget, demand)


def _with_all_that_is_fed(found: Planning, search: Callable[..., Planning]) -> Planning:
    """The search again with as many chips as the power feeds, where that serves as much at least.

    Chips draw less under load than their sheet says, by which the first search counted them.
    """
    fed = _fed_chips(found)
    if fed <= found.chips:
        return found
    more = search(chips=fed)
    return more if more.plans and more.plans[0].requests_per_s >= found.plans[0].requests_per_s else found


def _fed_chips(found: Planning) -> int:
    """Chips of as many replicas of the best plan as there is power for."""
    most_w = found.demand.site_power_w
    if most_w is None or not found.plans:
        return found.chips
    best = found.plans[0]
    fed = best.fed_replicas(most_w)
    return found.chips if fed is None else fed * best.layout.chips


def _elasticities(contenders: Sequence[Choice], plans: Sequence[Plan], price: float | None) -> dict[str, float]:
    """Elasticities of the best plans to parts of the machine; of the best to prices, where electricity is charged."""
    if not contenders:
        return {}
    is_paid = contenders[0].served.demand.electricity_usd_per_j is not None
    return elasticities(contenders, price) | (price_elasticities(plans[0]) if is_paid else {})


def _runs_draft(speculation: Speculation) -> bool:
    return speculation.draft is not None and speculation.draft.layers is not None


def _unfed(search: Callable[..., Planning], deployment: Deployment, demand: Demand, fed: int) -> tuple[Rejection, ...]:
    """Rejection where a limit on power alone cannot feed one replica; empty where more power does not help.

    Args:
        search: search for the same workload with other chips and another demand.
        deployment: deployment that serves.
        demand: demand with the limit on power.
        fed: number of chips that it feeds when all draw their maximum.
    """
    machine, free = deployment.machine, dataclasses.replace(demand, site_power_w=None)
    for size in (size for size in replica_budgets([deployment], None) if size > fed):
        plans = search(chips=size, demand=free).plans
        if plans and isinstance(plans, Ranked):
            small: Choice = min(plans.choices, key=lambda one: one.layout.chips)
            least_w = least_power_w(machine, demand, small.layout.chips)
            reason = (
                f"one replica takes {small.layout.chips:,} chips, which draw up to {format_quantity(least_w, 'w')},"
                f" over {format_quantity(demand.site_power_w or 0.0, 'w')}"
            )
            return (
                Rejection(
                    layout=small.layout,
                    weights=small.weights,
                    kind=Constraint.POWER,
                    reason=reason,
                    needed_power_w=least_w,
                ),
            )
    return ()


def _unserved(engine: Engine) -> tuple[str, ...]:
    """Notes on an engine that was never measured under load, such as one that decodes a single batch."""
    if engine.limits or is_ideal(engine):
        return ()
    said = f"{engine.name} is no server that is known: it lets in all requests at once; TTFT and rates are bounds"
    return (said,)
