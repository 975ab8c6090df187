"""Arrivals of requests: as in their trace, at a multiple of its rate, or in a closed loop."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.traces.requests import Requests

__all__ = ["as_one", "first_of", "in_a_loop", "sped_up"]


def sped_up(blocks: Iterable[Requests], times: float) -> Iterator[Requests]:
    """Requests at ``times`` the rate."""
    for block in blocks:
        yield block if times == 1 else dataclasses.replace(block, arrivals_s=block.arrivals_s / times)


def first_of(blocks: Iterable[Requests], count: int | None) -> Iterator[Requests]:
    """First requests of the blocks; all where ``count`` is None."""
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


def in_a_loop(requests: Requests, users: int, *, spread_s: float = 0.0) -> Requests:
    """Requests of users who ask again as soon as they are answered: the first of each comes by itself.

    Each further request arrives when a replica releases it; replicas have all of them from the beginning.

    Args:
        requests: requests of all users; their arrivals do not matter.
        users: number of users.
        spread_s: time over which the users start, one after the other, s; 0 where all start at once.

    Raises:
        RidgelineError: there are fewer requests than users.
    """
    if len(requests) < users:
        raise RidgelineError(
            f"{users:,} users ask {len(requests):,} requests, and each asks at least one; give more requests, or fewer"
            " users"
        )
    arrivals_s = np.full(len(requests), np.inf)
    arrivals_s[:users] = spread_s * np.arange(users) / users
    return dataclasses.replace(requests, arrivals_s=arrivals_s)


def as_one(blocks: Iterable[Requests]) -> Requests:
    """All requests in one block.

    Raises:
        RidgelineError: there are no requests.
    """
    parts = [block for block in blocks if len(block)]
    if not parts:
        raise RidgelineError("no request came; give a trace with at least one")
    if len(parts) == 1:
        return parts[0]
    hashes = [part.prefix_hashes for part in parts]
    kinds = [part.classes for part in parts if part.classes is not None]
    return Requests(
        arrivals_s=np.concatenate([part.arrivals_s for part in parts]),
        prompt_tokens=np.concatenate([part.prompt_tokens for part in parts]),
        output_tokens=np.concatenate([part.output_tokens for part in parts]),
        prefix_hashes=None if None in hashes else tuple(one for part in hashes for one in part or ()),
        classes=np.concatenate(kinds) if kinds else None,
        failed=sum(part.failed for part in parts),
    )
