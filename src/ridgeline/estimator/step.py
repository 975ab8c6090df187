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

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ridgeline.estimator.attention import cache_bytes, cores, projections
from ridgeline.estimator.feed_forward import (
    block_matrices,
    expert_width,
    hidden_streams,
    latent_matrices,
    router,
    shared_block,
)
from ridgeline.estimator.kernels import (
    RESIDUAL,
    AttentionCore,
    ExpertMatmul,
    Kernel,
    Matmul,
    Stream,
    divided,
    joined,
)
from ridgeline.estimator.matrix import Cut, Matrix, fused_matmul
from ridgeline.estimator.messages import AllGather, AllReduce, AllToAll, Group, Message, Routed, Send
from ridgeline.estimator.parameters import layer_weight_bytes
from ridgeline.estimator.placement import group as group_of
from ridgeline.estimator.placement import stage_hops
from ridgeline.estimator.routed_tokens import busiest_group, level_copies
from ridgeline.estimator.shares import LaneShare, Shares, shares_of
from ridgeline.numeric import Numeric, minimum
from ridgeline.specs.attention import Attention
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.feed_forward import DenseFeedForward, NoFeedForward, RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import FabricLevel
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.number_format import MatmulFormat
from ridgeline.specs.passes import Pass
from ridgeline.specs.precision import Component, Precision

__all__ = [
    "Operation",
    "attention_operations",
    "block_operations",
    "step_operations",
]

NORM_STREAMS = 4
"""Tensors that a norm moves: it adds the block's result to the stream (two read, one written), and writes its own."""

TOKEN_ID_BYTES = 4
"""Bytes of each new token's id that the last stage of a pipeline sends to the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One kernel or message, and how often a micro-batch of a pass runs it through all stages.

    Attributes:
        name: name of the operation.
        repeats: number of its runs.
        kernel: kernel or message that runs.
        is_layer: whether it belongs to layers, which are spread over the stages of a pipeline.
    """

    name: str
    repeats: int
    kernel: Kernel | Message
    is_layer: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """Values that all operations of a pass share.

    Attributes:
        shares: a chip's share of the pass.
        tp_group: chips that share matrices.
        cut_group: chips of ``tp_group`` that cut the output side of matrices.
        rows_group: chips of ``tp_group`` that cut the input side of matrices.
        plane_group: chips that experts are spread over.
        cp_group: chips that share a context.
        fsdp_group: chips that weights are gathered from.
        norm: norm of the residual stream.
        sum_of_rows: all-reduce of a ``tp`` group's residual stream, over the chips that cut the inside of a block.
    """

    model: Model
    layout: Layout
    precision: Precision
    expert_imbalance: float
    shares: Shares
    tp_group: Group
    cut_group: Group
    rows_group: Group
    plane_group: Group
    cp_group: Group
    fsdp_group: Group
    norm: Stream
    sum_of_rows: AllReduce

    @property
    def rows(self) -> Numeric:
        """Tokens of one ``tp`` group in one chunk of one micro-batch."""
        return self.shares.rows

    @property
    def chunks(self) -> int:
        """Passes in which prompts are read."""
        return self.shares.chunks


