"""What the links of one replica to a tier carry: each chip that keeps a part of a context moves that part itself."""

from __future__ import annotations

from ridgeline.equations import caching
from ridgeline.specs.deployment import Deployment

__all__ = ["carried_by_replica"]


def carried_by_replica(deployment: Deployment, *, bytes_per_s: float, bytes_on_chip: float) -> float:
    """Contexts a second that one replica reads back or writes; infinite where they have no bytes.

    Chips that keep copies of the same part each move their own, so that tensor parallelism beyond the KV heads adds
    nothing.

    Args:
        deployment: model and machine in the replica's layout.
        bytes_per_s: bandwidth of one chip to the tier, bytes a second.
        bytes_on_chip: bytes of a context on the chip that keeps most of it.
    """
    groups = deployment.layout.dp * deployment.layout.kv_dp
    return groups * float(caching.carried_per_s(bytes_per_s=bytes_per_s, bytes_per_request=bytes_on_chip))
