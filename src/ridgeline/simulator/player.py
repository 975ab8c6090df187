"""A simulation that can be played repeatedly: requests, memory, limits and prices, from user options."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.estimator.memory import limits_of
from ridgeline.glossary import require_whole
from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import pool_curves
from ridgeline.simulator.arrivals import as_one, first_of, in_a_loop, sped_up
from ridgeline.simulator.cache_tiers import require_growing
from ridgeline.simulator.capacity import Capacity, capacity_of
from ridgeline.simulator.limits import ReplicaLimits, limits_for
from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.policies import CONTINUOUS, policy_of
from ridgeline.simulator.policy import Policy
from ridgeline.simulator.routers import ROUTERS
from ridgeline.simulator.served import ServedRequests
from ridgeline.simulator.side import Side
from ridgeline.simulator.simulate import play_through
from ridgeline.simulator.tally import Tally
from ridgeline.simulator.two_pools import play_two_pools
from ridgeline.simulator.watch import UNWATCHED, Watch
from ridgeline.specs.cache_tier import CacheTier
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload
from ridgeline.traces.requests import Requests
from ridgeline.traces.source import RequestSource

__all__ = ["Player", "PromptReplicas"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptReplicas:
    """Prefill replicas of a disaggregated deployment.

    Attributes:
        deployment: deployment of each replica.
        replicas: number of replicas.
        kv_blocks: KV cache blocks of each; None for those that fit beside the weights.
    """

    deployment: Deployment
    replicas: int = 1
    kv_blocks: int | None = None


@dataclass(frozen=True, kw_only=True)
class Player:
    """Requests and the replicas that they are played through.

    Attributes:
        deployment: deployment of each replica.
        requests: requests in the order of their arrival, or a source of them.
        count: number of requests, from the first; None for all.
        rate_scale: factor on the arrival rate.
        users: users in a closed loop; None where requests arrive on their own.
        starts_together: whether all users begin at once, and not one after the other over the time of one request.
        replicas: number of replicas that share the requests.
        policy: scheduling policy of each replica; None for its engine's.
        router: name of the router that chooses a request's replica.
        kv_blocks: KV cache blocks of a replica; None for those that fit beside the weights.
        block_tokens: tokens of a block; None for the engine's default.
        has_prefix_cache: whether blocks of prompts that a log names are kept and reused.
        usd_per_chip_s: price of a chip, $/s; None for the machine's.
        prompt_pool: prefill replicas, with the same router and the policy's order; None where each replica reads its
            own prompts.
        tiers: cache tiers below each replica's prefix cache, of the prefill replicas with two pools; the fastest first.
    """

    deployment: Deployment
    requests: Requests | RequestSource
    count: int | None = None
    rate_scale: float = 1.0
    users: int | None = None
    starts_together: bool = False
    replicas: int = 1
    policy: Policy | None = None
    router: str = "round-robin"
    kv_blocks: int | None = None
    block_tokens: int | None = None
    has_prefix_cache: bool = True
    usd_per_chip_s: float | None = None
    prompt_pool: PromptReplicas | None = None
    tiers: tuple[CacheTier, ...] = ()

    def __post_init__(self) -> None:
        if self.router not in ROUTERS:
            raise RidgelineError(f"router {self.router!r} is none of {', '.join(ROUTERS)}")
        for name in ("count", "users", "replicas"):
            given = getattr(self, name)
            if given is not None:
                require_whole("simulate", name, given)
        if self.users is not None and self.users < 1:
            raise RidgelineError(f"users={self.users!r} must be from 1 up; None where requests come on their own")
        if self.replicas < 1 or not self.rate_scale > 0:
            raise RidgelineError(
                f"replicas={self.replicas!r} must be from 1 up, and rate_scale={self.rate_scale!r} above 0"
            )
        if self.prompt_pool is not None and self.users is not None:
            raise RidgelineError("two pools are given requests as they come, and not by users; give a rate instead")
        require_growing(self.tiers)

    def blocks(self) -> Iterable[Requests]:
        """Requests, from the first one again."""
        chosen = self._chosen()
        if self.users is not None:
            asked = as_one(chosen)
            chosen = iter([in_a_loop(asked, self.users, spread_s=self._spread_s(asked, self.users))])
        return sped_up(chosen, self.rate_scale)

    def _chosen(self) -> Iterator[Requests]:
        """The requests as they were logged."""
        whole = [self.requests] if isinstance(self.requests, Requests) else self.requests.blocks()
        return first_of(whole, self.count)

    def _spread_s(self, requests: Requests, users: int) -> float:
        """Time over which users begin, s: that of one of their requests, so that none stay together in waves."""
        if self.starts_together:
            return 0.0
        # Of one token there is no time per token, and no curve; a second one is a step more.
        workload = Workload(
            prompt_tokens=round(requests.prompt_tokens.mean()),
            output_tokens=max(round(requests.output_tokens.mean()), 2),
        )
        each = math.ceil(users / self.replicas / self.deployment.layout.dp)
        times = pool_times([self.deployment], workload, each)
        (curve,) = pool_curves(times, [self.deployment], workload, [np.array([float(each)])])
        return float(curve.batch[0] / curve.requests_per_s[0])

    @cached_property
    def capacity(self) -> Capacity:
        """KV cache capacity of a replica, for sequences of the first block's mean length."""
        prompt, output = self._mean_tokens
        return capacity_of(
            self.deployment, prompt + output / 2, kv_blocks=self.kv_blocks, block_tokens=self.block_tokens
        )

    @cached_property
    def _mean_tokens(self) -> tuple[float, float]:
        """Mean input and output tokens of the first block's requests."""
        first = next(self._chosen(), None)
        if first is None:
            raise RidgelineError("no request came; give a trace with at least one")
        return float(first.prompt_tokens.mean()), float(first.output_tokens.mean())

    @property
    def limits(self) -> ReplicaLimits:
        """Limits on a replica's steps; with a prefill pool, only that pool keeps prefixes."""
        if self.prompt_pool is not None:
            return limits_for(self.deployment, self._policy, self.capacity, hashed_tokens=0)
        return limits_for(
            self.deployment, self._policy, self.capacity, hashed_tokens=self._hashed_tokens, tiers=self.tiers
        )

    @property
    def _policy(self) -> Policy:
        return self.policy or policy_of(limits_of(self.deployment))

    @property
    def _hashed_tokens(self) -> int:
        """Tokens of a block in the prefix cache; 0 without one."""
        tokens = None if isinstance(self.requests, Requests) else self.requests.block_tokens
        return tokens if self.has_prefix_cache and tokens is not None else 0

    @property
    def _usd_per_chip_s(self) -> float | None:
        tariff = self.deployment.machine.tariff
        return self.usd_per_chip_s or (None if tariff is None else tariff.usd_per_chip_s)

    def play(
        self,
        step_factor: float = 1.0,
        *,
        tally: Tally | None = None,
        each: Callable[[ServedRequests], None] | None = None,
        watch: Watch | None = None,
    ) -> Simulation:
        """Play all requests; arguments are those of ``play_through``.

        Raises:
            RidgelineError: nothing can be served, or a watch is given with two pools.
        """
        if self.prompt_pool is not None:
            if watch is not None:
                raise RidgelineError("steps of two pools are not looked at; leave the watch out")
            prefill, decode = self._sides(self.prompt_pool)
            return play_two_pools(prefill, decode, self.blocks(), step_factor=step_factor, tally=tally, each=each)
        capacity = self.capacity  # before anything is played: where nothing fits, nobody begins
        return play_through(
            self.deployment,
            self.blocks(),
            limits=self.limits,
            capacity=capacity,
            replicas=self.replicas,
            router=ROUTERS[self.router],
            users=self.users or 0,
            usd_per_chip_s=self._usd_per_chip_s,
            step_factor=step_factor,
            tally=tally,
            each=each,
            watch=watch or UNWATCHED,
        )

    def _sides(self, pool: PromptReplicas) -> tuple[Side, Side]:
        """The prefill pool, whose caches hold prompts alone, and the decode pool."""
        capacity = capacity_of(
            pool.deployment,
            self._mean_tokens[0],
            kv_blocks=pool.kv_blocks,
            block_tokens=self.block_tokens,
        )
        reading = dataclasses.replace(CONTINUOUS, order=self._policy.order)
        prefill = Side(
            deployment=pool.deployment,
            limits=limits_for(pool.deployment, reading, capacity, hashed_tokens=self._hashed_tokens, tiers=self.tiers),
            capacity=capacity,
            replicas=pool.replicas,
            router=ROUTERS[self.router],
            usd_per_chip_s=self._usd_per_chip_s,
        )
        decode = Side(
            deployment=self.deployment,
            limits=self.limits,
            capacity=self.capacity,
            replicas=self.replicas,
            router=ROUTERS[self.router],
            usd_per_chip_s=self._usd_per_chip_s,
        )
        return prefill, decode
