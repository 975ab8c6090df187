"""Routers, which choose the replica of a request when it arrives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ridgeline.simulator.replica import Replica

__all__ = ["Router"]


class Router(Protocol):
    """Choice of replicas for requests."""

    @property
    def name(self) -> str:
        """Name under which it is requested."""

    @property
    def says(self) -> str:
        """Description in a sentence."""

    @property
    def looks(self) -> bool:
        """Whether it looks at the replicas' state, which are then run up to each arrival."""

    def choose(self, number: int, prompt: int, hashes: Sequence[int], replicas: Sequence[Replica]) -> int:
        """Index of a request's replica.

        Args:
            number: number of the request in its trace, from 0 up.
            prompt: number of input tokens.
            hashes: hashes of its prompt's blocks; empty where its trace names none.
            replicas: replicas, in their state at its arrival if the router ``looks``.
        """
