"""A machine that serves contexts without a cache: what reading one again takes of it, and for how long it is waited."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.planner.plan import plan
from ridgeline.serving.load import closed_loop, idle_first_token_s, rules_of
from ridgeline.serving.passes import pool_times
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

__all__ = ["LoadedMachine", "loaded_machine"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedMachine:
    """One replica with as many requests under way as serve them at the least cost, all of which are read anew.

    Attributes:
        deployment: of the replica.
        batch: requests under way on it.
        requests_per_s: that it finishes.
        chip_s: chip-seconds of reading one context.
        prefill_s: time from the first pass over a context to its first token, with others' steps between.
        wait_s: mean time before that.
        kv_capacity_tokens: for whose keys and values it has room; None where none are kept.
        notes: departures and omissions of the plan.
    """

    deployment: Deployment
    batch: int
    requests_per_s: float
    chip_s: float
    prefill_s: float
    wait_s: float
    kv_capacity_tokens: int | None
    notes: tuple[str, ...]


def loaded_machine(
    deployment: Deployment, workload: Workload, *, layout: Layout | None, chips: int | None, usd_per_chip_s: float
) -> LoadedMachine:
    """The cheapest way to serve the contexts, or that of a layout.

    Args:
        deployment: of model and machine; its layout is not looked at.
        workload: a context and its answer.
        layout: the one to take; None for the cheapest of all.
        chips: budget, over which layouts are sought; None for one scale-up domain.
        usd_per_chip_s: price of a chip.

    Raises:
        RidgelineError: nothing, or not that layout, holds such a context.
    """
    found = plan(
        deployment,
        workload,
        chips=chips if layout is None or chips is not None else max(layout.chips, deployment.machine.scale_up_chips),
        usd_per_chip_s=usd_per_chip_s,
        why_not=layout,
    )
    best = found.plans[0] if found.plans else None
    if layout is not None:
        best = None if found.why_not is None else found.why_not.plan
    if best is None or best.usd_per_input_token is None:
        reasons = [found.why_not.reason] if found.why_not is not None else [one.reason for one in found.rejected[:1]]
        raise RidgelineError(
            f"{deployment.model.name} does not serve contexts of {workload.prompt_tokens:,.0f} tokens there:"
            f" {'; '.join(reasons) or 'no layout does'}; take more --chips, a shorter --context, or --kv fp8"
        )
    served = dataclasses.replace(deployment, layout=best.layout)
    prefill_s, wait_s = _first_token(served, workload, best.batch)
    return LoadedMachine(
        deployment=served,
        batch=best.batch,
        requests_per_s=best.requests_per_s / best.replicas,
        chip_s=best.usd_per_input_token * workload.prompt_tokens / usd_per_chip_s,
        prefill_s=prefill_s,
        wait_s=wait_s,
        kv_capacity_tokens=best.kv_capacity_tokens,
        notes=tuple(found.notes),
    )


def _first_token(deployment: Deployment, workload: Workload, batch: float) -> tuple[float, float]:
    """Time of a lone context's passes among so many requests, and the mean wait before them, s."""
    times = pool_times([deployment], workload, max(batch / deployment.layout.dp, 1.0))
    rules = rules_of(deployment.engine, equal_lengths=False, is_benchmark=False)
    users = np.array([float(batch)])
    found = closed_loop(times, rules, users, burst_share=0.0)
    idle_s = idle_first_token_s(rules, groups=times.groups, latency_s=times.latency_s, step_s=found.step_s, users=users)
    return float(idle_s[0]), max(float(found.ttft_s[0] - idle_s[0]), 0.0)
