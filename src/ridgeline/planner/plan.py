"""Search all layouts and batches for the cheapest ways to serve a workload, and say why the others lose."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.pricing import usd_per_token
from ridgeline.estimator.board import Board, board
from ridgeline.estimator.clock import Cause
from ridgeline.estimator.estimate import MEASURED, Fidelity, caveats
from ridgeline.estimator.fit import layout_faults
from ridgeline.estimator.memory import Memory
from ridgeline.estimator.precision import offered_weight_formats, precision_on
from ridgeline.planner.candidates import candidates
from ridgeline.planner.elasticities import elasticities
from ridgeline.planner.pool import Pool, PoolCurve, sequence_grid
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Precision, with_formats
from ridgeline.specs.workload import Workload

__all__ = ["Constraint", "FrontPoint", "Plan", "Planning", "Rejection", "plan"]

WORTH_WAITING_FOR = 0.01
"""A batch that is not 1 % cheaper is not worth a longer wait; the estimate itself is not so sure."""


class Constraint(StrEnum):
    """What a layout must keep to."""

    DIVIDES = "divides"
    MEMORY = "memory"
    TTFT = "ttft"
    TPOT = "tpot"
    COST = "cost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One way to serve the workload.

    Attributes:
        layout: of one replica.
        weights: number format of the layers' weights, where it was asked for; None as published.
        replicas: copies that the budget holds.
        batch: sequences in flight on one replica.
        tpot_s: time per output token of one user, other requests' prompts included.
        tpot_low_s: lower end of its 80 % interval.
        tpot_high_s: upper end.
        decode_step_s: the part of it that is a decode step; the rest reads other requests' prompts.
        ttft_s: time to the first token in an idle system.
        output_tokens_per_s_per_chip: of the chips in use.
        usd_per_output_token: chip-time of decode; None without a price.
        usd_per_input_token: chip-time of prefill; None without a price.
        bound: what takes most of the chip-time of both phases.
        decode_bound: what takes most of a decode step.
        prefill_bound: what takes most of a prefill.
        chip_s_per_output_token: chip-seconds of both phases by what they go to.
        limited_by: what keeps the batch from being larger: memory, the limit on TPOT, or that it would cost no less.
        memory: of one chip.
        chip_s_per_request: chip-seconds of a whole request, both phases, of the chips in use.
        paid_chip_s_per_request: the same with idle chips of the budget; decides the rank.
        limits_met_at_high: whether the limit on ``tpot_s`` holds at the upper end of its interval, too.
    """

    layout: Layout
    weights: str | None
    replicas: int
    batch: int
    tpot_s: float
    tpot_low_s: float
    tpot_high_s: float
    decode_step_s: float
    ttft_s: float
    output_tokens_per_s_per_chip: float
    usd_per_output_token: float | None
    usd_per_input_token: float | None
    bound: Cause
    decode_bound: Cause
    prefill_bound: Cause
    chip_s_per_output_token: dict[Cause, float]
    limited_by: Constraint
    memory: Memory
    chip_s_per_request: float
    paid_chip_s_per_request: float
    limits_met_at_high: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A layout that cannot serve the workload, and why.

    Attributes:
        layout: of one replica.
        weights: number format of the layers' weights, where it was asked for.
        kind: which constraint it breaks.
        reason: with the numbers.
    """

    layout: Layout
    weights: str | None
    kind: Constraint
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPoint:
    """A point that no other beats both in speed and in cost."""

    layout: Layout
    weights: str | None
    replicas: int
    batch: int
    tpot_s: float
    ttft_s: float
    paid_chip_s_per_request: float
    usd_per_request: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Planning:
    """What a search found.

    Attributes:
        plans: the best batch of each layout that meets the limits; most output of the whole budget first.
        rejected: layouts that do not, each with its reason.
        front: over all layouts and batches that fit, whatever the limits: from the fastest to the cheapest.
        board: the blackboard's numbers for the whole budget of chips.
        elasticities: percent of change for one percent more, of the best plan; empty without a plan.
        undivided: layouts tried whose numbers do not divide; ``rejected`` has only those on the whole budget.
        points_evaluated: layouts times batches that were timed.
        chips: the budget.
        usd_per_chip_s: price used; None without one.
        price_label: where the price comes from.
        precision: number formats of the first format searched.
        notes: departures and omissions to be said beside the numbers.
    """

    plans: tuple[Plan, ...]
    rejected: tuple[Rejection, ...]
    front: tuple[FrontPoint, ...]
    board: Board
    elasticities: dict[str, float]
    undivided: int
    points_evaluated: int
    chips: int
    usd_per_chip_s: float | None
    price_label: str
    precision: Precision
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Served:
    """A pool with its curve and what does not depend on the batch."""

    pool: Pool
    weights: str | None
    curve: PoolCurve
    ttft_s: float
    most_sequences: int
    budget: int

    @property
    def replicas(self) -> int:
        """Copies that the budget holds."""
        return self.budget // self.pool.layout.chips

    @property
    def chip_s_per_request(self) -> NDArray[np.float64]:
        """Chip-seconds of a request at each batch, both phases, of the chips in use."""
        return self.curve.tpot_s * self.pool.layout.chips * self.pool.workload.decode_steps / self.curve.batch

    @property
    def paid_chip_s_per_request(self) -> NDArray[np.float64]:
        """The same with the budget's idle chips."""
        return self.chip_s_per_request * self.budget / (self.replicas * self.pool.layout.chips)


