"""Replicas of one deployment, as they share requests."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.simulator.capacity import Capacity
from ridgeline.simulator.limits import ReplicaLimits
from ridgeline.simulator.router import Router
from ridgeline.simulator.routers import LeastLoaded
from ridgeline.specs.deployment import Deployment

__all__ = ["Side"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Replicas of one deployment: all that serve, or those of one of two pools.

    Attributes:
        deployment: deployment of each replica.
        limits: limits on the steps of each replica.
        capacity: KV cache capacity of each replica, which is also in ``limits``.
        replicas: number of replicas.
        router: router that chooses a request's replica.
        usd_per_chip_s: price of a chip, $/s; None for no prices.
    """

    deployment: Deployment
    limits: ReplicaLimits
    capacity: Capacity
    replicas: int = 1
    router: Router = LeastLoaded()  # noqa: RUF009  a value
    usd_per_chip_s: float | None = None

    @property
    def usd_per_s(self) -> float | None:
        """Price of all replicas, $/s."""
        if self.usd_per_chip_s is None:
            return None
        return self.usd_per_chip_s * (self.deployment.layout.chips * self.replicas)
