"""Jobs that tests share."""

from __future__ import annotations

from typing import Any

from ridgeline.catalog import load_machine, load_model
from ridgeline.specs.trainer import IDEAL_TRAINER
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.recipe import Recipe

__all__ = ["job"]


def job(
    model: str = "llama-3.1-8b",
    layout: str = "dp8",
    machine: str = "h100-sxm",
    *,
    batch: int = 64,
    sequence_tokens: int = 4096,
    schedule: Any = None,  # noqa: ANN401  a schedule
    trainer: Any = IDEAL_TRAINER,  # noqa: ANN401  a framework
    **recipe: Any,  # noqa: ANN401  of the recipe
) -> TrainingJob:
    """A step of a catalog model."""
    return TrainingJob(
        model=load_model(model),
        machine=load_machine(machine),
        layout=TrainingLayout.from_text(layout),
        recipe=Recipe(**recipe),
        trainer=trainer,
        sequence_tokens=sequence_tokens,
        batch=batch,
        schedule=schedule,
    )
