"""Training frameworks: fitted numbers (``trainers.toml``), and how their runs are set up (``trainer_runs.toml``)."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from pathlib import Path
from typing import Any

from ridgeline.catalog.facts import CATALOG, CatalogError, FactFile, read_toml
from ridgeline.catalog.fitted_numbers import FittedFile, Uncertainty
from ridgeline.catalog.harnesses import Stated
from ridgeline.specs.trainer import IDEAL_TRAINER, Trainer
from ridgeline.specs.training_defaults import TrainingDefaults

__all__ = [
    "TRAINERS",
    "TRAINER_RUNS",
    "TrainerBands",
    "default_trainer",
    "load_trainer",
    "run_defaults",
    "trainer_bands",
    "trainer_ids",
]

TRAINERS = CATALOG / "trainers.toml"
RUNS = CATALOG / "trainer_runs.toml"

TRAINER_RUNS = {"megatron": "nemo", "torchtitan": "torchtitan", "maxtext": "maxtext", "llm-foundry": "llm-foundry"}
"""Whose runs of a framework are set up as runs usually are, by the names of ``trainer_runs.toml``."""


class TrainerBands(FactFile):
    """Logarithms that 80 % of measurements lie within, either side of a prediction.

    Attributes:
        step_dense: of the time of a step of a dense model.
        step_routed: of one with routed experts.
        memory_dense: of the memory of a dense model's chip.
        memory_routed: of one with routed experts.
        by: what they were found on.
    """

    step_dense: float
    step_routed: float
    memory_dense: float
    memory_routed: float
    by: str


class _TrainerFile(FittedFile):
    """The file: numbers that all frameworks share, and each one's own."""

    status: str
    shared: dict[str, Any]
    trainers: dict[str, dict[str, Any]]
    bands: TrainerBands


class _RunFacts(FactFile):
    trainer: Stated[str] | None = None
    zero_stage: Stated[int] | None = None
    hides: Stated[tuple[str, ...]] | None = None
    gradients: Stated[str] | None = None
    scaling: Stated[str] | None = None
    routing: Stated[str] | None = None
    fuses_attention: Stated[bool] | None = None
    fuses_loss: Stated[bool] | None = None
    dropout: Stated[bool] | None = None
    sequence_parallel: Stated[bool] | None = None
    selective: Stated[tuple[str, ...]] | None = None


class _RunFile(FactFile):
    runs: dict[str, _RunFacts]


@lru_cache(maxsize=4)
def _file(path: Path = TRAINERS) -> _TrainerFile:
    return read_toml(path, _TrainerFile)


def trainer_ids() -> tuple[str, ...]:
    """Frameworks that the catalog has."""
    return tuple(_file().trainers)


def trainer_bands() -> TrainerBands:
    """How far measurements lie from predictions."""
    return _file().bands


def trainer_uncertainty() -> dict[str, Uncertainty]:
    """How sure the numbers are, by where they stand."""
    return _file().uncertainty


@lru_cache(maxsize=16)
def load_trainer(name: str) -> Trainer:
    """A framework by its id; ``ideal`` takes no time besides kernels and messages.

    Raises:
        CatalogError: there is none; says which there are.
    """
    if name == IDEAL_TRAINER.name:
        return IDEAL_TRAINER
    file = _file()
    if name not in file.trainers:
        known = ", ".join((*file.trainers, IDEAL_TRAINER.name))
        raise CatalogError(f"training framework {name!r} is not in the catalog; known: {known}")
    return dataclasses.replace(IDEAL_TRAINER, name=name, status=file.status, **{**file.shared, **file.trainers[name]})


def default_trainer(family: str) -> str:
    """The framework that is taken for a family of chips where none is named."""
    return "maxtext" if family == "tpu" else "megatron"


@lru_cache(maxsize=1024)
def run_defaults(run: str) -> TrainingDefaults | None:
    """How a run is set up where it does not say so, by what it calls its framework; None of one that is not known.

    >>> run_defaults("nemo-26.06").trainer, run_defaults("megatron-lm-2022").fuses_attention
    ('megatron', False)
    """
    stated: dict[str, Any] = {}
    for name, facts in sorted(read_toml(RUNS, _RunFile).runs.items(), key=lambda one: len(one[0])):
        if run.startswith(name):
            stated |= {field: fact.value for field, fact in facts.given().items()}
    return TrainingDefaults(**stated) if stated else None
