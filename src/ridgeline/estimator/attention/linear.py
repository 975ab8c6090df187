"""Linear attention and state layers: each token updates a fixed-size state, which a decode step reads and writes.

Sources: Yang et al. 2024, "Gated Delta Networks" (arXiv 2412.06464); MiniMax-01 (arXiv 2501.08313) for lightning
attention; Dao and Gu 2024, "Transformers are SSMs" (arXiv 2405.21060), for Mamba-2.
"""

from __future__ import annotations

from ridgeline.equations.attention import heads_per_chip, state_flop
from ridgeline.estimator.attention import Projections, cache_bytes, cores, projections, small_kernels_s
from ridgeline.estimator.kernels import RESIDUAL, Kernel, StateUpdate
from ridgeline.estimator.matrix import Cut, Matrix
from ridgeline.numeric import Numeric, ceil
from ridgeline.specs.attention import LinearAttention
from ridgeline.specs.engine import Replay
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.passes import Lane
from ridgeline.specs.precision import Component

PREFILL_CHUNK = 64
"""Prompt tokens for which the state is read and written once, as in common chunked kernels."""


def _state_bytes(attention: LinearAttention, tp: Numeric) -> Numeric:
    heads = heads_per_chip(heads=attention.value_heads, tp=tp)
    state = heads * attention.key_head_dim * attention.value_head_dim * attention.state_bytes_per_value
    key_heads = heads_per_chip(heads=attention.key_heads, tp=tp)
    convolved = 2 * key_heads * attention.key_head_dim + heads * attention.value_head_dim
    return state + attention.convolution_tokens * convolved * RESIDUAL.bytes_per_value


@projections.register
def _(attention: LinearAttention, hidden: int, *, is_prompt: bool) -> Projections:
    key_width = 2 * attention.key_heads * attention.key_head_dim  # queries and keys
    value_width = attention.value_heads * attention.value_head_dim
    parts = attention.key_heads
    into = Matrix(
        component=Component.ATTENTION,
        inner=hidden,
        columns=key_width + value_width + attention.gate_widths,
        parts=parts,
        parts_of="key_heads",
    )
    output = Matrix(
        component=Component.ATTENTION,
        inner=value_width,
        columns=hidden,
        cut=Cut.INNER,
        parts=parts,
        parts_of="key_heads",
    )
    return {"attention qkv": (into,), "attention output": (output,)}


@cores.register
def _(
    attention: LinearAttention, lane: Lane, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    tokens = sequences * lane.new_tokens
    sweeps = sequences * ceil(lane.new_tokens / PREFILL_CHUNK) if lane.is_prompt else sequences
    heads = heads_per_chip(heads=attention.value_heads, tp=tp)
    width = heads * (attention.key_head_dim + attention.value_head_dim)
    return {
        "attention state": StateUpdate(
            flop=state_flop(
                tokens=tokens,
                heads=heads,
                key_dim=attention.key_head_dim,
                value_dim=attention.value_head_dim,
                products=3 if attention.delta_rule else 2,
            ),
            state_bytes=2 * sweeps * _state_bytes(attention, tp),
            tokens=tokens,
            width=2 * width,
        )
    }


@cache_bytes.register
def _(attention: LinearAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    # The state is there from the first token on, and never grows.
    return _state_bytes(attention, tp) + 0.0 * tokens


@small_kernels_s.register
def _(attention: LinearAttention, replay: Replay) -> float:
    # Convolutions, gates and norms of the state.
    return replay.linear_attention_layer_s
