"""What each attention kind computes, reads and stores; one file a kind.

A kind answers three questions. Each is a function that dispatches on the kind's record, so that a new kind is a new
file that registers its answers, and one line here that imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from ridgeline.estimator.kernels import Kernel
from ridgeline.estimator.matrix import Matrix
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import Attention
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.workload import Phase, Prefill

__all__ = ["Projections", "attended", "cache_bytes", "cores", "projections"]

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


def attended(
    phase: Phase, *, by_token: Callable[[Numeric], Numeric], over_prompt: Callable[[Numeric], Numeric]
) -> Numeric:
    """Tokens that a sequence's new token attends to, or pairs of a query and a key over its prompt.

    Args:
        phase: decode, whose sequences may be spread over contexts, or prefill.
        by_token: tokens that the last of a context attends to.
        over_prompt: their sum over a prompt. Between two prompts it is what the tokens between them attend to.
    """
    if isinstance(phase, Prefill):
        return over_prompt(phase.prompt_tokens)
    if not phase.spread_tokens:
        return by_token(phase.context_tokens)
    spread = phase.spread_tokens
    return (over_prompt(phase.context_tokens) - over_prompt(phase.context_tokens - spread)) / spread


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
