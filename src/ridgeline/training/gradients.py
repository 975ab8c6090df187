"""Backward operations of a layer, for each forward operation.

The gradients of a product's input and of its matrix are products of its size. Attention recomputes its scores and takes
four further products. An elementwise kernel reads its input again beside the gradient. An all-gather becomes a
reduce-scatter of the same bytes.

Sources: Dao 2023, "FlashAttention-2" (arXiv 2307.08691), section 3.1.2: a backward pass has 2.5 times the FLOP.
"""

from __future__ import annotations

import dataclasses
from functools import singledispatch

from ridgeline.estimator.kernels import AttentionCore, ExpertMatmul, Kernel, Matmul, StateUpdate, Stream
from ridgeline.estimator.messages import Message

__all__ = ["ATTENTION_BACKWARD_FLOP", "BACKWARD_STREAMS", "input_gradient", "weight_gradient"]

ATTENTION_BACKWARD_FLOP = 2.5
"""FLOP of attention's backward pass over its forward pass: five products per pair in place of two."""

BACKWARD_STREAMS = 1.5
"""Tensors that the backward pass of an elementwise kernel moves, over its forward pass: a gated activation reads two
and writes one, then reads three and writes two; a norm that adds to the stream reads two and writes two, then reads
three and writes two.
"""


@singledispatch
def input_gradient(kernel: Kernel | Message) -> Kernel | Message:
    """Kernel or message that computes the gradient of an operation's input."""
    raise _unknown(kernel)


@singledispatch
def weight_gradient(kernel: Kernel | Message) -> Kernel | None:
    """Kernel that computes the gradient of an operation's weights; None where it has none."""
    return None


@input_gradient.register
def _(kernel: Message) -> Message:
    return kernel


@input_gradient.register
def _(kernel: Matmul) -> Matmul:
    return dataclasses.replace(
        kernel, columns=kernel.inner * kernel.inputs, inner=kernel.columns / kernel.inputs, inputs=1
    )


@weight_gradient.register
def _(kernel: Matmul) -> Matmul:
    # A product of rows and columns of the matrix, summed over the tokens; the input was quantised before.
    return dataclasses.replace(
        kernel,
        rows=kernel.columns,
        columns=kernel.inner,
        inner=kernel.rows,
        inputs=1,
        quantises=False,
        format=dataclasses.replace(kernel.format, weight=kernel.format.operand),
    )


@input_gradient.register
def _(kernel: ExpertMatmul) -> ExpertMatmul:
    return kernel


@weight_gradient.register
def _(kernel: ExpertMatmul) -> ExpertMatmul:
    return dataclasses.replace(kernel, tokens=0)


@input_gradient.register
def _(kernel: AttentionCore) -> AttentionCore:
    return dataclasses.replace(kernel, pairs=ATTENTION_BACKWARD_FLOP * kernel.pairs)


@input_gradient.register
def _(kernel: StateUpdate) -> StateUpdate:
    return dataclasses.replace(kernel, flop=ATTENTION_BACKWARD_FLOP * kernel.flop, state_bytes=2 * kernel.state_bytes)


@input_gradient.register
def _(kernel: Stream) -> Stream:
    return dataclasses.replace(kernel, streams=BACKWARD_STREAMS * kernel.streams)


def _unknown(kernel: object) -> TypeError:
    return TypeError(f"{type(kernel).__name__} is not a kind of operation that a backward pass is known of")
