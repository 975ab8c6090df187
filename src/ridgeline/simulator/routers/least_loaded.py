"""Least loaded: the replica with the fewest requests in flight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.simulator.replica import Replica

__all__ = ["LeastLoaded"]


@dataclass(frozen=True, slots=True)
class LeastLoaded:
    """Requests go to the replica with the fewest requests in flight; among equals to the first."""

    name: str = "least-loaded"
    says: str = "a request goes to the replica with the fewest under way"
    looks: bool = True

    def choose(self, number: int, prompt: int, hashes: Sequence[int], replicas: Sequence[Replica]) -> int:  # noqa: ARG002  a router's signature
        """Index of the replica with the fewest requests."""
        return min(range(len(replicas)), key=lambda place: replicas[place].under_way)
