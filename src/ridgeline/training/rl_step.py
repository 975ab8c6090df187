"""A step of reinforcement learning: samples written by a serving engine, scored, and trained on.

Samples are written together, by as many replicas as the chips hold, until the last has ended. Then the trainer computes
their log-probabilities, by the policy that wrote them and by the reference, and takes its optimizer steps. Where it
trains on samples of earlier policies, both work at once: the engine never runs empty, and the slower side makes the
step. The new weights go to the engine in between. What scores samples, and what a run loses between its stages (memory
handed over, data moved, stragglers), is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.collectives import others_fraction
from ridgeline.equations.rollouts import alive_fraction, decay_for_mean
from ridgeline.errors import RidgelineError
from ridgeline.estimator.parameters import weight_bytes
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.timed import launched_operations, time_step, with_engine
from ridgeline.serving.admission import admitted_sequences
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.passes import decode, prefill
from ridgeline.specs.workload import Workload
from ridgeline.training.job import TrainingJob
from ridgeline.training.step_time import step_time

__all__ = ["LOGPROB_PASSES", "RlStep", "RlTime", "rl_time", "rollout_s"]

Array = NDArray[np.float64]

LOGPROB_PASSES = 2
"""Forward passes over all samples before the optimizer's steps: by the policy, and by the reference that it must stay
near. Source: NeMo RL, guide to GRPO."""

KNOTS = 96
"""Lengths at which decode steps are timed; in between their times are straight lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RlStep:
    """A step.

    Attributes:
        generation: a replica that writes samples, with its engine.
        generation_chips: of all such replicas.
        job: that trains on the samples, in sequences that are packed full; its batch is all of them.
        samples: of a step.
        prompt_tokens: of a sample.
        output_tokens: that it writes, on the mean.
        longest_tokens: that it may write.
        off_policy_steps: by how many steps the policy that wrote a sample may be older than the one that is trained; 0
            where both sides wait for each other.
        logprob_passes: forward passes over all samples before they are trained on.
        optimizer_steps: in which all samples are trained on once.
    """

    generation: Deployment
    generation_chips: int
    job: TrainingJob
    samples: int
    prompt_tokens: float
    output_tokens: float
    longest_tokens: float
    off_policy_steps: int = 0
    logprob_passes: int = LOGPROB_PASSES
    optimizer_steps: int = 1

    def __post_init__(self) -> None:
        replica = self.generation.layout.chips
        if self.generation_chips % replica:
            raise RidgelineError(
                f"rl step: {self.generation_chips} chips hold no whole number of replicas of {replica}; give a multiple"
            )
        if not 1 <= self.output_tokens < self.longest_tokens:
            raise RidgelineError(
                f"rl step: a mean of {self.output_tokens:g} tokens must be from 1 to below the longest,"
                f" {self.longest_tokens:g}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class RlTime:
    """What a step takes.

    Attributes:
        generation_s: until the last sample has ended; where the engine never runs empty, its time for a step's samples.
        logprobs_s: forward passes over all samples.
        training_s: the optimizer's steps.
        refit_s: new weights on their way to the engine.
        step_s: all of it, or the slower side where both run at once.
    """

    generation_s: float
    logprobs_s: float
    training_s: float
    refit_s: float
    step_s: float


def rl_time(step: RlStep) -> RlTime:
    """How long a step takes.

    Raises:
        RidgelineError: a replica has no room for a sample.
    """
    trained = step_time(step.job)
    generation_s = rollout_s(step)
    forward = sum(stage.times.forward_s for stage in trained.stages) / sum(
        stage.times.all_s for stage in trained.stages
    )
    optimizer_s = trained.parts_s.get("optimizer", 0.0)
    logprobs_s = step.logprob_passes * forward * (trained.step_time_s - optimizer_s)
    training_s = trained.step_time_s + (step.optimizer_steps - 1) * optimizer_s
    refit_s = _refit_s(step)
    sides = generation_s, logprobs_s + training_s
    return RlTime(
        generation_s=generation_s,
        logprobs_s=logprobs_s,
        training_s=training_s,
        refit_s=refit_s,
        step_s=(max(sides) if step.off_policy_steps else sum(sides)) + refit_s,
    )


def rollout_s(step: RlStep) -> float:
    """Time in which the fullest replica writes its samples.

    Until its last one has ended; or, with samples of several steps under way, for its part of one step's.

    Raises:
        RidgelineError: a replica has no room for a sample.
    """
    deployment = step.generation
    replicas = step.generation_chips // deployment.layout.chips
    held = float(np.ceil(step.samples / replicas))
    asked = Workload(prompt_tokens=round(step.prompt_tokens), output_tokens=round(step.output_tokens))
    room = float(admitted_sequences(deployment, asked)) * deployment.layout.dp
    if not room:
        raise RidgelineError(f"rl step: {deployment.model.id} in {deployment.layout} has no room for a sample's cache")
    if step.off_policy_steps:
        return _prompts_s(step, held) + _steady_s(step, held, min(step.off_policy_steps * held, room))
    together = min(held, room)
    decay = float(decay_for_mean(mean_fraction=step.output_tokens / step.longest_tokens))
    lengths = np.linspace(0.0, 1.0, KNOTS)
    alive = np.maximum(together * np.asarray(alive_fraction(length_fraction=lengths, decay=decay)), 1.0)
    steps_s = _step_s(deployment, alive, step.prompt_tokens + lengths * step.longest_tokens)
    # Samples that wait for room take the places of those that end, at the pace of a full replica.
    waiting_s = (held - together) / together * step.output_tokens * float(steps_s[0])
    return _prompts_s(step, held) + waiting_s + float(np.trapezoid(steps_s, lengths * step.longest_tokens))


def _steady_s(step: RlStep, held: float, under_way: float) -> float:
    """Time for so many samples of a replica that always has ``under_way``."""
    context = step.prompt_tokens + step.output_tokens / 2
    (step_s,) = _step_s(step.generation, np.array([under_way]), np.array([context]))
    return held * step.output_tokens * float(step_s) / under_way


def _step_s(deployment: Deployment, sequences: Array, context_tokens: Array) -> Array:
    """Times of decode steps."""
    shares = shares_of(decode(batch=sequences, context_tokens=np.maximum(context_tokens, 1.0)), deployment.layout)
    time_s, _ = time_step(with_engine(launched_operations(deployment, shares), deployment, shares))
    return np.broadcast_to(np.asarray(time_s, dtype=float), sequences.shape)


def _prompts_s(step: RlStep, held: float) -> float:
    """Time to read all prompts of a replica."""
    deployment = step.generation
    shares = shares_of(prefill(batch=held, prompt_tokens=max(round(step.prompt_tokens), 1)), deployment.layout)
    time_s, _ = time_step(with_engine(launched_operations(deployment, shares), deployment, shares))
    return float(np.max(time_s))


def _refit_s(step: RlStep) -> float:
    """Time to give every replica of the engine the new weights: a chip receives its part over its slowest link."""
    deployment = step.generation
    link = deployment.machine.fabric[-1].bytes_per_s
    received = float(weight_bytes(deployment.model, deployment.precision)) / deployment.layout.chips
    return received * float(others_fraction(ranks=max(step.generation_chips, 2))) / link
