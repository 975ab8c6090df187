"""Multi-head, grouped-query and multi-query attention: one kind with more or fewer stored heads."""

from __future__ import annotations

from ridgeline.equations.attention import causal_pairs, grouped_kv_values, heads_per_chip
from ridgeline.estimator.attention import core, kv_parts, kv_values_per_token, projections
from ridgeline.estimator.kernels import AttentionCore
from ridgeline.estimator.matrix import Cut, Matrix
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import GroupedQueryAttention
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.precision import Component
from ridgeline.specs.workload import Decode, Phase


@projections.register
def _(attention: GroupedQueryAttention, hidden: int, phase: type[Phase]) -> dict[str, tuple[Matrix, ...]]:
    query_width = attention.query_heads * attention.head_dim
    kv_width = 2 * attention.kv_heads * attention.head_dim
    query = Matrix(component=Component.ATTENTION, inner=hidden, columns=query_width, parts=attention.query_heads)
    key_value = Matrix(component=Component.ATTENTION, inner=hidden, columns=kv_width, parts=attention.kv_heads)
    output = Matrix(
        component=Component.ATTENTION, inner=query_width, columns=hidden, cut=Cut.INNER, parts=attention.query_heads
    )
    return {"attention qkv": (query, key_value), "attention output": (output,)}


@core.register
def _(
    attention: GroupedQueryAttention, phase: Phase, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> AttentionCore:
    query_heads = heads_per_chip(heads=attention.query_heads, tp=tp)
    kv_values = grouped_kv_values(kv_heads=heads_per_chip(heads=attention.kv_heads, tp=tp), head_dim=attention.head_dim)
    if isinstance(phase, Decode):
        pairs = sequences * phase.context_tokens
        queries = sequences
        tokens_moved = pairs  # each query reads its own context
    else:
        pairs = sequences * causal_pairs(prompt_tokens=phase.prompt_tokens)
        queries = sequences * phase.prompt_tokens
        tokens_moved = queries  # each token is written once; re-reading stays in the caches
    return AttentionCore(
        pairs=pairs,
        query_heads=query_heads,
        query_key_dim=attention.head_dim,
        value_dim=attention.head_dim,
        kv_values=tokens_moved * kv_values,
        queries=queries,
        kv_format=kv_format,
        is_prefill=not isinstance(phase, Decode),
    )


@kv_values_per_token.register
def _(attention: GroupedQueryAttention) -> float:
    return float(grouped_kv_values(kv_heads=attention.kv_heads, head_dim=attention.head_dim))


@kv_parts.register
def _(attention: GroupedQueryAttention) -> int:
    return attention.kv_heads
