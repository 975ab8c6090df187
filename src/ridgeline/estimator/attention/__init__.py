"""Computation, memory traffic and stored state of each attention kind; one file a kind.

A kind answers four questions. Each is a function that dispatches on the kind's record, so a new kind is a new file that
registers its answers, and one line here that imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, singledispatch

import numpy as np

from ridgeline.estimator.kernels import Kernel
from ridgeline.estimator.matrix import Matrix
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import Attention
from ridgeline.specs.engine import Replay
from ridgeline.specs.number_format import NumberFormat
from ridgeline.specs.passes import Lane

__all__ = ["Projections", "attended", "cache_bytes", "cores", "projections", "small_kernels_of", "small_kernels_s"]

Projections = dict[str, tuple[Matrix, ...]]
"""Matrices of a layer by operation; those of one operation are multiplied as one. The last is the output projection."""


@singledispatch
def projections(attention: Attention, hidden: int, *, is_prompt: bool) -> Projections:
    """Matrices of a layer.

    Args:
        attention: attention kind of the layer.
        hidden: width of the residual stream.
        is_prompt: whether they multiply a prompt's tokens, which may pass the same matrices in another order.
    """
    raise _unknown(attention)


@singledispatch
def cores(
    attention: Attention, lane: Lane, *, sequences: Numeric, tp: Numeric, kv_format: NumberFormat
) -> dict[str, Kernel]:
    """Kernels of a layer between its projections, on one of ``tp`` chips that share ``sequences`` of a lane."""
    raise _unknown(attention)


@singledispatch
def cache_bytes(attention: Attention, tokens: Numeric, *, tp: Numeric, kv_format: NumberFormat) -> Numeric:
    """Bytes that a layer stores of one sequence of ``tokens`` on each of ``tp`` chips."""
    raise _unknown(attention)


@singledispatch
def small_kernels_s(attention: Attention, replay: Replay) -> float:
    """Time of the small kernels that a layer adds to an engine's replayed step, s."""
    raise _unknown(attention)


@lru_cache(maxsize=128)  # every prediction under load asks for those of its model
def small_kernels_of(attention: Attention) -> tuple[str, ...]:
    """Small kernels of a layer, as the fields of ``Replay`` that its time depends on."""
    nothing = dict.fromkeys(Replay.__dataclass_fields__, 0.0)
    return tuple(name for name in nothing if small_kernels_s(attention, Replay(**(nothing | {name: 1.0}))))


def attended(
    lane: Lane, *, by_token: Callable[[Numeric], Numeric], over_prompt: Callable[[Numeric], Numeric]
) -> Numeric:
    """Pairs of a new token and a token that it attends to, in one sequence of a lane.

    Args:
        lane: lane of sequences, which may be spread over contexts.
        by_token: tokens that the last token of a context attends to.
        over_prompt: sum of ``by_token`` over a prompt; a difference of two prompts gives the tokens between them.
    """
    if lane.positions:
        return lane.new_tokens * float(np.mean(by_token(np.array(lane.positions))))
    context, past = lane.context_tokens, lane.past_tokens
    if lane.is_prompt:
        return over_prompt(context) - over_prompt(past) if np.any(past) else over_prompt(context)
    if lane.spread_tokens:
        spread = lane.spread_tokens
        return lane.new_tokens * ((over_prompt(context) - over_prompt(context - spread)) / spread)
    if np.ndim(lane.new_tokens) == 0 and lane.new_tokens == 1:
        return by_token(context)
    return over_prompt(context) - over_prompt(past)


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
