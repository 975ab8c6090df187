"""When requests come: as their trace says, so many times as fast, or each as another one is answered."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.traces.requests import Requests

__all__ = ["first_of", "in_a_loop", "poisson", "sped_up"]


def sped_up(blocks: Iterable[Requests], times: float) -> Iterator[Requests]:
    """The same requests, so many times as fast."""
    for block in blocks:
        yield block if times == 1 else dataclasses.replace(block, arrivals_s=block.arrivals_s / times)


def first_of(blocks: Iterable[Requests], count: int | None) -> Iterator[Requests]:
    """The first so many of them; all without a number."""
    left = count
    for block in blocks:
        if left is None:
            yield block
            continue
        taken = min(left, len(block))
        if taken:
            yield block if taken == len(block) else block.only(np.arange(taken))
        left -= taken
        if not left:
            return


def in_a_loop(requests: Requests, users: int) -> Requests:
    """Requests of users who ask again as soon as they are answered: the first of each comes at once.

    The others come when a replica releases them, which has them from the beginning.

    Raises:
        RidgelineError: there are fewer requests than users.
    """
    if len(requests) < users:
        raise RidgelineError(
            f"{users:,} users ask {len(requests):,} requests, and each asks at least one; give more requests, or fewer"
            " users"
        )
    arrivals_s = np.full(len(requests), np.inf)
    arrivals_s[:users] = 0.0
    return dataclasses.replace(requests, arrivals_s=arrivals_s)


def poisson(requests: Requests, requests_per_s: float, seed: int) -> Requests:
    """Requests that come independently of each other, at a rate.

    Args:
        requests: whose own arrivals do not count.
        requests_per_s: mean rate.
        seed: of the generator; the same one gives the same arrivals.
    """
    gaps_s = np.random.default_rng(seed).exponential(1 / requests_per_s, len(requests))
    arrivals_s = np.cumsum(gaps_s)
    return dataclasses.replace(requests, arrivals_s=arrivals_s - arrivals_s[0])
