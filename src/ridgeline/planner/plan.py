"""Search all layouts and batches for the cheapest ways to serve a workload, and explain why the others lose."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ridgeline.estimator.bounds import Bounds, bounds_of
from ridgeline.estimator.deploy import require_timed
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.drafting import speculation_notes
from ridgeline.estimator.engine_support import engine_notes
from ridgeline.estimator.memory import limits_of
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
from ridgeline.planner.outcome import Constraint, Plan, Planning, Rejection, WhyNot
from ridgeline.planner.power import (
    chip_s_per_j,
    is_of_power,
    power_notes,
    replica_chips,
    require_power,
)
from ridgeline.planner.price import price_label, price_of, unpriced
from ridgeline.planner.ranked import Ranked
from ridgeline.planner.rejection import Candidate, rejection_of, require_decode
from ridgeline.planner.served import ServedCurve, serve
from ridgeline.planner.when_read import MappingWhenRead, SequenceWhenRead
from ridgeline.planner.why_not import why_not as verdict_on
from ridgeline.serving.mixed import is_sum
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
        chips: the budget, replicas included; left out, one scale-up domain, or as many as the load needs, or the power
            feeds: of each layout as many replicas as draw no more than that.
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
    search = _Search(
        deployment=deployment,
        workload=workload,
        weights=weights,
        chips=None if chips is None else require_whole("plan", "chips", chips),
        demand=demand,
        usd_per_chip_s=usd_per_chip_s,
        why_not=why_not,
        corrected=corrected,
        speculations=tuple(speculations) or (deployment.speculation,),
        is_brief=is_brief,
    )
    for one in speculations:
        require_timed(one, deployment.fidelity)
    return _planned(search)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """Arguments of ``plan``; of ``speculations`` there is one at least."""

    deployment: Deployment
    workload: Workload
    weights: str | None
    chips: int | None
    demand: Demand
    usd_per_chip_s: float | None
    why_not: Layout | None
    corrected: Callable[[Layout], Correction]
    speculations: tuple[Speculation, ...]
    is_brief: bool

    @property
    def most_chips(self) -> int:
        """Chips of the largest replica that may be tried, before a load or a model asks for more."""
        if self.chips is not None:
            return self.chips
        machine = self.deployment.machine
        return replica_chips(machine, self.demand) if self.is_fed else machine.scale_up_chips

    @property
    def budget(self) -> int | None:
        """Chips of all replicas together; None where a load or a limit on power determines their number."""
        return None if self.chips is None and (self.demand.has_load or self.is_fed) else self.most_chips

    @property
    def replica_sizes(self) -> list[int]:
        """Chips within which a replica is searched, until one serves."""
        sizes = replica_budgets([self.deployment], self.budget)
        return [self.most_chips, *(size for size in sizes if size > self.most_chips)] if self.is_fed else sizes

    @property
    def is_fed(self) -> bool:
        """Whether a limit on power alone determines how many chips there are."""
        return self.chips is None and is_of_power(self.deployment.machine, self.demand)

    @property
    def price(self) -> float | None:
        """Price of a chip, $/s; None where none is known."""
        return price_of(self.deployment.machine, self.usd_per_chip_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Candidates of a search, and its choices among them.

    Attributes:
        chips: maximum number of chips of a replica.
        tried: all candidates within it.
        reasons: reason why each candidate is rejected before any batch is tried; None where there is none.
        served: results of the others, over the batch.
        best: best choice of each of these, or the reason why there is none.
        choices: choices in order of rank.
    """

    chips: int
    tried: list[Candidate]
    reasons: list[Rejection | None]
    served: list[ServedCurve]
    best: list[Choice | Rejection]
    choices: list[Choice]


