"""Multi-head latent attention (MLA), as DeepSeek-V2 introduced it.

Decoding absorbs the up-projections: a query is lifted into the compressed space, attends there to one shared vector a
token, and its result is projected out. Reading a prompt expands keys and values head by head, which costs the same
products and fewer FLOP a pair.

Source: DeepSeek-V2 (arXiv 2405.04434), section 2.1.
"""

from __future__ import annotations

from ridgeline.equations.attention import causal_pairs, heads_per_chip, latent_kv_values
from ridgeline.estimator.attention import core, kv_parts, kv_values_per_token, projections
from ridgeline.estimator.kernels import AttentionCore
from ridgeline.estimator.matrix import Cut, Matrix
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import LatentAttention
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.precision import Component
from ridgeline.specs.workload import Decode, Phase


@projections.register
def _(attention: LatentAttention, hidden: int, phase: type[Phase]) -> dict[str, tuple[Matrix, ...]]:
    heads = attention.query_heads
    query_width = heads * (attention.content_head_dim + attention.position_head_dim)
    stored = int(latent_kv_values(kv_rank=attention.kv_rank, position_head_dim=attention.position_head_dim))

    def cut_by_head(inner: int, columns: int, inputs: int = 1) -> Matrix:
        return Matrix(component=Component.ATTENTION, inner=inner, columns=columns, parts=heads, inputs=inputs)

    def copied(columns: int) -> Matrix:
        return Matrix(component=Component.ATTENTION, inner=hidden, columns=columns, parts=1)

    queries: dict[str, tuple[Matrix, ...]]
    if attention.query_rank:
        queries = {
            "attention down": (copied(attention.query_rank), copied(stored)),
            "attention query up": (cut_by_head(attention.query_rank, query_width),),
        }
    else:
        queries = {"attention query": (cut_by_head(hidden, query_width),), "attention down": (copied(stored),)}
    keys_values: dict[str, tuple[Matrix, ...]]
    if phase is Decode:
        keys_values = {
            "attention key absorbed": (cut_by_head(attention.content_head_dim, heads * attention.kv_rank, heads),),
            "attention value absorbed": (cut_by_head(attention.kv_rank, heads * attention.value_head_dim, heads),),
        }
    else:
        keys_values = {
            "attention key value up": (
                cut_by_head(attention.kv_rank, heads * attention.content_head_dim),
                cut_by_head(attention.kv_rank, heads * attention.value_head_dim),
            ),
        }
    output = Matrix(
        component=Component.ATTENTION,
        inner=heads * attention.value_head_dim,
        columns=hidden,
        cut=Cut.INNER,
        parts=heads,
    )
    return {**queries, **keys_values, "attention output": (output,)}


@core.register
def _(
    attention: LatentAttention, phase: Phase, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> AttentionCore:
    query_heads = heads_per_chip(heads=attention.query_heads, tp=tp)
    stored = latent_kv_values(kv_rank=attention.kv_rank, position_head_dim=attention.position_head_dim)
    if isinstance(phase, Decode):
        pairs = sequences * phase.context_tokens
        return AttentionCore(
            pairs=pairs,
            query_heads=query_heads,
            query_key_dim=stored,
            value_dim=attention.kv_rank,
            kv_values=pairs * stored,
            queries=sequences,
            kv_format=kv_format,
            is_prefill=False,
        )
    queries = sequences * phase.prompt_tokens
    return AttentionCore(
        pairs=sequences * causal_pairs(prompt_tokens=phase.prompt_tokens),
        query_heads=query_heads,
        query_key_dim=attention.content_head_dim + attention.position_head_dim,
        value_dim=attention.value_head_dim,
        kv_values=queries * stored,
        queries=queries,
        kv_format=kv_format,
        is_prefill=True,
    )


@kv_values_per_token.register
def _(attention: LatentAttention) -> float:
    return float(latent_kv_values(kv_rank=attention.kv_rank, position_head_dim=attention.position_head_dim))


@kv_parts.register
def _(attention: LatentAttention) -> int:
    return 1
