"""Requests played through a deployment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ridgeline.errors import RidgelineError
from ridgeline.specs.cache_tier import CacheTier
from ridgeline.specs.deployment import Deployment
from ridgeline.verbs.names import Name, deployment_given

if TYPE_CHECKING:
    from ridgeline.simulator.outcome import Simulation
    from ridgeline.simulator.player import PromptReplicas
    from ridgeline.simulator.policy import Policy
    from ridgeline.simulator.served import ServedRequests
    from ridgeline.traces import Requests, RequestSource

__all__ = ["simulate"]


def simulate(
    deployment: Deployment,
    requests: Requests | RequestSource | Name,
    *,
    count: int | None = None,
    rate_scale: float = 1.0,
    users: int | None = None,
    starts_together: bool = False,
    replicas: int = 1,
    policy: Policy | None = None,
    router: str = "round-robin",
    kv_blocks: int | None = None,
    block_tokens: int | None = None,
    has_prefix_cache: bool = True,
    usd_per_chip_s: float | None = None,
    prompt_pool: PromptReplicas | None = None,
    tiers: Sequence[CacheTier] = (),
    has_bands: bool = True,
) -> tuple[Simulation, ServedRequests]:
    """Play requests through replicas of a deployment, as ``ridgeline simulate`` does.

    Args:
        deployment: deployment of each replica, from ``deploy``.
        requests: requests in the order of their arrival; a source of them, as ``open_trace`` and ``synthetic`` return;
            or the path of a log.
        count: number of requests, from the first; left out, all.
        rate_scale: factor on the arrival rate.
        users: users in a closed loop, each of whom asks again as soon as answered, regardless of arrival times; left
            out, requests arrive on their own.
        starts_together: whether all users begin at once, as a benchmark's client does; left out, one after the other
            over the time that a request takes.
        replicas: number of replicas that share the requests.
        policy: scheduling policy of each replica, such as ``simulator.policies.CLASSES`` for requests that have
            classes; left out, its engine's.
        router: routing of requests to replicas: round-robin, least-loaded or prefix-aware.
        kv_blocks: blocks of a replica's KV cache, as an engine logs them; left out, those that fit beside the weights.
        block_tokens: tokens of a block; left out, the engine's default.
        has_prefix_cache: whether blocks of prompts that a log names are kept and reused.
        usd_per_chip_s: price of a chip, $/s; left out, the machine's.
        prompt_pool: prefill replicas, so that those of the deployment only decode.
        tiers: cache tiers below each replica's prefix cache, of the prefill replicas with two pools; the fastest first.
        has_bands: whether 80 % intervals are computed, for which the requests are played again with other step times.

    Raises:
        RidgelineError: a number is invalid, nothing can be served, or the deployment cannot run.

    >>> import numpy as np
    >>> from ridgeline import Requests, deploy
    >>> requests = Requests(
    ...     arrivals_s=np.arange(100) / 10,
    ...     prompt_tokens=np.full(100, 1000),
    ...     output_tokens=np.full(100, 100),
    ... )
    >>> found, served = simulate(deploy("llama-3.1-8b", "h100-sxm", "tp1"), requests)
    >>> found.completed, found.ttft_s.p99 < 0.2, len(served)
    (100, True, 100)
    """
    from ridgeline.simulator.bands import with_bands  # noqa: PLC0415
    from ridgeline.simulator.player import Player  # noqa: PLC0415
    from ridgeline.simulator.served import joined  # noqa: PLC0415
    from ridgeline.traces import Requests, open_trace  # noqa: PLC0415

    deployment_given(deployment, "simulate")
    if isinstance(requests, str | os.PathLike):
        requests = open_trace(requests)
    elif not callable(getattr(requests, "blocks", None)) and not isinstance(requests, Requests):
        raise RidgelineError(
            f"simulate: {requests!r:.60} are no requests; give the path of a log, Requests(arrivals_s=...,"
            " prompt_tokens=..., output_tokens=...) with an array of each, or what open_trace and synthetic return"
        )
    if isinstance(policy, str):
        raise RidgelineError(f"simulate: policy {policy!r} is a name; give its record, from simulator.policies")
    player = Player(
        deployment=deployment,
        requests=requests,
        count=count,
        rate_scale=rate_scale,
        users=users,
        starts_together=starts_together,
        replicas=replicas,
        policy=policy,
        router=router,
        kv_blocks=kv_blocks,
        block_tokens=block_tokens,
        has_prefix_cache=has_prefix_cache,
        usd_per_chip_s=usd_per_chip_s,
        prompt_pool=prompt_pool,
        tiers=tuple(tiers),
    )

    def at(step_factor: float) -> tuple[Simulation, ServedRequests]:
        parts: list[ServedRequests] = []
        return player.play(step_factor, each=parts.append), joined(parts)

    return with_bands(at) if has_bands else at(1.0)
