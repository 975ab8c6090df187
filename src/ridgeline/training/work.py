"""What one chip runs for one layer of a training step, and for both ends of the model: forward, and back again.

Forward is a prefill of the micro-batch, by the same kernels. Experts differ: tokens may be routed evenly by force, lie
over chips of several replicas, and are sent by a dispatcher of the framework's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from ridgeline.equations.experts import busiest, experts_touched
from ridgeline.estimator.feed_forward import expert_width, latent_matrices, router, shared_block
from ridgeline.estimator.kernels import RESIDUAL, AttentionCore, ExpertMatmul, Kernel, Matmul, StateUpdate, Stream
from ridgeline.estimator.messages import AllGather, AllReduce, AllToAll, Group, Message, Routed
from ridgeline.estimator.placement import group as group_of
from ridgeline.estimator.step import NORM_STREAMS, attention_operations, block_operations, token_copies
from ridgeline.numeric import minimum
from ridgeline.specs.feed_forward import DenseFeedForward, NoFeedForward, RoutedExperts
from ridgeline.specs.model import LayerGroup
from ridgeline.specs.number_format import matmul_format
from ridgeline.specs.passes import Lane, Pass
from ridgeline.specs.precision import Component
from ridgeline.training.gradients import BACKWARD_STREAMS, input_gradient, weight_gradient
from ridgeline.training.job import TrainingJob

__all__ = [
    "Task",
    "backward_tasks",
    "end_tasks",
    "forward_tasks",
    "recomputed_tasks",
    "state_groups",
    "weight_tasks",
]

TP, CP, DISPATCH = "tp", "cp", "dispatch"
"""What messages are for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A kernel or a message of a layer.

    Attributes:
        name: what it is.
        module: part of the layer that it belongs to, as ``Recompute`` names them.
        what: is done.
        purpose: of a message: ``TP``, ``CP`` or ``DISPATCH``; empty for a kernel.
    """

    name: str
    module: str
    what: Kernel | Message
    purpose: str = ""


SCORE_STREAMS = 6
"""Tensors of scores that attention without a fused kernel reads and writes: product, scaling and mask, softmax."""


def _pass(job: TrainingJob) -> Pass:
    tokens = job.sequence_tokens
    lane = Lane(sequences=job.layout.micro_batch, new_tokens=tokens, sampled_tokens=tokens, is_prompt=True)
    return Pass(lanes=(lane,))


def forward_tasks(job: TrainingJob, group: LayerGroup) -> tuple[Task, ...]:
    """One layer's forward pass."""
    return (*_attention(job, group), *_feed_forward(job, group))


