"""Cross-layer sharing: attention to another layer's cache, without keys, values or a cache of its own.

Source: Brandon et al. 2024, "Reducing Transformer Key-Value Cache Size with Cross-Layer Attention" (arXiv 2405.12981).
"""

from __future__ import annotations

import dataclasses

from ridgeline.estimator.attention import Projections, cache_bytes, cores, projections, small_kernels_s
from ridgeline.estimator.attention.grouped_query import grouped_projections
from ridgeline.estimator.kernels import AttentionCore, Kernel
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import CrossLayerAttention, GroupedQueryAttention
from ridgeline.specs.engine import Replay
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.passes import Lane


@projections.register
def _(attention: CrossLayerAttention, hidden: int, *, is_prompt: bool) -> Projections:
    base = attention.base
    heads = base if isinstance(base, GroupedQueryAttention) else base.base
    return grouped_projections(heads, hidden, stores=False)


@cores.register
def _(
    attention: CrossLayerAttention, lane: Lane, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    found = cores(attention.base, lane, sequences=sequences, tp=tp, kv_format=kv_format)
    if not lane.is_prompt:
        return found
    # The layer that stores has already written the prompt's keys and values.
    return {
        name: dataclasses.replace(core, cache_bytes=0.0)
        for name, core in found.items()
        if isinstance(core, AttentionCore)
    }


@cache_bytes.register
def _(attention: CrossLayerAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    return 0.0 * tokens


@small_kernels_s.register
def _(attention: CrossLayerAttention, replay: Replay) -> float:
    return small_kernels_s(attention.base, replay)
