"""The lecture's sparse attention: keys read grow with the square root of the context; all are kept."""

from __future__ import annotations

from ridgeline.equations.attention import square_root_pairs, square_root_tokens
from ridgeline.estimator.attention import Projections, attended, cache_bytes, cores, projections
from ridgeline.estimator.attention.grouped_query import grouped_core, grouped_projections
from ridgeline.estimator.kernels import Kernel
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import SquareRootAttention
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.workload import Phase


@projections.register
def _(attention: SquareRootAttention, hidden: int, phase: type[Phase]) -> Projections:
    return grouped_projections(attention.base, hidden)


@cores.register
def _(
    attention: SquareRootAttention, phase: Phase, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    tokens = attended(
        phase,
        by_token=lambda context: square_root_tokens(context_tokens=context),
        over_prompt=lambda prompt: square_root_pairs(prompt_tokens=prompt),
    )
    core = grouped_core(attention.base, phase, sequences=sequences, tp=tp, kv_format=kv_format, attended=tokens)
    return {"attention core": core}


@cache_bytes.register
def _(attention: SquareRootAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    return cache_bytes(attention.base, tokens, tp=tp, kv_format=kv_format)
