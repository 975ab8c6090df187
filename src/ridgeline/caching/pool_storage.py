"""Two pools with a store behind them: limits of the prefill store, the decode store and the network."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.caching.links import carried_by_replica
from ridgeline.caching.tiers import Tier
from ridgeline.equations import caching
from ridgeline.errors import RidgelineError
from ridgeline.estimator.memory import moved_cache_bytes
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.planner.two_pools.search import plan_two_pools
from ridgeline.serving.transfer import level_between
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["PoolStorage", "StoreLimits", "pool_storage"]

CHIPS = "chips"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreLimits:
    """Requests per second that each part allows with one tier behind both pools.

    Attributes:
        tier: name of the store's tier.
        prompts_requests_per_s: requests that the prefill pool's bandwidth to it allows: found contexts are read, new
            ones written, at the same time.
        tokens_requests_per_s: requests that the decode pool's bandwidth to it allows: outputs are written.
        binds: lowest limit of all: chips, prompts' store, tokens' store or network.
        headroom: lowest limit of stores and network, over the requests that the chips serve.
    """

    tier: str
    prompts_requests_per_s: float
    tokens_requests_per_s: float
    binds: str
    headroom: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolStorage:
    """Two pools, and their limits besides chips.

    Attributes:
        prefill_layout: layout of a prefill replica.
        prefill_chips: chips of all prefill replicas.
        decode_layout: layout of a decode replica.
        decode_chips: chips of all decode replicas.
        requests_per_s: requests per second that the chips of both serve, found contexts not recomputed.
        network_requests_per_s: requests per second whose whole contexts the network carries between the pools.
        network: level of the fabric that they cross.
        stores: limits with each tier behind both pools.
    """

    prefill_layout: str
    prefill_chips: int
    decode_layout: str
    decode_chips: int
    requests_per_s: float
    network_requests_per_s: float
    network: str
    stores: tuple[StoreLimits, ...]


def pool_storage(
    deployment: Deployment,
    workload: Workload,
    tiers: tuple[Tier, ...],
    *,
    found_fraction: float,
    chips: int | None,
    usd_per_chip_s: float,
) -> PoolStorage:
    """Best two pools of a machine, and the limits of stores and network.

    Args:
        deployment: model and machine; its layout is ignored.
        workload: context and output of a request, with the part that need not be computed.
        tiers: tiers that may be behind both pools.
        found_fraction: fraction of the contexts that is found.
        chips: chips of both pools; None for one scale-up domain.
        usd_per_chip_s: price of a chip, $/s.

    Raises:
        RidgelineError: no two pools serve such a context.
    """
    found = plan_two_pools([deployment], [deployment], workload, chips=chips, usd_per_chip_s=usd_per_chip_s)
    if not found.plans:
        raise RidgelineError(
            f"{deployment.model.name}: no two pools on those chips serve contexts of {workload.prompt_tokens:,.0f}"
            " tokens; take more --chips, a shorter --context, or --pools 1"
        )
    best = found.plans[0]
    model, precision = deployment.model, deployment.precision
    context = float(kv_bytes_held(model, precision, workload.prompt_tokens))
    level = level_between(best.prefill.deployment, best.decode.deployment, best.chips)
    smaller = min(best.prefill.chips, best.decode.chips)
    network = float(caching.carried_per_s(bytes_per_s=smaller * level.bytes_per_s, bytes_per_request=context))
    of_prompts, of_tokens = best.prefill.deployment, best.decode.deployment
    prompt_bytes = float(moved_cache_bytes(of_prompts, workload.prompt_tokens))
    before, after = (
        float(moved_cache_bytes(of_tokens, tokens))
        for tokens in (workload.prompt_tokens, workload.prompt_tokens + workload.output_tokens)
    )
    stores = []
    for tier in tiers:
        prompts = best.prefill.replicas * min(
            carried_by_replica(of_prompts, bytes_per_s=rate, bytes_on_chip=part * prompt_bytes)
            for rate, part in ((tier.bytes_per_s, found_fraction), (tier.write_bytes_per_s, 1 - found_fraction))
        )
        tokens = best.decode.replicas * carried_by_replica(
            of_tokens, bytes_per_s=tier.write_bytes_per_s, bytes_on_chip=after - before
        )
        limits = {CHIPS: best.requests_per_s, "prompts' store": prompts, "tokens' store": tokens, "network": network}
        stores.append(
            StoreLimits(
                tier=tier.name,
                prompts_requests_per_s=prompts,
                tokens_requests_per_s=tokens,
                binds=min(limits, key=lambda name: limits[name]),
                headroom=min(prompts, tokens, network) / best.requests_per_s,
            )
        )
    return PoolStorage(
        prefill_layout=str(best.prefill.deployment.layout),
        prefill_chips=best.prefill.chips,
        decode_layout=str(best.decode.deployment.layout),
        decode_chips=best.decode.chips,
        requests_per_s=best.requests_per_s,
        network_requests_per_s=network,
        network=level.name,
        stores=tuple(stores),
    )
