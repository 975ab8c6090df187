"""Layouts of a search: each one's curve over all batches that fit, and its best batch; and the front of all.

All layouts are timed together, and a plan's details are worked out when somebody looks at it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.pricing import usd_per_token
from ridgeline.errors import RidgelineError
from ridgeline.estimator.clock import Cause
from ridgeline.estimator.drafting import deployment_faults
from ridgeline.estimator.engine_support import engine_faults
from ridgeline.estimator.memory import kv_capacity_tokens
from ridgeline.estimator.placement import replicas_within
from ridgeline.planner.outcome import Constraint, Energy, FrontPoint, Plan, Rejection
from ridgeline.planner.speculated import paying_batches
from ridgeline.quantity_text import format_quantity
from ridgeline.serving.admission import longest_beside, pool_memory, sequence_limit
from ridgeline.serving.energy import drawn
from ridgeline.serving.interval import tpot_interval, ttft_interval
from ridgeline.serving.load import CASES, PoolTimes
from ridgeline.serving.passes import PoolPasses, pool_passes, pool_times
from ridgeline.serving.pool import (
    PoolCurve,
    causes_per_request,
    lone_first_token_s,
    most_sequences,
    pool_curves,
    queued_first_tokens,
    sequence_grid,
)
from ridgeline.serving.request_carriers import request_carriers
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

__all__ = [
    "MOST_REPLICAS",
    "ROUNDING",
    "WORTH_WAITING_FOR",
    "Candidate",
    "Choice",
    "Served",
    "allowed_batches",
    "best_choices",
    "front",
    "plan_of",
    "rejection_of",
    "require_decode",
    "serve",
]

WORTH_WAITING_FOR = 0.01
"""A batch that is not 1 % cheaper is not worth a longer wait; the estimate itself is not so sure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A deployment that may serve, and the format that its weights were asked for in.

    Attributes:
        deployment: what may serve.
        weights: format that its weights were asked for in.
        chip_s_per_j: time of a chip that costs as much as a joule of its energy, the site's overhead included, s/J.
    """

    deployment: Deployment
    weights: str | None
    chip_s_per_j: float = 0.0

    @property
    def speculate(self) -> str | None:
        """How its speculation is asked for; None without."""
        return str(self.deployment.speculation) if self.deployment.speculation else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A candidate with its curve and what does not depend on the batch.

    Attributes:
        candidate: what serves.
        workload: what is asked.
        times: of its pool's passes.
        curve: over all batches that fit.
        most_sequences: of a group, that fit.
        budget: chips, replicas included; None where as many are taken as the load needs.
        demand: the load, and how sure the limits must be kept.
        copies: replicas at each point of the curve.
        requests_per_s: of one replica at each point: all that it can, or its part of the load.
        first_token_s: time to the first token at each point: in an idle system, or with the load's queue, s.
        tpot_margin: what the time per token is to be multiplied by to be as sure of its limit as is asked.
        ttft_margin: the same of the time to the first token.
        chip_power_w: mean power of a chip at each point; None where power is neither limited nor paid for.
    """

    candidate: Candidate
    workload: Workload
    times: PoolTimes
    curve: PoolCurve
    most_sequences: int
    budget: int | None
    demand: Demand
    copies: NDArray[np.float64]
    requests_per_s: NDArray[np.float64]
    first_token_s: NDArray[np.float64]
    tpot_margin: float = 1.0
    ttft_margin: float = 1.0
    chip_power_w: NDArray[np.float64] | None = None

    @property
    def deployment(self) -> Deployment:
        """What serves."""
        return self.candidate.deployment

    @property
    def layout(self) -> Layout:
        """Of one replica."""
        return self.deployment.layout

    @property
    def weights(self) -> str | None:
        """Format that weights were asked for in."""
        return self.candidate.weights

    @property
    def chips(self) -> int:
        """Chips of one replica."""
        return self.deployment.layout.chips

    @property
    def paid_chips(self) -> NDArray[np.float64]:
        """Chips that are paid for a replica at each point: its own, and its part of those of a budget that idle."""
        if self.demand.has_load or self.budget is None:
            return np.full(len(self.copies), float(self.chips))
        return self.budget / np.maximum(self.copies, 1.0)

    @property
    def charged_chips(self) -> NDArray[np.float64]:
        """The same, with those that would cost as much as its electricity."""
        if self.chip_power_w is None:
            return self.paid_chips
        return self.paid_chips + self.chips * self.candidate.chip_s_per_j * self.chip_power_w

    @property
    def site_power_w(self) -> NDArray[np.float64]:
        """Power of all replicas at each point, with the site's overhead; none where it does not matter."""
        if self.chip_power_w is None:
            return np.zeros(len(self.copies))
        return self.demand.pue * self.copies * self.chips * self.chip_power_w

    @property
    def cycle_s(self) -> NDArray[np.float64]:
        """Time from one decode step to the next at each batch, prompts of others included, s."""
        return self.curve.tpot_s * self.deployment.speculation.accepted_tokens

    @property
    def chip_s_per_request(self) -> NDArray[np.float64]:
        """Chip-seconds of a request at each batch, both phases, of the chips in use."""
        return self.chips / self.requests_per_s

    @property
    def paid_chip_s_per_request(self) -> NDArray[np.float64]:
        """The same with the budget's idle chips, and with electricity as the chips that would cost as much."""
        return self.charged_chips / self.requests_per_s


