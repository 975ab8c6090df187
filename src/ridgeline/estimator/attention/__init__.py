"""What each attention kind computes, reads and stores; one file a kind.

A kind answers three questions. Each is a function that dispatches on the kind's record, so that a new kind is a new
file that registers its answers, and one line here that imports it.
"""

from __future__ import annotations

from functools import singledispatch

from ridgeline.estimator.kernels import Kernel
from ridgeline.estimator.matrix import Matrix
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import Attention
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.workload import Phase

__all__ = ["Projections", "cache_bytes", "cores", "projections"]

Projections = dict[str, tuple[Matrix, ...]]
"""The matrices of a layer by operation; those of one operation are multiplied as one. The last leads out again."""


@singledispatch
def projections(attention: Attention, hidden: int, phase: type[Phase]) -> Projections:
    """The matrices of a layer.

    Args:
        attention: the kind.
        hidden: width of the residual stream.
        phase: Prefill or Decode, which may apply the same matrices in another order.
    """
    raise _unknown(attention)


@singledispatch
def cores(
    attention: Attention, phase: Phase, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    """What a layer does between its projections on one of ``tp`` chips that share ``sequences``, by operation."""
    raise _unknown(attention)


@singledispatch
def cache_bytes(attention: Attention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    """Bytes that a layer keeps of one sequence of ``tokens`` on each of ``tp`` chips."""
    raise _unknown(attention)


def _unknown(attention: object) -> TypeError:
    return TypeError(f"{type(attention).__name__} is not an attention kind known to the estimator")


from ridgeline.estimator.attention import (  # noqa: E402, F401  they register their answers above
    block_sparse,
    compressed,
    cross_layer,
    grouped_query,
    indexed,
    latent,
    linear,
    square_root,
    windowed,
)