def _planned(search: _Search) -> Planning:
    """Plans of a search, with rejected layouts, bounds and notes."""
    _require(search)
    deployment, machine, price = search.deployment, search.deployment.machine, search.price
    formats = by_format(deployment, search.weights)
    found = _found(search, formats)
    choices, contenders = found.choices, found.choices[:CONTENDERS]
    plans = Ranked(choices, partial(plan_of, price=price))
    rejected = _rejected(found)
    used = found.chips if search.budget is not None or not choices else choices[0].all_chips
    return Planning(
        plans=plans,
        # Of those that do not divide, only the ones that a reader would ask for: the whole budget as one replica.
        rejected=tuple(
            one for one in rejected if one.kind is not Constraint.DIVIDES or one.layout.chips == found.chips
        ),
        front=front(found.served, price),
        bounds=_bounds(search, used),
        replica_bounds=_bounds(search, choices[0].served.chips) if choices else None,
        elasticities={} if search.is_brief else MappingWhenRead(lambda: _elasticities(contenders, plans, price)),
        undivided=sum(one.kind is Constraint.DIVIDES for one in rejected),
        points_evaluated=sum(len(one.curve.batch) for one in found.served),
        chips=used,
        is_fed=search.is_fed,
        demand=search.demand,
        usd_per_chip_s=price,
        price_label=price_label(machine, search.usd_per_chip_s),
        precision=deployment.precision,
        speculations=search.speculations,
        notes=SequenceWhenRead(
            lambda: (
                *format_notes(tuple(formats.items())),
                *_notes(search, contenders),
                *(() if search.is_brief else _left_out_notes(search, found)),
            )
        ),
        why_not=_verdict(search, formats, plans),
    )


def _require(search: _Search) -> None:
    """Check what is asked for.

    Raises:
        RidgelineError: chips or price are out of range, there is nothing to decode, or power is limited of a machine
            whose power is not known.
    """
    most = require_whole("plan", "chips", search.most_chips)
    require_in_range("plan", "chips", most, meaning="chips of all replicas together")
    if search.usd_per_chip_s is not None:
        require_in_range("plan", "usd_per_chip_s", search.usd_per_chip_s)
    require_decode(search.workload)
    require_power(search.deployment.machine, search.demand)


def _found(search: _Search, formats: Mapping[str | None, Deployment]) -> _Found:
    """Candidates within the budget; where load or power determines it, within the first domains of which one serves."""
    deployment, workload, demand = search.deployment, search.workload, search.demand
    # A load or the power determines the number of replicas; one of them is searched within some domains.
    for size in search.replica_sizes:
        layouts = candidates(deployment.model, deployment.machine, size, prompt_tokens=workload.prompt_tokens)
        tried = [one for layout in layouts for one in _candidates_of(search, layout, formats)]
        reasons = [rejection_of(one, workload, demand) for one in tried]
        if None in reasons:
            break
    feasible = [one for one, reason in zip(tried, reasons, strict=True) if reason is None]
    served = serve(feasible, workload, search.budget, demand)
    best = best_choices(served)
    choices = in_order(best, deployment.engine, demand)
    return _Found(chips=size, tried=tried, reasons=reasons, served=served, best=best, choices=choices)


def _rejected(found: _Found) -> list[Rejection]:
    """Reasons why layouts are not among the choices."""
    reasons = [one for one in (*found.reasons, *found.best) if isinstance(one, Rejection)]
    return of_each_layout(reasons, beside=found.choices)


def _bounds(search: _Search, chips: int) -> Bounds:
    """Bounds of all plans on so many chips."""
    workload = search.workload
    return bounds_of(
        search.deployment,
        workload.decode_step(1),
        held_tokens=workload.ending_tokens,
        usd_per_chip_s=search.price,
        steps_per_output_token=workload.steps_per_output_token,
        chips=chips,
    )


def _verdict(search: _Search, formats: Mapping[str | None, Deployment], plans: Ranked[Choice, Plan]) -> WhyNot | None:
    """Verdict on the layout that was asked about; None where none was."""
    if search.why_not is None:
        return None
    return verdict_on(
        _candidates_of(search, search.why_not, formats),
        search.workload,
        plans,
        budget=search.budget,
        demand=search.demand,
        price=search.price,
    )


