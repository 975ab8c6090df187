"""Watches, which run replicas in place of their fleet and record their state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ridgeline.simulator.replica import Finished, Replica

__all__ = ["UNWATCHED", "Watch"]


class Watch(Protocol):
    """Record of replicas as they run, which changes nothing of what they do."""

    @property
    def looks(self) -> bool:
        """Whether it looks at the requests in prefill, which compiled replicas do not show."""

    def run(self, place: int, replica: Replica, until_s: float) -> None:
        """Play a replica up to a time, as ``Replica.run`` does, in as many parts as are recorded.

        Args:
            place: index of the replica in its fleet.
            replica: replica to run.
            until_s: time up to which it is played, s.
        """

    def took(self, place: int, finished: Finished) -> None:
        """Record requests that a replica has finished, by its index in the fleet."""


@dataclass(frozen=True, slots=True)
class _Unwatched:
    """Runs that nothing is recorded of."""

    looks: bool = False

    def run(self, place: int, replica: Replica, until_s: float) -> None:  # noqa: ARG002  a watch's signature
        """Play a replica up to a time."""
        replica.run(until_s)

    def took(self, place: int, finished: Finished) -> None:
        """Record nothing."""


UNWATCHED: Watch = _Unwatched()
"""Watch that records nothing."""
