"""Training frameworks: fitted numbers (``trainers.toml``), and defaults of their runs (``trainer_runs.toml``)."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from pathlib import Path
from typing import Any

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, CatalogError, FactFile
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
    "trainer_uncertainty",
]

TRAINERS = CATALOG / "trainers.toml"
RUNS = CATALOG / "trainer_runs.toml"

TRAINER_RUNS = {"megatron": "nemo", "torchtitan": "torchtitan", "maxtext": "maxtext", "llm-foundry": "llm-foundry"}
"""Run in ``trainer_runs.toml`` whose settings stand for the usual ones of a framework."""


class TrainerBands(FactFile):
    """Half-widths of 80 % intervals of measurements around predictions, in logarithms.

    Attributes:
        step_dense: half-width for the time of a step of a dense model.
        step_routed: half-width for the time of a step of a model with routed experts.
        memory_dense: half-width for a chip's memory with a dense model.
        memory_routed: half-width for a chip's memory with a model with routed experts.
        by: data behind the half-widths.
    """

    step_dense: float
    step_routed: float
    memory_dense: float
    memory_routed: float
    by: str


class _TrainerFile(FittedFile):
    """Contents of the file: numbers shared by all frameworks, and those of each."""

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
    """Ids of the frameworks in the catalog."""
    return tuple(_file().trainers)


def trainer_bands() -> TrainerBands:
    """Half-widths of measurements around predictions."""
    return _file().bands


def trainer_uncertainty() -> dict[str, Uncertainty]:
    """Uncertainty of the fitted numbers, by path."""
    return _file().uncertainty


@lru_cache(maxsize=16)
def load_trainer(name: str) -> Trainer:
    """A framework by its id; ``ideal`` has no overhead besides kernels and messages.

    Raises:
        CatalogError: the name is unknown; the message lists the known ones.
    """
    if name == IDEAL_TRAINER.name:
        return IDEAL_TRAINER
    file = _file()
    if name not in file.trainers:
        known = ", ".join((*file.trainers, IDEAL_TRAINER.name))
        raise CatalogError(f"training framework {name!r} is not in the catalog; known: {known}")
    return dataclasses.replace(IDEAL_TRAINER, name=name, status=file.status, **{**file.shared, **file.trainers[name]})


def default_trainer(family: str) -> str:
    """Default framework for a family of chips."""
    return "maxtext" if family == "tpu" else "megatron"


@lru_cache(maxsize=1024)
def run_defaults(run: str) -> TrainingDefaults | None:
    """Default settings of a run by its name for its framework; None for an unknown one.

    >>> run_defaults("nemo-26.06").trainer, run_defaults("megatron-lm-2022").fuses_attention
    ('megatron', False)
    """
    stated: dict[str, Any] = {}
    for name, facts in sorted(read_toml(RUNS, _RunFile).runs.items(), key=lambda one: len(one[0])):
        if run.startswith(name):
            stated |= {field: fact.value for field, fact in facts.given().items()}
    return TrainingDefaults(**stated) if stated else None
