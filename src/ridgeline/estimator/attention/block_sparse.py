"""Block-sparse attention (NSA): all summaries, the best blocks, and a window.

Its compressors and gates, a few small matrices, are not counted.

Source: Yuan et al. 2025, "Native Sparse Attention" (arXiv 2502.11089).
"""

from __future__ import annotations

from ridgeline.equations.attention import capped_entry_pairs, entries, entry_pairs
from ridgeline.estimator.attention import Projections, cache_bytes, cores, projections
from ridgeline.estimator.attention.grouped_query import grouped_core, grouped_projections, stored_values
from ridgeline.estimator.kernels import Kernel
from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.attention import BlockSparseAttention
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.workload import Decode, Phase

__all__ = ["attended_entries"]


def attended_entries(attention: BlockSparseAttention, phase: Phase) -> Numeric:
    """Summaries and tokens that a new token reads, ``L / stride + blocks * block + window``, or pairs over a prompt.

    A short context is read at most once by each of the three branches.
    """
    chosen = attention.blocks * attention.block
    if isinstance(phase, Decode):
        context = phase.context_tokens
        summaries = entries(tokens=context, ratio=attention.summary_stride)
        return summaries + minimum(context, chosen) + minimum(context, attention.window)
    prompt = phase.prompt_tokens
    return (
        entry_pairs(prompt_tokens=prompt, ratio=attention.summary_stride)
        + capped_entry_pairs(prompt_tokens=prompt, ratio=1, cap=chosen)
        + capped_entry_pairs(prompt_tokens=prompt, ratio=1, cap=attention.window)
    )


@projections.register
def _(attention: BlockSparseAttention, hidden: int, phase: type[Phase]) -> Projections:
    return grouped_projections(attention.base, hidden)


@cores.register
def _(
    attention: BlockSparseAttention, phase: Phase, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    attended = attended_entries(attention, phase)
    core = grouped_core(attention.base, phase, sequences=sequences, tp=tp, kv_format=kv_format, attended=attended)
    return {"attention core": core}


@cache_bytes.register
def _(attention: BlockSparseAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    kept = tokens + entries(tokens=tokens, ratio=attention.summary_stride)
    return kept * stored_values(attention.base, tp) * kv_format.bytes_per_value
