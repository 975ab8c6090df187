"""Training frameworks of the catalog, and how their runs are set up."""

from __future__ import annotations

import math

import pytest

from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.trainers import (
    TRAINER_RUNS,
    default_trainer,
    load_trainer,
    run_defaults,
    trainer_bands,
    trainer_ids,
    trainer_uncertainty,
)


@pytest.mark.parametrize("name", trainer_ids())
def test_numbers_of_frameworks_are_ones_that_can_be(name: str) -> None:
    trainer = load_trainer(name)
    for part in ("hidden_gradients", "hidden_gathers", "hidden_tp", "hidden_dispatch", "captured_host_fraction"):
        assert 0 < getattr(trainer, part) < 1
    for family in ("ampere", "hopper", "blackwell", "tpu", "another"):
        assert 0.3 < trainer.by_family(trainer.products_factor, family) < 3
    assert trainer.measured_chips > 1
    defaults = run_defaults(TRAINER_RUNS[name])
    assert defaults is not None
    assert defaults.trainer == name


def test_an_unknown_framework_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(CatalogError, match="llm-foundry"):
        load_trainer("mine")


def test_the_longest_name_says_most_of_a_run() -> None:
    early, late = run_defaults("megatron-lm-2021"), run_defaults("megatron-lm-core")
    assert early is not None
    assert late is not None
    assert (early.zero_stage, late.zero_stage) == (0, 1)
    assert run_defaults("something else") is None


def test_frameworks_of_chips() -> None:
    assert (default_trainer("tpu"), default_trainer("hopper")) == ("maxtext", "megatron")


def test_bands_and_doubts_are_of_what_was_measured() -> None:
    bands = trainer_bands()
    assert 0 < bands.step_dense < bands.step_routed < math.log(2)
    assert 0 < bands.memory_routed < bands.memory_dense < 0.2
    assert all(one.rows > 0 for one in trainer_uncertainty().values())
