"""A training step's time: its layers forward and back, its stages, what replicas exchange, and the optimizer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from ridgeline.estimator.clock import Cause, kernel_timing, message_timing
from ridgeline.estimator.kernels import AttentionCore, ExpertMatmul, Kernel, Matmul, StateUpdate
from ridgeline.estimator.messages import AllGather, AllReduce, Group, Message, Send
from ridgeline.estimator.parameters import layer_matrices
from ridgeline.estimator.feed_forward import expert_params
from ridgeline.estimator.placement import stage_hops
from ridgeline.specs.feed_forward import DenseFeedForward, RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import LayerGroup
from ridgeline.specs.number_format import number_format
from ridgeline.training.job import TrainingJob
from ridgeline.training.work import (
    CP,
    DISPATCH,
    TP,
    Task,
    backward_tasks,
    ends_tasks,
    forward_tasks,
    recomputed,
    state_group,
    weight_tasks,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerTime:
    """One layer, or one end of the model, for one micro-batch.

    Attributes:
        forward_s: its forward pass.
        input_gradient_s: carrying the gradient back, with what is computed again.
        weight_gradient_s: gradients of its weights.
        parts: time by what it goes to, of all three.
    """

    forward_s: float
    input_gradient_s: float
    weight_gradient_s: float
    parts: dict[str, float]

    @property
    def backward_s(self) -> float:
        return self.input_gradient_s + self.weight_gradient_s


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """A step's time by what it goes to.

    Attributes:
        step_s: all of it.
        parts: by name; adds up to it.
    """

    step_s: float
    parts: dict[str, float]


def _clock_s(job: TrainingJob, message: Message) -> float:
    time_s, across_s = _clock(job.machine)(message)
    return time_s + (job.trainer.across_factor - 1) * across_s


@lru_cache(maxsize=64)
def _clock(machine: Machine) -> Callable[[Kernel | Message], tuple[float, float]]:
    """Times of kernels and messages on a machine, each looked up once, and what of them is sent between domains."""

    @lru_cache(maxsize=65536)
    def time_s(what: Kernel | Message) -> tuple[float, float]:
        if not isinstance(what, Message):
            return float(kernel_timing(what, machine).time_s), 0.0
        timing = message_timing(what, machine)
        return float(timing.time_s), float(timing.causes[Cause.SCALE_OUT])

    return time_s


def _seconds(job: TrainingJob, tasks: Iterable[Task], *, backward: bool = False) -> tuple[float, dict[str, float]]:
    """Time of tasks one after the other, with what is hidden of messages left out; and by what it goes to."""
    trainer, recipe = job.trainer, job.recipe
    hidden = {
        TP: trainer.hidden_tp if recipe.hides_tp else 0.0,
        CP: trainer.hidden_tp,
        DISPATCH: trainer.hidden_dispatch if recipe.hides_dispatch else 0.0,
    }
    parts: dict[str, float] = {}
    clock = _clock(job.machine)
    products = trainer.products_factor.get(f"{job.machine.family} {'fp8' if recipe.scaling else 'bf16'}", 1.0)
    if recipe.power_limit_w and job.machine.chip.power_w:
        products *= (job.machine.chip.power_w / recipe.power_limit_w) ** trainer.power
    attention = trainer.attention_factor.get(job.machine.family, 1.0)
    if backward:
        attention *= trainer.attention_backward_factor * (trainer.deterministic_factor if recipe.is_deterministic else 1.0)
    elementwise = trainer.elementwise_factor * (trainer.compiled_fraction if recipe.is_compiled else 1.0)
    for task in tasks:
        time_s, across_s = clock(task.what)
        if task.purpose:
            time_s += (trainer.across_factor - 1) * across_s
            time_s *= 1 - hidden[task.purpose]
            name = f"message {task.purpose}"
        elif isinstance(task.what, (AttentionCore, StateUpdate)):
            time_s *= attention
            name = "attention"
        elif isinstance(task.what, Matmul):
            time_s *= products
            name = "products"
        elif isinstance(task.what, ExpertMatmul):
            time_s *= trainer.experts_factor * products
            name = "experts"
        else:
            time_s *= elementwise
            name = "elementwise"
        parts[name] = parts.get(name, 0.0) + time_s
    return sum(parts.values()), parts


HOST_SHARES = {"attn": 0.6, "mlp": 0.4}
"""Parts of the time in which the host launches a dense layer."""


def _host_s(job: TrainingJob, group: LayerGroup) -> float:
    """Time in which the host launches a layer's forward pass, but for what is captured in graphs."""
    trainer, graphs, block = job.trainer, job.recipe.graphs, group.feed_forward
    if "full_iteration" in graphs:
        return 0.0
    host_s = trainer.layer_host_s * sum(share for part, share in HOST_SHARES.items() if part not in graphs)
    if isinstance(block, RoutedExperts) and "moe" not in graphs:
        experts_s = trainer.experts_host_s.get(job.recipe.dispatcher, 0.0)
        host_s += experts_s * (trainer.graphs_host_fraction if "moe_router" in graphs else 1.0)
        if job.recipe.scaling:
            host_s += trainer.expert_host_s * block.experts / job.layout.ep
    return host_s


