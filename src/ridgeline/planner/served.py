"""Deployments that can serve, each with its curve over all batches that fit, and with replicas for a load.

All of them are timed together.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.estimator.placement import chips_of_replicas, replicas_within
from ridgeline.numeric import ROUNDING
from ridgeline.planner.rejection import Candidate
from ridgeline.serving.energy import drawn
from ridgeline.serving.interval import tpot_interval, ttft_interval
from ridgeline.serving.open_curves import OpenPools, open_pools
from ridgeline.serving.passes import pool_passes, pool_times
from ridgeline.serving.pool import (
    GRID_RATIO,
    PoolCurve,
    lone_first_token_s,
    most_sequences,
    pool_curves,
    queued_first_tokens,
    sequence_grid,
)
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

__all__ = [
    "MOST_REPLICAS",
    "ServedCurve",
    "allowed_batches",
    "fitting",
    "keeping_batches",
    "powered",
    "serve",
    "within_budget",
]

MOST_REPLICAS = 4096
"""Maximum replicas of a plan; beyond, one more or less makes no difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedCurve:
    """A candidate with its curve and values that do not depend on the batch.

    Attributes:
        candidate: candidate that serves.
        workload: workload that is served.
        times: times of its pool's passes.
        curve: latency and throughput over all batches that fit.
        most_sequences: maximum sequences of a group that fit.
        budget: chips, replicas included; None for as many as the load needs, or the power feeds.
        demand: load, and the certainty with which limits are met.
        copies: replicas at each point of the curve.
        requests_per_s: requests per second of one replica at each point: its capacity, or its part of the load.
        first_token_s: time to the first token at each point: in an idle system, or with the load's queue, s.
        tpot_margin: factor on the time per token that gives the required certainty of its limit.
        ttft_margin: factor on the time to the first token that gives the required certainty of its limit.
        chip_power_w: mean power of a chip at each point, W; None where power is neither limited nor charged.
        pools: the replica under random arrivals; None without a rate as the load.
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
    pools: OpenPools | None = None

    @property
    def deployment(self) -> Deployment:
        """Deployment that serves."""
        return self.candidate.deployment

    @property
    def layout(self) -> Layout:
        """Layout of one replica."""
        return self.deployment.layout

    @property
    def weights(self) -> str | None:
        """Requested format of the weights."""
        return self.candidate.weights

    @property
    def chips(self) -> int:
        """Chips of one replica."""
        return self.deployment.layout.chips

    @property
    def is_fed(self) -> bool:
        """Whether a limit on power alone determines how many replicas there are."""
        return self.budget is None and not self.demand.has_load

    @property
    def all_chips(self) -> NDArray[np.float64]:
        """Chips of all replicas at each point, with those that are paid and idle.

        Of a budget all are paid; where load or power determines the replicas, those of scale-up domains that are too
        few for one more.
        """
        copies = np.maximum(self.copies, 1.0)
        if self.demand.has_load or self.budget is None:
            return np.asarray(chips_of_replicas(self.deployment.machine.fabric, copies, self.chips))
        return np.full(len(copies), float(self.budget))

    @property
    def paid_chips(self) -> NDArray[np.float64]:
        """Chips that are paid for a replica at each point: its own, and its part of those that idle."""
        return self.all_chips / np.maximum(self.copies, 1.0)

    @property
    def charged_chips(self) -> NDArray[np.float64]:
        """Paid chips, with those that would cost as much as the electricity."""
        if self.chip_power_w is None:
            return self.paid_chips
        return self.paid_chips + self.chips * self.candidate.chip_s_per_j * self.chip_power_w

    @property
    def site_power_w(self) -> NDArray[np.float64]:
        """Power of all replicas at each point, with the site's overhead, W; 0 where it does not matter."""
        if self.chip_power_w is None:
            return np.zeros(len(self.copies))
        return self.demand.pue * self.copies * self.chips * self.chip_power_w

    @property
    def chip_s_per_request(self) -> NDArray[np.float64]:
        """Chip-seconds of a request at each batch, both phases, of the chips in use."""
        return self.chips / self.requests_per_s

    @property
    def paid_chip_s_per_request(self) -> NDArray[np.float64]:
        """Paid chip-seconds per request, with idle chips, and with electricity as the chip-time that costs as much."""
        return self.charged_chips / self.requests_per_s


