"""What a search finds: plans, layouts that cannot serve and why, the front, and the board's numbers beside them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ridgeline.estimator.bounds import Bounds
from ridgeline.estimator.clock import Cause
from ridgeline.estimator.memory import Memory
from ridgeline.specs.correction import Correction
from ridgeline.specs.demand import Demand
from ridgeline.specs.layout import Layout
from ridgeline.specs.precision import Precision
from ridgeline.specs.provenance import Carrier
from ridgeline.specs.speculation import NO_SPECULATION, Speculation
from ridgeline.tables import flat_row

__all__ = ["Constraint", "Energy", "FrontPoint", "Plan", "Planning", "Rejection", "WhyNot"]


class Constraint(StrEnum):
    """What a layout must keep to."""

    DIVIDES = "divides"
    ENGINE = "engine"
    MEMORY = "memory"
    TTFT = "ttft"
    TPOT = "tpot"
    COST = "cost"
    CHIPS = "chips"
    BATCH = "batch"
    LOAD = "load"
    POWER = "power"


@dataclass(frozen=True, slots=True, kw_only=True)
class Energy:
    """What the chips of a plan draw, at the point at which it runs.

    Attributes:
        chip_power_w: mean power of a chip, at work and waiting.
        site_power_w: of all replicas, with the site's overhead; chips of a budget that idle are off.
        energy_j_per_output_token: of decode steps, with the site's overhead.
        energy_j_per_input_token: of prompts, with the site's overhead.
        electricity_usd_per_output_token: part of the plan's cost; None where electricity is in the price of chips.
        electricity_usd_per_input_token: part of the plan's cost; None where electricity is in the price of chips.
    """

    chip_power_w: float
    site_power_w: float
    energy_j_per_output_token: float
    energy_j_per_input_token: float
    electricity_usd_per_output_token: float | None
    electricity_usd_per_input_token: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One way to serve the workload.

    Attributes:
        layout: of one replica.
        weights: number format of the layers' weights, where it was asked for; None as published.
        speculation: tokens that are drafted and checked in every step.
        replicas: copies that the budget holds, or that the load needs.
        idle_chips: chips that are paid beside the replicas: the rest of the budget, or, for a load, those of a scale-up
            domain that are too few for one more.
        batch: requests under way on one replica, those whose prompts are read among them.
        in_flight: requests of the batch that decode: they have their first token and not their last; on the mean.
        tpot_s: time per output token of one user, other requests' prompts included.
        tpot_low_s: lower end of its 80 % interval.
        tpot_high_s: upper end.
        decode_step_s: time of a decode step, drafting included; with others' prompts beside it, and over the tokens
            that a step adds, it is ``tpot_s``.
        ttft_s: time to the first token: in an idle system, or with the load's queue where one is given.
        ttft_low_s: lower end of its 80 % interval.
        ttft_high_s: upper end of it.
        output_tokens_per_s_per_chip: output tokens a second of a chip in use.
        requests_per_s: requests a second of all replicas: what they can serve, or the load that is asked of them.
        usd_per_h: price of the whole budget for an hour, idle chips among it, or of the chips that the load needs; None
            without a price.
        usd_per_output_token: chip-time of decode, and its electricity where that is paid for; None without a price.
        usd_per_input_token: chip-time of prefill, and its electricity where that is paid for; None without a price.
        energy: what its chips draw; None where the power of one is not known.
        bound: what takes most of the chip-time of both phases.
        decode_bound: what takes most of a decode step.
        prefill_bound: what takes most of a prefill.
        chip_s_per_output_token: chip-seconds of both phases by what they go to.
        limited_by: what keeps the batch from being larger: memory, the engine, the limit on TPOT, the load that was
            asked for, or that it would cost no less.
        memory: what takes the memory of one chip.
        kv_capacity_tokens: tokens whose keys and values one replica has room for; None where none are kept.
        chip_s_per_request: chip-seconds of a whole request, both phases, of the chips in use.
        paid_chip_s_per_request: chip-seconds that a request is paid with: idle chips of the budget among them, and
            electricity, where it is paid for, as the chip-time that costs as much; plans are ranked by it.
        limits_met_at_high: whether the limit on ``tpot_s`` holds at the upper end of its interval, too.
        ttft_quantile: part of the requests whose first token comes within ``ttft_s``; None where all are alike, in an
            idle system.
        is_memory_raised: whether the engine is given more of the memory than by default, which leaves no room for a
            cache.
        correction: factors from measurements of this deployment (--anchor), which the numbers hold already.
        carried_by: what carries a replica's time for a request: measured on this chip, on its family, or assumed; worst
            first.
        pays_from_batch: fewest requests under way on a replica at which tokens come sooner by speculation; None where
            they do at no number of them, or nothing is drafted.
        pays_to_batch: most of them; None where tokens come sooner by it at the most that fit, too.
    """

    layout: Layout
    weights: str | None
    speculation: Speculation
    replicas: int
    idle_chips: int
    batch: int
    in_flight: float
    tpot_s: float
    tpot_low_s: float
    tpot_high_s: float
    decode_step_s: float
    ttft_s: float
    ttft_low_s: float
    ttft_high_s: float
    output_tokens_per_s_per_chip: float
    requests_per_s: float
    usd_per_h: float | None
    usd_per_output_token: float | None
    usd_per_input_token: float | None
    energy: Energy | None
    bound: Cause
    decode_bound: Cause
    prefill_bound: Cause
    chip_s_per_output_token: dict[Cause, float]
    limited_by: Constraint
    memory: Memory
    kv_capacity_tokens: int | None
    chip_s_per_request: float
    paid_chip_s_per_request: float
    limits_met_at_high: bool
    ttft_quantile: float | None
    is_memory_raised: bool
    correction: Correction
    carried_by: tuple[Carrier, ...]
    pays_from_batch: int | None = None
    pays_to_batch: int | None = None

    @property
    def speculate(self) -> str | None:
        """How its speculation is asked for; None without."""
        return _said(self.speculation)

    def to_document(self) -> dict[str, Any]:
        """It as plain data."""
        said = {
            "speculation": self.speculation.to_row(),
            "chips": self.layout.chips,
            "carried_by": [carrier.to_row() for carrier in self.carried_by],
        }
        shallow = dataclasses.replace(self, speculation=NO_SPECULATION)
        return {**dataclasses.asdict(shallow), **said}


