"""Sliding windows and chunks: full attention's heads over near tokens alone.

Sources: Mistral 7B (arXiv 2310.06825) for windows; Llama 4 model card (2025) for chunks.
"""

from __future__ import annotations

from ridgeline.equations.attention import capped_entry_pairs, chunk_pairs, chunk_tokens
from ridgeline.estimator.attention import Projections, cache_bytes, cores, projections
from ridgeline.estimator.attention.grouped_query import grouped_core, grouped_projections
from ridgeline.estimator.kernels import Kernel
from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.attention import ChunkedAttention, SlidingWindowAttention
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.workload import Decode, Phase


@projections.register(SlidingWindowAttention)
@projections.register(ChunkedAttention)
def _(attention: SlidingWindowAttention | ChunkedAttention, hidden: int, phase: type[Phase]) -> Projections:
    return grouped_projections(attention.base, hidden)


@cores.register
def _(
    attention: SlidingWindowAttention, phase: Phase, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    attended = window_attended(attention.window, phase)
    core = grouped_core(attention.base, phase, sequences=sequences, tp=tp, kv_format=kv_format, attended=attended)
    return {"attention core": core}


def window_attended(window: int, phase: Phase) -> Numeric:
    """Tokens in the window of a new token, or pairs over a prompt."""
    if isinstance(phase, Decode):
        return minimum(phase.context_tokens, window)
    return capped_entry_pairs(prompt_tokens=phase.prompt_tokens, ratio=1, cap=window)


@cores.register
def _(
    attention: ChunkedAttention, phase: Phase, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    if isinstance(phase, Decode):
        attended = chunk_tokens(context_tokens=phase.context_tokens, chunk=attention.window)
    else:
        attended = chunk_pairs(prompt_tokens=phase.prompt_tokens, chunk=attention.window)
    core = grouped_core(attention.base, phase, sequences=sequences, tp=tp, kv_format=kv_format, attended=attended)
    return {"attention core": core}


@cache_bytes.register(SlidingWindowAttention)
@cache_bytes.register(ChunkedAttention)
def _(
    attention: SlidingWindowAttention | ChunkedAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat
) -> Numeric:
    return cache_bytes(attention.base, minimum(tokens, attention.window), tp=tp, kv_format=kv_format)
