"""Who looks on while replicas run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ridgeline.simulator.replica import Replica

__all__ = ["Watch"]


class Watch(Protocol):
    """Gives replicas that run in place of others, and note what they do: it does not change it."""

    @property
    def looks(self) -> bool:
        """Whether it looks at what a replica reads, which compiled ones do not show."""

    def __call__(self, fleet: Sequence[Replica]) -> Sequence[Replica]:
        """Replicas to run in place of these."""