def require_decode(workload: Workload) -> None:
    """Refuse a workload whose one token comes from reading its prompt.

    Raises:
        RidgelineError: says what to do instead.
    """
    if workload.decode_steps < 1:
        raise RidgelineError(
            "output_tokens=1: reading the prompt gives the one token, so that there is nothing to decode;"
            " estimate the prefill instead"
        )


def rejection_of(
    candidate: Candidate,
    workload: Workload,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
    *,
    heeds_engine: bool = True,
) -> Rejection | None:
    """Why a candidate cannot serve: it does not divide, its engine does not run it, or too few sequences fit.

    Args:
        candidate: in question.
        workload: what is asked.
        demand: the load; its batch must fit.
        heeds_engine: whether it matters what its engine is known not to run.
    """
    deployment = candidate.deployment

    def rejected(kind: Constraint, reason: str) -> Rejection:
        return Rejection(
            layout=deployment.layout,
            weights=candidate.weights,
            kind=kind,
            reason=reason,
            speculate=candidate.speculate,
        )

    if faults := deployment_faults(deployment):
        return rejected(Constraint.DIVIDES, "; ".join(faults))
    if heeds_engine and (faults := engine_faults(deployment)):
        return rejected(Constraint.ENGINE, "; ".join(faults))
    most = most_sequences(deployment, workload) * deployment.layout.dp
    if fault := _memory_fault(deployment, workload, most):
        return rejected(Constraint.MEMORY, fault)
    if demand.batch is not None and demand.batch % deployment.layout.dp:
        reason = f"{demand.batch:,} requests are not as many in each of {deployment.layout.dp} groups"
        return rejected(Constraint.DIVIDES, reason)
    if demand.batch is not None and demand.batch > most:
        by_engine = most == sequence_limit(deployment) * deployment.layout.dp
        takes = "its engine lets in" if by_engine else "a replica has room for"
        reason = f"{takes} at most {most:,} requests at once, and {demand.batch:,} are asked"
        return dataclasses.replace(rejected(Constraint.BATCH, reason), most_requests=most)
    return None


