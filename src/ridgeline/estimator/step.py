"""The operations of one forward pass on one chip: those of its layers, equal layers together, and of its ends.

A token passes every layer: norms, attention, the block after it, and the messages that a layout needs in between. Where
chips share every matrix (``tp``), each half of a layer ends in an all-reduce. Where groups serve their own sequences
(``dp``), tokens travel to their experts and back; within one ``tp`` group alone, every chip already has all tokens, so
that each computes its experts' part and the all-reduce adds the parts. Chips that share a context (``cp``) divide
tokens outside attention, and keys and values inside it. Stages (``pp``) pass micro-batches on; their timing is in
``pipeline.py``.

Lanes of a pass share all matrices and messages; prompts and generated tokens have attention kernels of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.estimator.attention_step import attend
from ridgeline.estimator.feed_forward_step import dense, feed_forward
from ridgeline.estimator.kernels import RESIDUAL, Matmul, Stream
from ridgeline.estimator.messages import AllGather, Send
from ridgeline.estimator.on_chip import OnChip, Operation, on_chip
from ridgeline.estimator.placement import stage_hops
from ridgeline.estimator.shares import Shares, shares_of
from ridgeline.specs.attention import Attention
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.feed_forward import DenseFeedForward
from ridgeline.specs.machine import FabricLevel
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.passes import Pass
from ridgeline.specs.precision import Component

__all__ = ["attention_operations", "block_operations", "step_operations"]

TOKEN_ID_BYTES = 4
"""Bytes of each new token's id that the last stage of a pipeline sends to the first."""


def step_operations(deployment: Deployment, shares: Shares) -> Iterator[Operation]:
    """Operations of a replica's busiest chips for one micro-batch of a pass.

    Args:
        deployment: deployment whose layout divides its model and its machine.
        shares: a chip's share of the pass; numbers or grids.
    """
    this = on_chip(deployment, shares)
    model, layout, chunks = this.model, this.layout, this.chunks
    lookup = Stream(rows=this.rows, width=model.hidden, streams=2)
    yield Operation(name="embedding", repeats=chunks, kernel=lookup, is_layer=False)
    if layout.tp > 1:
        yield Operation(name="embedding all-reduce", repeats=chunks, kernel=this.sum_of_rows, is_layer=False)
    # Layers of several kinds share most of their attention, which is timed once for all of them.
    for attention, is_parallel, layers in _attentions(model):
        yield from attend(this, attention, layers, is_parallel=is_parallel)
    for group in model.groups:
        yield from feed_forward(this, group, group.layers)
    yield from _head(this)
    if layout.pp > 1:
        yield from _stages(this, deployment.machine.fabric)


def attention_operations(deployment: Deployment, pass_: Pass, group: LayerGroup) -> tuple[Operation, ...]:
    """Operations of one layer's attention, its norm and the sum of its results included."""
    this = on_chip(deployment, shares_of(pass_, deployment.layout))
    return tuple(attend(this, group.attention, 1, is_parallel=group.is_parallel))


def block_operations(
    deployment: Deployment, pass_: Pass, block: DenseFeedForward, *, name: str, component: Component
) -> tuple[Operation, ...]:
    """Operations of one dense block, without the norm before it or the sum of its results."""
    this = on_chip(deployment, shares_of(pass_, deployment.layout))
    return tuple(dense(this, block, 1, name=name, component=component))


def _attentions(model: Model) -> list[tuple[Attention, bool, int]]:
    """Distinct attention of the layer groups: kind, whether it has its own norm and sum, and number of layers."""
    layers: dict[tuple[Attention, bool], int] = {}
    for group in model.groups:
        alike = (group.attention, group.is_parallel)
        layers[alike] = layers.get(alike, 0) + group.layers
    return [(attention, is_parallel, count) for (attention, is_parallel), count in layers.items()]


def _head(this: OnChip) -> Iterator[Operation]:
    model, layout, sampled = this.model, this.layout, this.shares.sampled
    tp, rows, width = layout.tp, layout.tp_rows, RESIDUAL.bytes_per_value
    columns = model.vocab * rows / tp
    if layout.fsdp > 1:
        held = model.vocab * model.hidden / tp * this.precision.head.weight.bytes_per_value
        gathered = AllGather(buffer_bytes=held, group=this.fsdp_group)
        yield Operation(name="head gather", repeats=1, kernel=gathered, is_layer=False)
    yield Operation(name="final norm", repeats=this.chunks, kernel=this.norm, is_layer=False)
    # Only tokens whose successors are sampled: the last one of a prompt.
    product = Matmul(rows=sampled, columns=columns, inner=model.hidden / rows, format=this.precision.head)
    yield Operation(name="head", repeats=1, kernel=product, is_layer=False)
    if rows > 1:
        partial = AllGather(buffer_bytes=sampled * columns * width, group=this.rows_group)
        yield Operation(name="head partial sums", repeats=1, kernel=partial, is_layer=False)
    if tp > 1:
        logits = AllGather(buffer_bytes=sampled * model.vocab * width, group=this.tp_group)
        yield Operation(name="logits all-gather", repeats=1, kernel=logits, is_layer=False)
    sampling = Stream(rows=sampled, width=model.vocab, streams=1)
    yield Operation(name="sampling", repeats=1, kernel=sampling, is_layer=False)


def _stages(this: OnChip, fabric: tuple[FabricLevel, ...]) -> Iterator[Operation]:
    """Sends between stages: each chip sends its part of the rows, which the next stage's ``tp`` group gathers."""
    layout, rows_bytes = this.layout, this.rows * this.model.hidden * RESIDUAL.bytes_per_value
    for group, hops in stage_hops(fabric, layout):
        handed = Send(buffer_bytes=rows_bytes / layout.tp, group=group)
        yield Operation(name="stage send", repeats=hops * this.chunks, kernel=handed)
    if layout.tp > 1:
        gathered = AllGather(buffer_bytes=rows_bytes, group=this.tp_group)
        yield Operation(name="stage gather", repeats=(layout.pp - 1) * this.chunks, kernel=gathered)
    if generated := [one.sampled for one in this.shares.lanes if not one.lane.is_prompt]:
        farthest, _ = stage_hops(fabric, layout)[-1]
        tokens = Send(buffer_bytes=sum(generated[1:], generated[0]) * TOKEN_ID_BYTES, group=farthest)
        yield Operation(name="token return", repeats=1, kernel=tokens, is_layer=False)
