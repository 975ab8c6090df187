"""Tiers made of the catalog's devices, several of each kind, behind the links of a replica's chips."""

from __future__ import annotations

from collections.abc import Mapping

from ridgeline.caching.hierarchy import TierOffer, TierSize
from ridgeline.caching.tiers import Ownership, tier_of
from ridgeline.catalog.storage import StorageDevice, link_rate
from ridgeline.specs.machine import Machine

__all__ = ["tier_offers"]

OWNED = Ownership()


def tier_offers(
    devices: Mapping[str, StorageDevice],
    machine: Machine,
    *,
    chips: int,
    most_bytes: float,
    owned: Ownership = OWNED,
) -> tuple[TierOffer, ...]:
    """One, two, four and more devices of each kind, up to the total that could be kept.

    All of them are read at once, but no faster than the links of all chips allow.

    Args:
        devices: devices by the name of their tier, the fastest first.
        machine: machine whose links they are attached to.
        chips: chips of a replica.
        most_bytes: size of all that could be kept, bytes.
        owned: how they are paid for.

    Raises:
        RidgelineError: a device has no price, or is rented and has no sizes.
    """
    return tuple(
        TierOffer(name=name, sizes=tuple(_sizes(name, device, machine, chips, most_bytes, owned)))
        for name, device in devices.items()
    )


def _sizes(
    name: str, device: StorageDevice, machine: Machine, chips: int, most_bytes: float, owned: Ownership
) -> list[TierSize]:
    capacity_bytes = device.capacity()
    tier = tier_of(device, name, name, machine, owned)
    counts = [1]
    while counts[-1] * capacity_bytes < most_bytes:
        counts.append(2 * counts[-1])
    return [
        TierSize(
            capacity_bytes=count * capacity_bytes,
            usd_per_s=count * capacity_bytes * tier.hold_usd_per_byte_s,
            read_bytes_per_s=min(count * device.bytes_per_s.value, chips * link_rate(device, machine)),
            latency_s=tier.latency_s,
        )
        for count in counts
    ]
