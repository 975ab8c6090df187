"""The board's plots for a plan: its layout's estimate over all batches that fit, with the planned one marked."""

from __future__ import annotations

import dataclasses

from ridgeline.estimator.curves import BatchCurves, Planned, batch_curves
from ridgeline.planner.outcome import Plan, Planning
from ridgeline.serving.pool import most_sequences
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["plan_curves"]


def plan_curves(deployment: Deployment, workload: Workload, found: Planning, chosen: Plan) -> BatchCurves:
    """Curves of one plan, with its decode step marked.

    Args:
        deployment: deployment that was planned for, in the plan's formats; its layout is replaced by the plan's.
        workload: workload that it serves.
        found: result of the search.
        chosen: plan in ``found`` to draw.
    """
    planned = dataclasses.replace(deployment, layout=chosen.layout, correction=chosen.correction)
    return batch_curves(
        planned,
        workload.decode_step(max(chosen.decode_batch, 1.0)),
        most_sequences=most_sequences(planned, workload),
        held_tokens=workload.ending_tokens,
        usd_per_chip_s=found.usd_per_chip_s,
        price_label=found.price_label,
        steps_per_output_token=workload.steps_per_output_token,
        planned=Planned(
            batch=float(chosen.batch),
            step_s=chosen.decode_step_s,
            tpot_s=chosen.tpot_s,
            usd_per_output_token=chosen.usd_per_output_token,
        ),
    )
