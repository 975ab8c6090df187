"""Round robin: each replica in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.simulator.replica import Replica

__all__ = ["RoundRobin"]


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Requests go to the replicas in turn, whatever their load."""

    name: str = "round-robin"
    says: str = "requests go to the replicas in turn"
    looks: bool = False

    def choose(self, number: int, prompt: int, hashes: Sequence[int], replicas: Sequence[Replica]) -> int:  # noqa: ARG002  a router's signature
        """Index of the next replica."""
        return number % len(replicas)