def _said(speculation: Speculation) -> str | None:
    return str(speculation) if speculation else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A layout that cannot serve the workload, and why.

    Attributes:
        layout: of one replica.
        weights: number format of the layers' weights, where it was asked for.
        speculate: how its speculation is asked for; None without.
        kind: the constraint that it breaks.
        reason: why, with the numbers.
        needed_chips: chips that the load would take in this layout, where there are not as many; else None.
        most_requests: most requests at once on a replica, where more were asked for; else None.
        needed_power_w: power of the fewest replicas that would serve in this layout, where there is less; else None.
    """

    layout: Layout
    weights: str | None
    kind: Constraint
    reason: str
    speculate: str | None = None
    needed_chips: int | None = None
    most_requests: int | None = None
    needed_power_w: float | None = None


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
    speculate: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNot:
    """What there is to say of one layout.

    Attributes:
        layout: of one replica.
        kind: the constraint that keeps it from being the plan; None where it is the plan, or better.
        reason: why, with the numbers.
        plan: what it would be at its best batch; None where it cannot serve.
        rank: its place among the plans found, from 1; None where it is none of them.
    """

    layout: Layout
    kind: Constraint | None
    reason: str
    plan: Plan | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Planning:
    """What a search found.

    Attributes:
        plans: the best batch of each layout that meets the limits; most output of the whole budget first.
        rejected: layouts that do not, each with its reason.
        front: Pareto front of cost against speed, from the fastest to the cheapest: of all layouts and batches that
            fit, whatever the limits.
        bounds: the blackboard's numbers for the whole budget of chips.
        replica_bounds: the same for one replica of the best plan, which steps alone; None without a plan.
        elasticities: percent of change for one percent more (``planner/elasticities.py``); empty without a plan.
        undivided: layouts tried whose numbers do not divide; ``rejected`` has only those on the whole budget.
        points_evaluated: layouts times batches that were timed.
        chips: the budget; where it was left open, those that the best plan takes for the load.
        demand: the load that was asked for.
        usd_per_chip_s: price used; None without one.
        price_label: where the price comes from.
        precision: number formats of the first format searched.
        notes: departures and omissions to be said beside the numbers.
        why_not: what there is to say of the layout that was asked about.
        speculations: drafts that were searched; none may be among them.
    """

    plans: Sequence[Plan]
    rejected: tuple[Rejection, ...]
    front: tuple[FrontPoint, ...]
    bounds: Bounds
    replica_bounds: Bounds | None
    elasticities: dict[str, float]
    undivided: int
    points_evaluated: int
    chips: int
    demand: Demand
    usd_per_chip_s: float | None
    price_label: str
    precision: Precision
    notes: tuple[str, ...]
    why_not: WhyNot | None = None
    speculations: tuple[Speculation, ...] = ()

    def to_rows(self) -> list[dict[str, Any]]:
        """The plans as rows of a table, best first: ``pandas.DataFrame(found.to_rows())``."""
        return [
            {
                "layout": str(one.layout),
                "chips": one.layout.chips,
                "speculation": str(one.speculation),
                "accepted_tokens": one.speculation.accepted_tokens,
                **flat_row(one, without=frozenset({"layout", "correction", "carried_by", "speculation"})),
            }
            for one in self.plans
        ]
