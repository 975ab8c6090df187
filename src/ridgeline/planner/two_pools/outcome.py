"""Result of a search for two pools: pairs of layouts with their replicas, the front, and rejected layouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.estimator.timing import Cause
from ridgeline.planner.outcome import Constraint, Energy, Plan, Rejection
from ridgeline.seconds import HOUR_S
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.provenance import Carrier

__all__ = ["OnePool", "Part", "TwoPoolPlan", "TwoPoolPoint", "TwoPoolWhyNot", "TwoPools"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One of the two pools.

    Attributes:
        deployment: deployment of a replica.
        weights: requested number format of the layers' weights; None as published.
        replicas: number of replicas in the pool.
        batch: requests in flight on a replica; for prefill, prompts that are read together.
        most_at_once: requests that the engine is to let in at once on one replica: the batch, where that was chosen;
            with a load, of which the batch is a mean, all that memory and the engine's own limit allow.
        requests_per_s: requests per second that one replica could serve; for decode, at the best batch within the
            limits and memory, which a load need not fill.
        busy_fraction: load of a replica over its capacity.
        bound: largest cause of its passes' time.
        bound_fraction: part of that time due to ``bound``.
        carried_by: carriers of its passes' time, worst first.
        chip_power_w: mean power of a chip, at work and waiting, W; None where it is unknown.
    """

    deployment: Deployment
    weights: str | None
    replicas: int
    batch: int
    most_at_once: int
    requests_per_s: float
    busy_fraction: float
    bound: Cause
    bound_fraction: float
    carried_by: Sequence[Carrier]
    chip_power_w: float | None

    @property
    def chips(self) -> int:
        """Chips of all replicas."""
        return self.replicas * self.deployment.layout.chips


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPoolPlan:
    """One way to serve the workload with two pools.

    Attributes:
        prefill: pool that reads prompts.
        decode: pool that generates tokens.
        batch: sequences in flight on one replica of ``decode``.
        tpot_s: time per output token, s.
        tpot_low_s: lower end of its 80 % interval.
        tpot_high_s: upper end of its 80 % interval.
        ttft_s: time to the first token, transfer of the cache included, s: in an idle system, or with the load's queue.
        ttft_low_s: lower end of its 80 % interval.
        ttft_high_s: upper end of its 80 % interval.
        mean_ttft_s: mean time to the first token with the load's queue, s; None in an idle system.
        ttft_quantile: part of the requests whose first token comes within ``ttft_s``; None in an idle system.
        move_s: transfer time of a prompt's KV cache from the prefill pool to the decode pool, s.
        move_over: level of the fabric that KV caches cross: scale_up where both pools lie inside one domain.
        kv_capacity_tokens: tokens of KV cache that one replica of ``decode`` has room for; None where none is stored.
        limited_by: limit on the batch of ``decode``, as in a plan of one pool.
        limits_met_at_high: whether the limit on ``tpot_s`` also holds at the upper end of its interval.
        requests_per_s: requests per second of all replicas.
        output_tokens_per_s_per_chip: output tokens per second per chip of either pool.
        idle_chips: chips that are paid beside the replicas: the rest of the budget, or, for a load, those of a scale-up
            domain that are too few for one more of its pool.
        usd_per_h: price per hour of both pools and of idle chips, with electricity where charged; None without a
            price.
        usd_per_input_token: cost of the chips of ``prefill``, and of their electricity where charged; None without a
            price.
        usd_per_output_token: cost of the chips of ``decode``, and of their electricity where charged; None without a
            price.
        paid_chip_s_per_request: paid chip-seconds per request, with idle chips, and with electricity, where charged,
            as the chip-time that costs as much.
        energy: power and energy of both pools; None where a chip's power is unknown.
    """

    prefill: Part
    decode: Part
    batch: int
    tpot_s: float
    tpot_low_s: float
    tpot_high_s: float
    ttft_s: float
    ttft_low_s: float
    ttft_high_s: float
    mean_ttft_s: float | None
    ttft_quantile: float | None
    move_s: float
    move_over: str
    kv_capacity_tokens: int | None
    limited_by: Constraint
    limits_met_at_high: bool
    requests_per_s: float
    output_tokens_per_s_per_chip: float
    idle_chips: int
    usd_per_h: float | None
    usd_per_input_token: float | None
    usd_per_output_token: float | None
    paid_chip_s_per_request: float
    energy: Energy | None

    @property
    def chips(self) -> int:
        """Chips of both pools."""
        return self.prefill.chips + self.decode.chips

    @property
    def all_chips(self) -> int:
        """Chips of both pools, with those that are paid and idle."""
        return self.chips + self.idle_chips

    @property
    def usd_per_request(self) -> float | None:
        """Cost of a request, idle chips paid, $; None without a price."""
        return None if self.usd_per_h is None else self.usd_per_h / HOUR_S / self.requests_per_s


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPoolPoint:
    """A point that no other pair of layouts beats in both speed and cost.

    Attributes:
        prefill_layout: layout of a prefill replica.
        prefill_weights: requested format of its weights; None as published.
        prefill_machine: id of its machine.
        prefill_replicas: number of prefill replicas.
        layout: layout of a decode replica.
        weights: requested format of its weights; None as published.
        machine: id of its machine.
        replicas: number of decode replicas.
        batch: sequences in flight on one decode replica.
        tpot_s: time per output token, s.
        paid_chip_s_per_request: paid chip-seconds per request, with idle chips, and with electricity as the chip-time
            that costs as much.
        usd_per_request: cost of the paid chip-seconds, $; None without a price.
    """

    prefill_layout: Layout
    prefill_weights: str | None
    prefill_machine: str
    prefill_replicas: int
    layout: Layout
    weights: str | None
    machine: str
    replicas: int
    batch: int
    tpot_s: float
    paid_chip_s_per_request: float
    usd_per_request: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPoolWhyNot:
    """Verdict on one pair of layouts.

    Attributes:
        prefill_layout: layout of a prefill replica.
        layout: layout of a decode replica.
        kind: constraint that keeps the pair from being the plan; None where it is the plan.
        reason: reason for the verdict, with its numbers.
        plan: plan of the pair; None where it cannot serve.
    """

    prefill_layout: Layout
    layout: Layout
    kind: Constraint | None
    reason: str
    plan: TwoPoolPlan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OnePool:
    """The best single pool for the same workload.

    Attributes:
        machine: id of its machine.
        plan: best plan of one pool.
        cost_ratio: cost of the plan over that of the best two pools: per hour under a load, else per request; in chips
            where a price is unknown. None where no two pools serve.
    """

    machine: str
    plan: Plan
    cost_ratio: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPools:
    """Result of a search for two pools.

    Attributes:
        plans: best pair for each layout of the decode pool, the best first; each computed when it is accessed.
        rejected: rejected layouts, each with its reason; layouts that may serve in one pool only are listed as too slow
            to the first token where they cannot prefill, and as too slow per token where they cannot decode.
        front: Pareto front over all pairs and batches that fit, whatever the limits, from the fastest to the cheapest.
        chips: the budget; None where the load or the power determines it, of each pair by itself.
        usd_per_chip_s: price of a chip by machine id, $/s; None where none is known.
        price_labels: source of the price, by machine id.
        points_evaluated: pairs of layouts and numbers of replicas that were evaluated.
        one_pool: best single pool instead; None where none serves.
        elasticities: percent of change in a cost for one percent more of a price; empty without a plan or a price.
        notes: deviations and omissions to show beside the numbers.
        remedy: advice where no pair serves; empty where one does.
        why_not: verdict on the pair that was asked about.
    """

    plans: Sequence[TwoPoolPlan]
    rejected: tuple[Rejection, ...]
    front: tuple[TwoPoolPoint, ...]
    chips: int | None
    usd_per_chip_s: dict[str, float | None]
    price_labels: dict[str, str]
    points_evaluated: int
    one_pool: OnePool | None
    elasticities: dict[str, float]
    notes: tuple[str, ...]
    remedy: str = ""
    why_not: TwoPoolWhyNot | None = None