def _summed(*many: dict[str, float]) -> dict[str, float]:
    total: dict[str, float] = {}
    for parts in many:
        for name, time_s in parts.items():
            total[name] = total.get(name, 0.0) + time_s
    return total


@lru_cache(maxsize=4096)
def layer_time(job: TrainingJob, group: LayerGroup) -> LayerTime:
    """One layer for one micro-batch."""
    forward = forward_tasks(job, group)
    again = recomputed(job, forward)
    forward_s, forward_parts = _seconds(job, forward)
    again_s, again_parts = _seconds(job, again)
    input_s, input_parts = _seconds(job, backward_tasks(forward), backward=True)
    weight_s, weight_parts = _seconds(job, weight_tasks(job, forward), backward=True)
    parts = _summed(forward_parts, input_parts, weight_parts)
    parts["recompute"] = again_s
    host_s = _host_s(job, group)
    waits_forward_s = max(host_s - forward_s, 0.0)
    host_back_s = host_s * (2.0 if again_s > 0.5 * forward_s else 1.0)
    waits_back_s = max(host_back_s - input_s - weight_s - again_s, 0.0)
    parts["host"] = waits_forward_s + waits_back_s
    gathers = _gathers(job, group)
    gather_forward_s = _exposed(gathers[0], forward_s + waits_forward_s, job.trainer.hidden_gathers)
    gather_back_s = _exposed(
        gathers[0] + gathers[1], input_s + weight_s + again_s + waits_back_s, job.trainer.hidden_gathers
    )
    parts["gathers"] = gather_forward_s + gather_back_s
    return LayerTime(
        forward_s=forward_s + waits_forward_s + gather_forward_s,
        input_gradient_s=input_s + again_s + waits_back_s + gather_back_s,
        weight_gradient_s=weight_s,
        parts=parts,
    )


def _exposed(message_s: float, window_s: float, hidden: float) -> float:
    """What is seen of messages that may be hidden behind so much work."""
    return message_s - min(hidden * message_s, window_s)


def layer_params(job: TrainingJob, group: LayerGroup) -> tuple[float, float]:
    """Parameters of a layer on a chip that has all of its stage's: dense ones and routed experts."""
    tp, layout = job.layout.layout.tp, job.layout
    dense = sum(matrix.params * float(matrix.share(tp)) for matrix in layer_matrices(group, job.model.hidden))
    dense += 2 * job.model.hidden
    block = group.feed_forward
    if isinstance(block, DenseFeedForward):
        return dense, 0.0
    return dense, block.experts * expert_params(block, job.model.hidden) / (layout.ep * layout.expert_tp)


def _state_message_s(job: TrainingJob, params: float, value_bytes: float, *, experts: bool) -> float:
    shards, _ = state_group(job, experts=experts)
    return _clock_s(job, AllGather(buffer_bytes=params * value_bytes, group=shards))


