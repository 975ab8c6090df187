"""A plan says of itself what its parts say."""

from __future__ import annotations

import dataclasses

import pytest
from tests.training.jobs import job

from ridgeline.catalog.trainers import load_trainer, trainer_bands
from ridgeline.training.plan import MEMORY_FRACTION, TrainingPlan


def test_a_plan_fits_in_its_part_of_memory() -> None:
    plan = TrainingPlan(job=job("llama-3.1-70b", "tp8,pp4,dp2", batch=32))
    assert plan.room_bytes == MEMORY_FRACTION * plan.job.machine.chip.hbm_bytes
    assert plan.fits == (plan.memory.total_bytes <= plan.room_bytes)
    assert not dataclasses.replace(plan, memory_fraction=0.1).fits


def test_what_is_exposed_is_messages_alone() -> None:
    assert TrainingPlan(job=job(layout="dp1", batch=8)).exposed_s == 0
    plan = TrainingPlan(job=job("llama-3.1-70b", "tp8,pp4,dp2", batch=32))
    assert 0 < plan.exposed_s < plan.time.step_time_s


@pytest.mark.parametrize(("model", "layout"), [("llama-3.1-8b", "dp8"), ("deepseek-v3", "pp4,dp64,ep64")])
def test_an_interval_is_as_wide_as_measured_steps_lie(model: str, layout: str) -> None:
    plan = TrainingPlan(job=job(model, layout, batch=512, trainer=load_trainer("megatron")))
    low, high = plan.interval_s or (0, 0)
    bands = trainer_bands()
    assert high / low == pytest.approx(
        2.71828182846 ** (2 * (bands.step_dense if "llama" in model else bands.step_routed))
    )
    assert TrainingPlan(job=job(model, layout, batch=512)).interval_s is None
