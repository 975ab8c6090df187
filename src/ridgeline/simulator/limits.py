"""Limits on a replica's steps: its engine's limits, its memory in blocks, and its policy."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.estimator.memory import limits_of
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.simulator.capacity import Capacity
from ridgeline.simulator.policy import Policy
from ridgeline.simulator.state import Bounds
from ridgeline.specs.cache_tier import CacheTier
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import UNLIMITED

__all__ = ["ReplicaLimits", "bounds_of", "limits_for"]

MOST_SEQUENCES = 4096
"""Sequences of a group in a step where its engine has no limit: more than an engine of the catalog takes by itself."""

UNBOUNDED = 1 << 30
"""Number of steps longer than any run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaLimits:
    """Limits on a replica.

    Attributes:
        groups: number of equal ``dp`` groups over which requests are spread.
        pass_tokens: tokens of a group in a step: one for each decoding sequence, the rest for prompts.
        sequences: maximum requests in flight, of all groups.
        blocks: blocks of the KV cache, of all groups.
        block_tokens: tokens of a block.
        is_reserved: whether a request gets blocks for all of its tokens at admission, and not as they are generated.
        gap_steps: steps without prompts between one that reads prompts and the next.
        swap_token_s: time to swap a token's cache to the host, or back, s; 0 where it is recomputed.
        policy: scheduling policy of the replica.
        hashed_tokens: tokens of a prompt's block in the prefix cache, a multiple of ``block_tokens``; 0 without a
            prefix cache.
        longest_run: maximum number of steps taken at once.
        tiers: cache tiers below the prefix cache, the fastest first.
        tier_token_bytes: cache of a token in a tier, over all chips, bytes.
    """

    groups: int
    pass_tokens: int
    sequences: int
    blocks: int
    block_tokens: int
    is_reserved: bool
    gap_steps: int
    swap_token_s: float
    policy: Policy
    hashed_tokens: int = 0
    longest_run: int = UNBOUNDED
    tiers: tuple[CacheTier, ...] = ()
    tier_token_bytes: float = 0.0

    def __post_init__(self) -> None:
        for name in ("groups", "pass_tokens", "sequences", "blocks", "block_tokens", "longest_run"):
            if getattr(self, name) < 1:
                raise RidgelineError(f"ReplicaLimits: {name}={getattr(self, name)!r} must be a whole number from 1 up")


def limits_for(
    deployment: Deployment,
    policy: Policy,
    capacity: Capacity,
    *,
    hashed_tokens: int = 0,
    tiers: tuple[CacheTier, ...] = (),
) -> ReplicaLimits:
    """Limits of a deployment as its engine runs it.

    Args:
        deployment: deployment that is served.
        policy: scheduling policy of its requests.
        capacity: capacity of its KV cache.
        hashed_tokens: tokens of a hashed prompt block in its trace; 0 without a prefix cache.
        tiers: cache tiers below the prefix cache, the fastest first.

    Raises:
        RidgelineError: tiers are given without a prefix cache.
    """
    if tiers and not hashed_tokens:
        raise RidgelineError(
            "cache tiers keep blocks of prompts that a log names, and none are named or kept; give a log of Mooncake or"
            " Bailian, and leave the prefix cache on"
        )
    model, precision = deployment.model, deployment.precision
    engine, limits, groups = deployment.engine, limits_of(deployment), deployment.layout.dp
    options = engine.options
    # Steps are tabulated by their sequences: no more of them than there are blocks, of which each has one at least.
    most = MOST_SEQUENCES if limits.sequences >= UNLIMITED else max(MOST_SEQUENCES, -(-capacity.blocks // groups))
    return ReplicaLimits(
        groups=groups,
        pass_tokens=limits.pass_tokens,
        sequences=min(limits.sequences, most) * groups,
        blocks=capacity.blocks,
        block_tokens=capacity.block_tokens,
        is_reserved=capacity.is_reserved,
        gap_steps=options.decode_steps_after_prompts or 0,
        swap_token_s=capacity.swap_token_s if policy.is_swapped else 0.0,
        policy=policy,
        hashed_tokens=hashed_tokens,
        tiers=tiers,
        tier_token_bytes=float(kv_bytes_held(model, precision, capacity.of_tokens)) / capacity.of_tokens,
    )


def bounds_of(limits: ReplicaLimits) -> Bounds:
    """Limits in the form that the event loop takes."""
    policy = limits.policy
    return Bounds(
        groups=limits.groups,
        pass_tokens=limits.pass_tokens,
        sequences=limits.sequences,
        block_tokens=limits.block_tokens,
        is_reserved=limits.is_reserved,
        reads_alone=policy.reads_alone,
        is_joined=policy.is_joined,
        period_s=policy.period_s,
        gap_steps=limits.gap_steps,
        longest_run=limits.longest_run,
        swap_token_s=limits.swap_token_s,
        is_ranked=policy.is_ranked,
    )
