"""What each attention kind computes, reads and stores; one file a kind.

A kind answers four questions. Each is a function that dispatches on the kind's record, so that a new kind is a new
file that registers its answers, and one line here that imports it.
"""

from __future__ import annotations

from functools import singledispatch

from ridgeline.estimator.kernels import AttentionCore
from ridgeline.estimator.matrix import Matrix
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import Attention
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.workload import Phase

__all__ = ["core", "kv_parts", "kv_values_per_token", "projections"]


@singledispatch
def projections(attention: Attention, hidden: int, phase: type[Phase]) -> dict[str, tuple[Matrix, ...]]:
    """The matrices of a layer by operation; those of one operation are multiplied as one.

    Args:
        attention: the kind.
        hidden: width of the residual stream.
        phase: Prefill or Decode, which may apply the same matrices in another order.
    """
    raise TypeError(f"{type(attention).__name__} is not an attention kind known to the estimator")


@singledispatch
def core(
    attention: Attention, phase: Phase, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> AttentionCore:
    """Scores and values of a layer on one of ``tp`` chips that share ``sequences``."""
    raise TypeError(f"{type(attention).__name__} is not an attention kind known to the estimator")


@singledispatch
def kv_values_per_token(attention: Attention) -> float:
    """Values that a token stores in a layer."""
    raise TypeError(f"{type(attention).__name__} is not an attention kind known to the estimator")


@singledispatch
def kv_parts(attention: Attention) -> int:
    """Pieces that what a token stores can be cut into; with more chips, pieces are copied."""
    raise TypeError(f"{type(attention).__name__} is not an attention kind known to the estimator")


from ridgeline.estimator.attention import grouped_query, latent  # noqa: E402, F401  they register their answers above
