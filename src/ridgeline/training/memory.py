"""Memory use of a chip in training: weights, gradients, optimizer states, activations, logits.

Source: Rajbhandari et al. 2019, "ZeRO" (arXiv 1910.02054).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ridgeline.training.activations import LayerActivations, joined_bytes, layer_activations
from ridgeline.training.job import TrainingJob
from ridgeline.training.pipeline import micro_batches_kept

__all__ = ["TrainingMemory", "stage_memory", "training_memory"]

LOGIT_BYTES, FUSED_LOGIT_BYTES = 6, 8
"""Bytes of each logit at the peak of the loss: 16 bits of the product's output and 32 for its softmax; a fused kernel
also holds its gradient, in 16 bits.
"""

SOFTMAX_BYTES = 4
"""Bytes of each logit whose loss waits for its backward pass, in 32 bits."""

FRAMEWORK_BYTES = 0.12e9
"""Workspaces and tables of a framework, bytes: those that toy models of Megatron-LM hold beside their states."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingMemory:
    """Peak memory use of the chips of one stage, bytes.

    Attributes:
        weights_bytes: bytes of the weights that products read.
        gradients_bytes: bytes of the gradients accumulated over micro-batches.
        optimizer_bytes: bytes of master weights and moments.
        activations_bytes: bytes of the activations of all micro-batches in flight.
        transient_bytes: bytes that one layer or the loss takes while it runs.
        framework_bytes: bytes that the framework keeps for itself.
    """

    weights_bytes: float
    gradients_bytes: float
    optimizer_bytes: float
    activations_bytes: float
    transient_bytes: float
    framework_bytes: float = 0.0

    @property
    def total_bytes(self) -> float:
        """Sum of all parts."""
        return (
            self.weights_bytes
            + self.gradients_bytes
            + self.optimizer_bytes
            + self.activations_bytes
            + self.transient_bytes
            + self.framework_bytes
        )


def stage_memory(job: TrainingJob, stage: int) -> TrainingMemory:
    """Peak memory use of a chip of one stage."""
    return _stage_memory(job, stage, _activations(job))


def training_memory(job: TrainingJob) -> TrainingMemory:
    """Memory use of the fullest stage's chips, with the mean number of tokens at experts (``expert_visits.py``)."""
    under_way = _under_way(job)
    # Of stages that hold the same, the one with most micro-batches under way is the fullest.
    fullest: dict[tuple[Any, ...], int] = {}
    for stage, held in enumerate(zip(job.stages, job.stage_params, strict=True)):
        known = fullest.setdefault((*held, stage == job.last_stage), stage)
        if under_way[stage] > under_way[known]:
            fullest[*held, stage == job.last_stage] = stage
    activations = _activations(job)
    stages = (_stage_memory(job, stage, activations) for stage in sorted(fullest.values()))
    return max(stages, key=lambda memory: memory.total_bytes)


def _under_way(job: TrainingJob) -> tuple[float, ...]:
    """Micro-batches of each stage whose activations it keeps at its peak."""
    return micro_batches_kept(
        job.pipeline,
        stages=job.layout.layout.pp,
        micro_batches=job.micro_batches,
        virtual_stages=job.layout.virtual_stages,
    )


def _activations(job: TrainingJob) -> tuple[LayerActivations, ...]:
    """Activations of a layer of each group."""
    return tuple(layer_activations(job, group) for group in job.model.groups)


def _stage_memory(job: TrainingJob, stage: int, activations: tuple[LayerActivations, ...]) -> TrainingMemory:
    kept_bytes, transient_bytes = _passing_bytes(job, stage, activations)
    weights_bytes, gradients_bytes, optimizer_bytes = _state_bytes(job, stage)
    return TrainingMemory(
        weights_bytes=weights_bytes,
        gradients_bytes=gradients_bytes,
        optimizer_bytes=optimizer_bytes,
        activations_bytes=kept_bytes,
        transient_bytes=transient_bytes,
        framework_bytes=FRAMEWORK_BYTES,
    )


def _passing_bytes(job: TrainingJob, stage: int, activations: tuple[LayerActivations, ...]) -> tuple[float, float]:
    """Activations that micro-batches in flight keep on a stage, and transient memory of a layer or the loss, bytes."""
    layers = job.stages[stage]
    kept = _under_way(job)[stage] * sum(activations[place].kept_bytes for place in layers)
    transient = max((activations[place].transient_bytes for place in set(layers)), default=0.0)
    if stage == job.last_stage:
        logits = job.rows * job.model.vocab / job.layout.layout.tp
        # Each multi-token-prediction layer keeps the softmax of its logits.
        of_each = activations[job.prediction_place].kept_bytes + joined_bytes(job) + logits * SOFTMAX_BYTES
        kept += job.recipe.predicted_tokens * of_each
        transient = max(transient, logits * (FUSED_LOGIT_BYTES if job.recipe.fuses_loss else LOGIT_BYTES))
    return kept, transient


def _state_bytes(job: TrainingJob, stage: int) -> tuple[float, float, float]:
    """Weights, gradients and optimizer states of a stage, bytes."""
    layout, recipe, held = job.layout, job.recipe, job.stage_params[stage]
    local = job.sharded(held)
    weights, gradients = sum(held) * recipe.weight_bytes, sum(held) * recipe.gradient_bytes
    if layout.spreads_weights:
        # Weights of the running layer are gathered, and the next one's meanwhile.
        biggest = max((sum(job.layer_params[place]) for place in set(job.stages[stage])), default=0.0)
        weights = (local + 2 * biggest) * recipe.weight_bytes
        gradients = (local + biggest) * recipe.gradient_bytes
    elif layout.spreads_gradients:
        gradients = local * recipe.gradient_bytes
    if recipe.trains_adapters:
        gradients = local = 0.0
    return weights, gradients, local * recipe.state_bytes
