"""What a search for two pools found: pairs of layouts with their replicas, the front, and what cannot serve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.planner.outcome import Constraint, Rejection
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout

__all__ = ["Part", "TwoPoolPlan", "TwoPoolPoint", "TwoPoolWhyNot", "TwoPools"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One of the two pools.

    Attributes:
        deployment: a replica of it.
        replicas: copies of that.
        batch: requests under way on a replica; of prompts, those that are read together.
        requests_per_s: that one replica could serve.
        busy_fraction: part of that which is asked of it.
    """

    deployment: Deployment
    replicas: int
    batch: int
    requests_per_s: float
    busy_fraction: float

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
        move_s: to send a prompt's cache from one pool to the other.
        requests_per_s: of all replicas.
        output_tokens_per_s_per_chip: of the chips of both pools.
        usd_per_h: of both pools, and of what idles of a budget; None without a price.
        usd_per_input_token: of the chips of ``prefill``; None without a price.
        usd_per_output_token: of the chips of ``decode``; None without a price.
        paid_chip_s_per_request: chip-seconds of a request, idle chips of a budget among them.
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
    requests_per_s: float
    output_tokens_per_s_per_chip: float
    usd_per_h: float | None
    usd_per_input_token: float | None
    usd_per_output_token: float | None
    paid_chip_s_per_request: float

    @property
    def chips(self) -> int:
        """Of both pools."""
        return self.prefill.chips + self.decode.chips


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPoolPoint:
    """A point that no other pair of layouts beats both in speed and in cost.

    Attributes:
        prefill_layout: of a replica that reads prompts.
        prefill_machine: id of its machine.
        prefill_replicas: copies of it.
        layout: of a replica that makes tokens.
        machine: id of its machine.
        replicas: copies of it.
        batch: sequences under way on one of them.
        tpot_s: time per output token.
        paid_chip_s_per_request: chip-seconds of a request, idle chips of a budget among them.
        usd_per_request: what they cost; None without a price.
    """

    prefill_layout: Layout
    prefill_machine: str
    prefill_replicas: int
    layout: Layout
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
class TwoPools:
    """What a search for two pools found.

    Attributes:
        plans: the best pair of each layout of the decode pool, the best first; each worked out when it is looked at.
        rejected: layouts that cannot serve, each with its reason; of those that may serve in one place only, too slow
            to the first token are those that may not read prompts, and too slow per token those that may not make them.
        front: over all pairs and batches that fit, whatever the limits: from the fastest to the cheapest.
        chips: the budget; None where the load says how many.
        usd_per_chip_s: price of a chip by the machine's id; None where none is known.
        points_evaluated: pairs of layouts and numbers of replicas that were looked at.
        remedy: what to change where no pair serves; empty where one does.
        why_not: what there is to say of the pair that was asked about.
    """

    plans: Sequence[TwoPoolPlan]
    rejected: tuple[Rejection, ...]
    front: tuple[TwoPoolPoint, ...]
    chips: int | None
    usd_per_chip_s: dict[str, float | None]
    points_evaluated: int
    remedy: str = ""
    why_not: TwoPoolWhyNot | None = None
