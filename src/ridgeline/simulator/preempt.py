"""Preemption: the last admitted requests give up their memory, until all others have room for their next token.

Runs interpreted on lists and compiled on arrays.
"""

from __future__ import annotations

from heapq import heappush

from ridgeline.simulator.attended import leave
from ridgeline.simulator.cache_tiers import CacheTiers
from ridgeline.simulator.prefix_cache import PrefixCache
from ridgeline.simulator.state import NEVER, SHIFT, SWAPPED, Bounds, Columns, Curves, Queues, Sums

__all__ = ["last_ranked", "preempt"]


def preempt(
    tick: int,
    free: int,
    decoding: int,
    bounds: Bounds,
    requests: Columns,
    curves: Curves,
    queues: Queues,
    sums: Sums,
    cache: PrefixCache | None,
    tiers: CacheTiers | None,
) -> tuple[int, int, int, float]:
    """Preempt requests until the decoding sequences have room for a token each.

    Returns:
        The result is the number of free blocks, of decoding sequences and of preempted requests, and the time to swap
        caches to the host, s.
    """
    block, swap_token_s = bounds.block_tokens, bounds.swap_token_s
    past, target, due, order = requests.past, requests.targets, requests.due, requests.orders
    admitted, phases = queues.admitted, queues.phases
    preempted, moved_s = 0, 0.0
    while decoding > free and phases[tick % block] > free:
        one = admitted.pop(last_ranked(admitted, past, order) if bounds.is_ranked else len(admitted) - 1)
        if past[one] < 0:
            continue  # it has finished
        preempted += 1
        held, computed = target[one], past[one]
        if due[one] == NEVER:
            is_read = True
            if tiers is not None:
                own = tiers.give_up(one)
                if own >= 0:
                    computed, is_read = own, False
            if is_read:
                queues.reading.remove(one)
            past[one] = NEVER
        else:
            requests.made[one] = requests.outputs[one] - (due[one] - tick)
            context = requests.prompts[one] + requests.made[one]
            held = context - 1
            decoding -= 1
            seat = (tick - context + 1) % block
            phases[seat] -= 1
            phases[seat + block] -= 1
            leave(one, context, curves, sums)
            due[one] = requests.turns[one] = past[one] = NEVER
            target[one] = context
            if swap_token_s:
                moved_s += held * swap_token_s
                past[one], target[one] = SWAPPED, held
                requests.made[one] -= 1
        given = (held + block - 1) // block - requests.shared[one]
        if cache is not None:
            given = cache.release(one, free, computed, given)
            requests.shared[one] = 0
        free += given
        heappush(queues.waiting, order[one] * SHIFT + one)
    return free, decoding, preempted, moved_s


def last_ranked(admitted: list[int], past: list[int], order: list[int]) -> int:
    """Place among the admitted requests of the one that is last in the policy's order."""
    last = len(admitted) - 1
    for other in range(len(admitted)):
        if past[admitted[other]] >= 0 and order[admitted[other]] >= order[admitted[last]]:
            last = other
    return last
