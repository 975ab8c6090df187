"""A training step's time: its layers forward and back, its stages, what replicas exchange, and the optimizer.

The work of a step, at the kernels' own rates, is found once (``step_work``); a framework's numbers then make it time
(``step_time``).
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from ridgeline.estimator.messages import AllGather, AllReduce, Send
from ridgeline.estimator.placement import stage_hops
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import LayerGroup
from ridgeline.specs.trainer import Trainer
from ridgeline.training.bill import Bill, Item, added, bill_of, factors, message_bill, seconds
from ridgeline.training.job import TrainingJob
from ridgeline.training.pipeline import StageParts, pipeline_bubble_s
from ridgeline.training.recipe import Recipe
from ridgeline.training.work import (
    Task,
    backward_tasks,
    end_tasks,
    forward_tasks,
    recomputed_tasks,
    state_groups,
    weight_tasks,
)

__all__ = ["LayerTable", "LayerWork", "StepTime", "StepWork", "step_time", "step_work"]

HOST_SHARES = {"attn": 0.6, "mlp": 0.4}
"""Parts of a dense layer's launches that can be captured in a graph by themselves: of some twenty kernels, twelve are
attention's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerWork:
    """One layer, or one end of the model, for one micro-batch.

    Attributes:
        forward: its forward pass.
        again: what of it a backward pass computes again.
        back: carrying the gradient back.
        weights: gradients of its weights.
        gathered: gathering its weights from replicas, where they are spread.
        scattered: spreading sums of its gradients over replicas.
        host_layers: dense layers that the host launches for it: 1, or 0 for an end.
        host_experts: routed experts that it launches on a chip; 0 for none.
    """

    forward: Bill
    again: Bill
    back: Bill
    weights: Bill
    gathered: Bill
    scattered: Bill
    host_layers: int = 0
    host_experts: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StepWork:
    """A step's work, whatever the framework.

    Attributes:
        stages: layers and ends of each stage, alike ones with their number.
        send: what a stage hands to the next.
        reduced: summing gradients over replicas, on the fullest stage.
        gathered: gathering weights from replicas after the optimizer.
        optimizer_s: the optimizer itself, s.
    """

    stages: tuple[tuple[tuple[LayerWork, int], ...], ...]
    send: Bill
    reduced: Bill
    gathered: Bill
    optimizer_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTime:
    """A stage for one micro-batch.

    Attributes:
        times: of its parts.
        parts_s: the same by what it goes to, s.
    """

    times: StageParts
    parts_s: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """A step's time.

    Attributes:
        step_time_s: all of it.
        parts_s: by what it goes to on the slowest stage; adds up to it.
        bubble_fraction: part of the pipeline's time that the slowest stage idles; 0 without stages.
        stages: one micro-batch on each.
    """

    step_time_s: float
    parts_s: dict[str, float]
    bubble_fraction: float
    stages: tuple[StageTime, ...]


class LayerTable:
    """Work of layers, found once for all jobs that differ in stages, replicas, schedule and recompute alone."""

    def __init__(self) -> None:
        self._tasks: dict[Any, tuple[Task, ...]] = {}
        self._work: dict[Any, LayerWork] = {}

    def layer(self, job: TrainingJob, place: int) -> LayerWork:
        """One layer's work, weights where they are, by its group's place in the model."""
        layout, recompute = job.layout, job.recipe.recompute
        degrees = (layout.layout.tp, layout.layout.cp, layout.ep, layout.expert_tp, layout.micro_batch)
        key = (place, *degrees, layout.sequence_parallel, job.micro_batches > 1)
        if (key, recompute) not in self._work:
            if key not in self._tasks:
                self._tasks[key] = forward_tasks(job, job.model.groups[place])
            self._work[key, recompute] = _layer_work(job, job.model.groups[place], self._tasks[key])
        return self._work[key, recompute]

    def ends(self, job: TrainingJob) -> tuple[LayerWork, LayerWork]:
        """The model's two ends."""
        layout = job.layout
        degrees = (layout.layout.tp, layout.layout.cp, layout.micro_batch, layout.sequence_parallel)
        key = (*degrees, job.micro_batches > 1)
        if (key, 0) not in self._work:
            self._work[key, 0], self._work[key, 1] = (_end_work(job, tasks) for tasks in end_tasks(job))
        return self._work[key, 0], self._work[key, 1]