def backward_tasks(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """What carries the gradient back through a layer, last first."""
    return tuple(dataclasses.replace(task, what=input_gradient(task.what)) for task in reversed(tasks))


def weight_tasks(job: TrainingJob, tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """What makes the gradients of a layer's weights, and adds them to those of the micro-batches before."""
    found: list[Task] = []
    if job.recipe.trains_adapters:
        return ()
    for task in tasks:
        gradient = None if isinstance(task.what, Message) else weight_gradient(task.what)
        if gradient is None:
            continue
        found.append(dataclasses.replace(task, what=gradient))
        if job.micro_batches > 1:
            found.append(dataclasses.replace(task, name=f"{task.name} sum", what=_accumulation(job, gradient)))
    return tuple(found)


def _accumulation(job: TrainingJob, gradient: Kernel) -> Stream:
    """What a product that adds to gradients moves beyond one that writes 16 bits: it reads and writes theirs."""
    if isinstance(gradient, ExpertMatmul):
        values = gradient.held * (3 if gradient.gated else 2) * gradient.expert_hidden * gradient.hidden
    elif isinstance(gradient, Matmul):
        values = gradient.rows * gradient.columns
    else:
        values = 0.0
    return Stream(rows=values, width=1, streams=job.recipe.gradient_bytes - 1, launches=0)


def recomputed_tasks(job: TrainingJob, tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """What of a layer's forward pass a backward pass runs again."""
    recompute = job.recipe.recompute
    if recompute.is_full:
        return tasks
    again: list[Task] = []
    for task in tasks:
        if task.module in recompute.modules or (task.name.startswith("expert") and "moe" in recompute.modules):
            again.append(task)
        elif "products" in recompute.modules and isinstance(task.what, Matmul):
            # Which of them are the second ones is the framework's; half of each stands for them.
            again.append(dataclasses.replace(task, what=dataclasses.replace(task.what, columns=task.what.columns / 2)))
        elif "moe_act" in recompute.modules and isinstance(task.what, ExpertMatmul):
            again.append(dataclasses.replace(task, name="expert activation", what=_activation(task.what)))
    return tuple(again)


def _activation(experts: ExpertMatmul) -> Stream:
    return Stream(rows=experts.visits, width=experts.expert_hidden, streams=3 if experts.gated else 2)


def _attention(job: TrainingJob, group: LayerGroup) -> Iterator[Task]:
    for operation in attention_operations(job.deployment, _pass(job), group):
        yield _task(job, operation.name, operation.kernel)
        if isinstance(operation.kernel, AttentionCore) and not job.recipe.fuses_attention:
            scores = job.rows * job.sequence_tokens
            stored = Stream(rows=scores, width=operation.kernel.query_heads, streams=SCORE_STREAMS)
            yield Task(name="attention scores", module="core_attn", what=stored)


def _task(job: TrainingJob, name: str, what: Kernel | Message) -> Task:
    if isinstance(what, Message):
        return Task(name=name, module="", what=what, purpose=CP if "context" in name else TP)
    if isinstance(what, Stream) and name.endswith("norm"):
        return Task(name=name, module="layernorm", what=dataclasses.replace(what, rows=job.divided_rows))
    if isinstance(what, (AttentionCore, StateUpdate)):
        return Task(name=name, module="core_attn", what=what)
    if name in {"attention query up", "attention key value up"}:
        return Task(name=name, module="mla_up_proj", what=what)
    block = "mlp" if name.startswith("dense") else "shared_experts" if name.startswith("shared") else ""
    return Task(name=name, module=block, what=what)


def _feed_forward(job: TrainingJob, group: LayerGroup) -> Iterator[Task]:
    if isinstance(group.feed_forward, NoFeedForward):
        return
    if not group.is_parallel:
        norm = Stream(rows=job.divided_rows, width=job.model.hidden, streams=NORM_STREAMS)
        yield Task(name="feed-forward norm", module="layernorm", what=norm)
    if isinstance(group.feed_forward, DenseFeedForward):
        yield from _dense(job, group.feed_forward, "dense", Component.DENSE)
        yield from _tp_sum(job)
    else:
        yield from _experts(job, group.feed_forward)


def _dense(job: TrainingJob, block: DenseFeedForward, name: str, component: Component) -> Iterator[Task]:
    for operation in block_operations(job.deployment, _pass(job), block, name=name, component=component):
        yield _task(job, operation.name, operation.kernel)


def _tp_sum(job: TrainingJob) -> Iterator[Task]:
    tp = job.layout.layout.tp
    if tp > 1:
        summed = AllReduce(buffer_bytes=job.rows * job.model.hidden * RESIDUAL.bytes_per_value, group=_group(job, tp))
        yield Task(name="block all-reduce", module="", what=summed, purpose=TP)


def _group(job: TrainingJob, ranks: int, stride: int = 1) -> Group:
    """Chips of a stage, every ``stride``-th."""
    return group_of(job.fabric, job.layout.chips, ranks=ranks, stride=stride)


def state_groups(job: TrainingJob, *, experts: bool) -> tuple[Group, Group]:
    """Chips over which states of dense weights or of experts are spread, and the copies of each of those."""
    layout = job.layout
    if experts:
        shards, copies, stride = layout.sharded_expert_chips, layout.expert_replicas, layout.ep * layout.expert_tp
    else:
        shards, copies, stride = layout.sharded_chips, layout.state_chips, layout.layout.tp
    return _group(job, shards, stride), _group(job, copies // shards, stride * shards)


def _experts(job: TrainingJob, block: RoutedExperts) -> Iterator[Task]:
    layout = job.layout
    # Every chip routes its own tokens, whether norms are divided by tokens or not.
    tokens = job.rows / layout.layout.tp
    whole = tuple(_router_tasks(job, block, tokens))
    yield from whole[:2]  # tokens travel as wide as experts read them
    if layout.ep * layout.expert_tp > 1:
        yield Task(name="expert dispatch", module="moe", what=_to_experts(job, block), purpose=DISPATCH)
    yield Task(name="experts", module="moe", what=_routed(job, block, tokens))
    if layout.ep * layout.expert_tp > 1:
        yield Task(name="expert combine", module="moe", what=_to_experts(job, block), purpose=DISPATCH)
    yield from whole[2:]
    if shared := shared_block(block):
        yield from _dense(job, shared, "shared experts", Component.SHARED_EXPERTS)
        yield from _tp_sum(job)


def _router_tasks(job: TrainingJob, block: RoutedExperts, tokens: float) -> Iterator[Task]:
    """The scores of experts, and where they read a latent width, the ways into it and out of it."""
    hidden, formats = job.model.hidden, matmul_format("bf16")
    matrices = (router(block, hidden), *latent_matrices(block, hidden))
    for name, matrix in zip(("router", "latent in", "latent out"), matrices, strict=False):
        product = Matmul(rows=tokens, columns=matrix.columns, inner=matrix.inner, format=formats)
        yield Task(name=name, module="moe", what=product)


def _routed(job: TrainingJob, block: RoutedExperts, tokens: float) -> ExpertMatmul:
    """The experts of a chip: of the busiest where a router chooses."""
    layout = job.layout
    mean = tokens * layout.expert_tp * block.active_experts
    visits: float = mean
    if job.recipe.capacity_factor is not None:
        visits = mean * job.recipe.capacity_factor
    elif job.recipe.routing == "natural" and layout.ep > 1:
        most = tokens * layout.ep * layout.expert_tp * min(block.active_experts, block.experts // layout.ep)
        visits = float(busiest(mean=mean, variance=mean * (1 - 1 / layout.ep), groups=layout.ep, most=most))
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


def _to_experts(job: TrainingJob, block: RoutedExperts) -> Message:
    """Tokens on their way to experts, or results on their way back, in 16 bits."""
    layout, recipe, width = job.layout, job.recipe, expert_width(block, job.model.hidden)
    plane = layout.ep * layout.expert_tp
    sent = job.rows / layout.layout.tp * width * RESIDUAL.bytes_per_value
    group = _group(job, plane)
    if recipe.dispatcher == "allgather":
        return AllGather(buffer_bytes=sent * plane, group=group)
    copies = sent * block.active_experts * layout.expert_tp
    if recipe.dispatcher == "alltoall":
        return AllToAll(buffer_bytes=copies, group=group)
    reached, domains = plane, []
    for ranks in group.ranks:
        domains.append(reached)
        reached //= int(ranks)
    levels = tuple(sent * token_copies(block, layout.ep, count) for count in domains)
    routed = Routed(copies_bytes=copies, experts=block.experts, width=width, has_low_latency=False)
    forwarded = levels if any(count > 1 for count in domains[1:]) else None
    return AllToAll(buffer_bytes=levels[0], group=group, forwarded_bytes=forwarded, routed=routed)


def end_tasks(job: TrainingJob) -> tuple[tuple[Task, ...], tuple[Task, ...]]:
    """Forward passes of the first end, the embedding, and of the last: norm, head and loss."""
    model, tp, rows = job.model, job.layout.layout.tp, job.rows
    lookup = Stream(rows=rows, width=model.hidden, streams=2)
    first = (Task(name="embedding", module="", what=lookup), *_tp_sum(job))
    norm = Stream(rows=job.divided_rows, width=model.hidden, streams=NORM_STREAMS)
    head = Matmul(rows=rows, columns=model.vocab / tp, inner=model.hidden, format=matmul_format("bf16"))
    # A framework says how often that is moved, forward and back together.
    loss = Stream(rows=rows, width=model.vocab / tp, streams=1 / (1 + BACKWARD_STREAMS))
    last = (
        Task(name="final norm", module="", what=norm),
        Task(name="head", module="", what=head),
        Task(name="loss", module="", what=loss),
    )
    return first, last
