"""A context's cache in one tier: costs of reading it back, writing and holding it, and the contexts carried."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.caching.envelope import CostLine
from ridgeline.caching.found import Asked
from ridgeline.caching.links import carried_by_replica
from ridgeline.caching.loaded import LoadedMachine
from ridgeline.caching.tiers import RECOMPUTE, Tier
from ridgeline.equations import caching
from ridgeline.estimator.memory import moved_cache_bytes

__all__ = ["Placed", "placed_in", "recomputed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A context in a tier, before tiers are compared, with the fields of ``Held``."""

    tier: Tier
    retrieve_s: float
    retrieve_usd: float
    write_usd: float
    wear_usd: float
    hold_usd_per_s: float
    fetches_per_s: float | None
    writes_per_s: float | None

    def line(self, reuse: float, *, with_wear: bool = True) -> CostLine:
        """Cost over the time that it holds the context."""
        read_usd = float(caching.cost_usd(retrieve_usd=self.retrieve_usd, hold_usd_per_s=0.0, held_s=0.0, reuses=reuse))
        write_usd = self.write_usd - (0.0 if with_wear else self.wear_usd)
        return CostLine(name=self.tier.name, once_usd=write_usd + read_usd, hold_usd_per_s=self.hold_usd_per_s)


def placed_in(tier: Tier, loaded: LoadedMachine, asked: Asked, kv_bytes: float) -> Placed:
    """A context in a tier: each chip that keeps a part of it reads that back over its own link."""
    on_chip = float(moved_cache_bytes(loaded.deployment, asked.context_tokens))
    if tier.device is None:
        return Placed(
            tier=tier,
            retrieve_s=0.0,
            retrieve_usd=0.0,
            write_usd=0.0,
            wear_usd=0.0,
            hold_usd_per_s=kv_bytes * tier.hold_usd_per_byte_s,
            fetches_per_s=None,
            writes_per_s=None,
        )
    retrieve_s = float(
        caching.retrieve_time_s(kv_bytes=on_chip, bytes_per_s=tier.bytes_per_s, latency_s=tier.latency_s)
    )
    # The chip memory that it is read into is occupied from the first byte on.
    landing = caching.hold_usd_per_token_s(
        kv_bytes_per_token=kv_bytes,
        capacity_bytes=loaded.deployment.machine.chip.hbm_bytes,
        usd_per_s=asked.usd_per_chip_s,
    )
    wear_usd = kv_bytes * tier.wear_usd_per_byte
    return Placed(
        tier=tier,
        retrieve_s=retrieve_s,
        retrieve_usd=kv_bytes * tier.read_usd_per_byte + float(landing) * retrieve_s,
        write_usd=kv_bytes * tier.write_usd_per_byte + wear_usd,
        wear_usd=wear_usd,
        hold_usd_per_s=kv_bytes * tier.hold_usd_per_byte_s,
        fetches_per_s=carried_by_replica(loaded.deployment, bytes_per_s=tier.bytes_per_s, bytes_on_chip=on_chip),
        writes_per_s=carried_by_replica(loaded.deployment, bytes_per_s=tier.write_bytes_per_s, bytes_on_chip=on_chip),
    )


def recomputed(loaded: LoadedMachine, asked: Asked) -> Placed:
    """A context that is not kept."""
    return Placed(
        tier=Tier(name=RECOMPUTE, hold_usd_per_byte_s=0.0, drain_s=None),
        retrieve_s=loaded.prefill_s,
        retrieve_usd=loaded.chip_s * asked.usd_per_chip_s,
        write_usd=0.0,
        wear_usd=0.0,
        hold_usd_per_s=0.0,
        fetches_per_s=loaded.requests_per_s,
        writes_per_s=None,
    )
