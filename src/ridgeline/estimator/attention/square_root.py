"""The lecture's sparse attention: keys read grow with the square root of the context; all are stored."""

from __future__ import annotations

import dataclasses

from ridgeline.equations.attention import square_root_pairs, square_root_tokens
from ridgeline.estimator.attention import Projections, attended, cache_bytes, cores, projections, small_kernels_s
from ridgeline.estimator.attention.grouped_query import grouped_core, grouped_projections
from ridgeline.estimator.kernels import Kernel
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import SquareRootAttention
from ridgeline.specs.engine import Replay
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.passes import Lane


@projections.register
def _(attention: SquareRootAttention, hidden: int, *, is_prompt: bool) -> Projections:
    return grouped_projections(attention.base, hidden)


@cores.register
def _(
    attention: SquareRootAttention, lane: Lane, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    tokens = attended(
        lane,
        by_token=lambda context: square_root_tokens(context_tokens=context),
        over_prompt=lambda prompt: square_root_pairs(prompt_tokens=prompt),
    )
    core = grouped_core(attention.base, lane, sequences=sequences, tp=tp, kv_format=kv_format, attended=tokens)
    return {"attention core": dataclasses.replace(core, stands_for="attention over chosen tokens")}


@cache_bytes.register
def _(attention: SquareRootAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    return cache_bytes(attention.base, tokens, tp=tp, kv_format=kv_format)


@small_kernels_s.register
def _(attention: SquareRootAttention, replay: Replay) -> float:
    # Selection of the keys to read, as in any sparse attention.
    return replay.token_topk_layer_s
