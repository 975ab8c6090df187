"""What a router is: it chooses the replica that serves a request, when the request comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ridgeline.simulator.replica import Replica

__all__ = ["Router"]


class Router(Protocol):
    """How requests are spread over replicas."""

    @property
    def name(self) -> str:
        """As it is asked for."""

    @property
    def says(self) -> str:
        """What it does, in a sentence."""

    @property
    def looks(self) -> bool:
        """Whether it looks at the replicas, which then are run up to each arrival."""

    def choose(self, number: int, prompt: int, hashes: Sequence[int], replicas: Sequence[Replica]) -> int:
        """The replica of a request.

        Args:
            number: of the request in its trace, from 0 up.
            prompt: its input tokens.
            hashes: of the blocks of its prompt; empty where its trace names none.
            replicas: as they are at its arrival where ``looks``.
        """
