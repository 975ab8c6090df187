"""Operations of the blocks after attention in a pass: dense ones, and experts with tokens on their way to them."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.estimator.feed_forward import expert_width, hidden_streams, shared_block
from ridgeline.estimator.kernels import RESIDUAL, ExpertMatmul, Stream
from ridgeline.estimator.messages import AllGather, AllReduce, AllToAll, Routed
from ridgeline.estimator.on_chip import OnChip, Operation
from ridgeline.estimator.parameters import layer_weight_bytes
from ridgeline.estimator.products import block_products, router_products, run_product
from ridgeline.estimator.routed_tokens import busiest_group, level_copies
from ridgeline.numeric import minimum
from ridgeline.specs.feed_forward import DenseFeedForward, NoFeedForward, RoutedExperts
from ridgeline.specs.model import LayerGroup
from ridgeline.specs.precision import Component

__all__ = ["dense", "feed_forward"]


def feed_forward(this: OnChip, group: LayerGroup, layers: int) -> Iterator[Operation]:
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
        yield from dense(this, block, layers, name="dense", component=Component.DENSE)
        if this.layout.tp > 1:
            yield Operation(name="dense all-reduce", repeats=layers, kernel=this.sum_of_rows)
    else:
        yield from _experts(this, block, layers)


def dense(
    this: OnChip, block: DenseFeedForward, layers: int, *, name: str, component: Component
) -> Iterator[Operation]:
    """Operations of a dense block of ``layers`` layers, without the norm before it or the sum of its results."""
    formats = this.precision.of(component)
    up, down = block_products(block, this.model.hidden, component, this.layout, formats)
    activation = Stream(rows=this.rows, width=block.ffn_hidden / this.layout.tp, streams=hidden_streams(block))
    yield from run_product(this, up, formats, layers, f"{name} ")
    yield Operation(name=f"{name} activation", repeats=layers, kernel=activation)
    yield from run_product(this, down, formats, layers, f"{name} ")


def _experts(this: OnChip, block: RoutedExperts, layers: int) -> Iterator[Operation]:
    layout, formats = this.layout, this.precision.router
    products = router_products(block, this.model.hidden, layout, formats)
    for product in products[:2]:  # tokens travel as wide as experts read them
        yield from run_product(this, product, formats, layers)
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
        yield from dense(this, shared, layers, name="shared experts", component=Component.SHARED_EXPERTS)
    if layout.dp > 1:
        yield Operation(name="expert combine", repeats=layers, kernel=_to_experts(this, block, dispatch=False))
    for product in products[2:]:
        yield from run_product(this, product, formats, layers)
    if layout.tp > 1:
        yield Operation(name="expert results", repeats=layers, kernel=_share_results(this, block))


def _share_results(this: OnChip, block: RoutedExperts) -> AllReduce | AllGather:
    """Message by which every chip of a ``tp`` group gets all tokens' results again.

    After a combine, each chip holds finished rows, which need only be gathered; without one, or where shared experts
    are cut over the group, each holds a part of every row's sum.
    """
    total = this.sum_of_rows
    if this.layout.dp > 1 and not block.shared_hidden:
        return AllGather(buffer_bytes=total.buffer_bytes, group=total.group)
    return total


def _to_experts(this: OnChip, block: RoutedExperts, *, dispatch: bool) -> AllToAll:
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
