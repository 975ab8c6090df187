"""Sliding windows and chunks: full attention's heads over near tokens alone.

Sources: Mistral 7B (arXiv 2310.06825) for windows; Llama 4 model card (2025) for chunks.
"""

from __future__ import annotations

from ridgeline.equations.attention import capped_entry_pairs, chunk_pairs, chunk_tokens
from ridgeline.estimator.attention import Projections, attended, cache_bytes, cores, projections, small_kernels_s
from ridgeline.estimator.attention.grouped_query import grouped_core, grouped_projections
from ridgeline.estimator.kernels import Kernel
from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.attention import ChunkedAttention, SlidingWindowAttention
from ridgeline.specs.engine import Replay
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.passes import Lane


@projections.register(SlidingWindowAttention)
@projections.register(ChunkedAttention)
def _(attention: SlidingWindowAttention | ChunkedAttention, hidden: int, *, is_prompt: bool) -> Projections:
    return grouped_projections(attention.base, hidden)


@cores.register
def _(
    attention: SlidingWindowAttention, lane: Lane, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    tokens = window_attended(attention.window, lane)
    core = grouped_core(
        attention.base, lane, sequences=sequences, tp=tp, kv_format=kv_format, attended=tokens, reach=attention.window
    )
    return {"attention core": core}


def window_attended(window: int, lane: Lane) -> Numeric:
    """Tokens in the window of a new token, or pairs over a prompt."""
    return attended(
        lane,
        by_token=lambda context: minimum(context, window),
        over_prompt=lambda prompt: capped_entry_pairs(prompt_tokens=prompt, ratio=1, cap=window),
    )


@cores.register
def _(
    attention: ChunkedAttention, lane: Lane, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    tokens = attended(
        lane,
        by_token=lambda context: chunk_tokens(context_tokens=context, chunk=attention.window),
        over_prompt=lambda prompt: chunk_pairs(prompt_tokens=prompt, chunk=attention.window),
    )
    core = grouped_core(
        attention.base, lane, sequences=sequences, tp=tp, kv_format=kv_format, attended=tokens, reach=attention.window
    )
    return {"attention core": core}


@cache_bytes.register(SlidingWindowAttention)
@cache_bytes.register(ChunkedAttention)
def _(
    attention: SlidingWindowAttention | ChunkedAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat
) -> Numeric:
    return cache_bytes(attention.base, minimum(tokens, attention.window), tp=tp, kv_format=kv_format)


@small_kernels_s.register(SlidingWindowAttention)
@small_kernels_s.register(ChunkedAttention)
def _(attention: SlidingWindowAttention | ChunkedAttention, replay: Replay) -> float:
    return small_kernels_s(attention.base, replay)
