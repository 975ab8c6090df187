"""Where requests come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ridgeline.traces.requests import Requests

__all__ = ["BLOCK", "RequestSource"]

BLOCK = 65_536
"""Most requests of a block, where nothing else is asked for."""


class RequestSource(Protocol):
    """Requests in the order of their arrival, block by block: a log, or a process."""

    @property
    def name(self) -> str:
        """The path of a log, or what a process is called."""

    @property
    def format(self) -> str:
        """Whose format a log has; ``synthetic`` of a process."""

    @property
    def block_tokens(self) -> int | None:
        """Tokens of the blocks that prefix hashes name; None where they name none."""

    @property
    def has_arrivals(self) -> bool:
        """Whether it says when requests come; else it needs an arrival process."""

    def blocks(self, most: int = BLOCK) -> Iterator[Requests]:
        """All requests, at most so many at a time; may be called again, and gives the same."""
