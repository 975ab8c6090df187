"""A training plan on half of its chips: whether the batch is so small that more chips make a token dearer."""

from __future__ import annotations

import dataclasses

from ridgeline.specs.layout import LayoutError
from ridgeline.training.plan import TrainingPlan

__all__ = ["half_the_chips"]


def half_the_chips(plan: TrainingPlan) -> TrainingPlan | None:
    """The plan with half of its replicas and the same batch; None where that does not divide, or does not fit."""
    layout = plan.job.layout
    if layout.replicas % 2:
        return None
    shards = layout.shards if layout.shards is None or layout.shards <= layout.replicas // 2 else None
    try:
        half = dataclasses.replace(layout, replicas=layout.replicas // 2, shards=shards)
        job = dataclasses.replace(plan.job, layout=half)
    except LayoutError:
        return None
    found = dataclasses.replace(plan, job=job, table=None)
    return found if found.is_placed and found.fits else None