def step_work(job: TrainingJob, table: LayerTable | None = None) -> StepWork:
    """A step's work at the kernels' own rates.

    Args:
        job: the step.
        table: layers that were found for jobs of the same model, machine and recipe, but for what is recomputed.
    """
    table = LayerTable() if table is None else table
    first, last = table.ends(job)
    layers = {place: _with_spread(job, table.layer(job, place), place) for place in set(job.layers)}
    stages = []
    for number, held in enumerate(job.stages):
        stage = [(layers[place], count) for place, count in Counter(held).items()]
        stage += [(first, 1)] if number == 0 else []
        if number == job.last_stage:
            # Each token that is predicted ahead has a layer and a head of its own.
            ahead = job.recipe.predicted_tokens
            stage += [(last, 1 + ahead), *([(layers[held[-1]], ahead)] if ahead else [])]
        stages.append(tuple(stage))
    reduced, gathered = _exchange(job)
    return StepWork(
        stages=tuple(stages), send=_send(job), reduced=reduced, gathered=gathered, optimizer_s=_optimizer_s(job)
    )


def _layer_work(job: TrainingJob, group: LayerGroup, forward: tuple[Task, ...]) -> LayerWork:
    block = group.feed_forward
    return LayerWork(
        forward=bill_of(job, forward),
        again=bill_of(job, recomputed_tasks(job, forward)),
        back=bill_of(job, backward_tasks(forward), is_backward=True),
        weights=bill_of(job, weight_tasks(job, forward), is_backward=True),
        gathered={},
        scattered={},
        host_layers=1,
        host_experts=block.experts / job.layout.ep if isinstance(block, RoutedExperts) else 0.0,
    )


def _with_spread(job: TrainingJob, work: LayerWork, place: int) -> LayerWork:
    if not job.layout.spreads_weights:
        return work
    gathered, scattered = _spread(job, place)
    return dataclasses.replace(work, gathered=gathered, scattered=scattered)


def _end_work(job: TrainingJob, tasks: tuple[Task, ...]) -> LayerWork:
    return LayerWork(
        forward=bill_of(job, tasks),
        again={},
        back=bill_of(job, backward_tasks(tasks), is_backward=True),
        weights=bill_of(job, weight_tasks(job, tasks), is_backward=True),
        gathered={},
        scattered={},
    )


def _states(job: TrainingJob, params: float, value_bytes: float, *, experts: bool) -> Bill:
    """Gathering values of parameters from the chips that they are spread over, or spreading sums of them."""
    spread, _ = state_groups(job, experts=experts)
    return message_bill(job, Item.STATES, AllGather(buffer_bytes=params * value_bytes, group=spread))


def _spread(job: TrainingJob, place: int) -> tuple[Bill, Bill]:
    """With weights spread over replicas (FSDP): gathering a layer's, and spreading sums of its gradients."""
    parts = [(params, experts) for experts, params in enumerate(job.layer_params[place]) if params]
    gathered = (_states(job, params, job.recipe.weight_bytes, experts=bool(experts)) for params, experts in parts)
    scattered = (_states(job, params, job.recipe.gradient_bytes, experts=bool(experts)) for params, experts in parts)
    return added(*gathered), added(*scattered)


def _fullest(job: TrainingJob) -> tuple[float, float]:
    return max(job.stage_params, key=sum)


