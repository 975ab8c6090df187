"""Transfer time of a prompt's KV cache from the prefill pool to the decode pool."""

from __future__ import annotations

from ridgeline.estimator.drafting import drafter
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.machine import FabricLevel

__all__ = ["cache_move_s", "level_between"]


def level_between(prefill: Deployment, decode: Deployment, chips: int) -> FabricLevel:
    """Fabric level that caches move over: the innermost whose domain holds the chips of both pools.

    Where no domain holds all chips, the outermost links; for pools on different machines, the slower of theirs.

    Args:
        prefill: deployment of a prefill replica.
        decode: deployment of a decode replica.
        chips: chips of both pools together, all replicas.
    """
    if prefill.machine.id != decode.machine.id:
        return min((one.machine.fabric[-1] for one in (prefill, decode)), key=lambda level: level.bytes_per_s)
    fabric = prefill.machine.fabric
    return next((level for level in fabric if level.chips is None or chips <= level.chips), fabric[-1])


def cache_move_s(prefill: Deployment, decode: Deployment, prompt_tokens: float, *, chips: int) -> float:
    """Time to send the cache of one prompt, s, over the links of the chips that hold it to those that take it.

    A prompt lies in one data-parallel group, and moves into one: the links of other groups carry other prompts.

    Heuristic: each chip of the smaller group sends or receives its part at the spec sheet's rate, and nothing overlaps.

    Args:
        prefill: deployment of a prefill replica.
        decode: deployment of a decode replica.
        prompt_tokens: tokens of the prompt.
        chips: chips of both pools together, all replicas.
    """
    cache_bytes = float(kv_bytes_held(prefill.model, prefill.precision, prompt_tokens, tp=1))
    guessing = drafter(prefill)
    if guessing is not None:
        cache_bytes += float(kv_bytes_held(guessing.model, guessing.precision, prompt_tokens, tp=1))
    smaller = min(one.layout.chips // one.layout.dp for one in (prefill, decode))
    return cache_bytes / (level_between(prefill, decode, chips).bytes_per_s * smaller)
