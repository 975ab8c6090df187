"""Simulate: a trace through replicas of a deployment."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import chain
from typing import cast

import numpy as np

from ridgeline.errors import RidgelineError, UnservedError
from ridgeline.estimator.divisibility import require_divides
from ridgeline.serving.stages import stage_way
from ridgeline.serving.surface import StepSurface
from ridgeline.serving.tabulate import step_surface
from ridgeline.simulator.cache_tiers import Kept
from ridgeline.simulator.capacity import Capacity
from ridgeline.simulator.fleet import serve
from ridgeline.simulator.limits import ReplicaLimits
from ridgeline.simulator.outcome import OfReplica, OfTier, PromptPool, Simulation
from ridgeline.simulator.replica import Replica
from ridgeline.simulator.router import Router
from ridgeline.simulator.routers import RoundRobin
from ridgeline.simulator.served import ServedRequests, joined, served_of
from ridgeline.simulator.side import Side
from ridgeline.simulator.state import SHIFT
from ridgeline.simulator.stretches import Stretches, stretches_of
from ridgeline.simulator.tally import Tally
from ridgeline.simulator.watch import UNWATCHED, Watch
from ridgeline.specs.deployment import Deployment
from ridgeline.traces.requests import Requests

__all__ = [
    "COMPILED_FROM",
    "Sieve",
    "fleet_of",
    "has_compiler",
    "of_tiers",
    "play_through",
    "simulate",
    "simulation_of",
]

COMPILED_FROM = 1 << 16
"""Requests of the first block from which on a trace is played compiled; compilation takes some seconds."""

LONGEST_CONTEXT = 1 << 20
"""Tokens up to which the entries of a context are tabulated; beyond, they are extrapolated linearly."""


def play_through(
    deployment: Deployment,
    blocks: Iterable[Requests],
    *,
    limits: ReplicaLimits,
    capacity: Capacity,
    replicas: int = 1,
    router: Router = RoundRobin(),  # noqa: B008  a value
    users: int = 0,
    usd_per_chip_s: float | None = None,
    step_factor: float = 1.0,
    tally: Tally | None = None,
    each: Callable[[ServedRequests], None] | None = None,
    watch: Watch = UNWATCHED,
) -> Simulation:
    """Play requests through replicas; memory does not grow with their number.

    Args:
        deployment: deployment of each replica.
        blocks: blocks of requests, in the order of arrival.
        limits: limits on a replica's steps.
        capacity: capacity of its KV cache, which is also in ``limits``.
        replicas: number of replicas that share the requests.
        router: router that chooses a request's replica.
        users: users of a closed loop, with requests from ``arrivals.in_a_loop``; each replica has its part of them,
            unless the router looks at the replicas' state. 0 where requests arrive on their own.
        usd_per_chip_s: price of a chip, $/s; None for no prices.
        step_factor: factor on the estimated time of each step; ``bands`` uses others than 1.
        tally: collects finished requests; left out, one of its own.
        each: called with finished requests, block by block.
        watch: runs the replicas, and records their state.

    Raises:
        LayoutError: the layout does not divide the model.
        UnservedError: none of the requests fits into the cache.
        RidgelineError: there are no requests, some were lost, or the deployment uses speculation.
    """
    require_divides(deployment.model, deployment.machine, deployment.layout)
    begun_s = time.perf_counter()
    first, blocks = _peeked(blocks)
    is_compiled = (
        first >= COMPILED_FROM and has_compiler() and not (router.looks or limits.hashed_tokens or watch.looks)
    )
    fleet = fleet_of(deployment, limits, replicas, step_factor=step_factor, is_compiled=is_compiled)
    stated = capacity.block_tokens if capacity.is_stated else 0
    sieve, tally = Sieve(capacity.tokens, stated_block_tokens=stated, is_loop=users > 0), tally or Tally()
    way = stage_way(deployment, limits.pass_tokens)
    for place, finished in serve(fleet, router, sieve.through(blocks), watch, users=users):
        done = served_of(finished, place, deployment.engine, way=way)
        tally.add(done)
        if each is not None:
            each(done)
    sieve.require_served(tally.completed)
    side = Side(
        deployment=deployment,
        limits=limits,
        capacity=capacity,
        replicas=replicas,
        router=router,
        usd_per_chip_s=usd_per_chip_s,
    )
    return simulation_of(
        side,
        fleet,
        sieve=sieve,
        tally=tally,
        wall_s=time.perf_counter() - begun_s,
        tiers=of_tiers(fleet, limits, tally.last_s - tally.first_s),
    )


def simulate(
    deployment: Deployment,
    blocks: Iterable[Requests],
    *,
    limits: ReplicaLimits,
    capacity: Capacity,
    users: int = 0,
    step_factor: float = 1.0,
) -> tuple[Simulation, ServedRequests]:
    """Play requests through one replica, and keep the result of each; arguments are those of ``play_through``."""
    parts: list[ServedRequests] = []
    found = play_through(
        deployment,
        blocks,
        limits=limits,
        capacity=capacity,
        users=users,
        step_factor=step_factor,
        each=parts.append,
    )
    return found, joined(parts)


@lru_cache(maxsize=8)
def _tables(deployment: Deployment, sequences: int, prompt_tokens: int) -> tuple[StepSurface, list[Stretches]]:
    """Step times of a deployment, and entries that its sequences attend to; cached."""
    surface = step_surface(deployment, most_sequences=sequences, most_prompt_tokens=prompt_tokens)
    return surface, stretches_of(surface, LONGEST_CONTEXT)


def _peeked(blocks: Iterable[Requests]) -> tuple[int, Iterator[Requests]]:
    """Number of requests of the first block, and all blocks."""
    rest = iter(blocks)
    first = next(rest, None)
    return (0, rest) if first is None else (len(first), chain([first], rest))


def has_compiler() -> bool:
    """Whether the extra ``fast`` is installed."""
    return find_spec("numba") is not None


def fleet_of(
    deployment: Deployment,
    limits: ReplicaLimits,
    replicas: int,
    *,
    is_staged: bool = False,
    step_factor: float = 1.0,
    is_compiled: bool = False,
) -> list[Replica]:
    """Replicas of a deployment that have served nothing yet.

    Args:
        deployment: deployment of each replica.
        limits: limits on the steps of each.
        replicas: number of replicas.
        is_staged: whether they read prompts for another pool, and hold their caches until the transfer.
        step_factor: factor on the estimated time of each step.
        is_compiled: whether they run compiled; false where they stage prompts, keep prefixes or are recorded.
    """
    surface, curves = _tables(deployment, -(-limits.sequences // limits.groups), limits.pass_tokens)
    if step_factor != 1.0:
        surface = surface.scaled(step_factor)
    if is_compiled:
        from ridgeline.simulator.compiled import CompiledReplica  # noqa: PLC0415  an extra

        # It has what is asked of a replica by routers and watches that do not look, and compiled ones meet no others.
        return [cast("Replica", CompiledReplica(surface, curves, limits)) for _ in range(replicas)]
    shared: dict[str, Kept] = {}
    return [Replica(surface, curves, limits, is_staged=is_staged, shared=shared) for _ in range(replicas)]


class Sieve:
    """Filter of arriving requests: those that no replica has memory for are counted, and left out.

    Requests that their log lists without output, and that its reader left out, are counted, too.

    Args:
        capacity_tokens: KV cache capacity of a replica, tokens.
        prompt_capacity_tokens: KV cache capacity of a prefill replica, tokens; None where there is none.
        stated_block_tokens: tokens of a block where the number of blocks is stated; 0 where memory gives it.
        is_loop: whether users ask in a closed loop: who is refused asks the next request at once.
    """

    def __init__(
        self,
        capacity_tokens: int,
        prompt_capacity_tokens: int | None = None,
        *,
        stated_block_tokens: int = 0,
        is_loop: bool = False,
    ) -> None:
        self.capacity_tokens = capacity_tokens
        self.prompt_capacity_tokens = prompt_capacity_tokens
        self.stated_block_tokens = stated_block_tokens
        self.is_loop = is_loop
        self.least_tokens = 0
        self.requests = self.refused = self.failed = 0
        self.last_arrival_s = 0.0

    def through(self, blocks: Iterable[Requests]) -> Iterator[Requests]:
        """Requests that fit."""
        for block in blocks:
            tokens = block.prompt_tokens + block.output_tokens
            if len(block):
                self.least_tokens = min(self.least_tokens or SHIFT, int(tokens.min()))
            held = tokens <= self.capacity_tokens
            if self.prompt_capacity_tokens is not None:
                held &= block.prompt_tokens < self.prompt_capacity_tokens  # with its first token
            fits = np.flatnonzero(held)
            self.requests += len(block)
            self.last_arrival_s = max(self.last_arrival_s, float(block.arrivals_s[-1]) if len(block) else 0.0)
            self.refused += len(block) - len(fits)
            self.failed += block.failed
            if len(fits) == len(block):
                yield block
            elif len(fits):
                chosen = block.only(fits)
                arrivals_s = block.arrivals_s[: len(fits)] if self.is_loop else chosen.arrivals_s
                yield dataclasses.replace(chosen, arrivals_s=arrivals_s)

    def require_served(self, completed: int) -> None:
        """Check that some requests were served, and that each that came was served or refused.

        Raises:
            UnservedError: none fits into the cache.
            RidgelineError: none came, or some were lost: rates and latencies would be those of fewer requests.
        """
        if not completed:
            raise (UnservedError if self.requests else RidgelineError)(f"simulate: {self.refusal()}")
        lost = self.requests - self.refused - completed
        if lost:
            raise RidgelineError(
                f"simulate: of {self.requests:,} requests that came, {completed:,} were served and {self.refused:,}"
                f" refused; {abs(lost):,} are unaccounted for, which is a defect of Ridgeline: please report this"
                " command"
            )

    def refusal(self) -> str:
        """Message on why nothing was served."""
        if not self.requests:
            return "no request came; give a trace with at least one"
        said = f"none of {self.requests:,} requests fits into a cache of {self.capacity_tokens:,} tokens"
        size = self.stated_block_tokens
        if not size:
            return f"{said}: the smallest takes {self.least_tokens:,}; take more chips, or narrower formats"
        blocks, needed = self.capacity_tokens // size, -(-self.least_tokens // size)
        return f"{said}; raise --kv-blocks ({blocks:,}; a request needs {needed:,}), or leave it out"


def simulation_of(
    side: Side,
    fleet: Sequence[Replica],
    *,
    sieve: Sieve,
    tally: Tally,
    wall_s: float,
    prompt_pool: PromptPool | None = None,
    tiers: tuple[OfTier, ...] = (),
) -> Simulation:
    """Result of a simulation, summed over all replicas; all means are 0 for a pool that was never busy.

    Args:
        side: replicas that finish requests.
        fleet: replicas of that side after their last request.
        sieve: counts of requests that came, were refused, or had failed.
        tally: sums over finished requests.
        wall_s: wall-clock time of the simulation, s.
        prompt_pool: results of the prefill pool; None without one.
        tiers: results of cache tiers.
    """
    clocks = [replica.clocks for replica in fleet]
    worked_s = sum(one.busy_s for one in clocks)
    busy_s = worked_s or 1.0
    simulated_s = tally.last_s - tally.first_s
    return Simulation(
        deployment=side.deployment,
        limits=side.limits,
        capacity=side.capacity,
        replicas=len(fleet),
        router=side.router.name,
        requests=sieve.requests,
        completed=tally.completed,
        refused=sieve.refused,
        failed=sieve.failed,
        ttft_s=tally.latency("ttft_s"),
        tpot_s=tally.latency("tpot_s"),
        e2e_s=tally.latency("e2e_s"),
        classes=tally.classes(),
        prompt_tokens=tally.prompt_tokens,
        output_tokens=tally.output_tokens,
        simulated_s=simulated_s,
        arrivals_s=sieve.last_arrival_s,
        busy_fraction=worked_s / (len(fleet) * simulated_s),
        reading_fraction=sum(one.reading_s for one in clocks) / busy_s,
        mean_batch=sum(one.sequence_s for one in clocks) / busy_s,
        mean_waiting=sum(one.waiting_s for one in clocks) / busy_s,
        kv_used_fraction=_used_fraction(sum(one.free_block_s for one in clocks), worked_s, side.limits),
        preemptions=sum(replica.counts.preemptions for replica in fleet),
        cached_fraction=tally.cached_tokens / tally.prompt_tokens,
        evicted_blocks=sum(replica.cache.evicted_blocks for replica in fleet if replica.cache is not None),
        wall_s=wall_s,
        usd_per_s=side.usd_per_s,
        by_replica=tuple(_of_replica(one, side.limits, simulated_s) for one in fleet),
        prompt_pool=prompt_pool,
        tiers=tiers,
        in_order=tally.in_order(),
        tier_token_bytes=(side.limits if prompt_pool is None else prompt_pool.limits).tier_token_bytes,
    )


def of_tiers(fleet: Sequence[Replica], limits: ReplicaLimits, simulated_s: float) -> tuple[OfTier, ...]:
    """Results of cache tiers, summed over all replicas."""
    counts = zip(*[replica.tiers.counts for replica in fleet if replica.tiers is not None], strict=True)
    return tuple(
        OfTier(
            name=tier.name,
            capacity_bytes=tier.capacity_bytes,
            read_bytes_per_s=tier.read_bytes_per_s,
            latency_s=tier.latency_s,
            is_shared=tier.is_shared,
            hit_tokens=sum(one.hit_tokens for one in each),
            missed_tokens=sum(one.missed_tokens for one in each),
            fetched_tokens=sum(one.fetched_tokens for one in each),
            written_tokens=sum(one.written_tokens for one in each),
            evicted_tokens=sum(one.evicted_tokens for one in each),
            kept_tokens=(max if tier.is_shared else sum)(one.kept_tokens for one in each),
            busy_fraction=sum(one.busy_s for one in each) / (len(fleet) * simulated_s),
        )
        for tier, each in zip(limits.tiers, counts, strict=True)
    )


def _used_fraction(free_block_s: float, busy_s: float, limits: ReplicaLimits) -> float:
    """Mean part of the cache in use over the busy time; 0 without any."""
    return 1 - free_block_s / (busy_s * limits.blocks) if busy_s else 0.0


def _of_replica(replica: Replica, limits: ReplicaLimits, simulated_s: float) -> OfReplica:
    """Results of one replica; all means are 0 for one that was never busy."""
    clocks = replica.clocks
    busy_s = clocks.busy_s or 1.0
    return OfReplica(
        completed=replica.counts.finished,
        busy_fraction=clocks.busy_s / simulated_s,
        mean_batch=clocks.sequence_s / busy_s,
        mean_waiting=clocks.waiting_s / busy_s,
        kv_used_fraction=_used_fraction(clocks.free_block_s, clocks.busy_s, limits),
        preemptions=replica.counts.preemptions,
    )