def _exchange(job: TrainingJob) -> tuple[Bill, Bill]:
    """Sums of gradients over replicas, and gathers of weights, once a step."""
    layout, recipe = job.layout, job.recipe
    if recipe.trains_adapters:
        return {}, {}
    reduced: list[Bill] = []
    gathered: list[Bill] = []
    for experts, params in zip((False, True), _fullest(job), strict=True):
        if not params:
            continue
        _, copies = state_groups(job, experts=experts)
        chips = layout.sharded_expert_chips if experts else layout.sharded_chips
        if layout.zero_stage and not layout.spreads_weights:
            reduced.append(_states(job, params, recipe.gradient_bytes, experts=experts))
            gathered.append(_states(job, params, recipe.weight_bytes, experts=experts))
        if math.prod(copies.ranks) > 1:
            summed = AllReduce(buffer_bytes=params * recipe.gradient_bytes / chips, group=copies)
            reduced.append(message_bill(job, Item.STATES, summed))
    return added(*reduced), added(*gathered)


def _optimizer_s(job: TrainingJob) -> float:
    """Moving what Adam reads and writes: its states, gradients, and the weights that come of them."""
    layout, recipe = job.layout, job.recipe
    if recipe.trains_adapters:
        return 0.0
    dense, experts = _fullest(job)
    local = dense / layout.sharded_chips + experts / layout.sharded_expert_chips
    moved = local * (2 * recipe.state_bytes + 2 * recipe.gradient_bytes + recipe.weight_bytes)
    held = local if layout.spreads_gradients else dense + experts
    moved += held * recipe.gradient_bytes  # set to nothing
    efficiency = job.machine.efficiency
    fraction = efficiency.kernels.elementwise.hbm_fraction if efficiency.kernels else efficiency.hbm_fraction
    return moved / (job.machine.chip.hbm_bytes_per_s * fraction)


def _send(job: TrainingJob) -> Bill:
    """What a stage hands to the next of one micro-batch, each chip its part; the slowest hop of all."""
    layout = job.layout
    if layout.layout.pp == 1:
        return {}
    plain = Layout(tp=layout.layout.tp, pp=layout.layout.pp, dp=layout.state_chips)
    group, _ = stage_hops(job.machine.fabric, plain)[-1]
    handed = job.rows / layout.layout.tp * job.model.hidden * job.residual_bytes
    return message_bill(job, Item.SENDS, Send(buffer_bytes=handed, group=group))


def step_time(job: TrainingJob, work: StepWork | None = None) -> StepTime:
    """A step's time with the job's framework.

    Args:
        job: the step.
        work: of it, where it was found before.
    """
    work = step_work(job) if work is None else work
    by, trainer, recipe, layout = factors(job), job.trainer, job.recipe, job.layout
    # Most stages hold the same.
    alike = {_identity(stage): stage for stage in work.stages}
    timed = {identity: _stage_time(job, stage, by) for identity, stage in alike.items()}
    stages = tuple(timed[_identity(stage)] for stage in work.stages)
    slowest = max(stages, key=lambda stage: stage.times.all_s)
    m, send_s = job.micro_batches, seconds(work.send, by)
    waits_s = pipeline_bubble_s(
        job.pipeline,
        [stage.times for stage in stages],
        micro_batches=m,
        virtual_stages=layout.virtual_stages,
    )
    bubble_s = waits_s + 2 * (layout.layout.pp - 1) * send_s
    sends_s = 0.0 if job.hides_sends else 2 * m * send_s * layout.virtual_stages
    hidden = trainer.hidden_gradients
    reduced_s = seconds(work.reduced, by)
    gathered_s = seconds(work.gathered, by)
    parts = {name: m * time_s for name, time_s in slowest.parts_s.items()}
    parts["pipeline bubble"] = bubble_s
    parts["pipeline sends"] = sends_s
    parts["gradient sums"] = _seen(
        reduced_s, slowest.times.all_s - slowest.times.forward_s, hidden if recipe.hides_gradients else 0.0
    )
    parts["weight gathers"] = parts.get("weight gathers", 0.0) + _seen(
        gathered_s, slowest.times.forward_s, hidden if recipe.hides_weights else 0.0
    )
    parts["optimizer"] = work.optimizer_s
    parts["step overhead"] = trainer.step_s
    return StepTime(
        step_time_s=sum(parts.values()),
        parts_s={name: time_s for name, time_s in parts.items() if time_s},
        bubble_fraction=bubble_s / (m * slowest.times.all_s + bubble_s),
        stages=stages,
    )


