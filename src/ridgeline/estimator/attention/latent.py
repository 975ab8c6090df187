"""Multi-head latent attention (MLA), as DeepSeek-V2 introduced it.

Decoding absorbs the up-projections: a query is lifted into the compressed space, attends there to one shared vector a
token, and its result is projected out. Reading a prompt expands keys and values head by head, which costs the same
products and fewer FLOP a pair.

Source: DeepSeek-V2 (arXiv 2405.04434), section 2.1.
"""

from __future__ import annotations

from ridgeline.equations.attention import heads_per_chip, latent_kv_values
from ridgeline.estimator.attention import Projections, attended, cache_bytes, cores, projections, small_kernels_s
from ridgeline.estimator.attention.grouped_query import full_pairs
from ridgeline.estimator.kernels import RESIDUAL, AttentionCore, Kernel
from ridgeline.estimator.matrix import Cut, Matrix
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import LatentAttention
from ridgeline.specs.engine import Replay
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.passes import Lane
from ridgeline.specs.precision import Component

__all__ = ["latent_core", "latent_projections"]


def _stored(attention: LatentAttention) -> int:
    return int(latent_kv_values(kv_rank=attention.kv_rank, position_head_dim=attention.position_head_dim))


def latent_projections(attention: LatentAttention, hidden: int, *, absorbed: bool) -> Projections:
    """Down-projections, up-projections to the heads (or absorbed ones), and the output projection."""
    heads = attention.query_heads
    query_width = heads * (attention.content_head_dim + attention.position_head_dim)

    def cut_by_head(inner: int, columns: int, inputs: int = 1) -> Matrix:
        return Matrix(
            component=Component.ATTENTION,
            inner=inner,
            columns=columns,
            parts=heads,
            parts_of="query_heads",
            inputs=inputs,
        )

    def copied(columns: int) -> Matrix:
        return Matrix(component=Component.ATTENTION, inner=hidden, columns=columns)

    queries: Projections
    if attention.query_rank:
        queries = {
            "attention down": (copied(attention.query_rank), copied(_stored(attention))),
            "attention query up": (cut_by_head(attention.query_rank, query_width),),
        }
    else:
        queries = {
            "attention query": (cut_by_head(hidden, query_width),),
            "attention down": (copied(_stored(attention)),),
        }
    keys_values: Projections
    if absorbed:
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
        parts_of="query_heads",
    )
    return {**queries, **keys_values, "attention output": (output,)}


def latent_core(
    attention: LatentAttention,
    lane: Lane,
    *,
    sequences: Numeric,
    tp: Numeric,
    kv_format: NumberFormat,
    attended: Numeric,
    absorbed: bool,
) -> AttentionCore:
    """Kernel for scores and weighted values over what each query attends to: tokens in decode, pairs over a prompt.

    In the absorbed form, all heads attend to the stored vector itself; in the expanded form, each to its own keys and
    values.
    """
    stored = _stored(attention)
    queries = sequences * lane.new_tokens
    if lane.is_prompt:
        moved_tokens = queries + sequences * lane.past_tokens
    else:
        moved_tokens = sequences * (attended / lane.new_tokens)
    content = attention.content_head_dim + attention.position_head_dim
    return AttentionCore(
        pairs=sequences * attended,
        query_heads=heads_per_chip(heads=attention.query_heads, tp=tp),
        query_key_dim=stored if absorbed else content,
        value_dim=attention.kv_rank if absorbed else attention.value_head_dim,
        cache_bytes=moved_tokens * stored * kv_format.bytes_per_value,
        queries=queries,
        is_prefill=lane.is_prompt,
        blocks=sequences,
        reach=lane.context_tokens if lane.is_prompt else 0.0,
        is_latent=not lane.is_prompt,
        is_expanded=lane.is_prompt and not absorbed,
        is_prepared=absorbed or kv_format.value_bits < RESIDUAL.value_bits,
        cache_format=kv_format.name,
    )


@projections.register
def _(attention: LatentAttention, hidden: int, *, is_prompt: bool) -> Projections:
    return latent_projections(attention, hidden, absorbed=not is_prompt)


@cores.register
def _(
    attention: LatentAttention, lane: Lane, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    core = latent_core(
        attention,
        lane,
        sequences=sequences,
        tp=tp,
        kv_format=kv_format,
        attended=attended(lane, by_token=lambda context: context, over_prompt=full_pairs),
        absorbed=not lane.is_prompt,
    )
    return {"attention core": core}


@cache_bytes.register
def _(attention: LatentAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    # One vector serves all heads, so that every chip keeps it.
    return tokens * _stored(attention) * kv_format.bytes_per_value


@small_kernels_s.register
def _(attention: LatentAttention, replay: Replay) -> float:
    # Rotation, concatenation and storing of its vectors.
    return replay.latent_attention_layer_s