def serve(
    candidates: Sequence[Candidate],
    workload: Workload,
    budget: int | None,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
    *,
    times: PoolTimes | None = None,
) -> list[ServedCurve]:
    """Curves of candidates that can serve, over all batches that fit; all are timed together.

    Where a load is given, a point of a curve is a number of replicas, each with its part of the load.

    Args:
        candidates: candidates that may serve.
        workload: workload that is served.
        budget: chips, replicas included; None for as many as the load needs, or, without one, as the power feeds.
        demand: load to serve.
        times: times of the candidates' passes, where they are known.
    """
    if not candidates:
        return []
    deployments = [one.deployment for one in candidates]
    most = [most_sequences(one, workload) for one in deployments]
    if times is None:
        times = pool_times(deployments, workload, max(most))
    grids = [sequence_grid(sequences) for sequences in most]
    if demand.requests_per_s is not None:
        return _served_at_random(candidates, deployments, workload, budget, demand, times=times, most=most)
    if demand.users is not None:
        grids = [_grid_of_users(one, sequences, demand.users) for one, sequences in zip(deployments, most, strict=True)]
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
) -> ServedCurve:
    """A candidate with further values for its points."""
    deployment = candidate.deployment
    most_copies = float(fitting(deployment, budget))
    first_s = np.full(len(curve.batch), lone_first_token_s(times, deployment, curve, demand.ttft_quantile))
    copies, rate = np.full(len(curve.batch), most_copies), curve.requests_per_s
    if demand.users is not None:
        grid = curve.batch / deployment.layout.dp
        (first_s,) = queued_first_tokens(times, [deployment], [grid], demand.ttft_quantile)
        # Fractional replicas that the load would fill.
        filled = demand.users / curve.batch
        copies = np.maximum(np.ceil(filled - ROUNDING), 1.0)
        rate = rate * np.minimum(filled / copies, 1.0)
    return _with_margins(
        ServedCurve(
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
        )
    )


def _served_at_random(
    candidates: Sequence[Candidate],
    deployments: Sequence[Deployment],
    workload: Workload,
    budget: int | None,
    demand: Demand,
    *,
    times: PoolTimes,
    most: Sequence[int],
) -> list[ServedCurve]:
    """Candidates that serve random arrivals, each replica with its part of the load."""
    load = demand.requests_per_s or 0.0
    pools = open_pools(times, deployments, workload)
    copies = [
        _copies_of_rate(load, float(most_per_s), float(lone_per_s))
        for most_per_s, lone_per_s in zip(pools.most_per_s, pools.lone_per_s, strict=True)
    ]
    curves = pools.curves([load / each for each in copies], demand.ttft_quantile)
    return [
        _with_margins(
            ServedCurve(
                candidate=candidate,
                workload=workload,
                times=times.cases(np.array([number])),
                curve=curve,
                most_sequences=most[number],
                budget=budget,
                demand=demand,
                copies=copies[number],
                requests_per_s=load / copies[number],
                first_token_s=first_s,
                pools=pools.case(number),
            )
        )
        for number, (candidate, (curve, first_s)) in enumerate(zip(candidates, curves, strict=True))
    ]


def _with_margins(served: ServedCurve) -> ServedCurve:
    """A candidate with its latency margins, and with its power where the demand limits it."""
    demand = served.demand
    if demand.widths_kept:
        most = float(served.curve.batch.max()) / served.layout.dp
        passes = pool_passes(served.deployment, served.workload, most)
        served = dataclasses.replace(
            served,
            tpot_margin=tpot_interval(passes)[1] ** demand.widths_kept,
            ttft_margin=ttft_interval(passes)[1] ** demand.widths_kept,
        )
    return powered(served) if demand.heeds_power else served


