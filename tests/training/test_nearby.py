"""What would make a layout fit is near it, fits, and is no other run."""

from __future__ import annotations

import dataclasses

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


def test_ways_lie_evenly_over_racks() -> None:
    """Stages of 3 racks of 72 would meet domains of 64 and of 192 chips, over which twelve do not lie."""
    plan = TrainingPlan(job=job("llama-3.1-70b", "tp8,dp24", "gb200-nvl72", batch=192, sequence_tokens=65_536))
    assert not plan.fits
    doubled = TrainingPlan(job=dataclasses.replace(plan.job, layout=plan.job.layout.doubled("pp")))
    assert not doubled.is_placed
    assert doubled.job.layout not in [way.job.layout for way in ways_to_fit(plan)]