def serve(
    candidates: Sequence[Candidate],
    workload: Workload,
    budget: int | None,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
) -> list[Served]:
    """The curves of candidates that can serve, over all batches that fit; all of them timed together.

    Where a load is given, a point of a curve is a number of replicas, each with its part of the load.
    """
    if not candidates:
        return []
    deployments = [one.deployment for one in candidates]
    most = [most_sequences(one, workload) for one in deployments]
    times = pool_times(deployments, workload, max(most))
    grids = [sequence_grid(sequences) for sequences in most]
    if demand.requests_per_s is not None:
        curves = pool_curves(times, deployments, workload, grids)
        grids = [
            _grid_of_rate(one, curve, demand.requests_per_s, budget)
            for one, curve in zip(deployments, curves, strict=True)
        ]
    elif demand.users is not None:
        grids = [
            _grid_of_users(one, sequences, demand.users, budget)
            for one, sequences in zip(deployments, most, strict=True)
        ]
    elif demand.batch is not None:
        grids = [np.array([float(demand.batch // one.layout.dp)]) for one in deployments]
    curves = pool_curves(times, deployments, workload, grids)
    return [
        _served(candidate, workload, times.cases(np.array([number])), curve, sequences, budget, demand)
        for number, (candidate, curve, sequences) in enumerate(zip(candidates, curves, most, strict=True))
    ]


def _served(
    candidate: Candidate,
    workload: Workload,
    times: PoolTimes,
    curve: PoolCurve,
    most: int,
    budget: int | None,
    demand: Demand,
) -> Served:
    """One of them with what its points need besides."""
    deployment = candidate.deployment
    fitting = _fitting(deployment, budget)
    first_s = np.full(len(curve.batch), lone_first_token_s(times, deployment, curve, demand.ttft_quantile))
    copies, rate = np.full(len(curve.batch), float(fitting)), curve.requests_per_s
    if demand.has_load:
        grid = curve.batch / deployment.layout.dp
        (first_s,) = queued_first_tokens(times, [deployment], workload, [grid], demand.ttft_quantile)
        # Parts of a replica that the load would fill.
        filled = (demand.requests_per_s or 0.0) / rate if demand.users is None else demand.users / curve.batch
        copies = np.maximum(np.ceil(filled - ROUNDING), 1.0)
        rate = rate * np.minimum(filled / copies, 1.0)
    margins = {}
    if demand.widths_kept:
        passes = pool_passes(deployment, workload, float(curve.batch.max()) / deployment.layout.dp)
        margins = {
            "tpot_margin": tpot_interval(passes)[1] ** demand.widths_kept,
            "ttft_margin": ttft_interval(passes)[1] ** demand.widths_kept,
        }
    served = Served(
        candidate=candidate,
        workload=workload,
        times=times,
        curve=curve,
        most_sequences=most,
        budget=budget,
        demand=demand,
        copies=copies,
        requests_per_s=rate,
        first_token_s=first_s,
        **margins,
    )
    return _powered(served) if demand.heeds_power else served


def _powered(served: Served) -> Served:
    """The same with what its chips draw, and with no more replicas than there is power for."""
    curve, demand, chip = served.curve, served.demand, served.deployment.machine.chip
    passes = pool_passes(served.deployment, served.workload, float(curve.batch.max()) / served.layout.dp)
    power_w = drawn(
        passes,
        in_flight=curve.in_flight,
        decode_step_s=curve.decode_step_s,
        cycle_s=served.cycle_s,
        busy=served.requests_per_s / curve.requests_per_s,
        most_w=chip.power_w or 0.0,
    ).chip_power_w
    copies = served.copies
    if demand.site_power_w is not None and not demand.has_load:
        fed = demand.site_power_w / (demand.pue * served.chips * power_w)
        copies = np.minimum(copies, np.floor(fed + ROUNDING))
    return dataclasses.replace(served, chip_power_w=power_w, copies=copies)


ROUNDING = 1e-9
"""A number of replicas that is whole but for the last digits of a float is whole."""
MOST_REPLICAS = 4096
"""Beyond, a replica more or less is no question of a plan."""


def _fitting(deployment: Deployment, budget: int | None) -> int:
    """Replicas that a budget holds."""
    if budget is None:
        return MOST_REPLICAS
    return replicas_within(deployment.machine.fabric, budget, deployment.layout.chips)


def _grid_of_users(deployment: Deployment, most: int, users: int, budget: int | None) -> NDArray[np.float64]:
    """Sequences of a group when so many users are spread over one replica, two, three, and so on."""
    groups = deployment.layout.dp
    fewest = -(-users // (most * groups))
    copies = np.arange(fewest, max(fewest, min(users, _fitting(deployment, budget))) + 1, dtype=float)
    return np.unique(np.ceil(users / copies / groups - ROUNDING))


def _grid_of_rate(
    deployment: Deployment, curve: PoolCurve, requests_per_s: float, budget: int | None
) -> NDArray[np.float64]:
    """Sequences of a group when so many requests a second are spread over one replica, two, three, and so on."""
    rates = np.maximum.accumulate(curve.requests_per_s)
    fewest = int(np.ceil(requests_per_s / rates[-1] - ROUNDING))
    # With more replicas than those that serve one request at a time, all have less than one.
    enough = int(np.ceil(requests_per_s / rates[0]))
    fewest, enough = max(fewest, 1), max(enough, 1)
    copies = np.arange(fewest, max(fewest, min(enough, _fitting(deployment, budget))) + 1, dtype=float)
    batch = np.interp(requests_per_s / copies, rates, curve.batch)
    return np.unique(np.ceil(batch / deployment.layout.dp - ROUNDING))


def _memory_fault(deployment: Deployment, workload: Workload, most: int) -> str | None:
    """Why memory has no room: for one sequence a group on the mean, or for the longest of those that differ."""
    if most == 0:
        return _memory_reason(deployment, workload)
    if workload.lengths is None:
        return None
    longest_bytes, room_bytes = longest_beside(deployment, workload)
    if longest_bytes <= room_bytes:
        return None
    return (
        f"the longest sequence, of {workload.longest_tokens:,} tokens, keeps"
        f" {format_quantity(longest_bytes, 'bytes')} on a chip, where {format_quantity(room_bytes, 'bytes')} are left"
    )


def _memory_reason(deployment: Deployment, workload: Workload) -> str:
    """What a chip would have to hold for one sequence a group, against what it has."""
    memory = pool_memory(deployment, workload, 1)
    needed = memory.weights_bytes + memory.kv_bytes + memory.activation_bytes
    usable = needed + memory.free_bytes
    return (
        f"a chip needs {format_quantity(float(needed), 'bytes')}"
        f" (weights {format_quantity(float(memory.weights_bytes), 'bytes')}, one sequence's KV"
        f" {format_quantity(float(memory.kv_bytes), 'bytes')}, activations"
        f" {format_quantity(float(memory.activation_bytes), 'bytes')})"
        f" and has {format_quantity(float(usable), 'bytes')} usable"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A point of a layout's curve."""

    served: Served
    index: int

    @property
    def layout(self) -> Layout:
        """Of one replica."""
        return self.served.layout

    @property
    def weights(self) -> str | None:
        """Format that weights were asked for in."""
        return self.served.weights

    @property
    def paid_chip_s_per_request(self) -> float:
        """Chip-seconds of a request, the budget's idle chips among them."""
        return float(self.served.paid_chip_s_per_request[self.index])

    @property
    def rank(self) -> tuple[float, float]:
        """What plans are sorted by: chips that the load needs, then what a request costs; without a load that alone."""
        needed = 0.0
        if self.served.demand.has_load:
            needed = float(self.served.copies[self.index] * self.served.charged_chips[self.index])
        return needed, self.paid_chip_s_per_request


def best_choices(served: Sequence[Served]) -> list[Choice | Rejection]:
    """Each layout's cheapest batch that meets the limits, the fastest of those that are as good; or why none does."""
    return [_best(one) for one in _refined(served)]


def _best(served: Served) -> Choice | Rejection:
    workload, limit_s = served.workload, served.workload.ttft_s
    first_s = served.ttft_margin * served.first_token_s

    def rejected(kind: Constraint, reason: str) -> Rejection:
        return Rejection(
            layout=served.layout,
            weights=served.weights,
            kind=kind,
            reason=reason,
            speculate=served.candidate.speculate,
        )

    if limit_s is not None and float(first_s.min()) > limit_s:
        when = "with its queue at the least load" if served.demand.has_load else "in an idle system"
        sure = f", {100 * served.demand.sure:.6g} % sure" if served.ttft_margin > 1 else ""
        reason = (
            f"a first token takes {format_quantity(float(first_s.min()), 's')} {when}{sure},"
            f" over {format_quantity(limit_s, 's')}"
        )
        return rejected(Constraint.TTFT, reason)
    allowed = allowed_batches(served)
    if not allowed.any():
        fastest_s = served.tpot_margin * float(served.curve.tpot_s.min())
        if workload.tpot_s is not None and fastest_s > workload.tpot_s:
            sure = f", {100 * served.demand.sure:.6g} % sure" if served.tpot_margin > 1 else ""
            at = f"{format_quantity(fastest_s, 's')} at its fastest batch{sure}"
            return rejected(Constraint.TPOT, f"{at}, over {format_quantity(workload.tpot_s, 's')}")
        if served.demand.has_load and (fewest := served.copies.min()) > _fitting(served.deployment, served.budget):
            most = f"{MOST_REPLICAS:,} replicas are the most that are planned"
            limit = most if served.budget is None else f"the budget is {served.budget:,}"
            reason = f"the load needs {fewest:,.0f} replicas of {served.chips} chips, and {limit}"
            return dataclasses.replace(
                rejected(Constraint.CHIPS, reason), needed_chips=math.ceil(fewest) * served.chips
            )
        if hungry := _hungry(served):
            return hungry
        reason = "no batch keeps to both limits at once: the time per token and the time to the first token"
        return rejected(Constraint.TTFT, reason)
    # A load needs whole replicas: what they cost is what counts.
    each = served.copies * served.charged_chips if served.demand.has_load else served.paid_chip_s_per_request
    cost = np.where(allowed, each, np.inf)
    # A limit says how long a token may take; without one, a hair's gain is not worth a longer wait.
    slack = WORTH_WAITING_FOR if workload.tpot_s is None else 0.0
    worth_it = np.flatnonzero(cost <= cost.min() * (1 + slack))
    return Choice(served=served, index=int(worth_it[np.argmin(served.curve.tpot_s[worth_it])]))


def _hungry(served: Served) -> Rejection | None:
    """That there is not the power for all replicas of a load, or for one where none is given; None where there is."""
    demand, most_w = served.demand, served.demand.site_power_w
    if most_w is None or served.chip_power_w is None:
        return None
    copies = served.copies if demand.has_load else np.ones(len(served.copies))
    least_w = float((demand.pue * copies * served.chips * served.chip_power_w).min())
    if least_w <= most_w:
        return None
    what = "what serves the load" if demand.has_load else "one replica"
    reason = f"{what} draws {format_quantity(least_w, 'w')} at least, over {format_quantity(most_w, 'w')}"
    return Rejection(
        layout=served.layout, weights=served.weights, kind=Constraint.POWER, reason=reason, needed_power_w=least_w
    )


def allowed_batches(served: Served) -> NDArray[np.bool_]:
    """Which points of the curve keep to the limits on both times, and to the budget."""
    limit, first = (np.inf if one is None else one for one in (served.workload.tpot_s, served.workload.ttft_s))
    kept = (served.tpot_margin * served.curve.tpot_s <= limit) & (served.ttft_margin * served.first_token_s <= first)
    most_w = np.inf if served.demand.site_power_w is None else served.demand.site_power_w * (1 + ROUNDING)
    is_fed = (served.copies >= 1) & (served.site_power_w <= most_w)
    return np.asarray(kept & is_fed & (served.copies <= _fitting(served.deployment, served.budget)))


def _refined(served: Sequence[Served]) -> list[Served]:
    """The same with every whole batch between the last one allowed and the next on the grid, where there are any."""
    if served and (served[0].demand.has_load or served[0].demand.batch is not None):
        return list(served)  # every point that there is was looked at
    grids = [_refined_grid(one) for one in served]
    finer = [number for number, grid in enumerate(grids) if grid is not None]
    found = list(served)
    if not finer:
        return found
    deployments = [served[number].deployment for number in finer]
    # All pools were timed together: the first one's steps are those of all.
    first = served[finer[0]].times
    rows = np.concatenate([served[number].times.pool for number in finer])
    times = dataclasses.replace(
        first,
        pool=rows,
        **_cases(served, finer),
    )
    curves = pool_curves(times, deployments, served[0].workload, [grid for grid in grids if grid is not None])
    for number, curve in zip(finer, curves, strict=True):
        copies = np.full(len(curve.batch), float(_fitting(served[number].deployment, served[number].budget)))
        first_s = np.full(len(curve.batch), served[number].first_token_s[0])
        found[number] = dataclasses.replace(
            served[number], curve=curve, copies=copies, requests_per_s=curve.requests_per_s, first_token_s=first_s
        )
        if found[number].demand.heeds_power:
            found[number] = _powered(found[number])
    return found


def _cases(served: Sequence[Served], finer: Sequence[int]) -> dict[str, Any]:
    """Times of some pools, of each field those of all."""
    return {name: np.concatenate([getattr(served[number].times, name) for number in finer]) for name in CASES}


def _refined_grid(served: Served) -> NDArray[np.float64] | None:
    """Sequences of a group up to the next on the grid beyond the last allowed, every whole number behind that one."""
    allowed = np.flatnonzero(allowed_batches(served))
    if len(allowed) == 0 or allowed[-1] + 1 >= len(served.curve.batch):
        return None
    grid = served.curve.batch / served.layout.dp
    between = np.arange(grid[allowed[-1]] + 1, grid[allowed[-1] + 1])
    return np.concatenate([grid[: allowed[-1] + 1], between]) if len(between) else None


def plan_of(choice: Choice, price: float | None) -> Plan:
    """A choice in full: its interval, what its time goes to, its memory and its price."""
    served, index = choice.served, choice.index
    deployment, workload, curve = served.deployment, served.workload, served.curve
    chips, batch = served.chips, round(float(curve.batch[index]))
    sequences = batch // deployment.layout.dp
    passes = pool_passes(deployment, workload, sequences)
    tpot_s, first_s, copies = (float(one[index]) for one in (curve.tpot_s, served.first_token_s, served.copies))
    replicas = int(copies)
    low, high = tpot_interval(passes)
    first_low, first_high = ttft_interval(passes)
    rate = float(served.requests_per_s[index])
    decode, prefill = causes_per_request(passes, curve, index, requests_per_s=rate)
    memory = pool_memory(deployment, workload, sequences)
    pays_from, pays_to = paying_batches(deployment, workload)
    energy = _energy(served, index, passes)
    spent = {cause: chips * (decode[cause] + prefill[cause]) / workload.output_tokens for cause in Cause}
    return Plan(
        layout=deployment.layout,
        weights=served.weights,
        speculation=deployment.speculation,
        replicas=replicas,
        batch=batch,
        in_flight=float(curve.in_flight[index]),
        tpot_s=tpot_s,
        tpot_low_s=tpot_s * low,
        tpot_high_s=tpot_s * high,
        decode_step_s=float(curve.decode_step_s[index]),
        ttft_s=first_s,
        ttft_low_s=first_s * first_low,
        ttft_high_s=first_s * first_high,
        output_tokens_per_s_per_chip=rate * workload.output_tokens / chips,
        requests_per_s=replicas * rate,
        usd_per_h=_usd(price, replicas * float(served.charged_chips[index]) * 3600.0),
        usd_per_output_token=_with_electricity(
            _usd(price, chips * sum(decode.values()) / workload.output_tokens),
            None if energy is None else energy.electricity_usd_per_output_token,
        ),
        usd_per_input_token=_with_electricity(
            _usd(price, chips * sum(prefill.values()) / workload.prompt_tokens),
            None if energy is None else energy.electricity_usd_per_input_token,
        ),
        energy=energy,
        bound=_largest(spent),
        decode_bound=_largest(decode),
        prefill_bound=_largest(prefill),
        chip_s_per_output_token=spent,
        limited_by=_limit(served, index, sequences),
        memory=memory,
        kv_capacity_tokens=kv_capacity_tokens(deployment, memory, held_tokens=workload.ending_tokens),
        chip_s_per_request=float(served.chip_s_per_request[index]),
        paid_chip_s_per_request=choice.paid_chip_s_per_request,
        limits_met_at_high=workload.tpot_s is None or tpot_s * high <= workload.tpot_s,
        ttft_quantile=served.demand.ttft_quantile if served.demand.has_load or workload.lengths else None,
        is_memory_raised=float(memory.raised_bytes) > 0,
        correction=deployment.correction,
        carried_by=request_carriers(
            deployment, workload, batch=batch, decode_s=sum(decode.values()), prompt_s=sum(prefill.values())
        ),
        pays_from_batch=pays_from,
        pays_to_batch=pays_to,
    )


def _energy(served: Served, index: int, passes: PoolPasses) -> Energy | None:
    """What a choice draws; None where the power of its chip is not known."""
    most_w, demand = passes.deployment.machine.chip.power_w, served.demand
    workload, curve = served.workload, served.curve
    if most_w is None:
        return None
    at = np.array([index])
    rate = served.requests_per_s[at]
    found = drawn(
        passes,
        in_flight=curve.in_flight[at],
        decode_step_s=curve.decode_step_s[at],
        cycle_s=served.cycle_s[at],
        busy=rate / curve.requests_per_s[at],
        most_w=most_w,
    )
    power_w, of_decode = float(found.chip_power_w[0]), float(found.decode_fraction[0])
    site_w = demand.pue * served.chips * power_w
    per_request_j = site_w / float(rate[0])
    output_j, input_j = of_decode * per_request_j, (1 - of_decode) * per_request_j
    output_j, input_j = output_j / workload.output_tokens, input_j / workload.prompt_tokens
    usd_per_j = demand.electricity_usd_per_j
    return Energy(
        chip_power_w=power_w,
        site_power_w=float(served.copies[index]) * site_w,
        energy_j_per_output_token=output_j,
        energy_j_per_input_token=input_j,
        electricity_usd_per_output_token=None if usd_per_j is None else usd_per_j * output_j,
        electricity_usd_per_input_token=None if usd_per_j is None else usd_per_j * input_j,
    )


def _with_electricity(chips_usd: float | None, electricity_usd: float | None) -> float | None:
    """Cost of chips and of electricity; None without a price of chips."""
    return chips_usd if chips_usd is None or electricity_usd is None else chips_usd + electricity_usd


def _largest(causes: dict[Cause, float]) -> Cause:
    return max(causes, key=lambda cause: causes[cause])


def _limit(served: Served, index: int, sequences: int) -> Constraint:
    """What keeps a plan's batch from being larger."""
    if sequences == served.most_sequences:
        return Constraint.ENGINE if sequences == sequence_limit(served.deployment) else Constraint.MEMORY
    if served.demand.has_load or served.demand.batch is not None:
        return Constraint.LOAD
    return Constraint.TPOT if index == np.flatnonzero(allowed_batches(served))[-1] else Constraint.COST


def front(served: Sequence[Served], price: float | None) -> tuple[FrontPoint, ...]:
    """Points that no other beats in time per token and in paid chip-seconds per request at once; fastest first."""
    if not served:
        return ()
    owners = np.concatenate([np.full(len(one.curve.batch), number) for number, one in enumerate(served)])
    places = np.concatenate([np.arange(len(one.curve.batch)) for one in served])
    tpot_s = np.concatenate([one.curve.tpot_s for one in served])
    cost = np.concatenate([one.paid_chip_s_per_request for one in served])
    copies = np.concatenate([one.copies for one in served])
    order = np.lexsort((cost, tpot_s))
    order = order[copies[order] >= 1]  # there is not the power for one
    if not len(order):
        return ()
    cheapest_so_far = np.minimum.accumulate(cost[order])
    is_new = np.concatenate([[True], cheapest_so_far[1:] < cheapest_so_far[:-1]])
    return tuple(_front_point(served[owners[at]], int(places[at]), price) for at in order[is_new])


def _front_point(served: Served, index: int, price: float | None) -> FrontPoint:
    paid = float(served.paid_chip_s_per_request[index])
    return FrontPoint(
        layout=served.deployment.layout,
        weights=served.weights,
        replicas=int(served.copies[index]),
        batch=round(float(served.curve.batch[index])),
        tpot_s=float(served.curve.tpot_s[index]),
        ttft_s=float(served.first_token_s[index]),
        paid_chip_s_per_request=paid,
        usd_per_request=_usd(price, paid),
        speculate=served.candidate.speculate,
    )


def _usd(price: float | None, chip_s: float) -> float | None:
    """What chip-seconds cost; None without a price."""
    return None if price is None else float(usd_per_token(time_s=chip_s, chips=1, tokens=1, usd_per_chip_s=price))
