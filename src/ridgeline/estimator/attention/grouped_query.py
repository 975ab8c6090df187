"""Multi-head, grouped-query and multi-query attention: one kind with more or fewer stored heads."""

from __future__ import annotations

from ridgeline.equations.attention import causal_pairs, grouped_kv_values, heads_per_chip
from ridgeline.estimator.attention import Projections, attended, cache_bytes, cores, projections, small_kernels_s
from ridgeline.estimator.kernels import AttentionCore, Kernel
from ridgeline.estimator.matrix import Cut, Matrix
from ridgeline.numeric import INFINITY, Numeric, minimum
from ridgeline.specs.attention import GroupedQueryAttention
from ridgeline.specs.engine import Replay
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.passes import Lane
from ridgeline.specs.precision import Component

__all__ = ["full_pairs", "grouped_core", "grouped_projections", "stored_values"]


def stored_values(attention: GroupedQueryAttention, tp: Numeric) -> Numeric:
    """Values that a token stores in a layer on each of ``tp`` chips."""
    return grouped_kv_values(
        kv_heads=heads_per_chip(heads=attention.kv_heads, tp=tp),
        key_dim=attention.head_dim,
        value_dim=attention.value_dim,
    )


def grouped_projections(attention: GroupedQueryAttention, hidden: int, *, stores: bool = True) -> Projections:
    """Queries, keys and values in one product, and the output projection; queries alone unless a layer ``stores``."""
    heads, kv_heads = attention.query_heads, attention.kv_heads
    query_width = heads * attention.head_dim * (2 if attention.output_gate else 1)
    # A shared projection makes both; each has its own norm, and both are stored.
    value_dim = 0 if attention.shared_key_value else attention.value_dim
    query = Matrix(
        component=Component.ATTENTION, inner=hidden, columns=query_width, parts=heads, parts_of="query_heads"
    )
    key_value = Matrix(
        component=Component.ATTENTION,
        inner=hidden,
        columns=kv_heads * (attention.head_dim + value_dim),
        parts=kv_heads,
        parts_of="kv_heads",
        is_copied=True,
    )
    output = Matrix(
        component=Component.ATTENTION,
        inner=heads * attention.value_dim,
        columns=hidden,
        cut=Cut.INNER,
        parts=heads,
        parts_of="query_heads",
    )
    return {"attention qkv": (query, key_value) if stores else (query,), "attention output": (output,)}


def grouped_core(
    attention: GroupedQueryAttention,
    lane: Lane,
    *,
    sequences: Numeric,
    tp: Numeric,
    kv_format: NumberFormat,
    attended: Numeric,
    reach: float = INFINITY,
) -> AttentionCore:
    """Kernel for scores and weighted values of a layer.

    Args:
        attention: heads of the layer.
        lane: lane that the sequences belong to.
        sequences: sequences of the lane on this chip.
        tp: chips that share the heads.
        kv_format: number format of the KV cache.
        attended: pairs of a query and a key in one sequence.
        reach: maximum number of keys that a query of a prompt meets.
    """
    queries = sequences * lane.new_tokens
    if lane.is_prompt:
        # New keys are written once, and earlier ones are read once; repeated reads of both hit the caches.
        moved_tokens = queries + sequences * minimum(lane.past_tokens, reach)
    else:
        # The new tokens of a sequence attend to nearly the same keys, which are read once for all of them.
        moved_tokens = sequences * attended / lane.new_tokens
    return AttentionCore(
        pairs=sequences * attended,
        query_heads=heads_per_chip(heads=attention.query_heads, tp=tp),
        query_key_dim=attention.head_dim,
        value_dim=attention.value_dim,
        cache_bytes=moved_tokens * stored_values(attention, tp) * kv_format.bytes_per_value,
        queries=queries,
        is_prefill=lane.is_prompt,
        blocks=sequences * heads_per_chip(heads=attention.kv_heads, tp=tp),
        reach=minimum(lane.context_tokens, reach) if lane.is_prompt else 0.0,
        is_windowed=reach < INFINITY,
        cache_format=kv_format.name,
    )


@projections.register
def _(attention: GroupedQueryAttention, hidden: int, *, is_prompt: bool) -> Projections:
    return grouped_projections(attention, hidden)


@cores.register
def _(
    attention: GroupedQueryAttention, lane: Lane, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    tokens = attended(lane, by_token=lambda context: context, over_prompt=full_pairs)
    core = grouped_core(attention, lane, sequences=sequences, tp=tp, kv_format=kv_format, attended=tokens)
    return {"attention core": core}


def full_pairs(prompt_tokens: Numeric) -> Numeric:
    """Query-key pairs of a prompt whose tokens attend to all tokens before."""
    return causal_pairs(prompt_tokens=prompt_tokens)


@cache_bytes.register
def _(attention: GroupedQueryAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    return tokens * stored_values(attention, tp) * kv_format.bytes_per_value


@small_kernels_s.register
def _(attention: GroupedQueryAttention, replay: Replay) -> float:
    return 0.0