def plan(
    model: Model,
    machine: Machine,
    workload: Workload,
    *,
    chips: int | None = None,
    fidelity: Fidelity = MEASURED,
    usd_per_chip_s: float | None = None,
    weights: str | None = None,
    kv: str | None = None,
) -> Planning:
    """Search layouts and batches for the cheapest ways to serve a workload in one pool.

    Args:
        model: what is served.
        machine: where.
        workload: lengths of requests and limits on their latency.
        chips: the budget, replicas included; left out, one scale-up domain.
        fidelity: resolution of the model of time.
        usd_per_chip_s: price of a chip; left out, the catalog's.
        weights: a number format for the layers' weights instead of the published one, or "auto" for all that the chip
            has arithmetic for.
        kv: a number format for the cache instead of the published one.

    Raises:
        ValueError: a number format is not known, there is not one chip, or there is nothing to decode.
    """
    budget = machine.scale_up_chips if chips is None else chips
    if budget < 1:
        raise ValueError(f"chips={budget}: a plan needs at least 1 chip")
    if workload.decode_steps < 1:
        raise ValueError(
            "output_tokens=1: reading the prompt gives the one token, so that there is nothing to decode;"
            " estimate the prefill instead"
        )
    price = usd_per_chip_s if usd_per_chip_s is not None or machine.tariff is None else machine.tariff.usd_per_chip_s
    # The published formats come first, and are what the board's numbers are for.
    formats = (None, *_other_formats(model, machine)) if weights == "auto" else (weights,)
    precisions = {name: precision_on(model, machine.chip, weights=name, kv=kv) for name in formats}
    served: list[_Served] = []
    rejected: list[Rejection] = []
    undivided = 0
    for name, (precision, _) in precisions.items():
        for layout in candidates(model, budget, machine.scale_up_chips):
            pool = Pool(
                model=model, machine=machine, layout=layout, workload=workload, precision=precision, fidelity=fidelity
            )
            outcome = _serve(pool, name, budget)
            if isinstance(outcome, _Served):
                served.append(outcome)
                continue
            undivided += outcome.kind is Constraint.DIVIDES
            # Of those that cannot be, only the ones that a reader would ask for: the whole budget as one replica.
            if outcome.kind is not Constraint.DIVIDES or layout.chips == budget:
                rejected.append(outcome)
    plans: list[Plan] = []
    for candidate in served:
        best = _best(candidate, price)
        if isinstance(best, Rejection):
            rejected.append(best)
        else:
            plans.append(best)
    plans.sort(key=lambda found: found.paid_chip_s_per_request)
    first_precision = precisions[formats[0]][0]
    best_pool = next((one.pool for one in served if plans and _is_of(one, plans[0])), None)
    return Planning(
        plans=tuple(plans),
        rejected=tuple(rejected),
        front=_front(served, price),
        board=board(
            model,
            machine.chip,
            chips=budget,
            precision=first_precision,
            step=workload.decode_step(1),
            held_tokens=workload.longest_tokens,
            usd_per_chip_s=price,
            steps_per_output_token=workload.steps_per_output_token,
        ),
        elasticities=elasticities(best_pool, plans[0].batch) if best_pool is not None else {},
        undivided=undivided,
        points_evaluated=sum(len(one.curve.batch) for one in served),
        chips=budget,
        usd_per_chip_s=price,
        price_label=_price_label(machine, usd_per_chip_s),
        precision=first_precision,
        notes=(
            *_format_notes(precisions),
            *caveats(model, machine, fidelity, workload.longest_tokens),
        ),
    )


