"""Prefix-aware: the replica with the most of a prompt in its cache, weighed against its load.

As in NVIDIA's Dynamo, a replica's cost is the prompt tokens that it would have to read, of requests that it has not
read yet and of this one without its cached prefix, times a weight, plus the tokens of cache that requests would then
hold there. vLLM's and SGLang's routers instead follow the longest prefix until loads differ by a threshold.

Source: docs.nvidia.com/dynamo, "Router Design", cost function, v1.6.0 (2026-11), with its default weight of 1, the
lowest cost chosen (temperature 0) and prefixes as the replicas report them; for the others
github.com/lightseekorg/smg, docs/concepts/routing/cache-aware.md (2026-11).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.simulator.replica import Replica

__all__ = ["PrefixAware"]


@dataclass(frozen=True, slots=True)
class PrefixAware:
    """Requests go to the replica with the least to read and to hold with them; among equals to the first.

    Attributes:
        reading_weight: weight of a token to be read over one that is held: larger values favour first tokens, smaller
            ones the others.
    """

    reading_weight: float = 1.0
    name: str = "prefix-aware"
    says: str = "a request goes where the prompt tokens still to be read and the cache that is held are fewest with it"
    looks: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.reading_weight < math.inf:
            raise RidgelineError(
                f"PrefixAware: reading_weight={self.reading_weight!r} must be a number from 0 up, such as 1"
            )

    def choose(self, number: int, prompt: int, hashes: Sequence[int], replicas: Sequence[Replica]) -> int:  # noqa: ARG002  a router's signature
        """Index of the replica with the lowest cost."""
        weight, best, least = self.reading_weight, 0, math.inf
        for place, replica in enumerate(replicas):
            new = prompt - replica.known_tokens(hashes)
            unread, held = replica.unread_and_held_tokens
            cost = weight * (unread + new) + held + new
            if cost < least:
                best, least = place, cost
        return best