def _identity(stage: tuple[tuple[LayerWork, int], ...]) -> tuple[tuple[int, int], ...]:
    return tuple((id(work), count) for work, count in stage)


def _stage_time(job: TrainingJob, stage: tuple[tuple[LayerWork, int], ...], by: Bill) -> StageTime:
    """One micro-batch on a stage: each layer waits for its launches, and for weights that are on their way."""
    trainer = job.trainer
    forward_s = back_s = weights_s = waits_s = gathers_s = again_s = 0.0
    bills = []
    for work, count in stage:
        one_forward_s, one_again_s = seconds(work.forward, by), seconds(work.again, by)
        one_back_s, one_weights_s = seconds(work.back, by), seconds(work.weights, by)
        host_s = work.host_layers * _host_s(job.recipe, trainer, work.host_experts)
        forward_wait_s = max(host_s - one_forward_s, 0.0)
        back_wait_s = max(host_s * (1 + job.recipe.recompute.is_full) - one_back_s - one_weights_s - one_again_s, 0.0)
        gathered_s, scattered_s = seconds(work.gathered, by), seconds(work.scattered, by)
        forward_gather_s = _seen(gathered_s, one_forward_s + forward_wait_s, trainer.hidden_gathers)
        back_window_s = one_back_s + one_weights_s + one_again_s + back_wait_s
        back_gather_s = _seen(gathered_s + scattered_s, back_window_s, trainer.hidden_gathers)
        forward_s += count * (one_forward_s + forward_wait_s + forward_gather_s)
        back_s += count * (one_back_s + one_again_s + back_wait_s + back_gather_s)
        weights_s += count * one_weights_s
        waits_s += count * (forward_wait_s + back_wait_s)
        gathers_s += count * (forward_gather_s + back_gather_s)
        again_s += count * one_again_s
        bills += [{item: count * time_s for item, time_s in added(work.forward, work.back, work.weights).items()}]
    parts = {item.value: time_s * by[item] for item, time_s in added(*bills).items()}
    parts |= {"recompute": again_s, "waiting for launches": waits_s, "weight gathers": gathers_s}
    parts["micro-batch overhead"] = trainer.micro_batch_s
    # Which part of a micro-batch the framework's own time falls into is not known.
    own_s = trainer.micro_batch_s / 3
    return StageTime(times=StageParts(forward_s + own_s, back_s + own_s, weights_s + own_s), parts_s=parts)


def _host_s(recipe: Recipe, trainer: Trainer, experts: float) -> float:
    """Time in which the host launches a layer's forward pass, but for what is captured in graphs."""
    if "full_iteration" in recipe.graphs:
        return 0.0
    host_s = trainer.layer_host_s * sum(share for part, share in HOST_SHARES.items() if part not in recipe.graphs)
    if experts and "moe" not in recipe.graphs:
        experts_s = trainer.experts_host_s.get(recipe.dispatcher, 0.0)
        host_s += experts_s * (trainer.captured_host_fraction if "moe_router" in recipe.graphs else 1.0)
        host_s += trainer.narrow_expert_host_s * experts * recipe.is_narrow
    return host_s


def _seen(message_s: float, window_s: float, hidden: float) -> float:
    """What is seen of messages of which a part may be hidden behind so much work."""
    return message_s - min(hidden * message_s, window_s)