def powered(served: ServedCurve) -> ServedCurve:
    """A candidate with its power, and with no more replicas than there is power for."""
    curve, demand, chip = served.curve, served.demand, served.deployment.machine.chip
    passes = pool_passes(served.deployment, served.workload, float(curve.batch.max()) / served.layout.dp)
    power_w = drawn(
        passes,
        decoding=curve.decoding,
        decode_fraction=curve.decode_fraction(passes.decode_steps),
        busy=served.requests_per_s / curve.requests_per_s,
        most_w=chip.power_w or 0.0,
    ).chip_power_w
    copies = served.copies
    if demand.site_power_w is not None and not demand.has_load:
        fed = np.floor(demand.site_power_w / (demand.pue * served.chips * power_w) + ROUNDING)
        copies = fed if served.is_fed else np.minimum(copies, fed)
    return dataclasses.replace(served, chip_power_w=power_w, copies=copies)


def fitting(deployment: Deployment, budget: int | None) -> int:
    """Number of replicas that a budget holds."""
    if budget is None:
        return MOST_REPLICAS
    return int(replicas_within(deployment.machine.fabric, budget, deployment.layout.chips))


def _grid_of_users(deployment: Deployment, most: int, users: int) -> NDArray[np.float64]:
    """Sequences of a group when ``users`` are spread over one replica, two, three, and so on."""
    groups = deployment.layout.dp
    fewest = -(-users // (most * groups))
    copies = np.arange(fewest, max(fewest, min(users, MOST_REPLICAS)) + 1, dtype=float)
    return np.unique(np.ceil(users / copies / groups - ROUNDING))


def _copies_of_rate(requests_per_s: float, most_per_s: float, lone_per_s: float) -> NDArray[np.float64]:
    """Numbers of replicas that may share ``requests_per_s``: each whole number at first, then in steps of 1.5 %.

    Args:
        requests_per_s: load to serve, requests/s.
        most_per_s: maximum rate of a replica, requests/s.
        lone_per_s: rate at which a replica has one request at a time, requests/s; more replicas gain nothing.
    """
    fewest = max(int(np.ceil(requests_per_s / most_per_s - ROUNDING)), 1)
    enough = max(fewest, int(np.ceil(requests_per_s / lone_per_s)))
    every = np.arange(fewest, min(enough, fewest + DENSE_COPIES) + 1)
    steps = np.ceil(np.log(enough / every[-1]) / np.log(GRID_RATIO))
    return np.unique(np.concatenate([every, np.round(np.geomspace(every[-1], enough, int(steps) + 1))])).astype(float)


DENSE_COPIES = 64
"""Replicas beyond the fewest up to which every whole number is evaluated."""


def keeping_batches(served: ServedCurve) -> NDArray[np.bool_]:
    """Whether each point of the curve meets the limits on latency and power, whatever the budget."""
    limit, first = (np.inf if one is None else one for one in (served.workload.tpot_s, served.workload.ttft_s))
    kept = (served.tpot_margin * served.curve.tpot_s <= limit) & (served.ttft_margin * served.first_token_s <= first)
    most_w = np.inf if served.demand.site_power_w is None else served.demand.site_power_w * (1 + ROUNDING)
    return np.asarray(kept & (served.copies >= 1) & (served.site_power_w <= most_w))


def within_budget(served: ServedCurve) -> NDArray[np.bool_]:
    """Whether there are chips for each point of the curve."""
    return np.asarray(served.is_fed | (served.copies <= fitting(served.deployment, served.budget)))


def allowed_batches(served: ServedCurve) -> NDArray[np.bool_]:
    """Whether each point of the curve meets the limits and the budget."""
    return keeping_batches(served) & within_budget(served)
