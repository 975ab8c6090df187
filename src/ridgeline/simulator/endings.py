"""Rarer things that happen as a request ends: its first token is its last one, or the next user of a closed loop comes.

Runs interpreted on lists and compiled on arrays.
"""

from __future__ import annotations

from ridgeline.simulator.prefix_cache import PrefixCache
from ridgeline.simulator.staging import Staging
from ridgeline.simulator.state import NEVER, Bounds, Columns

__all__ = ["release_prompt", "release_user"]


def release_prompt(
    one: int,
    now_s: float,
    free: int,
    bounds: Bounds,
    requests: Columns,
    cache: PrefixCache | None,
    staging: Staging | None,
) -> int:
    """Release the memory of a request whose first token is its last one, and return how many blocks are free again.

    A replica that reads prompts for another pool keeps them until their transfer, so that none is.
    """
    past, shared, block = requests.past, requests.shared, bounds.block_tokens
    held = requests.prompts[one] + requests.outputs[one] if bounds.is_reserved else requests.targets[one]
    given = (held + block - 1) // block - shared[one]
    if staging is not None:
        staging.keep(one, given, shared[one], past[one], now_s)
        given = 0
    elif cache is not None:
        given = cache.release(one, free, past[one], given)
    past[one] = NEVER
    return given


def release_user(arrivals_s: list[float], released: int, now_s: float) -> int:
    """Let the next request of a closed loop arrive now, and return the index of the one after it."""
    place = released
    while place > 0 and arrivals_s[place - 1] > now_s:  # users who have not begun come after
        arrivals_s[place] = arrivals_s[place - 1]
        place -= 1
    arrivals_s[place] = now_s
    return released + 1
