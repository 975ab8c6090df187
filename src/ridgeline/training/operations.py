"""The operations of one layer of a training step on one chip, and of both ends of the model, forward and backward.

The forward pass is a prefill of the micro-batch, with the same kernels. Experts differ from serving: they are spread
over chips of several replicas, routing may be forced to be even, and the framework's dispatcher sends tokens.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ridgeline.catalog.dispatchers import load_dispatcher
from ridgeline.equations.experts import experts_touched
from ridgeline.estimator.drafts import PREDICTION_STREAMS
from ridgeline.estimator.feed_forward import expert_width, latent_matrices, router, shared_block
from ridgeline.estimator.kernels import RESIDUAL, AttentionCore, ExpertMatmul, Kernel, Matmul, StateUpdate, Stream
from ridgeline.estimator.matrix import Matrix
from ridgeline.estimator.messages import AllGather, AllReduce, AllToAll, Message, Routed
from ridgeline.estimator.on_chip import NORM_STREAMS, Operation
from ridgeline.estimator.routed_tokens import level_copies
from ridgeline.estimator.step import attention_operations, block_operations
from ridgeline.numeric import minimum
from ridgeline.specs.feed_forward import DenseFeedForward, NoFeedForward, RoutedExperts
from ridgeline.specs.model import LayerGroup
from ridgeline.specs.number_format import matmul_format
from ridgeline.specs.passes import Lane, Pass
from ridgeline.specs.precision import Component
from ridgeline.training.breakdown import Item
from ridgeline.training.expert_visits import busiest_visits
from ridgeline.training.gradients import BACKWARD_STREAMS, input_gradient, weight_gradient
from ridgeline.training.job import TrainingJob

__all__ = [
    "LayerOperation",
    "backward_operations",
    "end_operations",
    "forward_operations",
    "joining_operations",
    "recomputed_operations",
    "weight_operations",
]

LATENT_UP = ("attention query up", "attention key value up")
"""Products of latent attention from its compressed vectors to heads, by their names in a forward pass."""

SCORE_STREAMS = 6
"""Tensors of scores that attention without a fused kernel reads and writes: product, scaling and mask, softmax."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerOperation:
    """A kernel or a message of a layer.

    Attributes:
        name: name of the operation.
        kernel: kernel or message that runs.
        module: part of the layer that it is recomputed with, of ``MODULES``; empty for none.
        item: item of time that it counts under, where the kind of kernel does not say.
    """

    name: str
    kernel: Kernel | Message
    module: str = ""
    item: Item | None = None


def forward_operations(job: TrainingJob, group: LayerGroup) -> tuple[LayerOperation, ...]:
    """One layer's forward pass."""
    return (*_attention(job, group), *_block(job, group))


def backward_operations(forward: Sequence[LayerOperation]) -> tuple[LayerOperation, ...]:
    """Operations that carry the gradient back through a layer, last first."""
    return tuple(dataclasses.replace(one, kernel=input_gradient(one.kernel)) for one in reversed(forward))


def weight_operations(job: TrainingJob, forward: Sequence[LayerOperation]) -> tuple[LayerOperation, ...]:
    """Operations that compute the gradients of a layer's weights, and accumulate them over micro-batches."""
    if job.recipe.trains_adapters:
        return ()
    found: list[LayerOperation] = []
    for one in forward:
        gradient = None if isinstance(one.kernel, Message) else weight_gradient(one.kernel)
        if gradient is None:
            continue
        found.append(dataclasses.replace(one, kernel=gradient))
        if job.micro_batches > 1:
            found.append(dataclasses.replace(one, name=f"{one.name} sum", kernel=_accumulation(job, gradient)))
    return tuple(found)


def _accumulation(job: TrainingJob, gradient: Kernel) -> Stream:
    """Memory traffic of accumulating into gradients, beyond that of a product with 16-bit output."""
    if isinstance(gradient, ExpertMatmul):
        values = gradient.held * (3 if gradient.gated else 2) * gradient.expert_hidden * gradient.hidden
    elif isinstance(gradient, Matmul):
        values = gradient.rows * gradient.columns
    else:
        values = 0.0
    return Stream(rows=values, width=1, streams=job.recipe.gradient_bytes - 1, launches=0)


def recomputed_operations(job: TrainingJob, forward: Sequence[LayerOperation]) -> tuple[LayerOperation, ...]:
    """Operations of a layer's forward pass that a backward pass recomputes."""
    recompute = job.recipe.recompute
    if recompute.is_full:
        return tuple(forward)
    again: list[LayerOperation] = []
    for one in forward:
        if one.module in recompute.covered:
            again.append(one)
        elif "products" in recompute.modules and isinstance(one.kernel, Matmul):
            # The framework decides which half of the products is recomputed; half of each stands for them.
            half = dataclasses.replace(one.kernel, columns=one.kernel.columns / 2)
            again.append(dataclasses.replace(one, kernel=half))
        elif "moe_act" in recompute.modules and isinstance(one.kernel, ExpertMatmul):
            again.append(dataclasses.replace(one, name="expert activation", kernel=_activation(one.kernel)))
    return tuple(again)


