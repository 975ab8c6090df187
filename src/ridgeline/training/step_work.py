"""The work of a training step at the kernels' own rates, for any framework: layers, ends, messages, optimizer."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from ridgeline.estimator.kernels import RESIDUAL
from ridgeline.estimator.messages import Send
from ridgeline.estimator.placement import stage_hops
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import LayerGroup
from ridgeline.training.breakdown import Breakdown, Item
from ridgeline.training.exchange import layer_exchange, step_exchange
from ridgeline.training.job import TrainingJob
from ridgeline.training.kernel_times import message_times, operation_times
from ridgeline.training.operations import (
    LayerOperation,
    backward_operations,
    end_operations,
    forward_operations,
    joining_operations,
    recomputed_operations,
    weight_operations,
)

__all__ = ["LayerTable", "LayerWork", "StageWork", "StepWork", "step_work"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerWork:
    """Work of one layer, or one end of the model, for one micro-batch.

    Attributes:
        forward: times of the forward pass.
        recomputed: times of the parts that a backward pass recomputes.
        back: times of the input gradients.
        weights: times of the weight gradients.
        gathered: times of gathering its weights from replicas, where they are sharded.
        scattered: times of reduce-scattering its gradients over replicas.
        is_launched: whether a layer's host launches count for it; not for an end.
        host_experts: routed experts that the host launches for it on a chip; 0 for none.
    """

    forward: Breakdown
    recomputed: Breakdown
    back: Breakdown
    weights: Breakdown
    gathered: Breakdown = dataclasses.field(default_factory=dict)
    scattered: Breakdown = dataclasses.field(default_factory=dict)
    is_launched: bool = False
    host_experts: float = 0.0


StageWork = tuple[tuple[LayerWork, int], ...]
"""Layers and ends of a stage, equal ones once with their number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepWork:
    """Work of a step.

    Attributes:
        stages: work of each stage for one micro-batch.
        send: times of the send from a stage to the next for one micro-batch.
        reduced: times of the reduction of gradients over replicas, on the stage with most parameters.
        gathered: times of gathering weights from replicas after the optimizer.
        optimizer_s: time of the optimizer itself, s.
    """

    stages: tuple[StageWork, ...]
    send: Breakdown
    reduced: Breakdown
    gathered: Breakdown
    optimizer_s: float


class _Messages(NamedTuple):
    """Messages of a step between stages and replicas, and its optimizer, which no recompute mode changes.

    Attributes:
        of_layers: times of gathering a layer's weights and of reduce-scattering its gradients, by its group's index;
            empty where weights are not sharded.
        send: times of the send from a stage to the next.
        reduced: times of the reduction of gradients.
        gathered: times of gathering weights after the optimizer.
        optimizer_s: time of the optimizer, s.
    """

    of_layers: dict[int, tuple[Breakdown, Breakdown]]
    send: Breakdown
    reduced: Breakdown
    gathered: Breakdown
    optimizer_s: float


class LayerTable:
    """Cached work of layers, shared by all jobs that differ only in stages, replicas, schedule and recompute."""

    def __init__(self) -> None:
        self._messages: dict[Any, _Messages] = {}
        self._operations: dict[Any, tuple[LayerOperation, ...]] = {}
        self._work: dict[Any, LayerWork] = {}

    def layer(self, job: TrainingJob, place: int) -> LayerWork:
        """Work of one layer without gathers, by its group's index in the model."""
        layout, recompute = job.layout, job.recipe.recompute
        degrees = (layout.layout.tp, layout.layout.cp, layout.ep, layout.expert_tp, layout.micro_batch)
        key = (place, *degrees, layout.sequence_parallel, job.micro_batches > 1)
        if (key, recompute) not in self._work:
            if key not in self._operations:
                self._operations[key] = forward_operations(job, job.model.groups[place])
            self._work[key, recompute] = _layer_work(job, job.model.groups[place], self._operations[key])
        return self._work[key, recompute]

    def ends(self, job: TrainingJob) -> tuple[LayerWork, LayerWork, LayerWork]:
        """Work of the model's two ends, and of the operations before a multi-token-prediction layer."""
        layout = job.layout
        degrees = (layout.layout.tp, layout.layout.cp, layout.micro_batch, layout.sequence_parallel)
        key = (*degrees, job.micro_batches > 1)
        if (key, 0) not in self._work:
            for number, forward in enumerate((*end_operations(job), joining_operations(job))):
                self._work[key, number] = _forward_and_back(job, forward)
        return self._work[key, 0], self._work[key, 1], self._work[key, 2]

    def messages(self, job: TrainingJob) -> _Messages:
        """Messages between stages and replicas, and the optimizer."""
        key = job.layout, job.schedule
        if key not in self._messages:
            self._messages[key] = _messages(job)
        return self._messages[key]


