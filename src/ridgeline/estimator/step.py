"""The operations of one forward pass on one chip, in the order in which they run.

A token passes every layer: norms, attention, the block behind it, and the messages that a layout needs in between.
Where chips share every matrix (``tp``) each half of a layer ends in an all-reduce. Where groups serve their own
sequences (``dp``) tokens travel to their experts and back; within one ``tp`` group alone every chip already has all
tokens, so that each computes its experts' part and the sum brings the parts together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ridgeline.equations.experts import busiest, experts_touched, groups_visited
from ridgeline.estimator.attention import cores, projections
from ridgeline.estimator.feed_forward import block_matrices, hidden_streams, router, shared_block
from ridgeline.estimator.fit import groups_of
from ridgeline.estimator.kernels import (
    RESIDUAL,
    AllGather,
    AllReduce,
    AllToAll,
    ExpertMatmul,
    Group,
    Kernel,
    Matmul,
    Message,
    Stream,
)
from ridgeline.estimator.matrix import fused_matmul
from ridgeline.numeric import Numeric, ceil, minimum
from ridgeline.specs.feed_forward import DenseFeedForward, RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.precision import Component, Precision
from ridgeline.specs.workload import Decode, Phase

__all__ = ["Operation", "sequences_per_group", "step_operations"]

NORM_STREAMS = 4
"""A norm adds the block's result to the residual stream (two read, one written) and writes what it normed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One kernel or message and how often a pass runs it."""

    name: str
    repeats: int
    kernel: Kernel | Message


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pass:
    """What all operations of a pass share.

    Attributes:
        sequences: of one ``tp`` group.
        rows: tokens of one ``tp`` group in one pass.
        tokens: tokens of the whole replica in one pass.
        passes: in which prompts are read.
        tp_group: chips that share matrices.
        all_group: chips of the replica.
    """

    model: Model
    layout: Layout
    precision: Precision
    phase: Phase
    expert_imbalance: float
    sequences: Numeric
    rows: Numeric
    tokens: Numeric
    passes: int
    tp_group: Group
    all_group: Group


def sequences_per_group(phase: Phase, layout: Layout) -> Numeric:
    """Sequences of the fullest group of ``tp`` chips."""
    return ceil(phase.batch / layout.dp)


def step_operations(
    model: Model, machine: Machine, layout: Layout, phase: Phase, *, precision: Precision, expert_imbalance: float = 1
) -> Iterator[Operation]:
    """What the busiest chip of a replica does in one pass.

    Args:
        model: what is run.
        machine: where; only its domains matter here.
        layout: how it is cut; must divide both.
        phase: decode or prefill, with numbers or grids.
        precision: number formats.
        expert_imbalance: tokens at the busiest group of experts over what even, independent choices would give it.
    """
    tp_group, all_group = groups_of(machine, layout)
    sequences = sequences_per_group(phase, layout)
    passes = 1 if isinstance(phase, Decode) else phase.passes
    this = _Pass(
        model=model,
        layout=layout,
        precision=precision,
        phase=phase,
        expert_imbalance=expert_imbalance,
        sequences=sequences,
        rows=sequences * phase.tokens_per_sequence / passes,
        tokens=phase.batch * phase.tokens_per_sequence / passes,
        passes=passes,
        tp_group=tp_group,
        all_group=all_group,
    )
    yield Operation(name="embedding", repeats=passes, kernel=Stream(rows=this.rows, width=model.hidden, streams=2))
    if layout.tp > 1:
        yield Operation(name="embedding all-reduce", repeats=passes, kernel=_sum_of_rows(this))
    for group in model.groups:
        yield from _attention(this, group)
        yield from _feed_forward(this, group)
    yield from _head(this)


def _norm(this: _Pass) -> Stream:
    return Stream(rows=this.rows, width=this.model.hidden, streams=NORM_STREAMS)


def _sum_of_rows(this: _Pass) -> AllReduce:
    """The residual stream of a ``tp`` group, summed over its chips."""
    return AllReduce(buffer_bytes=this.rows * this.model.hidden * RESIDUAL.bytes_per_value, group=this.tp_group)


def _attention(this: _Pass, group: LayerGroup) -> Iterator[Operation]:
    layers = group.layers * this.passes
    yield Operation(name="attention norm", repeats=layers, kernel=_norm(this))
    operations = projections(group.attention, this.model.hidden, type(this.phase)).items()
    products = [
        Operation(
            name=name,
            repeats=layers,
            kernel=fused_matmul(matrices, rows=this.rows, tp=this.layout.tp, format=this.precision.attention),
        )
        for name, matrices in operations
    ]
    yield from products[:-1]
    between = cores(
        group.attention,
        this.phase,
        sequences=this.sequences,
        tp=this.layout.tp,
        kv_format=this.precision.kv,
    )
    for name, kernel in between.items():
        # Over all passes together a prompt's tokens attend as they would in one.
        yield Operation(name=name, repeats=group.layers, kernel=kernel)
    yield products[-1]
    if this.layout.tp > 1:
        yield Operation(name="attention all-reduce", repeats=layers, kernel=_sum_of_rows(this))