def _activation(experts: ExpertMatmul) -> Stream:
    return Stream(rows=experts.visits, width=experts.expert_hidden, streams=3 if experts.gated else 2)


def _pass(job: TrainingJob) -> Pass:
    tokens = job.sequence_tokens
    lane = Lane(sequences=job.layout.micro_batch, new_tokens=tokens, sampled_tokens=tokens, is_prompt=True)
    return Pass(lanes=(lane,))


def _attention(job: TrainingJob, group: LayerGroup) -> Iterator[LayerOperation]:
    for one in attention_operations(job.deployment, _pass(job), group):
        yield _of_attention(job, one)
        if isinstance(one.kernel, AttentionCore) and not job.recipe.fuses_attention:
            scores = job.rows * job.sequence_tokens
            stored = Stream(rows=scores, width=one.kernel.query_heads, streams=SCORE_STREAMS)
            yield LayerOperation(name="attention scores", module="core_attn", kernel=stored)


def _of_attention(job: TrainingJob, one: Operation) -> LayerOperation:
    """A serving operation of a forward pass as a training operation."""
    name, kernel = one.name, one.kernel
    if isinstance(kernel, Message):
        return LayerOperation(name=name, kernel=kernel, item=Item.CP if name == "attention context gather" else Item.TP)
    if name == "attention norm" and isinstance(kernel, Stream):
        return LayerOperation(name=name, kernel=dataclasses.replace(kernel, rows=job.divided_rows), module="layernorm")
    if isinstance(kernel, (AttentionCore, StateUpdate)):
        return LayerOperation(name=name, kernel=kernel, module="core_attn")
    return LayerOperation(name=name, kernel=kernel, module="mla_up_proj" if name in LATENT_UP else "")


def _block(job: TrainingJob, group: LayerGroup) -> Iterator[LayerOperation]:
    """Operations of the feed-forward block after attention, or parallel to it."""
    if isinstance(group.feed_forward, NoFeedForward):
        return
    if not group.is_parallel:
        yield LayerOperation(name="feed-forward norm", kernel=_norm(job), module="layernorm")
    if isinstance(group.feed_forward, DenseFeedForward):
        yield from _dense(job, group.feed_forward, "dense", Component.DENSE, module="mlp")
    else:
        yield from _experts(job, group.feed_forward)


def _norm(job: TrainingJob) -> Stream:
    return Stream(rows=job.divided_rows, width=job.model.hidden, streams=NORM_STREAMS)


def _dense(
    job: TrainingJob, block: DenseFeedForward, name: str, component: Component, *, module: str
) -> Iterator[LayerOperation]:
    """Operations of a block that every token passes, with the all-reduce of its results over ``tp``."""
    for one in block_operations(job.deployment, _pass(job), block, name=name, component=component):
        yield LayerOperation(name=one.name, kernel=one.kernel, module=module)
    yield from _tp_sum(job)


def _tp_sum(job: TrainingJob) -> Iterator[LayerOperation]:
    tp = job.layout.layout.tp
    if tp > 1:
        summed = AllReduce(
            buffer_bytes=job.rows * job.model.hidden * RESIDUAL.bytes_per_value, group=job.group(ranks=tp)
        )
        yield LayerOperation(name="block all-reduce", kernel=summed, item=Item.TP)


def _experts(job: TrainingJob, block: RoutedExperts) -> Iterator[LayerOperation]:
    # Every chip routes its own tokens, whether norms are divided by tokens or not.
    tokens = job.rows / job.layout.layout.tp
    travels = job.layout.ep * job.layout.expert_tp > 1
    yield _routing(tokens, "router", router(block, job.model.hidden))
    # Where experts read a latent width, tokens are sent in it.
    latent = latent_matrices(block, job.model.hidden)
    if latent:
        yield _routing(tokens, "latent in", latent[0])
    if travels:
        yield _sent(job, block, "expert dispatch")
    yield LayerOperation(name="experts", kernel=_routed(job, block, tokens), module="moe")
    if travels:
        yield _sent(job, block, "expert combine")
    if latent:
        yield _routing(tokens, "latent out", latent[1])
    if shared := shared_block(block):
        yield from _dense(job, shared, "shared experts", Component.SHARED_EXPERTS, module="shared_experts")


def _routing(tokens: float, name: str, matrix: Matrix) -> LayerOperation:
    """Product around routed experts, with the whole matrix on every chip."""
    product = Matmul(rows=tokens, columns=matrix.columns, inner=matrix.inner, format=matmul_format("bf16"))
    return LayerOperation(name=name, kernel=product, module="moe")


