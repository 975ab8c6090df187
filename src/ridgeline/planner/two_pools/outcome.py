"""What a search for two pools found: pairs of layouts with their replicas, the front, and what cannot serve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.estimator.clock import Cause
from ridgeline.planner.outcome import Constraint, Energy, Plan, Rejection
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.provenance import Carrier

__all__ = ["OnePool", "Part", "TwoPoolPlan", "TwoPoolPoint", "TwoPoolWhyNot", "TwoPools"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One of the two pools.

    Attributes:
        deployment: a replica of it.
        weights: number format of the layers' weights, where it was asked for; None as published.
        replicas: how many replicas the pool has.
        batch: requests under way on a replica; of prompts, those that are read together.
        requests_per_s: requests a second that one replica could serve.
        busy_fraction: load of a replica over what it could serve.
        bound: what takes most of the time of its passes.
        bound_fraction: part of that time.
        carried_by: what carries the time of its passes, worst first.
        chip_power_w: mean power of a chip, at work and waiting; None where the power of one is not known.
    """

    deployment: Deployment
    weights: str | None
    replicas: int
    batch: int
    requests_per_s: float
    busy_fraction: float
    bound: Cause
    bound_fraction: float
    carried_by: tuple[Carrier, ...]
    chip_power_w: float | None

    @property
    def chips(self) -> int:
        """Of all replicas."""
        return self.replicas * self.deployment.layout.chips


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPoolPlan:
    """One way to serve the workload with two pools.

    Attributes:
        prefill: that reads prompts.
        decode: that makes tokens.
        batch: sequences under way on one replica of ``decode``.
        tpot_s: time per output token.
        tpot_low_s: lower end of its 80 % interval.
        tpot_high_s: upper end.
        ttft_s: time to the first token, the cache's move included: in an idle system, or with the load's queue.
        ttft_low_s: lower end of its 80 % interval.
        ttft_high_s: upper end.
        ttft_quantile: part of the requests whose first token comes within ``ttft_s``; None in an idle system.
        move_s: time to send a prompt's KV cache from the pool of prompts to that of tokens.
        move_over: level of the fabric that KV caches cross: scale_up where both pools lie inside one domain.
        kv_capacity_tokens: tokens whose keys and values one replica of ``decode`` has room for; None where none are
            kept.
        limited_by: what keeps the batch of ``decode`` from being larger, as of a plan of one pool.
        limits_met_at_high: whether the limit on ``tpot_s`` holds at the upper end of its interval, too.
        requests_per_s: requests a second of all replicas.
        output_tokens_per_s_per_chip: output tokens a second of a chip of either pool.
        idle_chips: chips of the budget that no replica takes.
        usd_per_h: of both pools and of what idles of a budget, with electricity where it is paid for; None without a
            price.
        usd_per_input_token: of the chips of ``prefill``, and their electricity where it is paid for; None without a
            price.
        usd_per_output_token: the same of ``decode``; None without a price.
        paid_chip_s_per_request: chip-seconds of a request, idle chips of a budget among them, and electricity, where it
            is paid for, as the chip-time that costs as much.
        energy: what both pools draw; None where the power of a chip is not known.
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
        """Of both pools."""
        return self.prefill.chips + self.decode.chips


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPoolPoint:
    """A point that no other pair of layouts beats both in speed and in cost.

    Attributes:
        prefill_layout: of a replica that reads prompts.
        prefill_weights: format that its weights were asked for in; None as published.
        prefill_machine: id of its machine.
        prefill_replicas: copies of it.
        layout: of a replica that makes tokens.
        weights: format that its weights were asked for in; None as published.
        machine: id of its machine.
        replicas: copies of it.
        batch: sequences under way on one of them.
        tpot_s: time per output token.
        paid_chip_s_per_request: chip-seconds of a request, idle chips of a budget among them, and electricity as those
            that would cost as much.
        usd_per_request: what they cost; None without a price.
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
    """What there is to say of one pair of layouts.

    Attributes:
        prefill_layout: of a replica that would read prompts.
        layout: of a replica that would make tokens.
        kind: the constraint that keeps the pair from being the plan; None where it is the plan.
        reason: with the numbers.
        plan: what it would be; None where it cannot serve.
    """

    prefill_layout: Layout
    layout: Layout
    kind: Constraint | None
    reason: str
    plan: TwoPoolPlan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OnePool:
    """The best that one pool does for the same question.

    Attributes:
        machine: id of its machine.
        plan: it.
        cost_ratio: what it costs over what the best two pools do: by the hour under a load, else by the request; in
            chips where a price is not known. None where no two pools serve.
    """

    machine: str
    plan: Plan
    cost_ratio: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPools:
    """What a search for two pools found.

    Attributes:
        plans: the best pair of each layout of the decode pool, the best first; each worked out when it is looked at.
        rejected: layouts that cannot serve, each with its reason; of those that may serve in one place only, too slow
            to the first token are those that may not read prompts, and too slow per token those that may not make them.
        front: over all pairs and batches that fit, whatever the limits: from the fastest to the cheapest.
        chips: the budget; None where the load says how many, or power feeds more of one machine than of another.
        usd_per_chip_s: price of a chip by the machine's id; None where none is known.
        price_labels: where it comes from.
        points_evaluated: pairs of layouts and numbers of replicas that were looked at.
        one_pool: the best that one pool does instead; None where none serves.
        elasticities: percent of change in a cost for one percent more of a price; empty without a plan or a price.
        notes: departures and omissions to be said beside the numbers.
        remedy: what to change where no pair serves; empty where one does.
        why_not: what there is to say of the pair that was asked about.
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