def _feed_forward(this: _Pass, group: LayerGroup) -> Iterator[Operation]:
    block, layers = group.feed_forward, group.layers * this.passes
    yield Operation(name="feed-forward norm", repeats=layers, kernel=_norm(this))
    if isinstance(block, DenseFeedForward):
        yield from _dense(this, block, layers, name="dense", component=Component.DENSE)
        if this.layout.tp > 1:
            yield Operation(name="dense all-reduce", repeats=layers, kernel=_sum_of_rows(this))
    else:
        yield from _experts(this, block, layers)


def _dense(
    this: _Pass, block: DenseFeedForward, layers: int, *, name: str, component: Component
) -> Iterator[Operation]:
    tp, formats = this.layout.tp, this.precision.of(component)
    up, down = block_matrices(block, this.model.hidden, component)
    activation = Stream(rows=this.rows, width=block.ffn_hidden / tp, streams=hidden_streams(block))
    yield Operation(
        name=f"{name} up", repeats=layers, kernel=fused_matmul((up,), rows=this.rows, tp=tp, format=formats)
    )
    yield Operation(name=f"{name} activation", repeats=layers, kernel=activation)
    yield Operation(
        name=f"{name} down", repeats=layers, kernel=fused_matmul((down,), rows=this.rows, tp=tp, format=formats)
    )


def _experts(this: _Pass, block: RoutedExperts, layers: int) -> Iterator[Operation]:
    layout, hidden = this.layout, this.model.hidden
    score = fused_matmul((router(block, hidden),), rows=this.rows, tp=layout.tp, format=this.precision.router)
    yield Operation(name="router", repeats=layers, kernel=score)
    if layout.dp > 1:
        yield Operation(name="expert dispatch", repeats=layers, kernel=_to_experts(this, block, dispatch=True))
    visits, touched = _busiest_group(block, this.tokens, layout.ep, this.expert_imbalance)
    routed = ExpertMatmul(
        visits=visits,
        experts_touched=touched,
        hidden=hidden,
        expert_hidden=block.expert_hidden / layout.expert_tp,
        gated=block.gated,
        format=this.precision.experts,
    )
    yield Operation(name="experts", repeats=layers, kernel=routed)
    if shared := shared_block(block):
        yield from _dense(this, shared, layers, name="shared experts", component=Component.SHARED_EXPERTS)
    if layout.dp > 1:
        yield Operation(name="expert combine", repeats=layers, kernel=_to_experts(this, block, dispatch=False))
    if layout.tp > 1:
        yield Operation(name="expert results", repeats=layers, kernel=_share_results(this, block))


def _busiest_group(block: RoutedExperts, tokens: Numeric, groups: int, imbalance: float) -> tuple[Numeric, Numeric]:
    """Visits to the busiest of ``groups`` that experts are spread over, and experts touched there.

    Tokens choose independently and evenly. A visit falls on a group with probability ``1 / groups``; an expert is
    touched with the probability that any token chose it.
    """
    held = block.experts / groups
    most = tokens * min(block.active_experts, held)
    mean = tokens * block.active_experts / groups
    visits = minimum(busiest(mean=mean, variance=mean * (1 - 1 / groups), groups=groups, most=most) * imbalance, most)
    mean_touched = experts_touched(experts=held, active_experts=block.active_experts / groups, tokens=tokens)
    variance = mean_touched * (1 - mean_touched / held)
    touched = busiest(mean=mean_touched, variance=variance, groups=groups, most=held)
    # No expert is touched without a visit.
    touched = minimum(touched, visits)
    return visits, touched


def _share_results(this: _Pass, block: RoutedExperts) -> AllReduce | AllGather:
    """How the chips of a ``tp`` group come to hold all tokens' results again.

    After a combine each chip holds finished rows, which need only be gathered; without one, or where shared experts
    are cut over the group, each holds a part of every row's sum.
    """
    total = _sum_of_rows(this)
    if this.layout.dp > 1 and not block.shared_hidden:
        return AllGather(buffer_bytes=total.buffer_bytes, group=total.group)
    return total


def _to_experts(this: _Pass, block: RoutedExperts, *, dispatch: bool) -> AllToAll:
    """Tokens on their way to the chips of their experts, or results on their way back.

    The chips of a ``tp`` group hold the same tokens, so each sends its part of them, and one copy to every group of
    chips that the token visits, to each of the chips that share an expert there. Results come back in 16 bits.
    """
    layout = this.layout
    values = this.precision.experts.operand if dispatch else RESIDUAL
    copies = layout.expert_tp * groups_visited(
        experts=block.experts, active_experts=block.active_experts, groups=layout.ep
    )
    own_rows = this.rows / layout.tp
    return AllToAll(buffer_bytes=own_rows * copies * this.model.hidden * values.bytes_per_value, group=this.all_group)


def _head(this: _Pass) -> Iterator[Operation]:
    model, tp = this.model, this.layout.tp
    yield Operation(name="final norm", repeats=this.passes, kernel=_norm(this))
    # Only the last token of each sequence is asked for its successor.
    product = Matmul(rows=this.sequences, columns=model.vocab / tp, inner=model.hidden, format=this.precision.head)
    yield Operation(name="head", repeats=1, kernel=product)
    if tp > 1:
        logits = this.sequences * model.vocab * RESIDUAL.bytes_per_value
        yield Operation(name="logits all-gather", repeats=1, kernel=AllGather(buffer_bytes=logits, group=this.tp_group))
    yield Operation(name="sampling", repeats=1, kernel=Stream(rows=this.sequences, width=model.vocab, streams=1))
