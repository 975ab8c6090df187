"""Watches, which record the state of replicas as they run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ridgeline.simulator.replica import Replica

__all__ = ["Watch"]


class Watch(Protocol):
    """Maker of replicas that run in place of others and record their state, without changing it."""

    @property
    def looks(self) -> bool:
        """Whether it looks at the requests in prefill, which compiled replicas do not show."""

    def __call__(self, fleet: Sequence[Replica]) -> Sequence[Replica]:
        """Replicas to run in place of the given ones."""
