"""The fit of training steps finds numbers that steps were made of, and leaves out what it is asked to."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

from ridgeline.calibration.cases import read_cases
from ridgeline.calibration.cases.model_table import read_model_table
from ridgeline.calibration.fit.training_fit import (
    SOFT,
    MeasuredStep,
    _errors,
    fit_training,
    held_out_errors,
    measured_steps,
)
from ridgeline.catalog.trainers import load_trainer
from ridgeline.training.step_time import step_time

FEW = ("train_megatron", "train_simumax")


@pytest.fixture(scope="module")
def steps(evidence: Path) -> list[MeasuredStep]:
    """Measured steps of one framework on two chips."""
    models = read_model_table(evidence / "models.csv")
    cases = [case for name in FEW for case in read_cases(evidence / "open" / f"{name}.csv")]
    return measured_steps(cases, models)


def made(steps: list[MeasuredStep], elementwise_factor: float = 1.5) -> list[MeasuredStep]:
    """The same steps, as long as a framework with that number takes.

    They lose nothing at scale: no two of them differ in their replicas alone, which would tell of that.
    """
    trainer = dataclasses.replace(load_trainer("megatron"), elementwise_factor=elementwise_factor, scale_exponent=0.0)
    return [
        dataclasses.replace(
            step, measured_s=step_time(dataclasses.replace(step.job, trainer=trainer), step.work).step_time_s
        )
        for step in steps
    ]


@pytest.mark.slow
def test_steps_that_were_made_are_found_again(steps: list[MeasuredStep]) -> None:
    """Not each number, since some do the same: half of the steps within 2 %, which is a quarter of ``SOFT``."""
    fitted = fit_training(made(steps, elementwise_factor=2.5))
    again = _errors(made(steps, elementwise_factor=2.5), fitted.trainers)
    assert np.median(np.abs(again)) < SOFT / 4
    assert fitted.trainers["megatron"].elementwise_factor == pytest.approx(2.5, rel=0.15)


@pytest.mark.slow
def test_a_model_on_a_machine_is_scored_by_others(steps: list[MeasuredStep]) -> None:
    """A group that takes twice as long as others say is off by about that where it is left out."""
    group = steps[0].case.deployed
    odd = [
        dataclasses.replace(step, measured_s=2 * step.measured_s) if step.case.deployed == group else step
        for step in made(steps)
    ]
    whole = fit_training(odd)
    errors = held_out_errors(odd, whole)
    own = [error for step, error in zip(odd, errors, strict=True) if step.case.deployed == group]
    assert np.median(own) == pytest.approx(-math.log(2), abs=0.1)


def test_numbers_that_no_step_tells_of_stay_where_they_began(steps: list[MeasuredStep]) -> None:
    fitted = fit_training([step for step in steps if step.case.family == "train_simumax"][:4])
    known = {one.name: one for one in fitted.parameters}
    assert known["shared.deterministic_factor"].rows == 0
    assert known["shared.deterministic_factor"].value == pytest.approx(1.4)
