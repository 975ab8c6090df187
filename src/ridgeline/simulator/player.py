"""From what is asked to what can be played, as often as one likes: requests as they come, memory, limits, prices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from ridgeline.errors import RidgelineError
from ridgeline.estimator.memory import limits_of
from ridgeline.simulator.arrivals import as_one, first_of, in_a_loop, sped_up
from ridgeline.simulator.capacity import Capacity, capacity_of
from ridgeline.simulator.limits import Limits, limits_for
from ridgeline.simulator.outcome import Served, Simulation
from ridgeline.simulator.policies import policy_of
from ridgeline.simulator.policy import Policy
from ridgeline.simulator.routers import ROUTERS
from ridgeline.simulator.simulate import play_through
from ridgeline.simulator.tally import Tally
from ridgeline.simulator.watch import Watch
from ridgeline.specs.deployment import Deployment
from ridgeline.traces.requests import Requests
from ridgeline.traces.source import RequestSource

__all__ = ["Player"]


@dataclass(frozen=True, kw_only=True)
class Player:
    """Requests and the replicas that they are played through.

    Attributes:
        deployment: of each replica.
        requests: in the order of their arrival, or a source of them.
        count: the first so many of them; None for all.
        rate_scale: how many times as fast they come.
        users: who ask again as soon as they are answered; None where requests come by themselves.
        replicas: that share the requests.
        policy: by which each schedules; None as its engine does.
        router: name of what chooses a replica for a request.
        kv_blocks: of a replica's cache; None for what weights leave.
        block_tokens: of a block; None as its engine has it.
        has_prefix_cache: whether blocks of prompts that a log names are kept.
        usd_per_chip_s: price of a chip, dollars a second; None for the machine's.
    """

    deployment: Deployment
    requests: Requests | RequestSource
    count: int | None = None
    rate_scale: float = 1.0
    users: int | None = None
    replicas: int = 1
    policy: Policy | None = None
    router: str = "round-robin"
    kv_blocks: int | None = None
    block_tokens: int | None = None
    has_prefix_cache: bool = True
    usd_per_chip_s: float | None = None

    def __post_init__(self) -> None:
        if self.router not in ROUTERS:
            raise RidgelineError(f"router {self.router!r} is none of {', '.join(ROUTERS)}")
        if self.replicas < 1 or not self.rate_scale > 0:
            raise RidgelineError(
                f"replicas={self.replicas!r} must be from 1 up, and rate_scale={self.rate_scale!r} above 0"
            )

    def blocks(self) -> Iterable[Requests]:
        """The requests, from the first one again."""
        whole = [self.requests] if isinstance(self.requests, Requests) else self.requests.blocks()
        chosen = first_of(whole, self.count)
        if self.users is not None:
            chosen = iter([in_a_loop(as_one(chosen), self.users)])
        return sped_up(chosen, self.rate_scale)

    @cached_property
    def capacity(self) -> Capacity:
        """Of a replica's cache, for sequences as long as those of the first block are on the mean."""
        first = next(iter(self.blocks()), None)
        if first is None:
            raise RidgelineError("no request came; give a trace with at least one")
        held_tokens = float((first.prompt_tokens + first.output_tokens / 2).mean())
        return capacity_of(self.deployment, held_tokens, kv_blocks=self.kv_blocks, block_tokens=self.block_tokens)

    @property
    def limits(self) -> Limits:
        """That bound a replica's steps."""
        hashed_tokens = None if isinstance(self.requests, Requests) else self.requests.block_tokens
        return limits_for(
            self.deployment,
            self.policy or policy_of(limits_of(self.deployment)),
            self.capacity,
            hashed_tokens=hashed_tokens if self.has_prefix_cache and hashed_tokens is not None else 0,
        )

    def play(
        self,
        step_factor: float = 1.0,
        *,
        tally: Tally | None = None,
        each: Callable[[Served], None] | None = None,
        watch: Watch | None = None,
    ) -> Simulation:
        """Play all of them; arguments are those of ``play_through``."""
        tariff = self.deployment.machine.tariff
        return play_through(
            self.deployment,
            self.blocks(),
            limits=self.limits,
            capacity=self.capacity,
            replicas=self.replicas,
            router=ROUTERS[self.router],
            users=self.users or 0,
            usd_per_chip_s=self.usd_per_chip_s or (None if tariff is None else tariff.usd_per_chip_s),
            step_factor=step_factor,
            tally=tally,
            each=each,
            watch=watch,
        )
