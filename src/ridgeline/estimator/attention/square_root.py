"""The lecture's sparse attention: keys read grow with the square root of the context; all are kept."""

from __future__ import annotations

from ridgeline.equations.attention import square_root_pairs, square_root_tokens
from ridgeline.estimator.attention import Projections, cache_bytes, cores, projections
from ridgeline.estimator.attention.grouped_query import grouped_core, grouped_projections
from ridgeline.estimator.kernels import Kernel
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import SquareRootAttention
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.workload import Decode, Phase


@projections.register
def _(attention: SquareRootAttention, hidden: int, phase: type[Phase]) -> Projections:
    return grouped_projections(attention.base, hidden)


@cores.register
def _(
    attention: SquareRootAttention, phase: Phase, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    if isinstance(phase, Decode):
        attended = square_root_tokens(context_tokens=phase.context_tokens)
    else:
        attended = square_root_pairs(prompt_tokens=phase.prompt_tokens)
    core = grouped_core(attention.base, phase, sequences=sequences, tp=tp, kv_format=kv_format, attended=attended)
    return {"attention core": core}


@cache_bytes.register
def _(attention: SquareRootAttention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    return cache_bytes(attention.base, tokens, tp=tp, kv_format=kv_format)
