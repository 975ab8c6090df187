"""Operating point of a deployment, as the planner finds it: the cost of an input and of an output token there."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.catalog.ownership import Owned
from ridgeline.errors import RidgelineError, UnservedError
from ridgeline.estimator.notes import STAGES_UNMEASURED
from ridgeline.estimator.timing import Cause
from ridgeline.inversion.spread import Cost, Ends, InOut, cost_of
from ridgeline.numeric import ROUNDING
from ridgeline.planner.compare import remedy
from ridgeline.planner.outcome import Energy, FrontPoint, Plan, Planning
from ridgeline.planner.plan import plan
from ridgeline.planner.ranked import Ranked
from ridgeline.planner.two_pools.compare import stages_of
from ridgeline.planner.two_pools.outcome import TwoPoolPlan, TwoPoolPoint, TwoPools
from ridgeline.planner.two_pools.search import plan_two_pools
from ridgeline.serving.interval import reading_interval
from ridgeline.serving.passes import pool_passes
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

__all__ = ["POOLS", "Operating", "PricedDeployment", "Unit", "operating"]

POOLS = 2
"""Pools of a deployment that splits prompts from tokens, each of which takes a chip or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedDeployment:
    """Deployment and workload to serve, and prices of its chips.

    Attributes:
        deployment: model, machine, formats and engine; its layout is not looked at.
        workload: lengths of requests, limits on their latency, and the part of prompts that is found.
        pools: number of pools, 1 or 2; None for the cheaper of both.
        layouts: layout of a replica, or of both pools with prompts first; empty for the cheapest.
        chips: budget of chips; None for one scale-up domain.
        weights: number format of the layers' weights; None as published.
        usd_per_chip_s: price of a chip, dollars a second.
        electricity_usd_per_j: price of electricity beside it; None where it is in the price of chips.
        owned: parts of a chip's price where it is owned; None where it is rented.
        rents: least and most that others ask for a chip, over its price; 1 where the price is given, or owned.
    """

    deployment: Deployment
    workload: Workload
    pools: int | None
    layouts: tuple[Layout, ...]
    chips: int | None
    weights: str | None
    usd_per_chip_s: float
    electricity_usd_per_j: float | None
    owned: Owned | None = None
    rents: Ends = (1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The least that can be rented of one way to serve: one replica, or both pools.

    Attributes:
        layout: layout of a replica, or of both pools with that of prompts first.
        chips: chips that it takes.
        requests_per_s: most requests a second that it serves.
    """

    layout: str
    chips: int
    requests_per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Operating:
    """The cheapest way to serve, or that of a layout, with as many requests under way as cost least.

    Attributes:
        layout: layout of a replica, or of both pools with that of prompts first.
        chips: chips in use.
        batch: requests under way on a replica; of two pools, on one that makes tokens.
        tpot_s: time per output token.
        tpot_low_s: lower end of its 80 % interval.
        tpot_high_s: upper end of its 80 % interval.
        ttft_s: time to the first token.
        requests_per_s: requests a second of all replicas.
        bound: cause that takes most of the chip-time.
        read_times: ends of the 80 % interval of the chip-time of a prompt, over that time.
        input_usd: price of the chips at work for a token of a prompt, whether computed or found.
        output_usd: price of the chips at work for a token of an answer.
        input_waiting_usd: price of the chips that wait in the pool of prompts, for a token of a prompt; 0 in one pool.
        output_waiting_usd: price of the chips that wait in the pool of tokens, for a token of an answer; 0 in one pool.
        idle_usd_per_request: price of chips that are paid beside those at work: that idle in the budget, or in the pool
            that waits for the other.
        input_electricity_usd: electricity of a token of a prompt, where it is paid for.
        output_electricity_usd: electricity of a token of an answer, where it is paid for.
        fastest_tpot_s: least time per output token that any layout has.
        otherwise_ratio: cost of a request with two pools in place of one, or the reverse, over this; None where that
            was not looked at, or serves nothing.
        stages: most pipeline stages of a replica.
        units: ways to serve, each with the fewest chips that can be rented for it.
        notes: departures and omissions of the plan.
    """

    layout: str
    chips: int
    batch: int
    tpot_s: float
    tpot_low_s: float
    tpot_high_s: float
    ttft_s: float
    requests_per_s: float
    bound: Cause
    read_times: Ends
    input_usd: float
    output_usd: float
    input_waiting_usd: float
    output_waiting_usd: float
    idle_usd_per_request: float
    input_electricity_usd: float
    output_electricity_usd: float
    fastest_tpot_s: float
    stages: int
    units: tuple[Unit, ...]
    notes: tuple[str, ...]
    otherwise_ratio: float | None = None

    def usd_per_request(self, workload: Workload) -> float:
        """Price of all chips for a request, dollars."""
        inputs, outputs = self.input_usd + self.input_electricity_usd, self.output_usd + self.output_electricity_usd
        return inputs * workload.prompt_tokens + outputs * workload.output_tokens + self.idle_usd_per_request

    def paid_usd(self, workload: Workload) -> InOut:
        """Price of all chips for a token of a prompt and for one of an answer, as the plan has them.

        Chips that wait in a pool are paid by that pool's tokens; those of the budget that no replica takes by all
        tokens, in proportion to the price of the others.
        """
        tokens = workload.prompt_tokens, workload.output_tokens
        in_pools = self.input_usd + self.input_waiting_usd, self.output_usd + self.output_waiting_usd
        waiting = self.input_waiting_usd * tokens[0] + self.output_waiting_usd * tokens[1]
        spare = max(self.idle_usd_per_request - waiting, 0.0)
        with_spare = 1 + spare / (in_pools[0] * tokens[0] + in_pools[1] * tokens[1])
        return in_pools[0] * with_spare, in_pools[1] * with_spare

    def over_waiting(self, workload: Workload) -> InOut:
        """Price of all chips over that of the chips at work, for a token of a prompt and for one of an answer."""
        at_work = self.input_usd, self.output_usd
        electricity = self.input_electricity_usd, self.output_electricity_usd
        first, second = (
            (paid + power) / (work + power)
            for paid, work, power in zip(self.paid_usd(workload), at_work, electricity, strict=True)
        )
        return first, second

    def over_work(self, over_paid: InOut, workload: Workload) -> InOut:
        """Cost over that of the chips at work, of a token of a prompt and of one of an answer.

        Args:
            over_paid: cost over that of all chips.
            workload: workload that is served.
        """
        over_waiting = self.over_waiting(workload)
        return over_paid[0] * over_waiting[0], over_paid[1] * over_waiting[1]

    def input_cost(self, rents: Ends) -> Cost:
        """Cost of the chips at work for a token of a prompt, whether computed or found, with its ends."""
        return cost_of(self.input_usd, self.input_electricity_usd, times=self.read_times, rents=rents)

    def output_cost(self, rents: Ends) -> Cost:
        """Cost of the chips at work for a token of an answer, with its ends."""
        times = self.tpot_low_s / self.tpot_s, self.tpot_high_s / self.tpot_s
        return cost_of(self.output_usd, self.output_electricity_usd, times=times, rents=rents)


def operating(served: PricedDeployment, demand: Demand = AS_MUCH_AS_IT_GIVES, *, is_brief: bool = False) -> Operating:
    """Operating point of the deployment at which a request costs least.

    Args:
        served: deployment, workload and prices of what is served.
        demand: load to serve; left out, as much as the chips give.
        is_brief: whether to leave out notes.

    Raises:
        UnservedError: nothing serves it; says what comes nearest.
        RidgelineError: the layout that was asked for does not; says why.
    """
    if served.pools == POOLS and served.chips is not None and served.chips < POOLS:
        raise UnservedError(f"two pools need {POOLS} chips or more; give more --chips, or --pools 1")
    ratio = 1.0 if served.owned is None else served.owned.server_power_ratio
    demand = dataclasses.replace(demand, electricity_usd_per_j=served.electricity_usd_per_j, pue=ratio)
    search = _of_two_pools if served.pools == POOLS else _of_one_pool
    return search(served, demand, is_brief=is_brief)


def _of_one_pool(served: PricedDeployment, demand: Demand, *, is_brief: bool) -> Operating:
    found = plan(
        served.deployment,
        served.workload,
        weights=served.weights,
        chips=served.chips,
        demand=demand,
        usd_per_chip_s=served.usd_per_chip_s,
        why_not=served.layouts[0] if served.layouts else None,
        is_brief=is_brief,
    )
    best = _chosen(found, served)
    if not isinstance(best, Plan):
        raise TypeError(f"one pool is served by a {type(best).__name__}")
    # A replica serves as many requests whatever the budget, so that no full plan is needed for that.
    ways = () if served.layouts or not isinstance(found.plans, Ranked) else found.plans.choices
    units = tuple(
        Unit(
            layout=str(one.layout),
            chips=one.layout.chips,
            requests_per_s=float(one.served.requests_per_s[one.index]),
        )
        for one in ways
    ) or (Unit(layout=str(best.layout), chips=best.layout.chips, requests_per_s=best.requests_per_s / best.replicas),)
    reads = dataclasses.replace(served.deployment, layout=best.layout)
    return _operating(
        best, reads, served, 1.0, units, layout=str(best.layout), bound=best.bound, front=found.front, notes=found.notes
    )


def _of_two_pools(served: PricedDeployment, demand: Demand, *, is_brief: bool) -> Operating:
    found = plan_two_pools(
        [served.deployment],
        [served.deployment],
        served.workload,
        weights=served.weights,
        chips=served.chips,
        demand=demand,
        usd_per_chip_s=served.usd_per_chip_s,
        why_not=(served.layouts[0], served.layouts[1]) if served.layouts else None,
        is_brief=is_brief,
    )
    best = _chosen(found, served)
    if not isinstance(best, TwoPoolPlan):
        raise TypeError(f"two pools are served by a {type(best).__name__}")
    layout = f"{best.prefill.deployment.layout}/{best.decode.deployment.layout}"
    unit = Unit(layout=layout, chips=best.chips, requests_per_s=best.requests_per_s)
    return _operating(
        best,
        best.prefill.deployment,
        served,
        best.prefill.busy_fraction,
        (unit,),
        layout=layout,
        bound=best.decode.bound,
        front=found.front,
        notes=found.notes,
    )


def _operating(
    best: Plan | TwoPoolPlan,
    reads: Deployment,
    served: PricedDeployment,
    busy_fraction: float,
    units: tuple[Unit, ...],
    *,
    layout: str,
    bound: Cause,
    front: Sequence[FrontPoint | TwoPoolPoint],
    notes: Sequence[str],
) -> Operating:
    """Operating point from a plan of one pool or of two."""
    workload, price = served.workload, served.usd_per_chip_s
    electricity = _electricity(best.energy)
    inputs = (best.usd_per_input_token or 0.0) - electricity[0]
    outputs = (best.usd_per_output_token or 0.0) - electricity[1]
    chips = best.layout.chips * best.replicas if isinstance(best, Plan) else best.chips
    decoding = 1.0 if isinstance(best, Plan) else best.decode.busy_fraction
    at_work = inputs * busy_fraction, outputs * decoding
    paid = best.paid_chip_s_per_request * price
    spent = (at_work[0] + electricity[0]) * workload.prompt_tokens + (
        at_work[1] + electricity[1]
    ) * workload.output_tokens
    return Operating(
        layout=layout,
        chips=chips,
        batch=best.batch,
        tpot_s=best.tpot_s,
        tpot_low_s=best.tpot_low_s,
        tpot_high_s=best.tpot_high_s,
        ttft_s=best.ttft_s,
        requests_per_s=best.requests_per_s,
        bound=bound,
        read_times=reading_interval(pool_passes(reads, workload, 1.0)),
        input_usd=at_work[0],
        output_usd=at_work[1],
        input_waiting_usd=inputs - at_work[0],
        output_waiting_usd=outputs - at_work[1],
        idle_usd_per_request=paid - spent if paid > spent * (1 + ROUNDING) else 0.0,
        input_electricity_usd=electricity[0],
        output_electricity_usd=electricity[1],
        fastest_tpot_s=front[0].tpot_s if front else best.tpot_s,
        stages=stages_of(best),
        units=units,
        # Other plans' layouts are no part of a price.
        notes=tuple(one for one in notes if one != STAGES_UNMEASURED or stages_of(best) > 1),
    )


def _electricity(energy: Energy | None) -> tuple[float, float]:
    """Electricity of an input token and of an output token, dollars; 0 where it is in the price of chips."""
    if energy is None:
        return 0.0, 0.0
    return energy.electricity_usd_per_input_token or 0.0, energy.electricity_usd_per_output_token or 0.0


def _chosen(found: Planning | TwoPools, served: PricedDeployment) -> Plan | TwoPoolPlan:
    """The best plan, or that of the layout that was asked for."""
    if not served.layouts:
        if found.plans:
            return found.plans[0]
        raise UnservedError(remedy(found) if isinstance(found, Planning) else found.remedy)
    asked = "/".join(str(one) for one in served.layouts)
    if found.why_not is None or found.why_not.plan is None:
        reason = "it was not tried" if found.why_not is None else found.why_not.reason
        raise RidgelineError(f"--layout {asked} does not serve this: {reason}; leave it out for the cheapest that does")
    return found.why_not.plan
