"""What would make a layout fit is near it, fits, and is no other run."""

from __future__ import annotations

from tests.training.jobs import job

from ridgeline.training.nearby import ways_to_fit
from ridgeline.training.plan import TrainingPlan


def test_ways_change_one_thing_and_keep_the_chips() -> None:
    plan = TrainingPlan(job=job("llama-3.1-70b", "tp8,pp2,dp4,vpp2,mb2", batch=64, sequence_tokens=8192))
    ways = ways_to_fit(plan)
    assert not plan.fits
    assert ways
    for way in ways:
        assert way.fits
        assert way.job.layout.chips == plan.job.layout.chips
        same_layout = way.job.layout == plan.job.layout
        assert same_layout == (way.job.recipe.recompute != plan.job.recipe.recompute)