def _format_notes(precisions: Mapping[str | None, tuple[Precision, tuple[str, ...]]]) -> tuple[str, ...]:
    """What is to be said of number formats; of several that were searched, each plan names its own."""
    notes = dict.fromkeys(note for _, said in precisions.values() for note in said)
    if len(precisions) == 1:
        return tuple(notes)
    others = ", ".join(filter(None, precisions))
    kept = [note for note in notes if not note.startswith("weights in")]
    return (f"weights searched in the published formats and in {others}", *kept)


def _other_formats(model: Model, machine: Machine) -> tuple[str, ...]:
    """Weight formats that the chip has arithmetic for and the checkpoint is not published in."""
    offered = offered_weight_formats(machine.chip)
    return tuple(name for name in offered if with_formats(model.precision, weights=name) != model.precision)


def _is_of(served: _Served, found: Plan) -> bool:
    return served.pool.layout == found.layout and served.weights == found.weights


def _price_label(machine: Machine, asked: float | None) -> str:
    if asked is not None:
        return "as asked"
    return "no price known" if machine.tariff is None else machine.tariff.label


def _serve(pool: Pool, weights: str | None, budget: int) -> _Served | Rejection:
    """The pool's curve over all batches that fit; a rejection where it divides nothing or not one sequence fits."""
    if faults := layout_faults(pool.model, pool.machine, pool.layout):
        return Rejection(layout=pool.layout, weights=weights, kind=Constraint.DIVIDES, reason="; ".join(faults))
    most = pool.most_sequences()
    if most == 0:
        return Rejection(layout=pool.layout, weights=weights, kind=Constraint.MEMORY, reason=_memory_reason(pool))
    return _Served(
        pool=pool,
        weights=weights,
        curve=pool.curve(sequence_grid(most)),
        ttft_s=pool.first_token_s(),
        most_sequences=most,
        budget=budget,
    )


def _memory_reason(pool: Pool) -> str:
    """What a chip would have to hold for one sequence a group, against what it has."""
    memory = pool.memory(1)
    needed = memory.weights_bytes + memory.kv_bytes + memory.activation_bytes
    usable = pool.machine.chip.hbm_bytes - memory.reserved_bytes
    return (
        f"a chip needs {format_quantity(float(needed), 'bytes')}"
        f" (weights {format_quantity(float(memory.weights_bytes), 'bytes')}, one sequence's KV"
        f" {format_quantity(float(memory.kv_bytes), 'bytes')}, activations"
        f" {format_quantity(float(memory.activation_bytes), 'bytes')})"
        f" and has {format_quantity(float(usable), 'bytes')} usable"
    )


def _best(served: _Served, price: float | None) -> Plan | Rejection:
    """The cheapest batch of a layout that meets the limits; the fastest of those that are as good."""
    pool, workload = served.pool, served.pool.workload
    if workload.ttft_s is not None and served.ttft_s > workload.ttft_s:
        reason = (
            f"a prompt takes {format_quantity(served.ttft_s, 's')}"
            f" in an idle system, over {format_quantity(workload.ttft_s, 's')}"
        )
        return Rejection(layout=pool.layout, weights=served.weights, kind=Constraint.TTFT, reason=reason)
    refined = _refined(served)
    allowed = _allowed(refined)
    if not allowed.any():
        reason = (
            f"{format_quantity(float(served.curve.tpot_s.min()), 's')} at its fastest batch,"
            f" over {format_quantity(workload.tpot_s or 0.0, 's')}"
        )
        return Rejection(layout=pool.layout, weights=served.weights, kind=Constraint.TPOT, reason=reason)
    cost = np.where(allowed, refined.chip_s_per_request, np.inf)
    # A limit says how long a token may take; without one, a hair's gain is not worth a longer wait.
    slack = WORTH_WAITING_FOR if workload.tpot_s is None else 0.0
    worth_it = np.flatnonzero(cost <= cost.min() * (1 + slack))
    return _plan_at(refined, int(worth_it[np.argmin(refined.curve.tpot_s[worth_it])]), price)


def _allowed(served: _Served) -> NDArray[np.bool_]:
    limit = served.pool.workload.tpot_s
    return np.asarray(served.curve.tpot_s <= (np.inf if limit is None else limit))