def _gathers(job: TrainingJob, group: LayerGroup) -> tuple[float, float]:
    """With weights spread over replicas (FSDP): time to gather a layer's, and to scatter sums of its gradients."""
    if job.layout.zero_stage < 3:
        return 0.0, 0.0
    recipe, gathered_s, scattered_s = job.recipe, 0.0, 0.0
    for experts, params in zip((False, True), layer_params(job, group), strict=True):
        if params:
            gathered_s += _state_message_s(job, params, recipe.weight_bytes, experts=experts)
            scattered_s += _state_message_s(job, params, recipe.gradient_bytes, experts=experts)
    return gathered_s, scattered_s


@lru_cache(maxsize=1024)
def ends_time(job: TrainingJob) -> tuple[LayerTime, LayerTime]:
    """Embedding, and head with the loss, for one micro-batch."""
    found = []
    for tasks in ends_tasks(job):
        forward_s, forward = _seconds(job, tasks)
        input_s, inputs = _seconds(job, backward_tasks(tasks), backward=True)
        weight_s, weights = _seconds(job, weight_tasks(job, tasks), backward=True)
        found.append(
            LayerTime(
                forward_s=forward_s,
                input_gradient_s=input_s,
                weight_gradient_s=weight_s,
                parts=_summed(forward, inputs, weights),
            )
        )
    return found[0], found[1]


def step_time(job: TrainingJob) -> StepTime:
    """A step of all micro-batches."""
    layout, trainer = job.layout, job.trainer
    first, last = ends_time(job)
    stages = []
    for number, layers in enumerate(job.stages):
        of_stage = [layer_time(job, group) for group in layers]
        of_stage += [first] * (number == 0)
        if number == layout.layout.pp - 1:
            # Each token that is predicted ahead has a layer and a head of its own.
            of_stage += [last, *[layer_time(job, layers[-1]), last] * job.recipe.predicted_tokens]
        stages.append(of_stage)
    forward = [sum(one.forward_s for one in stage) + 0.5 * trainer.micro_batch_s for stage in stages]
    backward = [sum(one.backward_s for one in stage) + 0.5 * trainer.micro_batch_s for stage in stages]
    both = [one + other for one, other in zip(forward, backward, strict=True)]
    slowest = max(range(len(both)), key=both.__getitem__)
    m = job.micro_batches
    sends_s = _sends_s(job)
    busy_s = m * both[slowest]
    bubble_s = _bubble_s(job, both, forward, stages, slowest)
    exposed_sends_s = 0.0 if job.recipe.hides_sends else m * sends_s * layout.virtual_stages
    ramp_sends_s = 2 * (layout.layout.pp - 1) * sends_s / 2
    window_s = backward[slowest]
    exchanged, exchange_parts = _exchange(job, window_s, forward[slowest])
    optimizer_s = _optimizer_s(job)
    parts = _summed(*(one.parts for one in stages[slowest]))
    parts = {name: m * time_s for name, time_s in parts.items()}
    parts["micro-batches"] = m * trainer.micro_batch_s
    parts["bubble"] = bubble_s + ramp_sends_s
    parts["sends"] = exposed_sends_s
    parts |= exchange_parts
    parts["optimizer"] = optimizer_s
    parts["step"] = trainer.step_s
    step_s = busy_s + bubble_s + ramp_sends_s + exposed_sends_s + exchanged + optimizer_s + trainer.step_s
    return StepTime(step_s=step_s, parts=parts)


def _bubble_s(job: TrainingJob, both: list[float], forward: list[float], stages: list[list[LayerTime]], slowest: int) -> float:
    layout = job.layout
    others = sum(both) - both[slowest]
    kind = job.schedule
    if kind in {"zb-1p", "zb-h1"}:
        weight = [sum(one.weight_gradient_s for one in stage) for stage in stages]
        return max(others - 2 * (sum(weight) - weight[slowest]), 0.0)
    if kind in {"zb-2p", "zb-h2"}:
        weight = [sum(one.weight_gradient_s for one in stage) for stage in stages]
        return max(others - 3 * (sum(weight) - weight[slowest]), 0.0)
    return others / layout.virtual_stages


