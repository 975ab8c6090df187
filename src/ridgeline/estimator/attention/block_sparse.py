"""Block-sparse attention (NSA): all summaries, the best blocks, and a window.

Its compressors and gates, a few small matrices, are not counted, and its three branches are assumed to share one set of
keys and values, where the paper gives each its own.

Source: Yuan et al. 2025, "Native Sparse Attention" (arXiv 2502.11089).
"""

from __future__ import annotations

import dataclasses

from ridgeline.equations.attention import block_sparse_pairs, block_sparse_tokens, entries
from ridgeline.estimator.attention import Projections, attended, cache_bytes, cores, projections, small_kernels_s
from ridgeline.estimator.attention.grouped_query import grouped_core, grouped_projections, stored_values
from ridgeline.estimator.kernels import Kernel
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import BlockSparseAttention
from ridgeline.specs.engine import Replay
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.passes import Lane

__all__ = ["attended_entries"]


def attended_entries(attention: BlockSparseAttention, lane: Lane) -> Numeric:
    """Summaries and tokens that a new token reads, ``L / stride + blocks * block + window``, or pairs over a prompt.

    A short context is read at most once by each of the three branches.
    """
    chosen, stride, window = attention.blocks * attention.block, attention.summary_stride, attention.window
    return attended(
        lane,
        by_token=lambda context: block_sparse_tokens(
            context_tokens=context, summary_stride=stride, chosen_tokens=chosen, window=window
        ),
        over_prompt=lambda prompt: block_sparse_pairs(
            prompt_tokens=prompt, summary_stride=stride, chosen_tokens=chosen, window=window
        ),
    )


@projections.register
def _(attention: BlockSparseAttention, hidden: int, *, is_prompt: bool) -> Projections:
    return grouped_projections(attention.base, hidden)


@cores.register
def _(
    attention: BlockSparseAttention, lane: Lane, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    read = attended_entries(attention, lane)
    core = grouped_core(attention.base, lane, sequences=sequences, tp=tp, kv_format=kv_format, attended=read)
    return {"attention core": dataclasses.replace(core, stands_for="attention over chosen blocks")}


@cache_bytes.register
def _(attention: BlockSparseAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    kept = tokens + entries(tokens=tokens, ratio=attention.summary_stride)
    return kept * stored_values(attention.base, tp) * kv_format.bytes_per_value


@small_kernels_s.register
def _(attention: BlockSparseAttention, replay: Replay) -> float:
    # Selection of blocks, and combination of its branches.
    return small_kernels_s(attention.base, replay) + replay.block_topk_layer_s
