"""What is published of a model's training, for careful numbers: its tokens, and a few runs as their reports have"
" them."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.board import Facts
from ridgeline.boards.lecture.training.laws import BESIROGLU
from ridgeline.equations import scaling, training
from ridgeline.estimator import parameters

__all__ = ["Run", "active_params", "critical_batch_tokens", "run_of", "trained_tokens"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How a model was trained.

    Attributes:
        batch_tokens: a step, once it had grown to its end.
        stages: of the pipeline.
        micro_batch_tokens: of one micro-batch in all replicas.
    """

    batch_tokens: float
    stages: int
    micro_batch_tokens: float


RUNS = {
    # arXiv 2412.19437, sections 3.2 and 4.2: 2,048 chips in 16 stages are 128 replicas; 15,360 sequences of 4,096.
    "deepseek-v3": Run(batch_tokens=15_360 * 4096, stages=16, micro_batch_tokens=128 * 4096),
    # arXiv 2407.21783, table 4: 16,384 chips, 8 to a tensor and 16 stages, are 128 replicas; 16 million tokens.
    "llama-3.1-405b": Run(batch_tokens=2048 * 8192, stages=16, micro_batch_tokens=128 * 8192),
}
"""One sequence a micro-batch and replica; by model."""


def run_of(facts: Facts) -> Run | None:
    """None where no report tells it."""
    return RUNS.get(facts.model.id)


def active_params(facts: Facts) -> float:
    """That a token touches, the embedding among them: the fits of loss count it."""
    return float(parameters.active_params(facts.model))


def trained_tokens(facts: Facts) -> float | None:
    """That it was pre-trained on; None where that is not published."""
    return facts.model.trained_tokens


def critical_batch_tokens(facts: Facts) -> float | None:
    """By the loss that its parameters and tokens come to; None where the tokens are not published."""
    tokens = trained_tokens(facts)
    if tokens is None:
        return None
    loss = scaling.model_loss(params=active_params(facts), tokens=tokens, law=BESIROGLU.law)
    return float(training.critical_batch_tokens(loss=loss))
