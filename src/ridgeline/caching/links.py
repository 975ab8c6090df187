"""Capacity of the links from one replica to a tier, over which each chip moves its part of a context."""

from __future__ import annotations

from ridgeline.equations import caching
from ridgeline.specs.deployment import Deployment

__all__ = ["carried_by_replica"]


def carried_by_replica(deployment: Deployment, *, bytes_per_s: float, bytes_on_chip: float) -> float:
    """Contexts per second that one replica reads back or writes; infinite where they have no bytes.

    Chips with copies of the same part each move their own, so that tensor parallelism beyond the KV heads adds nothing.

    Args:
        deployment: model and machine in the replica's layout.
        bytes_per_s: bandwidth of one chip to the tier, bytes/s.
        bytes_on_chip: bytes of a context on the chip that keeps most of it.
    """
    groups = deployment.layout.dp * deployment.layout.kv_dp
    return groups * float(caching.carried_per_s(bytes_per_s=bytes_per_s, bytes_per_request=bytes_on_chip))