@lru_cache(maxsize=1024)
def _groups(fabric: tuple[FabricLevel, ...], layout: Layout) -> dict[str, Group]:
    """Groups of chips of a pass, by the names of its fields."""
    tp, dp, cp, rows = layout.tp, layout.dp, layout.cp, layout.tp_rows
    return {
        "tp_group": group_of(fabric, layout.chips, ranks=tp),
        "cut_group": group_of(fabric, layout.chips, ranks=tp // rows),
        "rows_group": group_of(fabric, layout.chips, ranks=rows, stride=tp // rows),
        "plane_group": group_of(fabric, layout.chips, ranks=tp * dp),
        "cp_group": group_of(fabric, layout.chips, ranks=cp, stride=tp * dp),
        "fsdp_group": group_of(fabric, layout.chips, ranks=layout.fsdp, stride=tp),
    }


def _step(deployment: Deployment, shares: Shares) -> _Step:
    groups = _groups(deployment.machine.fabric, deployment.layout)
    width = deployment.model.hidden / deployment.layout.tp_rows
    return _Step(
        model=deployment.model,
        layout=deployment.layout,
        precision=deployment.precision,
        expert_imbalance=deployment.machine.efficiency.expert_imbalance,
        shares=shares,
        norm=Stream(rows=shares.rows, width=width, streams=NORM_STREAMS),
        sum_of_rows=AllReduce(buffer_bytes=shares.rows * width * RESIDUAL.bytes_per_value, group=groups["cut_group"]),
        **groups,
    )


def step_operations(deployment: Deployment, shares: Shares) -> Iterator[Operation]:
    """Operations of a replica's busiest chips for one micro-batch of a pass.

    Args:
        deployment: deployment whose layout divides its model and its machine.
        shares: a chip's share of the pass; numbers or grids.
    """
    this = _step(deployment, shares)
    model, layout, chunks = this.model, this.layout, this.chunks
    lookup = Stream(rows=this.rows, width=model.hidden, streams=2)
    yield Operation(name="embedding", repeats=chunks, kernel=lookup, is_layer=False)
    if layout.tp > 1:
        yield Operation(name="embedding all-reduce", repeats=chunks, kernel=this.sum_of_rows, is_layer=False)
    # Layers of several kinds share most of their attention, which is timed once for all of them.
    for attention, is_parallel, layers in _attentions(model):
        yield from _attention(this, attention, layers, is_parallel=is_parallel)
    for group in model.groups:
        yield from _feed_forward(this, group, group.layers)
    yield from _head(this)
    if layout.pp > 1:
        yield from _stages(this, deployment.machine.fabric)


def attention_operations(deployment: Deployment, pass_: Pass, group: LayerGroup) -> tuple[Operation, ...]:
    """Operations of one layer's attention, its norm and the sum of its results included."""
    this = _step(deployment, shares_of(pass_, deployment.layout))
    return tuple(_attention(this, group.attention, 1, is_parallel=group.is_parallel))


def block_operations(
    deployment: Deployment, pass_: Pass, block: DenseFeedForward, *, name: str, component: Component
) -> tuple[Operation, ...]:
    """Operations of one dense block, without the norm before it or the sum of its results."""
    this = _step(deployment, shares_of(pass_, deployment.layout))
    return tuple(_dense(this, block, 1, name=name, component=component))


def _attentions(model: Model) -> list[tuple[Attention, bool, int]]:
    """Distinct attention of the layer groups: kind, whether it has its own norm and sum, and number of layers."""
    layers: dict[tuple[Attention, bool], int] = {}
    for group in model.groups:
        alike = (group.attention, group.is_parallel)
        layers[alike] = layers.get(alike, 0) + group.layers
    return [(attention, is_parallel, count) for (attention, is_parallel), count in layers.items()]


def _feed_forward(this: _Step, group: LayerGroup, layers: int) -> Iterator[Operation]:
    """Operations of the block after attention, or parallel to it, of ``layers`` layers, with the gather of weights."""
    block, layers = group.feed_forward, layers * this.chunks
    if this.layout.fsdp > 1:
        held = layer_weight_bytes(group, this.model.hidden, this.precision, this.layout)
        gathered = AllGather(buffer_bytes=held, group=this.fsdp_group)
        yield Operation(name="weights gather", repeats=layers, kernel=gathered)
    if isinstance(block, NoFeedForward):
        return
    if not group.is_parallel:
        yield Operation(name="feed-forward norm", repeats=layers, kernel=this.norm)
    if isinstance(block, DenseFeedForward):
        yield from _dense(this, block, layers, name="dense", component=Component.DENSE)
        if this.layout.tp > 1:
            yield Operation(name="dense all-reduce", repeats=layers, kernel=this.sum_of_rows)
    else:
        yield from _experts(this, block, layers)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Product:
    """A product of a pass, without its rows and formats."""

    name: str
    columns: float
    inner: float
    inputs: float
    cut: Cut

    def matmul(self, rows: Numeric, formats: MatmulFormat) -> Matmul:
        """The product of ``rows`` rows."""
        return Matmul(rows=rows, columns=self.columns, inner=self.inner, inputs=self.inputs, format=formats)


def _product(name: str, matrices: tuple[Matrix, ...], layout: Layout, formats: MatmulFormat) -> _Product:
    one = fused_matmul(matrices, rows=1, tp=layout.tp, tp_rows=layout.tp_rows, format=formats)
    return _Product(
        name=name,
        columns=float(one.columns),
        inner=float(one.inner),
        inputs=float(one.inputs),
        cut=matrices[0].cut,
    )


@lru_cache(maxsize=4096)
def _attention_products(
    attention: Attention, hidden: int, layout: Layout, formats: MatmulFormat, *, forms: tuple[bool, ...]
) -> tuple[tuple[_Product, tuple[bool, ...]], ...]:
    """Products of a layer's attention, each with the forms whose tokens it multiplies: prompts (True) or others."""
    by_form = {is_prompt: projections(attention, hidden, is_prompt=is_prompt) for is_prompt in forms}
    fused: dict[str, tuple[Matrix, ...]] = {}
    for found in by_form.values():
        fused |= found
    out = next(reversed(by_form[forms[0]]))  # which comes after what any form has
    names = [*(name for name in fused if name != out), out]
    return tuple(
        (_product(name, fused[name], layout, formats), tuple(form for form in forms if name in by_form[form]))
        for name in names
    )


@lru_cache(maxsize=4096)
def _block_products(
    block: DenseFeedForward, hidden: int, component: Component, layout: Layout, formats: MatmulFormat
) -> tuple[_Product, _Product]:
    up, down = block_matrices(block, hidden, component)
    return _product("up", (up,), layout, formats), _product("down", (down,), layout, formats)


@lru_cache(maxsize=4096)
def _router_products(block: RoutedExperts, hidden: int, layout: Layout, formats: MatmulFormat) -> tuple[_Product, ...]:
    """Products of the router, and where experts read a latent width, of the projections into it and out of it."""
    matrices = (router(block, hidden), *latent_matrices(block, hidden))
    names = ("router", "latent in", "latent out")
    return tuple(_product(name, (matrix,), layout, formats) for name, matrix in zip(names, matrices, strict=False))


def _run(
    this: _Step,
    product: _Product,
    formats: MatmulFormat,
    repeats: int,
    prefix: str = "",
    *,
    rows: Numeric | None = None,
    is_layer: bool = True,
) -> Iterator[Operation]:
    """Operations of a product; cut in two dimensions, with all-gather of its input or reduce-scatter of its output."""
    name = prefix + product.name
    rows = this.rows if rows is None else rows
    done = Operation(name=name, repeats=repeats, kernel=product.matmul(rows, formats), is_layer=is_layer)
    if this.layout.tp_rows == 1:
        yield done
        return
    is_inner = product.cut is Cut.INNER
    across = product.inner if is_inner else product.columns
    exchange = Operation(
        name=f"{name} {'gather' if is_inner else 'partial sums'}",
        repeats=repeats,
        kernel=AllGather(buffer_bytes=rows * across * RESIDUAL.bytes_per_value, group=this.rows_group),
        is_layer=is_layer,
    )
    yield from (exchange, done) if is_inner else (done, exchange)


def _attention(this: _Step, attention: Attention, layers: int, *, is_parallel: bool) -> Iterator[Operation]:
    """Operations of the attention of ``layers`` layers."""
    layout, formats, repeats = this.layout, this.precision.attention, layers * this.chunks
    yield Operation(name="attention norm", repeats=repeats, kernel=this.norm)
    lanes = this.shares.lanes
    rows_of: dict[bool, Numeric] = {}
    for one in lanes:
        rows_of[one.lane.is_prompt] = rows_of.get(one.lane.is_prompt, 0) + one.rows
    products = _attention_products(attention, this.model.hidden, layout, formats, forms=tuple(rows_of))
    for product, forms in products[:-1]:
        rows = None if len(forms) == len(rows_of) else sum(rows_of[form] for form in forms)
        yield from _run(this, product, formats, repeats, rows=rows)
    between = [(one, _cores(this, attention, one)) for one in lanes]
    around = [_exchanges(this, attention, layers, *one) for one in between] if layout.kv_dp > 1 or layout.cp > 1 else ()
    yield from _as_one(before for before, _ in around)
    # Over all chunks together, a prompt's tokens attend to as much as in one.
    for name, kernel in _of_all_lanes(between):
        yield Operation(name=name, repeats=layers, kernel=kernel)
    yield from _as_one(after for _, after in around)
    yield from _run(this, products[-1][0], formats, repeats)
    if layout.tp > 1 and not is_parallel:
        yield Operation(name="attention all-reduce", repeats=repeats, kernel=this.sum_of_rows)


def _cores(this: _Step, attention: Attention, share: LaneShare) -> dict[str, Kernel]:
    """Kernels of a layer between projections for one lane."""
    layout = this.layout
    own = share.whole(share.sequences, layout.kv_dp)
    heads_tp = layout.tp // layout.kv_dp
    found = cores(attention, share.lane, sequences=own, tp=heads_tp, kv_format=this.precision.kv)
    if layout.cp == 1:
        return found
    return {name: divided(kernel, layout.cp, is_prompt=share.lane.is_prompt) for name, kernel in found.items()}


def _of_all_lanes(between: list[tuple[LaneShare, dict[str, Kernel]]]) -> Iterator[tuple[str, Kernel]]:
    """Kernels of all lanes: prompts share theirs, and so do decoding sequences."""
    if len(between) == 1:
        yield from between[0][1].items()
        return
    alike: dict[tuple[str, bool], list[Kernel]] = {}
    for share, kernels in between:
        for name, kernel in kernels.items():
            alike.setdefault((name, share.lane.is_prompt), []).append(kernel)
    for (name, _), (first, *others) in alike.items():
        yield name, joined(first, others)


def _exchanges(
    this: _Step, attention: Attention, layers: int, share: LaneShare, between: dict[str, Kernel]
) -> tuple[tuple[tuple[str, int, Message], ...], tuple[tuple[str, int, Message], ...]]:
    """Messages of a lane before and after attention where keys and values are not cut by heads alone.

    With ``kv_dp`` queries go from the chips of their heads to those of their sequences, and results back. With ``cp`` a
    step's queries go to every part of their context, whose results are summed; a prompt's keys and values are gathered.
    """
    layout, lane, repeats = this.layout, share.lane, layers * this.chunks
    attending = [kernel for kernel in between.values() if isinstance(kernel, AttentionCore)]
    if not attending:
        return (), ()  # a state stays with its sequence
    heads_tp = layout.tp // layout.kv_dp
    # A chip's heads are those of a group of sequences; all groups of ``tp`` together send each row once.
    into = sum(kernel.query_heads * kernel.query_key_dim for kernel in attending) * heads_tp / layout.tp
    out = sum(kernel.query_heads * kernel.value_dim for kernel in attending) * heads_tp / layout.tp
    before: list[tuple[str, int, Message]] = []
    after: list[tuple[str, int, Message]] = []
    if layout.kv_dp > 1:
        there = AllToAll(buffer_bytes=share.rows * into * RESIDUAL.bytes_per_value, group=this.tp_group)
        back = AllToAll(buffer_bytes=share.rows * out * RESIDUAL.bytes_per_value, group=this.tp_group)
        before.append(("queries to sequences", repeats, there))
        after.append(("results to heads", repeats, back))
    if layout.cp > 1 and not lane.is_prompt:
        rows = share.rows * layout.cp
        gathered = AllGather(buffer_bytes=rows * into * RESIDUAL.bytes_per_value, group=this.cp_group)
        summed = AllGather(buffer_bytes=rows * out * RESIDUAL.bytes_per_value, group=this.cp_group)
        before.append(("queries gather", repeats, gathered))
        after.insert(0, ("partial results", repeats, summed))
    elif lane.is_prompt and layout.cp > 1:
        kept = cache_bytes(attention, lane.context_tokens, tp=heads_tp, kv_format=this.precision.kv)
        # Each chunk also attends to the tokens read before it.
        met = (this.chunks + 1) / 2
        own = share.whole(share.sequences, layout.kv_dp)
        ring = AllGather(buffer_bytes=own * kept * met, group=this.cp_group)
        before.append(("context gather", layers, ring))
    return tuple(before), tuple(after)


def _as_one(of_lanes: Iterable[tuple[tuple[str, int, Message], ...]]) -> Iterator[Operation]:
    """Messages of all lanes as operations; those of one name are sent together."""
    sent: dict[str, tuple[int, Message]] = {}
    for name, repeats, message in (one for lane in of_lanes for one in lane):
        if name in sent:
            buffer_bytes = sent[name][1].buffer_bytes + message.buffer_bytes
            sent[name] = repeats, dataclasses.replace(message, buffer_bytes=buffer_bytes)
        else:
            sent[name] = repeats, message
    for name, (repeats, message) in sent.items():
        yield Operation(name=f"attention {name}", repeats=repeats, kernel=message)


def _dense(
    this: _Step, block: DenseFeedForward, layers: int, *, name: str, component: Component
) -> Iterator[Operation]:
    formats = this.precision.of(component)
    up, down = _block_products(block, this.model.hidden, component, this.layout, formats)
    activation = Stream(rows=this.rows, width=block.ffn_hidden / this.layout.tp, streams=hidden_streams(block))
    yield from _run(this, up, formats, layers, f"{name} ")
    yield Operation(name=f"{name} activation", repeats=layers, kernel=activation)
    yield from _run(this, down, formats, layers, f"{name} ")


def _experts(this: _Step, block: RoutedExperts, layers: int) -> Iterator[Operation]:
    layout, formats = this.layout, this.precision.router
    products = _router_products(block, this.model.hidden, layout, formats)
    for product in products[:2]:  # tokens travel as wide as experts read them
        yield from _run(this, product, formats, layers)
    if layout.dp > 1:
        yield Operation(name="expert dispatch", repeats=layers, kernel=_to_experts(this, block, dispatch=True))
    tokens = this.shares.tokens
    visits, touched = busiest_group(block, tokens, layout, this.expert_imbalance)
    routed = ExpertMatmul(
        visits=visits,
        experts_touched=touched,
        hidden=expert_width(block, this.model.hidden),
        expert_hidden=block.expert_hidden / layout.expert_tp,
        gated=block.gated,
        format=this.precision.experts,
        held=(block.experts + layout.redundant_experts) / layout.ep,
        # Within one ``tp`` group, every chip has all tokens; across groups, each chip only receives tokens that visit
        # it.
        tokens=tokens if layout.dp == 1 else minimum(tokens, visits),
    )
    yield Operation(name="experts", repeats=layers, kernel=routed)
    if shared := shared_block(block):
        yield from _dense(this, shared, layers, name="shared experts", component=Component.SHARED_EXPERTS)
    if layout.dp > 1:
        yield Operation(name="expert combine", repeats=layers, kernel=_to_experts(this, block, dispatch=False))
    for product in products[2:]:
        yield from _run(this, product, formats, layers)
    if layout.tp > 1:
        yield Operation(name="expert results", repeats=layers, kernel=_share_results(this, block))


def _share_results(this: _Step, block: RoutedExperts) -> AllReduce | AllGather:
    """Message by which every chip of a ``tp`` group gets all tokens' results again.

    After a combine, each chip holds finished rows, which need only be gathered; without one, or where shared experts
    are cut over the group, each holds a part of every row's sum.
    """
    total = this.sum_of_rows
    if this.layout.dp > 1 and not block.shared_hidden:
        return AllGather(buffer_bytes=total.buffer_bytes, group=total.group)
    return total


def _to_experts(this: _Step, block: RoutedExperts, *, dispatch: bool) -> AllToAll:
    """Dispatch of tokens to the chips of their experts, or combine of the results.

    The chips of a ``tp`` group hold the same tokens, so each sends its part of them: a copy to every chip that a token
    visits, or one to every domain with such chips, where it is forwarded. Results come back in 16 bits.
    """
    layout, width = this.layout, expert_width(block, this.model.hidden)
    values = this.precision.experts.operand if dispatch else RESIDUAL
    sent = this.rows / layout.tp * width * values.bytes_per_value
    copies, leaves = level_copies(block, layout.ep, this.plane_group, layout.tp * layout.dp)
    levels = tuple(sent * one for one in copies)
    routed = Routed(
        copies_bytes=sent * block.active_experts * layout.expert_tp,
        experts=block.experts + layout.redundant_experts,
        width=width,
    )
    return AllToAll(
        buffer_bytes=levels[0],
        group=this.plane_group,
        forwarded_bytes=levels if leaves else None,
        routed=routed,
    )


def _head(this: _Step) -> Iterator[Operation]:
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


def _stages(this: _Step, fabric: tuple[FabricLevel, ...]) -> Iterator[Operation]:
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