def _refined(served: _Served) -> _Served:
    """The same with every whole batch between the last one allowed and the next on the grid."""
    allowed = np.flatnonzero(_allowed(served))
    if len(allowed) == 0 or allowed[-1] + 1 >= len(served.curve.batch):
        return served
    dp = served.pool.layout.dp
    grid = served.curve.batch / dp
    between = np.arange(grid[allowed[-1]] + 1, grid[allowed[-1] + 1])
    if len(between) == 0:
        return served
    every = np.concatenate([grid[: allowed[-1] + 1], between])
    return dataclasses.replace(served, curve=served.pool.curve(every))


def _plan_at(served: _Served, index: int, price: float | None) -> Plan:
    pool, workload, curve = served.pool, served.pool.workload, served.curve
    chips, batch, tpot_s = pool.layout.chips, int(curve.batch[index]), float(curve.tpot_s[index])
    efficiency = pool.fidelity.efficiency(pool.machine)
    decode = {cause: float(part_s[index]) for cause, part_s in curve.decode_causes.items()}
    prefill = {cause: float(part_s[index]) for cause, part_s in curve.prefill_causes.items()}
    steps_per_token = workload.steps_per_output_token
    decode_s_per_token = float(curve.decode_step_s[index]) * steps_per_token / batch
    spent = {
        cause: chips * (decode[cause] * steps_per_token / batch + prefill[cause] / workload.output_tokens)
        for cause in Cause
    }
    sequences = batch // pool.layout.dp

    return Plan(
        layout=pool.layout,
        weights=served.weights,
        replicas=served.replicas,
        batch=batch,
        tpot_s=tpot_s,
        tpot_low_s=tpot_s * efficiency.low_factor,
        tpot_high_s=tpot_s * efficiency.high_factor,
        decode_step_s=float(curve.decode_step_s[index]),
        ttft_s=served.ttft_s,
        output_tokens_per_s_per_chip=batch / tpot_s / chips / steps_per_token,
        usd_per_output_token=_usd(price, chips * decode_s_per_token),
        usd_per_input_token=_usd(price, chips * float(curve.prefill_per_prompt_s[index]) / workload.prompt_tokens),
        bound=_largest(spent),
        decode_bound=_largest(decode),
        prefill_bound=_largest(prefill),
        chip_s_per_output_token=spent,
        limited_by=_limit(served, index, sequences),
        memory=pool.memory(sequences),
        chip_s_per_request=float(served.chip_s_per_request[index]),
        paid_chip_s_per_request=float(served.paid_chip_s_per_request[index]),
        limits_met_at_high=workload.tpot_s is None or tpot_s * efficiency.high_factor <= workload.tpot_s,
    )


def _largest(causes: dict[Cause, float]) -> Cause:
    return max(causes, key=lambda cause: causes[cause])


def _limit(served: _Served, index: int, sequences: int) -> Constraint:
    """What keeps a plan's batch from being larger."""
    if sequences == served.most_sequences:
        return Constraint.MEMORY
    return Constraint.TPOT if index == np.flatnonzero(_allowed(served))[-1] else Constraint.COST


def _front(served: list[_Served], price: float | None) -> tuple[FrontPoint, ...]:
    """Points that no other beats in time per token and in paid chip-seconds per request at once; fastest first."""
    if not served:
        return ()
    owners = np.concatenate([np.full(len(one.curve.batch), number) for number, one in enumerate(served)])
    places = np.concatenate([np.arange(len(one.curve.batch)) for one in served])
    tpot_s = np.concatenate([one.curve.tpot_s for one in served])
    cost = np.concatenate([one.paid_chip_s_per_request for one in served])
    order = np.lexsort((cost, tpot_s))
    cheapest_so_far = np.minimum.accumulate(cost[order])
    is_new = np.concatenate([[True], cheapest_so_far[1:] < cheapest_so_far[:-1]])
    return tuple(_front_point(served[owners[at]], int(places[at]), price) for at in order[is_new])


def _front_point(served: _Served, index: int, price: float | None) -> FrontPoint:
    paid = float(served.paid_chip_s_per_request[index])
    return FrontPoint(
        layout=served.pool.layout,
        weights=served.weights,
        replicas=served.replicas,
        batch=int(served.curve.batch[index]),
        tpot_s=float(served.curve.tpot_s[index]),
        ttft_s=served.ttft_s,
        paid_chip_s_per_request=paid,
        usd_per_request=_usd(price, paid),
    )


def _usd(price: float | None, chip_s: float) -> float | None:
    """What chip-seconds cost; None without a price."""
    return None if price is None else float(usd_per_token(time_s=chip_s, chips=1, tokens=1, usd_per_chip_s=price))
