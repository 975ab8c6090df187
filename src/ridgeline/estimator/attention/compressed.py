"""Compressed attention (CSA, HCA), as DeepSeek-V4 introduced it.

All heads share one stored entry, key and value in one. The last tokens are kept whole; every ``ratio`` of all tokens
become one entry, by a gated sum over learnt projections. CSA scores its entries with an indexer and reads the best; HCA
reads all.

Source: DeepSeek-V4 technical report (2026), section 2.3.
"""

from __future__ import annotations

from ridgeline.equations.attention import capped_entry_pairs, entries, entry_pairs, heads_per_chip
from ridgeline.estimator.attention import Projections, attended, cache_bytes, cores, projections, small_kernels_s
from ridgeline.estimator.attention.indexed import INDEX_FORMAT, index_core
from ridgeline.estimator.attention.windowed import window_attended
from ridgeline.estimator.kernels import AttentionCore, Kernel
from ridgeline.estimator.matrix import Cut, Matrix
from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.attention import CompressedAttention
from ridgeline.specs.engine import Replay
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.passes import Lane
from ridgeline.specs.precision import Component


@projections.register
def _(attention: CompressedAttention, hidden: int, *, is_prompt: bool) -> Projections:
    heads, width = attention.query_heads, attention.query_heads * attention.head_dim

    def copied(inner: int, columns: int) -> Matrix:
        return Matrix(component=Component.ATTENTION, inner=inner, columns=columns)

    # Inputs of an entry: a value and a gate, twice where entries overlap.
    per_entry = (4 if attention.overlapping else 2) if attention.ratio else 0
    narrow = attention.index_head_dim
    found: Projections = {
        "attention down": (
            copied(hidden, attention.query_rank),
            copied(hidden, attention.head_dim),
            copied(hidden, per_entry * (attention.head_dim + narrow)),
        ),
        "attention query up": (
            Matrix(
                component=Component.ATTENTION,
                inner=attention.query_rank,
                columns=width,
                parts=heads,
                parts_of="query_heads",
            ),
        ),
    }
    if attention.index_heads:
        found["index query"] = (copied(attention.query_rank, attention.index_heads * narrow),)
        found["index weights"] = (copied(hidden, attention.index_heads),)
    groups = attention.output_groups
    mixed = groups * attention.output_rank
    # Each group of heads has its own part of the matrix: an input for every group.
    by_group = Matrix(
        component=Component.ATTENTION,
        inner=width // groups,
        columns=mixed,
        parts=groups,
        parts_of="output_groups",
        inputs=groups,
    )
    out = Matrix(
        component=Component.ATTENTION,
        inner=mixed,
        columns=hidden,
        cut=Cut.INNER,
        parts=groups,
        parts_of="output_groups",
    )
    return {**found, "attention output groups": (by_group,), "attention output": (out,)}


def _attended(attention: CompressedAttention, lane: Lane) -> tuple[Numeric, Numeric]:
    """Entries scored, and entries and whole tokens read, by a new token; or both summed over a prompt."""
    near, ratio = window_attended(attention.window, lane), attention.ratio
    if not ratio:
        return 0.0, near
    scored = attended(
        lane,
        by_token=lambda context: entries(tokens=context, ratio=ratio),
        over_prompt=lambda prompt: entry_pairs(prompt_tokens=prompt, ratio=ratio),
    )
    if not attention.index_heads:
        return scored, near + scored
    chosen = attended(
        lane,
        by_token=lambda context: minimum(entries(tokens=context, ratio=ratio), attention.top_k),
        over_prompt=lambda prompt: capped_entry_pairs(prompt_tokens=prompt, ratio=ratio, cap=attention.top_k),
    )
    return scored, near + chosen


@cores.register
def _(
    attention: CompressedAttention, lane: Lane, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    scored, read = _attended(attention, lane)
    queries = sequences * lane.new_tokens
    if lane.is_prompt:
        # A prompt writes its last window and all its entries.
        entries_moved = entries(tokens=lane.context_tokens, ratio=attention.ratio) if attention.ratio else 0.0
        moved = minimum(lane.context_tokens, attention.window) + entries_moved
    else:
        entries_moved, moved = scored / lane.new_tokens, read / lane.new_tokens
    core = AttentionCore(
        pairs=sequences * read,
        query_heads=heads_per_chip(heads=attention.query_heads, tp=tp),
        query_key_dim=attention.head_dim,
        value_dim=attention.head_dim,
        cache_bytes=sequences * moved * attention.head_dim * kv_format.bytes_per_value,
        queries=queries,
        is_prefill=lane.is_prompt,
        blocks=sequences,
        reach=moved if lane.is_prompt else 0.0,
        stands_for="attention over compressed entries",
        cache_format=kv_format.name,
    )
    if not attention.index_heads:
        return {"attention core": core}
    scores = index_core(
        pairs=sequences * scored,
        heads=attention.index_heads,
        head_dim=attention.index_head_dim,
        keys_moved=sequences * entries_moved,
        queries=queries,
        is_prefill=lane.is_prompt,
    )
    return {"index scores": scores, "attention core": core}


@cache_bytes.register
def _(attention: CompressedAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    near = minimum(tokens, attention.window) * attention.head_dim * kv_format.bytes_per_value
    if not attention.ratio:
        return near
    entry_bytes = (
        attention.head_dim * kv_format.bytes_per_value + attention.index_head_dim * INDEX_FORMAT.bytes_per_value
    )
    return near + entries(tokens=tokens, ratio=attention.ratio) * entry_bytes


@small_kernels_s.register
def _(attention: CompressedAttention, replay: Replay) -> float:
    # Computation of entries, and selection among them.
    return replay.compressed_attention_layer_s
