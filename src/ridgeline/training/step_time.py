"""A training step's time with its framework: stages, pipeline bubble, messages between replicas, the optimizer.

The work of a step (``step_work``) does not depend on the framework; here its numbers turn it into time.
"""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.training.breakdown import Factors, Item, summed, total_s
from ridgeline.training.framework import exposed_s, factors, host_s, lengthening
from ridgeline.training.job import TrainingJob
from ridgeline.training.pipeline import StageParts, pipeline_bubble_s
from ridgeline.training.step_work import LayerWork, StageWork, StepWork, step_work

__all__ = ["StageTime", "StepTime", "step_time"]

RECOMPUTE = "recompute"
LAUNCHES = "waiting for launches"
MICRO_BATCH = "micro-batch overhead"
BUBBLE = "pipeline bubble"
GRADIENT_SUMS = "gradient sums"
WEIGHT_GATHERS = "weight gathers"
OPTIMIZER = "optimizer"
STEP = "step overhead"
SCALE = "loss at scale"
"""Names of the parts of a step beside the items of its layers."""

EXPOSED = frozenset({GRADIENT_SUMS, WEIGHT_GATHERS, *(item.value for item in Item if item.is_message)})
"""Parts that are exposed messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTime:
    """Times of a stage for one micro-batch.

    Attributes:
        times: forward and backward times.
        parts_s: time by item, s.
    """

    times: StageParts
    parts_s: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """Time of a step.

    Attributes:
        step_time_s: time of a whole step, s.
        parts_s: time of the slowest stage by cause, s; adds up to ``step_time_s``.
        pipeline_bubble_fraction: part of the pipeline's time, without the rest of the step, in which the slowest stage
            waits for others, as schedules are published with it; 0 without stages.
        stages: times of one micro-batch on each stage.
    """

    step_time_s: float
    parts_s: dict[str, float]
    pipeline_bubble_fraction: float
    stages: tuple[StageTime, ...]

    @property
    def bubble_fraction(self) -> float:
        """Part of the step in which the slowest stage waits for others; 0 without stages."""
        return self.parts_s.get(BUBBLE, 0.0) / self.step_time_s

    @property
    def exposed_s(self) -> float:
        """Exposed time of messages in the step, s."""
        return sum(time_s for part, time_s in self.parts_s.items() if part in EXPOSED)


def step_time(job: TrainingJob, work: StepWork | None = None) -> StepTime:
    """A step's time with the job's framework.

    Args:
        job: training job whose step is timed.
        work: work of the step, where it is already known.
    """
    work = step_work(job) if work is None else work
    by, trainer, recipe, layout = factors(job), job.trainer, job.recipe, job.layout
    stages = _stage_times(job, work.stages, by)
    slowest = max(stages, key=lambda stage: stage.times.all_s)
    forward_s, all_s = slowest.times.forward_s, slowest.times.all_s
    micro_batches, send_s = job.micro_batches, total_s(work.send, by)
    waits_s = pipeline_bubble_s(
        job.pipeline,
        [stage.times for stage in stages],
        micro_batches=micro_batches,
        virtual_stages=layout.virtual_stages,
    )
    bubble_s = waits_s + 2 * (layout.layout.pp - 1) * send_s
    hidden_sums = trainer.hidden_gradients if recipe.hides_gradients else 0.0
    hidden_gathers = trainer.hidden_gradients if recipe.hides_weights else 0.0
    gathers_s = exposed_s(total_s(work.gathered, by), forward_s, hidden_gathers)
    parts = {name: micro_batches * time_s for name, time_s in slowest.parts_s.items()}
    parts |= {
        BUBBLE: bubble_s,
        Item.SENDS.value: 0.0 if job.hides_sends else 2 * micro_batches * send_s * layout.virtual_stages,
        GRADIENT_SUMS: exposed_s(total_s(work.reduced, by), all_s - forward_s, hidden_sums),
        WEIGHT_GATHERS: parts[WEIGHT_GATHERS] + gathers_s,
        OPTIMIZER: work.optimizer_s,
        STEP: trainer.step_s,
    }
    parts[SCALE] = sum(parts.values()) * (lengthening(job, layout.chips) - 1)
    return StepTime(
        step_time_s=sum(parts.values()),
        parts_s={name: time_s for name, time_s in parts.items() if time_s},
        pipeline_bubble_fraction=bubble_s / (micro_batches * all_s + bubble_s),
        stages=stages,
    )


def _stage_times(job: TrainingJob, stages: tuple[StageWork, ...], by: Factors) -> tuple[StageTime, ...]:
    """Times of each stage; most hold the same layers, and are timed once."""
    # A table of layers returns equal layers as one object, whose identity is compared faster than its hash.
    keys = [tuple((id(work), count) for work, count in stage) for stage in stages]
    alike = dict(zip(keys, stages, strict=True))
    timed = {key: _stage_time(job, stage, by) for key, stage in alike.items()}
    return tuple(timed[key] for key in keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class _LayerTime:
    """Times of a layer, or an end, for one micro-batch, s.

    Attributes:
        forward_s: time of the forward pass, s.
        recomputed_s: time of the recomputed parts, s.
        back_s: time of the input gradients, s.
        weights_s: time of the weight gradients, s.
        forward_wait_s: wait of the forward pass for host launches, s.
        back_wait_s: wait of the backward pass for host launches, s.
        forward_gather_s: wait of the forward pass for gathers of weights from replicas, s.
        back_gather_s: wait of the backward pass for gathers of weights, and for reductions of gradients, s.
    """

    forward_s: float
    recomputed_s: float
    back_s: float
    weights_s: float
    forward_wait_s: float
    back_wait_s: float
    forward_gather_s: float
    back_gather_s: float


def _layer_time(job: TrainingJob, work: LayerWork, by: Factors) -> _LayerTime:
    trainer, recompute = job.trainer, job.recipe.recompute
    forward_s, recomputed_s = total_s(work.forward, by), total_s(work.recomputed, by)
    back_s, weights_s = total_s(work.back, by), total_s(work.weights, by)
    launches_s = host_s(job.recipe, trainer, work.host_experts) if work.is_launched else 0.0
    forward_wait_s = max(launches_s - forward_s, 0.0)
    back_wait_s = max(launches_s * (1 + recompute.is_full) - back_s - weights_s - recomputed_s, 0.0)
    back_window_s = back_s + weights_s + recomputed_s + back_wait_s
    gathered_s, scattered_s = total_s(work.gathered, by), total_s(work.scattered, by)
    return _LayerTime(
        forward_s=forward_s,
        recomputed_s=recomputed_s,
        back_s=back_s,
        weights_s=weights_s,
        forward_wait_s=forward_wait_s,
        back_wait_s=back_wait_s,
        forward_gather_s=exposed_s(gathered_s, forward_s + forward_wait_s, trainer.hidden_gathers),
        back_gather_s=exposed_s(gathered_s + scattered_s, back_window_s, trainer.hidden_gathers),
    )


def _stage_time(job: TrainingJob, stage: StageWork, by: Factors) -> StageTime:
    """Times of one micro-batch on a stage."""
    items: dict[Item, float] = {}
    forward_s = back_s = weights_s = recomputed_s = waits_s = gathers_s = 0.0
    for work, count in stage:
        one = _layer_time(job, work, by)
        forward_s += count * (one.forward_s + one.forward_wait_s + one.forward_gather_s)
        back_s += count * (one.back_s + one.recomputed_s + one.back_wait_s + one.back_gather_s)
        weights_s += count * one.weights_s
        recomputed_s += count * one.recomputed_s
        waits_s += count * (one.forward_wait_s + one.back_wait_s)
        gathers_s += count * (one.forward_gather_s + one.back_gather_s)
        of_layer = summed(work.forward, work.back, work.weights)
        items = summed(items, {item: count * time_s for item, time_s in of_layer.items()})
    parts = {item.value: time_s * by[item] for item, time_s in items.items()}
    parts |= {RECOMPUTE: recomputed_s, LAUNCHES: waits_s, WEIGHT_GATHERS: gathers_s}
    parts[MICRO_BATCH] = job.trainer.micro_batch_s
    # Where in a micro-batch the framework's own time falls is unknown.
    own_s = job.trainer.micro_batch_s / 3
    return StageTime(times=StageParts(forward_s + own_s, back_s + own_s, weights_s + own_s), parts_s=parts)
