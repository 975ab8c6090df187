"""The best mixes of tiers for a deployment and the blocks of a log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.caching.hierarchy import Mix, capacity_mixes
from ridgeline.caching.offers import OWNED, tier_offers
from ridgeline.caching.reading import reading_s_of
from ridgeline.caching.reuse import BlockUses
from ridgeline.caching.tiers import Ownership
from ridgeline.catalog.storage import StorageDevice
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.simulator.capacity import capacity_of
from ridgeline.specs.deployment import Deployment

__all__ = ["LogMixes", "log_mixes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogMixes:
    """Pareto front of mixes in cost and time, for one replica that serves the whole log.

    Attributes:
        tiers: names of the tiers, the fastest first.
        memory_bytes: the replica's own KV cache, all of which is assumed to keep prompts, bytes.
        chips_usd_per_s: price of the replica's chips, $/s; 0 where none is known.
        mixes: the front, the cheapest first.
        reading_fraction: fraction of the replica's time that prefill takes with each; above 1 where it needs more
            replicas.
    """

    tiers: tuple[str, ...]
    memory_bytes: float
    chips_usd_per_s: float
    mixes: tuple[Mix, ...]
    reading_fraction: tuple[float, ...]


def log_mixes(
    deployment: Deployment,
    uses: BlockUses,
    devices: Mapping[str, StorageDevice],
    *,
    block_tokens: int,
    part: float | None = None,
    owned: Ownership = OWNED,
) -> LogMixes:
    """Try every mix of devices on every prompt of a log.

    Args:
        deployment: deployment of a replica, which prefills tokens not found in a tier.
        uses: blocks of the log.
        devices: devices by the name of their tier, the fastest first.
        block_tokens: tokens of a block.
        part: quantile of the first token that counts; None for the mean.
        owned: how devices are paid for.
    """
    mean_tokens = float(uses.blocks.mean()) * block_tokens
    block_bytes = float(kv_bytes_held(deployment.model, deployment.precision, mean_tokens)) / mean_tokens * block_tokens
    memory_blocks = capacity_of(deployment, mean_tokens).tokens // block_tokens
    tariff, chips = deployment.machine.tariff, deployment.layout.chips
    chips_usd_per_s = 0.0 if tariff is None else tariff.usd_per_chip_s * chips
    offers = tier_offers(
        devices, deployment.machine, chips=chips, most_bytes=len(set(uses.hashes.tolist())) * block_bytes, owned=owned
    )
    mixes = capacity_mixes(
        uses,
        offers,
        block_bytes=block_bytes,
        read_s=reading_s_of(deployment, uses, block_tokens=block_tokens),
        memory_blocks=memory_blocks,
        usd_per_reading_s=chips_usd_per_s,
        part=part,
    )
    rate = len(uses.blocks) / uses.span_s
    return LogMixes(
        tiers=tuple(one.name for one in offers),
        memory_bytes=memory_blocks * block_bytes,
        chips_usd_per_s=chips_usd_per_s,
        mixes=mixes,
        reading_fraction=tuple(rate * one.reading_s for one in mixes),
    )