def _candidates_of(search: _Search, layout: Layout, formats: Mapping[str | None, Deployment]) -> list[Candidate]:
    """A layout in all formats, with all that may be drafted."""
    deployment, correction = search.deployment, search.corrected(layout)
    paid = chip_s_per_j(search.demand, search.price)
    # What does not divide the model does not, whatever is drafted.
    is_cut = not layout_faults(deployment.model, deployment.machine, layout)
    return [
        Candidate(
            deployment=dataclasses.replace(one, layout=layout, correction=correction, speculation=speculation),
            weights=name,
            chip_s_per_j=paid,
        )
        for name, one in formats.items()
        for speculation in (search.speculations if is_cut else search.speculations[:1])
    ]


def _notes(search: _Search, contenders: Sequence[Choice]) -> tuple[str, ...]:
    """Notes on the model, the machine and the engine, and on the evidence for the best plans."""
    deployment, machine, demand, price = search.deployment, search.deployment.machine, search.demand, search.price
    best = contenders[0].served.deployment if contenders else deployment
    return (
        *caveats(best, search.workload.longest_tokens, searched=search.speculations),
        *((STAGES_UNMEASURED,) if any(one.layout.pp > 1 for one in contenders) else ()),
        *unpriced(machine, price),
        *power_notes(machine, demand, price, is_given=search.usd_per_chip_s is not None, is_fed=search.is_fed),
        engine_note(deployment),
        *options_notes(deployment, is_pass=False),
        *engine_notes(deployment, any_layout=True),
        *_apart_from_loops(best, demand),
        *_unserved(deployment.engine),
        *speculation_notes(one.served.deployment.speculation for one in contenders),
        *((DRAFTS_UNSTAGED,) if any(map(_runs_draft, search.speculations)) else ()),
    )


def _left_out_notes(search: _Search, found: _Found) -> tuple[str, ...]:
    """Notes on what layouts that the engine does not run would save over the best plan with as many draft tokens."""
    if not found.tried:
        return ()
    alike = (found.choices[0].served if found.choices else found.tried[0]).deployment.speculation
    left_out = [
        (reason, one)
        for reason, one in zip(found.reasons, found.tried, strict=True)
        if reason is not None and reason.kind is Constraint.ENGINE and one.deployment.speculation == alike
    ]
    paid = found.choices[0].paid_chip_s_per_request if found.choices else math.inf
    return left_out_note(left_out, search.workload, paid, search.budget, search.demand)


def _elasticities(contenders: Sequence[Choice], plans: Sequence[Plan], price: float | None) -> dict[str, float]:
    """Elasticities of the best plans to parts of the machine; of the best to prices, where electricity is charged."""
    if not contenders:
        return {}
    is_paid = contenders[0].served.demand.electricity_usd_per_j is not None
    return elasticities(contenders, price) | (price_elasticities(plans[0]) if is_paid else {})


def _runs_draft(speculation: Speculation) -> bool:
    return speculation.draft is not None and speculation.draft.layers is not None


def _apart_from_loops(best: Deployment, demand: Demand) -> tuple[str, ...]:
    """Note that a replica serves more random arrivals than users of a closed loop, where it does."""
    is_shared = best.model.is_routed and is_sum(best) and limits_of(best).mixes_prompts
    if demand.requests_per_s is None or not is_shared:
        return ()
    return (
        (
            "the same chips serve fewer requests/s for --users, or without a load, than for --rate: measurements of"
            " users had each prompt's pass read the experts again; with --rate it shares the decode step's read"
            " (docs/loads.md)"
        ),
    )


def _unserved(engine: Engine) -> tuple[str, ...]:
    """Notes on an engine that was never measured under load, such as one that decodes a single batch."""
    if engine.limits or is_ideal(engine):
        return ()
    said = f"{engine.name} is no server that is known: it lets in all requests at once; TTFT and rates are bounds"
    return (said,)
