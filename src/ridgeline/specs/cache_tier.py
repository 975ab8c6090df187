"""A place below a replica's memory where caches of prompts are kept."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.errors import RidgelineError

__all__ = ["CacheTier"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheTier:
    """A tier of one replica, or one store that all replicas share.

    Attributes:
        name: name of the tier.
        capacity_bytes: capacity of one replica's tier, or of the whole store where it is shared, bytes.
        read_bytes_per_s: bandwidth at which one replica's chips together read it, bytes/s.
        latency_s: time to the first byte of a fetch, s.
        is_shared: whether all replicas write to and read from one store.
    """

    name: str
    capacity_bytes: float
    read_bytes_per_s: float
    latency_s: float = 0.0
    is_shared: bool = False

    def __post_init__(self) -> None:
        for field in ("capacity_bytes", "read_bytes_per_s"):
            if not getattr(self, field) > 0:
                raise RidgelineError(f"CacheTier {self.name!r}: {field}={getattr(self, field)!r} must be above 0")
        if not 0 <= self.latency_s < math.inf:
            raise RidgelineError(f"CacheTier {self.name!r}: latency_s={self.latency_s!r} must be 0 or more, and finite")
