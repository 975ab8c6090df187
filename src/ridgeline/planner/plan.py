"""Search all layouts and batches for the cheapest ways to serve a workload, and say why the others lose."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from ridgeline.errors import RidgelineError
from ridgeline.estimator.bounds import bounds_of
from ridgeline.estimator.deploy import deploy, require_timed
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.drafting import speculation_notes
from ridgeline.estimator.engine_support import engine_notes, format_faults
from ridgeline.estimator.estimate import STAGES_UNMEASURED, caveats, engine_note, options_notes
from ridgeline.estimator.precision import QUALITY, offered_weight_formats
from ridgeline.glossary import require_in_range, require_whole
from ridgeline.planner.candidates import candidates, replica_budgets
from ridgeline.planner.choice import Choice, best_choices
from ridgeline.planner.compare import simplest_first
from ridgeline.planner.details import plan_of
from ridgeline.planner.elasticities import CONTENDERS, elasticities
from ridgeline.planner.front import front
from ridgeline.planner.left_out import left_out_note
from ridgeline.planner.outcome import Constraint, Planning, Rejection
from ridgeline.planner.ranked import Ranked
from ridgeline.planner.rejection import Candidate, rejection_of, require_decode
from ridgeline.planner.served import serve
from ridgeline.planner.why_not import why_not as verdict_on
from ridgeline.specs.correction import NO_CORRECTION, Correction
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine, is_ideal
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import PREDICTION
from ridgeline.specs.precision import with_formats
from ridgeline.specs.speculation import Speculation
from ridgeline.specs.workload import Workload

__all__ = ["plan", "uncorrected"]


DRAFTS_UNSTAGED = "with a draft, layouts with pipeline stages are left out: drafting beside them is not modelled"
"""Said of every search with speculation."""


def uncorrected(_layout: Layout) -> Correction:
    """What is said of a layout of which nothing was measured."""
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
) -> Planning:
    """Search layouts and batches for the cheapest ways to serve a workload in one pool.

    Args:
        deployment: what serves, where and how; its layout does not matter.
        workload: lengths of requests and limits on their latency.
        weights: name of the number format that its layers' weights were asked for in; "auto" searches all others that
            chip and engine have, too.
        chips: the budget, replicas included; left out, one scale-up domain, or as many as the load needs.
        demand: the load, which as few chips as possible serve, a batch that is asked for, and how sure limits are kept.
        usd_per_chip_s: price of a chip; left out, the catalog's.
        why_not: a layout to say of why it is not the plan.
        corrected: what was measured says of each layout.
        speculations: those that are searched, ``NO_SPECULATION`` among them or not; left out, the deployment's own.

    Raises:
        RidgelineError: a number format is not known, chips or price are out of range, or there is nothing to decode.
    """
    model, machine, engine = deployment.model, deployment.machine, deployment.engine
    # Replicas of a load are as many as it needs; one of them is looked for in a domain.
    largest = require_whole("plan", "chips", _usual_chips(machine, demand) if chips is None else chips)
    require_in_range("plan", "chips", largest)
    budget = None if chips is None and demand.has_load else largest
    if usd_per_chip_s is not None:
        require_in_range("plan", "usd_per_chip_s", usd_per_chip_s)
    require_decode(workload)
    for one in speculations:
        require_timed(one, deployment.fidelity)
    price = usd_per_chip_s if usd_per_chip_s is not None or machine.tariff is None else machine.tariff.usd_per_chip_s
    _require_power(machine, demand)
    by_format = _by_format(deployment, weights)

    searched = tuple(speculations) or (deployment.speculation,)

    def laid_out(layout: Layout) -> list[Candidate]:
        correction = corrected(layout)
        # What does not divide the model does not, whatever is drafted.
        drafts = searched[:1] if layout_faults(model, machine, layout) else searched
        return [
            Candidate(
                deployment=dataclasses.replace(one, layout=layout, correction=correction, speculation=speculation),
                weights=name,
                chip_s_per_j=_chip_s_per_j(demand, price),
            )
            for name, one in by_format.items()
            for speculation in drafts
        ]

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
    choices = [one for one in best if isinstance(one, Choice)]
    choices.sort(key=lambda found: found.rank)
    choices = _of_each_layout(choices)
    if not is_ideal(engine) and not demand.has_load:  # the ideal one's costs are a bound, and exact
        choices = simplest_first(choices)
    used = largest if budget is not None or not choices else _chips_of(choices[0])
    contenders, plans = choices[:CONTENDERS], Ranked(choices, partial(plan_of, price=price))
    rejected = _of_each_layout([one for one in (*reasons, *best) if isinstance(one, Rejection)], beside=choices)
    # What was searched is modelled, whether or not it is chosen.
    predicts = any(one.draft is not None and one.draft.shares_ends for one in searched)
    undivided = [one for one in rejected if one.kind is Constraint.DIVIDES]
    # A layout that the engine does not run is held against the best plan with as many tokens drafted.
    alike = (choices[0].served if choices else tried[0]).deployment.speculation
    left_out = [
        (reason, one)
        for reason, one in zip(reasons, tried, strict=True)
        if reason is not None and reason.kind is Constraint.ENGINE and one.deployment.speculation == alike
    ]
    return Planning(
        plans=plans,
        # Of those that do not divide, only the ones that a reader would ask for: the whole budget as one replica.
        rejected=tuple(one for one in rejected if one.kind is not Constraint.DIVIDES or one.layout.chips == largest),
        front=front(served, price),
        bounds=bounds_of(
            deployment,
            workload.decode_step(1),
            chips=used,
            held_tokens=workload.ending_tokens,
            usd_per_chip_s=price,
            steps_per_output_token=workload.steps_per_output_token,
        ),
        elasticities=elasticities(contenders, price) if contenders else {},
        undivided=len(undivided),
        points_evaluated=sum(len(one.curve.batch) for one in served),
        chips=used,
        demand=demand,
        usd_per_chip_s=price,
        price_label=_price_label(machine, usd_per_chip_s),
        precision=deployment.precision,
        speculations=searched,
        notes=(
            *_format_notes(by_format),
            *(
                one
                for one in caveats(choices[0].served.deployment if choices else deployment, workload.longest_tokens)
                if not (predicts and PREDICTION in one)
            ),
            *((STAGES_UNMEASURED,) if any(one.layout.pp > 1 for one in contenders) else ()),
            *_unpriced(machine, price),
            *_power_notes(machine, demand, price, is_given=usd_per_chip_s is not None),
            engine_note(deployment),
            *options_notes(deployment, is_pass=False),
            *engine_notes(deployment, any_layout=True),
            *_unserved(engine),
            *speculation_notes(one.served.deployment.speculation for one in contenders),
            *((DRAFTS_UNSTAGED,) if any(map(_runs_draft, searched)) else ()),
            *left_out_note(
                left_out, workload, choices[0].paid_chip_s_per_request if choices else math.inf, budget, demand
            ),
        ),
        why_not=None
        if why_not is None
        else verdict_on(laid_out(why_not), workload, plans, budget=budget, demand=demand, price=price),
    )


def _runs_draft(speculation: Speculation) -> bool:
    return speculation.draft is not None and speculation.draft.layers is not None


Found = TypeVar("Found", Choice, Rejection)


def _of_each_layout(found: Sequence[Found], *, beside: Sequence[Choice] = ()) -> list[Found]:
    """Of each layout in each format the first, whatever it drafts; none of those that others have."""
    kept = {(one.layout, one.weights): one for one in reversed(found)}
    there = {(one.layout, one.weights) for one in beside}
    return [one for one in found if (name := (one.layout, one.weights)) not in there and kept[name] is one]


def _require_power(machine: Machine, demand: Demand) -> None:
    """Refuse to heed the power of chips of which it is not known.

    Raises:
        RidgelineError: says what to give, or to leave out.
    """
    if demand.heeds_power and machine.chip.power_w is None:
        raise RidgelineError(
            f"the power of a chip of {machine.id} is not known; give it as power_w of the chip in a machine's .toml, or"
            " leave --power and --electricity out"
        )


def _usual_chips(machine: Machine, demand: Demand) -> int:
    """The budget where none is given: a scale-up domain, or what the power feeds when all chips draw their most."""
    if demand.site_power_w is None or machine.chip.power_w is None or demand.has_load:
        return machine.scale_up_chips
    return max(int(demand.site_power_w / (demand.pue * machine.chip.power_w)), 1)


def _chip_s_per_j(demand: Demand, price: float | None) -> float:
    """Time of a chip that costs as much as a joule that it draws, s; nothing where either has no price."""
    if demand.electricity_usd_per_j is None or price is None:
        return 0.0
    return demand.pue * demand.electricity_usd_per_j / price


def _power_notes(machine: Machine, demand: Demand, price: float | None, *, is_given: bool) -> tuple[str, ...]:
    """What is to be said of power, where it matters."""
    notes = []
    if demand.electricity_usd_per_j is not None and price is not None and not is_given:
        notes.append(
            "electricity is added to a rental price, which has it already: give the cost of an owned chip by --price"
        )
    if demand.heeds_power:
        notes.append(
            f"power is that of chips, {100 * machine.chip.idle_power_fraction:.3g} % of it always and the rest while at"
            " work; hosts, switches and cooling are in --pue"
        )
    return tuple(notes)


def _chips_of(choice: Choice) -> int:
    """Chips of all replicas that a load needs."""
    return int(choice.served.copies[choice.index]) * choice.layout.chips


def _by_format(deployment: Deployment, weights: str | None) -> dict[str | None, Deployment]:
    """Deployments by the format that their weights were asked for in; the one given comes first."""
    if weights != "auto":
        return {weights: deployment}
    others: dict[str | None, Deployment] = {
        name: deploy(
            deployment.model,
            deployment.machine,
            fidelity=deployment.fidelity,
            engine=deployment.engine,
            weights=name,
            kv=deployment.precision.kv.name,
        )
        for name in _other_formats(deployment)
    }
    return {None: deployment, **others}


def _unserved(engine: Engine) -> tuple[str, ...]:
    """What is to be said of an engine of which nothing under load is known, such as one that decodes a single batch."""
    if engine.limits or is_ideal(engine):
        return ()
    said = f"{engine.name} is no server that is known: it lets in all requests at once; TTFT and rates are bounds"
    return (said,)


def _format_notes(by_format: Mapping[str | None, Deployment]) -> tuple[str, ...]:
    """What is to be said of number formats; of several that were searched, each plan names its own."""
    notes = dict.fromkeys(note for one in by_format.values() for note in one.notes)
    if len(by_format) == 1:
        return tuple(notes)
    others = ", ".join(filter(None, by_format))
    kept = [note for note in notes if not note.startswith("weights in")]
    return (f"weights searched in the published formats and in {others}; {QUALITY}", *kept)


def _other_formats(deployment: Deployment) -> tuple[str, ...]:
    """Weight formats that the chip and the engine have, and the checkpoint is not published in."""
    model, machine = deployment.model, deployment.machine
    offered = {
        name: with_formats(model.precision, weights=name) for name in offered_weight_formats(model, machine.chip)
    }
    return tuple(
        name
        for name, precision in offered.items()
        if precision != model.precision and not format_faults(deployment.engine, machine, precision)
    )


def _unpriced(machine: Machine, price: float | None) -> tuple[str, ...]:
    """What to do about a machine that nobody lists a price of."""
    if price is not None:
        return ()
    return (
        f"no price of {machine.id} is listed, so no cost in dollars; give one: --price '$2/h', usd_per_chip_s=2/3600",
    )


def _price_label(machine: Machine, asked: float | None) -> str:
    if asked is not None:
        return "as asked"
    return "no price known" if machine.tariff is None else machine.tariff.label