def step_work(job: TrainingJob, table: LayerTable | None = None) -> StepWork:
    """Work of a step at the kernels' own rates.

    Args:
        job: training job whose step is analysed.
        table: layers computed for jobs of the same model, machine and recipe, whatever their recompute mode.
    """
    table = LayerTable() if table is None else table
    first, last, joined = table.ends(job)
    layers = {place: table.layer(job, place) for place in set(job.layers)}
    messages = table.messages(job)
    for place, (gathered, scattered) in messages.of_layers.items():
        layers[place] = dataclasses.replace(layers[place], gathered=gathered, scattered=scattered)
    stages = []
    for number, held in enumerate(job.stages):
        stage = [(layers[place], count) for place, count in Counter(held).items()]
        if number == 0:
            stage.append((first, 1))
        if number == job.last_stage:
            # Each further predicted token has a layer and a head of its own.
            ahead = job.recipe.predicted_tokens
            stage.append((last, 1 + ahead))
            if ahead:
                stage += [(joined, ahead), (layers[job.prediction_place], ahead)]
        stages.append(tuple(stage))
    return StepWork(
        stages=tuple(stages),
        send=messages.send,
        reduced=messages.reduced,
        gathered=messages.gathered,
        optimizer_s=messages.optimizer_s,
    )


def _layer_work(job: TrainingJob, group: LayerGroup, forward: tuple[LayerOperation, ...]) -> LayerWork:
    block = group.feed_forward
    return dataclasses.replace(
        _forward_and_back(job, forward),
        recomputed=operation_times(job.machine, recomputed_operations(job, forward)),
        is_launched=True,
        host_experts=block.experts / job.layout.ep if isinstance(block, RoutedExperts) else 0.0,
    )


def _forward_and_back(job: TrainingJob, forward: tuple[LayerOperation, ...]) -> LayerWork:
    """Forward and backward work without recompute."""
    return LayerWork(
        forward=operation_times(job.machine, forward),
        recomputed={},
        back=operation_times(job.machine, backward_operations(forward), is_backward=True),
        weights=operation_times(job.machine, weight_operations(job, forward), is_backward=True),
    )


def _messages(job: TrainingJob) -> _Messages:
    places = set(job.layers) if job.layout.spreads_weights else ()
    of_layers = {place: layer_exchange(job, place) for place in places}
    reduced, gathered = step_exchange(job)
    return _Messages(
        of_layers=of_layers, send=_send(job), reduced=reduced, gathered=gathered, optimizer_s=_optimizer_s(job)
    )


def _optimizer_s(job: TrainingJob) -> float:
    """Time to move the values that Adam reads and writes, s: its states, gradients, and the new weights."""
    recipe, params = job.recipe, job.most_params
    if recipe.trains_adapters:
        return 0.0
    local = job.sharded(params)
    moved = local * (2 * recipe.state_bytes + 2 * recipe.gradient_bytes + recipe.weight_bytes)
    held = local if job.layout.spreads_gradients else sum(params)
    moved += held * recipe.gradient_bytes  # set to nothing
    efficiency = job.machine.efficiency
    fraction = efficiency.kernels.elementwise.hbm_fraction if efficiency.kernels else efficiency.hbm_fraction
    return moved / (job.machine.chip.hbm_bytes_per_s * fraction)


def _send(job: TrainingJob) -> Breakdown:
    """Times of the send from a stage to the next of one micro-batch, each chip its part, over the slowest hop."""
    layout = job.layout
    if layout.layout.pp == 1:
        return {}
    replica = Layout(tp=layout.layout.tp, pp=layout.layout.pp, dp=layout.state_chips)
    group, _ = stage_hops(job.fabric, replica)[-1]
    handed = job.rows / layout.layout.tp * job.model.hidden * RESIDUAL.bytes_per_value
    return message_times(job.machine, Item.SENDS, Send(buffer_bytes=handed, group=group))
