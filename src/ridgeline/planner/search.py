"""One layout of a search: its curve over all batches that fit, and the best batch of it; and the front of all."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.pricing import usd_per_token
from ridgeline.estimator.clock import Cause
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.engine_support import engine_faults
from ridgeline.estimator.memory import kv_capacity_tokens
from ridgeline.estimator.placement import replicas_within
from ridgeline.planner.outcome import Constraint, FrontPoint, Plan, Rejection
from ridgeline.quantity_text import format_quantity
from ridgeline.serving.admission import pool_memory, sequence_limit
from ridgeline.serving.interval import tpot_interval, ttft_interval
from ridgeline.serving.passes import PoolPasses, pool_passes
from ridgeline.serving.pool import PoolCurve, causes_per_request, most_sequences, pool_curve, sequence_grid
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["Served", "Tried", "allowed_batches", "best_plan", "front", "serve", "serve_all"]

WORTH_WAITING_FOR = 0.01
"""A batch that is not 1 % cheaper is not worth a longer wait; the estimate itself is not so sure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A pool with its curve and what does not depend on the batch."""

    passes: PoolPasses
    weights: str | None
    curve: PoolCurve
    most_sequences: int
    budget: int

    @property
    def deployment(self) -> Deployment:
        """What serves."""
        return self.passes.deployment

    @property
    def workload(self) -> Workload:
        """What is asked."""
        return self.passes.workload

    @property
    def chips(self) -> int:
        """Chips of one replica."""
        return self.deployment.layout.chips

    @property
    def replicas(self) -> int:
        """Copies that the budget holds."""
        return replicas_within(self.deployment.machine.fabric, self.budget, self.chips)

    @property
    def chip_s_per_request(self) -> NDArray[np.float64]:
        """Chip-seconds of a request at each batch, both phases, of the chips in use."""
        return self.chips / self.curve.requests_per_s

    @property
    def paid_chip_s_per_request(self) -> NDArray[np.float64]:
        """The same with the budget's idle chips."""
        return self.chip_s_per_request * self.budget / (self.replicas * self.chips)