def _sent(job: TrainingJob, block: RoutedExperts, name: str) -> LayerOperation:
    message = DISPATCHES[job.recipe.dispatcher](job, block)
    return LayerOperation(name=name, kernel=message, module="moe", item=Item.DISPATCH)


def _routed(job: TrainingJob, block: RoutedExperts, tokens: float) -> ExpertMatmul:
    """Experts of a layer's busiest chip, for which all wait."""
    layout = job.layout
    visits = busiest_visits(job, block, tokens)
    touched = experts_touched(
        experts=block.experts, active_experts=block.active_experts, tokens=tokens * layout.ep * layout.expert_tp
    )
    return ExpertMatmul(
        visits=visits,
        experts_touched=minimum(touched / layout.ep, visits),
        hidden=expert_width(block, job.model.hidden),
        expert_hidden=block.expert_hidden / layout.expert_tp,
        gated=block.gated,
        format=job.deployment.precision.experts,
        held=block.experts / layout.ep,
        tokens=tokens,
    )


def _gathered(job: TrainingJob, block: RoutedExperts) -> Message:
    """Message of every token to every chip, which takes those of its experts."""
    plane = job.layout.ep * job.layout.expert_tp
    return AllGather(buffer_bytes=_token_bytes(job, block) * plane, group=job.group(ranks=plane))


def _copied(job: TrainingJob, block: RoutedExperts) -> Message:
    """Message of one copy of a token to each of its experts."""
    plane = job.layout.ep * job.layout.expert_tp
    return AllToAll(buffer_bytes=_copies_bytes(job, block), group=job.group(ranks=plane))


def _copied_once(job: TrainingJob, block: RoutedExperts) -> Message:
    """Message of one copy to each domain with experts of a token, forwarded within it."""
    plane = job.layout.ep * job.layout.expert_tp
    group = job.group(ranks=plane)
    copies, leaves = level_copies(block, job.layout.ep, group, plane)
    levels = tuple(_token_bytes(job, block) * one for one in copies)
    dispatcher = load_dispatcher(job.recipe.dispatcher)
    routed = Routed(
        copies_bytes=_copies_bytes(job, block),
        experts=block.experts,
        width=expert_width(block, job.model.hidden),
        units=dispatcher.units,
        unit_bytes_per_s=dispatcher.unit_bytes_per_s,
        has_low_latency=False,
    )
    return AllToAll(buffer_bytes=levels[0], group=group, forwarded_bytes=levels if leaves else None, routed=routed)


DISPATCHES = {"allgather": _gathered, "alltoall": _copied, "deepep": _copied_once, "hybridep": _copied_once}
"""Expert dispatch, or combine of results, by dispatcher."""


def _token_bytes(job: TrainingJob, block: RoutedExperts) -> float:
    """Bytes of the tokens that a chip routes, once each, in 16 bits."""
    return job.rows / job.layout.layout.tp * expert_width(block, job.model.hidden) * RESIDUAL.bytes_per_value


def _copies_bytes(job: TrainingJob, block: RoutedExperts) -> float:
    """Bytes of the tokens that a chip routes, once for each of their experts."""
    return _token_bytes(job, block) * block.active_experts * job.layout.expert_tp


def end_operations(job: TrainingJob) -> tuple[tuple[LayerOperation, ...], tuple[LayerOperation, ...]]:
    """Forward operations of the first end (embedding) and of the last (norm, head and loss)."""
    model, tp, rows = job.model, job.layout.layout.tp, job.rows
    lookup = Stream(rows=rows, width=model.hidden, streams=2)
    first = (LayerOperation(name="embedding", kernel=lookup), *_tp_sum(job))
    head = Matmul(rows=rows, columns=model.vocab / tp, inner=model.hidden, format=matmul_format("bf16"))
    # A framework's number says how often that is moved, forward and backward together.
    loss = Stream(rows=rows, width=model.vocab / tp, streams=1 / (1 + BACKWARD_STREAMS))
    last = (
        LayerOperation(name="final norm", kernel=_norm(job)),
        LayerOperation(name="head", kernel=head),
        LayerOperation(name="loss", kernel=loss, item=Item.LOSS),
    )
    return first, last


def joining_operations(job: TrainingJob) -> tuple[LayerOperation, ...]:
    """Forward operations before a multi-token-prediction layer: its embedding, joined to the stream by a product."""
    hidden, tp, rows = job.model.hidden, job.layout.layout.tp, job.rows
    first, _ = end_operations(job)
    norms = (LayerOperation(name="joined norm", kernel=_norm(job)) for _ in range(PREDICTION_STREAMS))
    joined = Matmul(rows=rows, columns=hidden / tp, inner=PREDICTION_STREAMS * hidden, format=matmul_format("bf16"))
    return (*first, *norms, LayerOperation(name="joined", kernel=joined))
