"""Sources of requests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ridgeline.traces.requests import Requests

__all__ = ["BLOCK", "RequestSource"]

BLOCK = 65_536
"""Default maximum requests of a block."""


class RequestSource(Protocol):
    """Requests in the order of their arrival, block by block: a log, or a process."""

    @property
    def name(self) -> str:
        """Path of a log, or name of a process."""

    @property
    def format(self) -> str:
        """Format of a log; ``synthetic`` for a process."""

    @property
    def block_tokens(self) -> int | None:
        """Tokens of the blocks that prefix hashes cover; None where there are none."""

    @property
    def has_arrivals(self) -> bool:
        """Whether it has arrival times; otherwise it needs an arrival process."""

    def blocks(self, most: int = BLOCK) -> Iterator[Requests]:
        """All requests, at most ``most`` at a time; every call returns the same."""
