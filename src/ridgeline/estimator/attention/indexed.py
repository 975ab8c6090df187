"""Sparse attention behind an indexer (DSA), as DeepSeek-V3.2 introduced it.

The indexer stores one narrow key per token and scores all of them with its own heads; attention reads the best. An
index key is kept in 8 bits with a float32 scale, whatever the cache's format. With latent attention, a prompt is read
in the absorbed form, too, since each query has tokens of its own; repeated reads of them are assumed to hit the caches.

Source: DeepSeek-V3.2-Exp technical report (2025), section 2.
"""

from __future__ import annotations

import dataclasses

from ridgeline.equations.attention import capped_entry_pairs
from ridgeline.estimator.attention import Projections, attended, cache_bytes, cores, projections, small_kernels_s
from ridgeline.estimator.attention.grouped_query import full_pairs, grouped_core, grouped_projections
from ridgeline.estimator.attention.latent import latent_core, latent_projections
from ridgeline.estimator.kernels import AttentionCore, Kernel
from ridgeline.estimator.matrix import Matrix
from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.attention import IndexedSparseAttention, LatentAttention
from ridgeline.specs.engine import Replay
from ridgeline.specs.number_format import NumberFormat, number_format
from ridgeline.specs.passes import Lane
from ridgeline.specs.precision import Component

__all__ = ["INDEX_FORMAT", "index_core"]

INDEX_FORMAT = number_format("fp8_row")
"""Format in which an indexer keeps its keys, and multiplies them where the chip can."""


def index_core(
    *, pairs: Numeric, heads: int, head_dim: int, keys_moved: Numeric, queries: Numeric, is_prefill: bool
) -> AttentionCore:
    """Kernel for an indexer's scores: products without values, of all heads on every chip, since each needs them."""
    return AttentionCore(
        pairs=pairs,
        query_heads=heads,
        query_key_dim=head_dim,
        value_dim=0,
        cache_bytes=keys_moved * head_dim * INDEX_FORMAT.bytes_per_value,
        queries=queries,
        is_prefill=is_prefill,
        blocks=queries if not is_prefill else 1,
        arithmetic=INDEX_FORMAT.arithmetic,
        stands_for="an indexer's scores",
    )


@projections.register
def _(attention: IndexedSparseAttention, hidden: int, *, is_prompt: bool) -> Projections:
    base = attention.base
    if isinstance(base, LatentAttention):
        found = latent_projections(base, hidden, absorbed=True)
        query_inner = base.query_rank or hidden
    else:
        found = grouped_projections(base, hidden)
        query_inner = hidden
    if not attention.owns_index:
        return found
    width = attention.index_heads * attention.index_head_dim
    query = Matrix(component=Component.ATTENTION, inner=query_inner, columns=width)
    # The key, and a weight for each of the indexer's heads.
    key = Matrix(
        component=Component.ATTENTION,
        inner=hidden,
        columns=attention.index_head_dim + attention.index_heads,
    )
    *before, (last_name, last) = found.items()
    return {**dict(before), "index query": (query,), "index key": (key,), last_name: last}


@cores.register
def _(
    attention: IndexedSparseAttention, lane: Lane, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    base = attention.base
    scored = attended(lane, by_token=lambda context: context, over_prompt=full_pairs)
    chosen = attended(
        lane,
        by_token=lambda context: minimum(context, attention.top_k),
        over_prompt=lambda prompt: capped_entry_pairs(prompt_tokens=prompt, ratio=1, cap=attention.top_k),
    )
    queries = sequences * lane.new_tokens
    # As for the cache itself: a prompt's writes and earlier keys, or the common reads of a sequence's new tokens.
    keys_moved = queries + sequences * lane.past_tokens if lane.is_prompt else sequences * scored / lane.new_tokens
    core: AttentionCore
    if isinstance(base, LatentAttention):
        core = latent_core(base, lane, sequences=sequences, tp=tp, kv_format=kv_format, attended=chosen, absorbed=True)
    else:
        core = grouped_core(base, lane, sequences=sequences, tp=tp, kv_format=kv_format, attended=chosen)
    chosen_by = "tokens" if attention.block == 1 else "blocks"
    core = dataclasses.replace(core, stands_for=f"attention over chosen {chosen_by}")
    if not attention.owns_index:
        return {"attention core": core}
    scores = index_core(
        pairs=sequences * scored,
        heads=attention.index_heads,
        head_dim=attention.index_head_dim,
        keys_moved=keys_moved,
        queries=queries,
        is_prefill=lane.is_prompt,
    )
    return {"index scores": scores, "attention core": core}


@cache_bytes.register
def _(attention: IndexedSparseAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    kept = cache_bytes(attention.base, tokens, tp=tp, kv_format=kv_format)
    keys = tokens * attention.index_head_dim * INDEX_FORMAT.bytes_per_value if attention.owns_index else 0.0
    return kept + keys


@small_kernels_s.register
def _(attention: IndexedSparseAttention, replay: Replay) -> float:
    choice_s = replay.token_topk_layer_s if attention.block == 1 else replay.block_topk_layer_s
    return small_kernels_s(attention.base, replay) + choice_s