def serve(deployment: Deployment, workload: Workload, weights: str | None, budget: int) -> Served | Rejection:
    """The pool's curve over all batches that fit.

    A rejection where the layout does not divide, where its engine does not run it, or where not one sequence fits.
    """

    def rejected(kind: Constraint, reason: str) -> Rejection:
        return Rejection(layout=deployment.layout, weights=weights, kind=kind, reason=reason)

    if faults := layout_faults(deployment.model, deployment.machine, deployment.layout):
        return rejected(Constraint.DIVIDES, "; ".join(faults))
    if faults := engine_faults(deployment):
        return rejected(Constraint.ENGINE, "; ".join(faults))
    most = most_sequences(deployment, workload)
    if most == 0:
        return rejected(Constraint.MEMORY, _memory_reason(deployment, workload))
    passes = pool_passes(deployment, workload, most)
    return Served(
        passes=passes,
        weights=weights,
        curve=pool_curve(passes, sequence_grid(most)),
        most_sequences=most,
        budget=budget,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What became of pools.

    Attributes:
        served: those that serve, whatever the limits on time.
        rejected: those that do not; of those that do not divide, only the ones on the whole budget.
        left_out: those of them that the engine does not run.
        undivided: how many do not divide.
    """

    served: list[Served]
    rejected: list[Rejection]
    left_out: list[tuple[Rejection, Deployment]]
    undivided: int


def serve_all(deployments: Iterable[tuple[str | None, Deployment]], workload: Workload, budget: int) -> Tried:
    """Every pool's curve, or why it has none; deployments come with the name of the number format asked for."""
    outcomes = [(serve(one, workload, weights, budget), one) for weights, one in deployments]
    rejections = [(found, one) for found, one in outcomes if isinstance(found, Rejection)]
    return Tried(
        served=[found for found, _ in outcomes if isinstance(found, Served)],
        # Of those that cannot be, only the ones that a reader would ask for: the whole budget as one replica.
        rejected=[one for one, _ in rejections if one.kind is not Constraint.DIVIDES or one.layout.chips == budget],
        left_out=[(found, one) for found, one in rejections if found.kind is Constraint.ENGINE],
        undivided=sum(one.kind is Constraint.DIVIDES for one, _ in rejections),
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


def best_plan(served: Served, price: float | None) -> Plan | Rejection:
    """The cheapest batch of a layout that meets the limits; the fastest of those that are as good."""
    layout, workload, first_s = served.deployment.layout, served.workload, served.curve.first_token_s
    if workload.ttft_s is not None and first_s > workload.ttft_s:
        reason = (
            f"a prompt takes {format_quantity(first_s, 's')}"
            f" in an idle system, over {format_quantity(workload.ttft_s, 's')}"
        )
        return Rejection(layout=layout, weights=served.weights, kind=Constraint.TTFT, reason=reason)
    refined = _refined(served)
    allowed = allowed_batches(refined)
    if not allowed.any():
        reason = (
            f"{format_quantity(float(served.curve.tpot_s.min()), 's')} at its fastest batch,"
            f" over {format_quantity(workload.tpot_s or 0.0, 's')}"
        )
        return Rejection(layout=layout, weights=served.weights, kind=Constraint.TPOT, reason=reason)
    cost = np.where(allowed, refined.chip_s_per_request, np.inf)
    # A limit says how long a token may take; without one, a hair's gain is not worth a longer wait.
    slack = WORTH_WAITING_FOR if workload.tpot_s is None else 0.0
    worth_it = np.flatnonzero(cost <= cost.min() * (1 + slack))
    return _plan_at(refined, int(worth_it[np.argmin(refined.curve.tpot_s[worth_it])]), price)


def allowed_batches(served: Served) -> NDArray[np.bool_]:
    """Which batches of the curve keep to the limit on the time per token."""
    limit = served.workload.tpot_s
    return np.asarray(served.curve.tpot_s <= (np.inf if limit is None else limit))


def _refined(served: Served) -> Served:
    """The same with every whole batch between the last one allowed and the next on the grid."""
    allowed = np.flatnonzero(allowed_batches(served))
    if len(allowed) == 0 or allowed[-1] + 1 >= len(served.curve.batch):
        return served
    dp = served.deployment.layout.dp
    grid = served.curve.batch / dp
    between = np.arange(grid[allowed[-1]] + 1, grid[allowed[-1] + 1])
    if len(between) == 0:
        return served
    every = np.concatenate([grid[: allowed[-1] + 1], between])
    return dataclasses.replace(served, curve=pool_curve(served.passes, every))


def _plan_at(served: Served, index: int, price: float | None) -> Plan:
    deployment, workload, curve = served.deployment, served.workload, served.curve
    chips, batch = served.chips, int(curve.batch[index])
    tpot_s, first_s = float(curve.tpot_s[index]), curve.first_token_s
    low, high = tpot_interval(served.passes)
    first_low, first_high = ttft_interval(served.passes)
    decode, prefill = causes_per_request(served.passes, curve, index)
    sequences = batch // deployment.layout.dp
    memory = pool_memory(deployment, workload, sequences)
    rate = float(curve.requests_per_s[index])
    spent = {cause: chips * (decode[cause] + prefill[cause]) / workload.output_tokens for cause in Cause}
    return Plan(
        layout=deployment.layout,
        weights=served.weights,
        replicas=served.replicas,
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
        requests_per_s=served.replicas * rate,
        usd_per_h=_usd(price, served.budget * 3600.0),
        usd_per_output_token=_usd(price, chips * sum(decode.values()) / workload.output_tokens),
        usd_per_input_token=_usd(price, chips * sum(prefill.values()) / workload.prompt_tokens),
        bound=_largest(spent),
        decode_bound=_largest(decode),
        prefill_bound=_largest(prefill),
        chip_s_per_output_token=spent,
        limited_by=_limit(served, index, sequences),
        memory=memory,
        kv_capacity_tokens=kv_capacity_tokens(deployment, memory, held_tokens=workload.longest_tokens),
        chip_s_per_request=float(served.chip_s_per_request[index]),
        paid_chip_s_per_request=float(served.paid_chip_s_per_request[index]),
        limits_met_at_high=workload.tpot_s is None or tpot_s * high <= workload.tpot_s,
        is_memory_raised=float(memory.raised_bytes) > 0,
        correction=deployment.correction,
    )


def _largest(causes: dict[Cause, float]) -> Cause:
    return max(causes, key=lambda cause: causes[cause])


def _limit(served: Served, index: int, sequences: int) -> Constraint:
    """What keeps a plan's batch from being larger."""
    if sequences == served.most_sequences:
        return Constraint.ENGINE if sequences == sequence_limit(served.deployment) else Constraint.MEMORY
    return Constraint.TPOT if index == np.flatnonzero(allowed_batches(served))[-1] else Constraint.COST


def front(served: list[Served], price: float | None) -> tuple[FrontPoint, ...]:
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


def _front_point(served: Served, index: int, price: float | None) -> FrontPoint:
    paid = float(served.paid_chip_s_per_request[index])
    return FrontPoint(
        layout=served.deployment.layout,
        weights=served.weights,
        replicas=served.replicas,
        batch=int(served.curve.batch[index]),
        tpot_s=float(served.curve.tpot_s[index]),
        ttft_s=served.curve.first_token_s,
        paid_chip_s_per_request=paid,
        usd_per_request=_usd(price, paid),
    )


def _usd(price: float | None, chip_s: float) -> float | None:
    """What chip-seconds cost; None without a price."""
    return None if price is None else float(usd_per_token(time_s=chip_s, chips=1, tokens=1, usd_per_chip_s=price))
