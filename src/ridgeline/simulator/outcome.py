"""Result of a simulation: latencies as a client sees them, throughput, cost, and use of time and memory."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from ridgeline.simulator.capacity import Capacity
from ridgeline.simulator.limits import ReplicaLimits
from ridgeline.simulator.served import Latency
from ridgeline.specs.deployment import Deployment

__all__ = ["Bands", "InOrder", "OfClass", "OfReplica", "OfTier", "PromptPool", "Simulation", "Steady"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """Both ends of the 80 % interval of a simulation's results.

    Attributes:
        ttft_s: interval of times to the first token, s.
        tpot_s: interval of times per further token, s.
        e2e_s: interval of times to the last token, s.
        output_tokens_per_s: interval of output tokens per second of all replicas.
    """

    ttft_s: tuple[Latency, Latency]
    tpot_s: tuple[Latency, Latency]
    e2e_s: tuple[Latency, Latency]
    output_tokens_per_s: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfClass:
    """Completed requests of a class.

    Attributes:
        name: name of the class.
        completed: number of its completed requests.
        within: number of its requests that stayed within the limits.
        ttft_s: time to the first token, s.
        tpot_s: time per further token, s.
        e2e_s: time to the last token, s.
    """

    name: str
    completed: int
    within: int
    ttft_s: Latency
    tpot_s: Latency
    e2e_s: Latency


@dataclass(frozen=True, slots=True, kw_only=True)
class OfReplica:
    """Results of one replica.

    Attributes:
        completed: requests that it served.
        busy_fraction: part of the time of all requests in which it runs steps.
        mean_batch: mean sequences that decode while it is busy.
        mean_waiting: mean requests that wait for it while it is busy.
        kv_used_fraction: mean part of its cache in use while it is busy.
        preemptions: number of preemptions of requests.
    """

    completed: int
    busy_fraction: float
    mean_batch: float
    mean_waiting: float
    kv_used_fraction: float
    preemptions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTier:
    """Results of a tier below the prefix cache, over all replicas.

    Attributes:
        name: name of the tier.
        capacity_bytes: capacity of one replica's tier, or of the whole store where it is shared, bytes.
        read_bytes_per_s: bandwidth at which one replica reads it, bytes/s.
        latency_s: time to the first byte of a fetch, s.
        is_shared: whether all replicas share one store.
        hit_tokens: prompt tokens found in it and not in the tiers above.
        missed_tokens: prompt tokens that were looked up and not found in it.
        fetched_tokens: tokens that were fetched from it; the other hits were faster to recompute.
        written_tokens: tokens that were written to it.
        evicted_tokens: tokens that were evicted from it.
        kept_tokens: tokens that it holds at the end.
        busy_fraction: mean part of the time for which a replica's link to it is busy.
    """

    name: str
    capacity_bytes: float
    read_bytes_per_s: float
    latency_s: float
    is_shared: bool
    hit_tokens: int
    missed_tokens: int
    fetched_tokens: int
    written_tokens: int
    evicted_tokens: int
    kept_tokens: int
    busy_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPool:
    """Prefill replicas of a disaggregated deployment.

    Attributes:
        deployment: deployment of each replica.
        limits: limits on each replica.
        capacity: KV cache capacity of each replica.
        replicas: number of replicas.
        router: name of the router that spreads requests over them.
        busy_fraction: mean part of the time of all requests in which a replica runs steps.
        staged_fraction: mean part of their caches that waits for its transfer, or is being transferred.
        mean_waiting: mean requests that wait for a replica while it runs steps.
        evicted_blocks: blocks of the prefix cache that were evicted to make room.
        usd_per_s: price of all replicas, $/s; None without a tariff.
    """

    deployment: Deployment
    limits: ReplicaLimits
    capacity: Capacity
    replicas: int
    router: str
    busy_fraction: float
    staged_fraction: float
    mean_waiting: float
    evicted_blocks: int
    usd_per_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InOrder:
    """Means of an equal part of the completed requests, in the order of their arrival.

    Attributes:
        ttft_s: mean time to the first token, s.
        e2e_s: mean time to the last token, s.
        within: part of them that stayed within the limits.
    """

    ttft_s: float
    e2e_s: float
    within: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Steady:
    """A second of steady load: as many requests are finished as come.

    Attributes:
        requests_per_s: requests that come and are finished per second.
        output_tokens_per_s: output tokens per second of all replicas.
        goodput_requests_per_s: requests within the limits per second, by the part of those that came in the middle.
        usd_per_output_token: price of an output token, $; None without a tariff.
        usd_per_input_token: price of an input token, $; None without a tariff.
    """

    requests_per_s: float
    output_tokens_per_s: float
    goodput_requests_per_s: float
    usd_per_output_token: float | None
    usd_per_input_token: float | None


LEAST_TURNS = 3.0
"""Least time for which requests come, over what one takes: in a third of it they fill the replicas, those of the next
show whether these keep up, and are finished before the last third ends and the drain begins."""
MIDDLE = slice(2, 5)
"""Eighths of the requests that come neither at ramp-up nor near the drain."""
SETTLED = 0.05
"""Largest part of the requests that stay in the system beyond those that leave it, with which a load counts as steady;
of few requests, as many as chance adds to arrivals at random."""
BEYOND_CHANCE = 3.0
"""Standard deviations of a number of random arrivals by which a queue has to grow before that is no chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """Results of replicas that served a trace.

    Attributes:
        deployment: deployment of each replica.
        limits: limits on each replica.
        capacity: KV cache capacity of each replica.
        replicas: number of replicas.
        router: name of the router that spread requests over them.
        requests: number of requests that arrived.
        completed: requests that were served to their last token.
        refused: requests that no replica has memory for.
        failed: further requests that their log lists without output, and that are left out.
        ttft_s: time to the first token, s.
        tpot_s: time per further token, s.
        e2e_s: time to the last token, s.
        classes: results for the requests of each class; empty where all are of one.
        prompt_tokens: input tokens of completed requests.
        output_tokens: output tokens of completed requests.
        simulated_s: time from the first arrival to the last token, s.
        arrivals_s: time from the first arrival to the last, s; 0 in a closed loop.
        busy_fraction: mean part of the time in which a replica runs steps.
        reading_fraction: part of its busy time that prompts take.
        mean_batch: mean sequences that decode in a replica while it is busy.
        mean_waiting: mean requests that wait for a replica while it is busy.
        kv_used_fraction: mean part of its cache in use while it is busy.
        preemptions: number of preemptions of requests.
        cached_fraction: part of the prompt tokens found in the prefix cache, or fetched from tiers below it.
        evicted_blocks: blocks of the prefix cache that were evicted to make room.
        wall_s: wall-clock time of the simulation, s.
        usd_per_s: price of all replicas, $/s; None without a tariff.
        by_replica: results of each replica.
        bands: intervals of latencies and throughput; None where they were not asked for.
        prompt_pool: results of the prefill pool, where there is one; all other fields are then of the decode pool.
        tiers: results of cache tiers below the prefix cache, of the prefill pool with two pools; the fastest first.
        tier_token_bytes: cache of a token in a tier, over all chips of a replica, bytes.
        in_order: means of each eighth of the completed requests in their order; empty where they are few.
    """

    deployment: Deployment
    limits: ReplicaLimits
    capacity: Capacity
    replicas: int
    router: str
    requests: int
    completed: int
    refused: int
    failed: int
    ttft_s: Latency
    tpot_s: Latency
    e2e_s: Latency
    classes: tuple[OfClass, ...]
    prompt_tokens: int
    output_tokens: int
    simulated_s: float
    busy_fraction: float
    reading_fraction: float
    mean_batch: float
    mean_waiting: float
    kv_used_fraction: float
    preemptions: int
    cached_fraction: float
    evicted_blocks: int
    wall_s: float
    usd_per_s: float | None
    by_replica: tuple[OfReplica, ...]
    bands: Bands | None = None
    prompt_pool: PromptPool | None = None
    tiers: tuple[OfTier, ...] = ()
    tier_token_bytes: float = 0.0
    arrivals_s: float = 0.0
    in_order: tuple[InOrder, ...] = ()

    @property
    def is_overloaded(self) -> bool:
        """Whether more requests arrived than were served, so that the queue kept growing.

        First tokens then come later from each part of the requests to the next; after a burst, they come sooner again.
        Those that came while the wait grew are more than chance adds to arrivals at random: of ``n`` expected, the
        standard deviation is the root of ``n``, and a queue that is kept up with grows no further than that.
        """
        if not self.arrivals_s or not self.in_order:
            return False
        first_s = [one.ttft_s for one in self.in_order]
        grown = (first_s[-1] - first_s[0]) * self.arrivals_per_s
        is_throughout = all(before_s < after_s for before_s, after_s in pairwise(first_s))
        return is_throughout and grown > BEYOND_CHANCE * sqrt(self.requests)

    @property
    def output_tokens_per_s(self) -> float:
        """Output tokens per second of all replicas."""
        return self.output_tokens / self.simulated_s

    @property
    def requests_per_s(self) -> float:
        """Completed requests per second of all replicas."""
        return self.completed / self.simulated_s

    @property
    def chip_busy_fraction(self) -> float:
        """Part of the time in which chips run steps, over all chips of both pools."""
        pools = [one for one in (self, self.prompt_pool) if one is not None]
        chips = [one.deployment.layout.chips * one.replicas for one in pools]
        return sum(many * one.busy_fraction for many, one in zip(chips, pools, strict=True)) / sum(chips)

    @property
    def usd_per_request(self) -> float | None:
        """Price of a completed request, of both pools where there are two, $."""
        prices = [one.usd_per_s for one in (self, self.prompt_pool) if one is not None]
        usd_per_s = [price for price in prices if price is not None]
        return sum(usd_per_s) * self.simulated_s / self.completed if len(usd_per_s) == len(prices) else None

    @property
    def usd_per_output_token(self) -> float | None:
        """Price of an output token, $: the decode part of the chips' time, with a proportional part of idle time."""
        return self._usd_per_token(1 - self.reading_fraction, self.output_tokens)

    @property
    def usd_per_input_token(self) -> float | None:
        """Price of an input token, $: the prefill part of the chips' time, and the whole prefill pool."""
        return self._usd_per_input_token(1.0, 1.0)

    @property
    def at_work_usd_per_output_token(self) -> float | None:
        """Part of an output token's price for chips that run steps, $: without those that idle."""
        usd = self.usd_per_output_token
        return usd if usd is None else self.busy_fraction * usd

    @property
    def at_work_usd_per_input_token(self) -> float | None:
        """Part of an input token's price for chips that run steps, $: without those that idle."""
        return self._usd_per_input_token(
            self.busy_fraction, 1.0 if self.prompt_pool is None else self.prompt_pool.busy_fraction
        )

    @property
    def is_steady(self) -> bool:
        """Whether replicas kept up with the requests that came between ramp-up and drain.

        More are in the system than before by the increase of the time in it, for each second of its arrivals.
        """
        if not self.in_order or not self.arrivals_per_s or self.is_overloaded:
            return False
        if self.arrivals_s < LEAST_TURNS * self.e2e_s.p99:
            return False
        middle = self.in_order[MIDDLE]
        apart_s = self.arrivals_s * (len(middle) - 1) / len(self.in_order)
        by_chance = 1 / sqrt(self.arrivals_per_s * apart_s)
        return (middle[-1].e2e_s - middle[0].e2e_s) / apart_s < max(SETTLED, by_chance)

    @property
    def arrivals_per_s(self) -> float:
        """Requests that came per second after the first, up to the last arrival; 0 in a closed loop."""
        return (self.requests - 1) / self.arrivals_s if self.arrivals_s else 0.0

    @property
    def first_tokens_per_s(self) -> float:
        """First tokens per second, while requests come: fewer than requests where each waits longer than those before.

        Two that come a second apart have theirs a second and the increase of the wait apart.
        """
        rise_s = self.in_order[-1].ttft_s - self.in_order[0].ttft_s
        return self.arrivals_per_s / (1 + rise_s / (self.arrivals_s * (1 - 1 / len(self.in_order))))

    @property
    def steady(self) -> Steady | None:
        """Throughput and prices of a steady load; None where there was none."""
        if not self.is_steady:
            return None
        part, rate = self.arrivals_s / self.simulated_s, self.arrivals_per_s * self.completed / self.requests
        middle = self.in_order[MIDDLE]
        prices = self.usd_per_output_token, self.usd_per_input_token
        written, read = (None if usd is None else part * usd for usd in prices)
        return Steady(
            requests_per_s=rate,
            output_tokens_per_s=rate * self.output_tokens / self.completed,
            goodput_requests_per_s=rate * sum(one.within for one in middle) / len(middle),
            usd_per_output_token=written,
            usd_per_input_token=read,
        )

    def _usd_per_input_token(self, part: float, of_pool: float) -> float | None:
        """Price of an input token for parts of the time of the replicas, and of the prefill pool."""
        usd = self._usd_per_token(part * self.reading_fraction, self.prompt_tokens)
        pool = self.prompt_pool
        if pool is None or usd is None:
            return usd
        if pool.usd_per_s is None:
            return None
        return usd + pool.usd_per_s * self.simulated_s * of_pool / self.prompt_tokens

    def _usd_per_token(self, fraction: float, tokens: int) -> float | None:
        if self.usd_per_s is None or not tokens:
            return None
        return self.usd_per_s * self.simulated_s * fraction / tokens