def _sends_s(job: TrainingJob) -> float:
    layout = job.layout
    if layout.layout.pp == 1:
        return 0.0
    plain = Layout(tp=layout.layout.tp, cp=layout.layout.cp, dp=layout.replicas, pp=layout.layout.pp)
    group, _ = stage_hops(job.machine.fabric, plain)[-1]
    handed = job.divided_rows * job.model.hidden * 2
    if not job.layout.sequence_parallel:
        handed = handed / layout.layout.tp
    return 2 * _clock_s(job, Send(buffer_bytes=handed, group=group))


def stage_params(job: TrainingJob, stage: int) -> tuple[float, float]:
    """Parameters on a chip of a stage: dense ones, ends among them, and routed experts."""
    dense = experts = 0.0
    for group in job.stages[stage]:
        of_dense, of_experts = layer_params(job, group)
        dense, experts = dense + of_dense, experts + of_experts
    vocabulary = job.model.vocab * job.model.hidden / job.layout.layout.tp
    ends = (stage == 0) + (stage == job.layout.layout.pp - 1)
    if job.model.tied_embeddings and job.layout.layout.pp == 1:
        ends = 1
    return dense + ends * vocabulary, experts


def _exchange(job: TrainingJob, window_back_s: float, window_forward_s: float) -> tuple[float, dict[str, float]]:
    """What is seen of sums of gradients over replicas and of gathers of weights, on the fullest stage."""
    layout, recipe, trainer = job.layout, job.recipe, job.trainer
    stage = max(range(layout.layout.pp), key=lambda number: sum(stage_params(job, number)))
    reduce_s = gather_s = 0.0
    for experts, params in zip((False, True), stage_params(job, stage), strict=True):
        if not params:
            continue
        shards, copies = state_group(job, experts=experts)
        over = params * recipe.gradient_bytes
        if layout.zero_stage == 0:
            every = _all(job, experts=experts)
            reduce_s += _clock_s(job, AllReduce(buffer_bytes=over, group=every))
            continue
        if layout.zero_stage < 3:
            reduce_s += _state_message_s(job, params, recipe.gradient_bytes, experts=experts)
            gather_s += _state_message_s(job, params, recipe.weight_bytes, experts=experts)
        chips = layout.sharded_expert_chips if experts else layout.sharded_chips
        copied = (layout.expert_replicas if experts else layout.state_chips) // chips
        if copied > 1:
            reduce_s += _clock_s(job, AllReduce(buffer_bytes=over / chips, group=copies))
    hidden = trainer.hidden_gradients
    reduced_s = _exposed(reduce_s, window_back_s, hidden if recipe.hides_gradients else 0.0)
    gathered_s = _exposed(gather_s, window_forward_s, hidden if recipe.hides_weights else 0.0)
    return reduced_s + gathered_s, {"gradients": reduced_s, "weights": gathered_s}


def _all(job: TrainingJob, *, experts: bool) -> Group:
    from ridgeline.estimator.placement import group as group_of

    layout = job.layout
    ranks, stride = (layout.expert_replicas, layout.ep * layout.expert_tp) if experts else (layout.state_chips, layout.layout.tp)
    return group_of(job.machine.fabric, layout.chips, ranks=ranks, stride=stride)


def _optimizer_s(job: TrainingJob) -> float:
    layout, recipe = job.layout, job.recipe
    stage = max(range(layout.layout.pp), key=lambda number: sum(stage_params(job, number)))
    dense, experts = stage_params(job, stage)
    local = dense / layout.sharded_chips + experts / layout.sharded_expert_chips
    moved = local * (2 * recipe.state_bytes + 2 * recipe.gradient_bytes + recipe.weight_bytes)
    # Gradients are set to nothing and, unless spread, scaled.
    moved += (dense + experts) * recipe.gradient_bytes
    efficiency = job.machine.efficiency
    fraction = efficiency.kernels.elementwise.hbm_fraction if efficiency.kernels else efficiency.hbm_fraction
    return moved / (job.machine.chip.hbm_bytes_per_s * fraction)
