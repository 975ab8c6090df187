"""Result of a search: plans, rejected layouts with reasons, the front, and the board's numbers beside them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ridgeline.estimator.bounds import Bounds
from ridgeline.estimator.memory import Memory
from ridgeline.estimator.timing import Cause
from ridgeline.quantity_text import counted
from ridgeline.seconds import HOUR_S
from ridgeline.specs.correction import Correction
from ridgeline.specs.demand import Demand
from ridgeline.specs.layout import Layout
from ridgeline.specs.precision import Precision
from ridgeline.specs.provenance import Carrier
from ridgeline.specs.speculation import NO_SPECULATION, Speculation
from ridgeline.tables import flat_row

__all__ = ["Constraint", "Energy", "FrontPoint", "Plan", "Planning", "Rejection", "WhyNot"]


class Constraint(StrEnum):
    """Constraints on a layout."""

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
    """Power and energy of a plan at its operating point.

    Attributes:
        chip_power_w: mean power of a chip, at work and waiting, W.
        site_power_w: power of all replicas, with the site's overhead, W; idle chips of a budget are off.
        energy_j_per_output_token: energy of decode per output token, with the site's overhead, J.
        energy_j_per_input_token: energy of prefill per input token, with the site's overhead, J.
        electricity_usd_per_output_token: part of the plan's cost, $; None where the price of chips includes
            electricity.
        electricity_usd_per_input_token: part of the plan's cost, $; None where the price of chips includes electricity.
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
        layout: layout of one replica.
        weights: requested number format of the layers' weights; None as published.
        speculation: draft tokens that are proposed and verified in every step.
        replicas: copies that the budget holds, or that the load needs.
        idle_chips: chips that are paid beside the replicas: the rest of the budget, or, for a load, those of a scale-up
            domain that are too few for one more.
        batch: requests in flight on one replica, those in prefill included.
        most_at_once: requests that the engine is to let in at once on one replica: the batch, where that was chosen;
            with a load, of which the batch is a mean, all that memory and the engine's own limit allow.
        in_flight: mean requests of the batch that have their first token and not yet their last.
        decode_batch: sequences of a decode step: more than ``in_flight`` where prompts take long, since that is a mean
            over their passes, too.
        tpot_s: time per output token of one user, other requests' prefills included, s.
        tpot_low_s: lower end of its 80 % interval.
        tpot_high_s: upper end of its 80 % interval.
        decode_step_s: time of a decode step, drafting included, s; with others' prompts, and divided by the tokens that
            a step adds, it is ``tpot_s``.
        ttft_s: time to the first token, s: in an idle system, or with the load's queue where one is given.
        ttft_low_s: lower end of its 80 % interval.
        ttft_high_s: upper end of its 80 % interval.
        benchmark_ttft_s: mean time to the first token in a benchmark of ten requests a user, all of whom begin at once,
            with as many users as its batch, s; None where the load is a rate.
        output_tokens_per_s_per_chip: output tokens per second per chip in use.
        requests_per_s: requests per second of all replicas: their capacity, or the load that they are given.
        most_requests_per_s: highest rate at which its replicas keep to the limits, or, without any, at which queues do
            not grow without end; None unless the load is a rate.
        usd_per_h: price per hour of the whole budget, idle chips included, or of the chips that the load needs; None
            without a price.
        usd_per_output_token: cost of decode chip-time, and of its electricity where that is charged; None without a
            price.
        usd_per_input_token: cost of prefill chip-time, and of its electricity where that is charged; None without a
            price.
        energy: power and energy of its chips; None where a chip's power is unknown.
        bound: largest cause of chip-time over both phases.
        decode_bound: largest cause of a decode step's time.
        prefill_bound: largest cause of a prefill's time.
        chip_s_per_output_token: chip-seconds of both phases by cause.
        limited_by: limit on the batch: memory, the engine, the limit on TPOT or on power, the load that was asked
            for, or no saving from a larger one.
        memory: memory use of one chip.
        kv_capacity_tokens: tokens of KV cache that one replica has room for; None where none is stored.
        chip_s_per_request: chip-seconds of a whole request, both phases, of the chips in use.
        paid_chip_s_per_request: paid chip-seconds per request, with idle chips of the budget, and with electricity,
            where charged, as the chip-time that costs as much; plans are ranked by it.
        limits_met_at_high: whether the limit on ``tpot_s`` also holds at the upper end of its interval.
        ttft_quantile: part of the requests whose first token comes within ``ttft_s``; None where all are equal, in an
            idle system.
        is_memory_raised: whether the engine is given more memory than its default, which leaves no room for a cache.
        correction: factors from measurements of this deployment (--anchor), already in the numbers.
        carried_by: carriers of a replica's time for a request: measured on this chip, on its family, or assumed; worst
            first.
        pays_from_batch: fewest requests in flight on a replica at which speculation makes tokens faster; None where it
            never does, or nothing is drafted.
        pays_to_batch: most requests in flight at which it does; None where it does up to the most that fit.
        plain_tpot_s: time per output token of the same layout and batch without speculation, s; None where nothing is
            drafted, for a load that comes at a rate, and where the batch does not fit without.
        plain_output_tokens_per_s_per_chip: output tokens per second per chip of the same; None likewise.
    """

    layout: Layout
    weights: str | None
    speculation: Speculation
    replicas: int
    idle_chips: int
    batch: int
    most_at_once: int
    in_flight: float
    decode_batch: float
    tpot_s: float
    tpot_low_s: float
    tpot_high_s: float
    decode_step_s: float
    ttft_s: float
    ttft_low_s: float
    ttft_high_s: float
    benchmark_ttft_s: float | None
    output_tokens_per_s_per_chip: float
    requests_per_s: float
    most_requests_per_s: float | None
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
    carried_by: Sequence[Carrier]
    pays_from_batch: int | None = None
    pays_to_batch: int | None = None
    plain_tpot_s: float | None = None
    plain_output_tokens_per_s_per_chip: float | None = None

    @property
    def all_chips(self) -> int:
        """Chips of all replicas, with those that are paid and idle."""
        return self.replicas * self.layout.chips + self.idle_chips

    @property
    def usd_per_request(self) -> float | None:
        """Cost of a request, idle chips paid, $; None without a price."""
        return None if self.usd_per_h is None else self.usd_per_h / HOUR_S / self.requests_per_s

    @property
    def speculate(self) -> str | None:
        """Name under which its speculation is requested; None without speculation."""
        return _said(self.speculation)

    @property
    def others_prompts_s(self) -> float:
        """Part of ``tpot_s`` in which prompts of other requests are read, s."""
        return self.tpot_s - self.decode_step_s / self.speculation.accepted_tokens

    def fed_replicas(self, site_power_w: float) -> int | None:
        """Replicas that a site's power feeds, each as it draws here; None where a chip's power is unknown."""
        return None if self.energy is None else int(site_power_w / self.energy.site_power_w * self.replicas)

    def to_document(self) -> dict[str, Any]:
        """The plan as plain data."""
        said = {
            "speculation": self.speculation.to_row(),
            "chips": self.layout.chips,
            "carried_by": [carrier.to_row() for carrier in self.carried_by],
        }
        shallow = dataclasses.replace(self, speculation=NO_SPECULATION, carried_by=())
        return {**dataclasses.asdict(shallow), **said}


def _said(speculation: Speculation) -> str | None:
    return str(speculation) if speculation else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A layout that cannot serve the workload, and why.

    Attributes:
        layout: layout of one replica.
        weights: requested number format of the layers' weights.
        speculate: name under which its speculation is requested; None without speculation.
        kind: constraint that it breaks.
        reason: reason for the rejection, with its numbers.
        needed_chips: chips that the load would need in this layout, where there are fewer; else None.
        most_requests: maximum concurrent requests on a replica, where more were asked for; else None.
        needed_power_w: power of the fewest replicas that would serve in this layout, where there is less, W; else None.
        needed_bytes: memory that a chip would need in this layout, where it has less, bytes; else None.
    """

    layout: Layout
    weights: str | None
    kind: Constraint
    reason: str
    speculate: str | None = None
    needed_chips: int | None = None
    most_requests: int | None = None
    needed_power_w: float | None = None
    needed_bytes: float | None = None


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
    """Verdict on one layout.

    Attributes:
        layout: layout of one replica.
        kind: constraint that keeps it from being the plan; None where it is the plan, or better.
        reason: reason for the verdict, with its numbers.
        plan: plan at its best batch; None where it cannot serve.
        rank: rank among the plans found, from 1; None where it is not among them.
    """

    layout: Layout
    kind: Constraint | None
    reason: str
    plan: Plan | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Planning:
    """Result of a search.

    Attributes:
        plans: best batch of each layout that meets the limits; most output of the whole budget first.
        rejected: rejected layouts, each with its reason.
        front: Pareto front of cost against speed, from the fastest to the cheapest, over all layouts and batches that
            fit, whatever the limits.
        bounds: the blackboard's numbers for the whole budget of chips.
        replica_bounds: the blackboard's numbers for one replica of the best plan, which steps alone; None without a
            plan.
        elasticities: percent of change for one percent more (``planner/elasticities.py``); empty without a plan.
        undivided: number of layouts that do not divide; ``rejected`` has only those on the whole budget.
        points_evaluated: number of layouts and batches that were timed.
        chips: the budget; where it was open, the chips that the best plan takes for the load, or that the power feeds
            of it.
        is_fed: whether a limit on power alone determines the chips, each plan's by its own draw.
        demand: the load that was asked for.
        usd_per_chip_s: price of a chip that was used, $/s; None without one.
        price_label: source of the price.
        precision: number formats of the first format searched.
        notes: deviations and omissions to show beside the numbers.
        why_not: verdict on the layout that was asked about.
        speculations: drafts that were searched; no speculation may be among them.
    """

    plans: Sequence[Plan]
    rejected: tuple[Rejection, ...]
    front: tuple[FrontPoint, ...]
    bounds: Bounds
    replica_bounds: Bounds | None
    elasticities: Mapping[str, float]
    undivided: int
    points_evaluated: int
    chips: int
    demand: Demand
    usd_per_chip_s: float | None
    price_label: str
    precision: Precision
    notes: Sequence[str]
    why_not: WhyNot | None = None
    speculations: tuple[Speculation, ...] = ()
    is_fed: bool = False

    def __repr__(self) -> str:
        """Number of plans, and the best: all of them are as long as a book."""
        if not self.plans:
            return f"Planning(0 plans: {self.plans!r})"
        best = self.plans[0]
        plans = counted(len(self.plans), "plan")
        return f"Planning({plans}, the best {best.layout}, batch {best.batch:,}; to_rows() has them all)"

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
