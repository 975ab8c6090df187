"""Messages between replicas: reduction of gradients and gathers of weights over the chips that shard their states.

With weights sharded over replicas (FSDP, ZeRO 3), it happens for each layer of a micro-batch, otherwise once a step.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ridgeline.estimator.messages import AllGather, AllReduce, Group
from ridgeline.training.breakdown import Breakdown, Item, summed
from ridgeline.training.job import Params, TrainingJob
from ridgeline.training.kernel_times import message_times

__all__ = ["layer_exchange", "step_exchange"]


def layer_exchange(job: TrainingJob, place: int) -> tuple[Breakdown, Breakdown]:
    """All-gather of a layer's weights, and reduce-scatter of its gradients, with weights sharded over replicas.

    Args:
        job: training job whose step is timed.
        place: index of the layer's group in the model.
    """
    kinds = list(_kinds(job.layer_params[place]))
    gathered = (_gather(job, params, job.recipe.weight_bytes, experts=experts) for experts, params in kinds)
    scattered = (_gather(job, params, job.recipe.gradient_bytes, experts=experts) for experts, params in kinds)
    return summed(*gathered), summed(*scattered)


def step_exchange(job: TrainingJob) -> tuple[Breakdown, Breakdown]:
    """Reduction of gradients over replicas, and gathers of weights, once a step, on the stage with most parameters."""
    layout, recipe = job.layout, job.recipe
    if recipe.trains_adapters:
        return {}, {}
    reduced: list[Breakdown] = []
    gathered: list[Breakdown] = []
    for experts, params in _kinds(job.most_params):
        if layout.zero_stage and not layout.spreads_weights:
            reduced.append(_gather(job, params, recipe.gradient_bytes, experts=experts))
            gathered.append(_gather(job, params, recipe.weight_bytes, experts=experts))
        shards, copies = _state_groups(job, experts=experts)
        if math.prod(copies.ranks) > 1:
            summed_bytes = params * recipe.gradient_bytes / math.prod(shards.ranks)
            reduced.append(message_times(job.machine, Item.STATES, AllReduce(buffer_bytes=summed_bytes, group=copies)))
    return summed(*reduced), summed(*gathered)


def _kinds(params: Params) -> Iterator[tuple[bool, float]]:
    """Nonzero parameters, dense ones and experts, each with whether they are experts."""
    return ((experts, held) for experts, held in ((False, params.dense), (True, params.experts)) if held)


def _gather(job: TrainingJob, params: float, value_bytes: float, *, experts: bool) -> Breakdown:
    """All-gather of parameter values from the chips that shard them, or reduce-scatter of their gradients."""
    shards, _ = _state_groups(job, experts=experts)
    return message_times(job.machine, Item.STATES, AllGather(buffer_bytes=params * value_bytes, group=shards))


def _state_groups(job: TrainingJob, *, experts: bool) -> tuple[Group, Group]:
    """Chips that shard the states of dense weights or of experts, and the copies of each shard."""
    layout = job.layout
    if experts:
        shards, copies, stride = layout.sharded_expert_chips, layout.expert_replicas, layout.ep * layout.expert_tp
    else:
        shards, copies, stride = layout.sharded_chips, layout.state_chips, layout.layout.tp
    return job.group(ranks=shards, stride=stride), job.group(ranks=copies // shards, stride=stride * shards)
