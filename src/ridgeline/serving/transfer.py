"""How long a prompt's KV cache takes from the pool that reads prompts to the one that makes tokens."""

from __future__ import annotations

from ridgeline.estimator.drafting import drafter
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.specs.deployment import Deployment

__all__ = ["cache_move_s"]


def cache_move_s(prefill: Deployment, decode: Deployment, prompt_tokens: float) -> float:
    """Time to send the cache of one prompt, s: over the outermost links, of as many chips as both sides have.

    Heuristic: each chip of the smaller side sends or receives its part at the spec sheet's rate, that of the slower
    side where pools lie on different machines, and nothing overlaps.
    """
    cache_bytes = float(kv_bytes_held(prefill.model, prefill.precision, prompt_tokens, tp=1))
    guessing = drafter(prefill)
    if guessing is not None:
        cache_bytes += float(kv_bytes_held(guessing.model, guessing.precision, prompt_tokens, tp=1))
    chips = min(prefill.layout.chips, decode.layout.chips)
    link_bytes_per_s = min(one.machine.fabric[-1].bytes_per_s for one in (prefill, decode))
    return cache_bytes / (link_bytes_per_s * chips)
