"""The largest batch of a layout whose first tokens keep to a limit with all of it under way."""

from __future__ import annotations

import dataclasses

import numpy as np

from ridgeline.planner.outcome import Plan
from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import benchmark_first_tokens_s
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["largest_batch_within"]


def largest_batch_within(deployment: Deployment, workload: Workload, plan: Plan, ttft_s: float) -> int | None:
    """Largest batch of a plan's layout whose mean first token keeps to a limit.

    It is of as many sequences in each group, and None where not even one sequence a group keeps to the limit. The mean
    is that of a benchmark of as many users, as ``Plan.benchmark_ttft_s`` is.

    Args:
        deployment: deployment that was planned, in the plan's formats; its layout does not matter.
        workload: requests that are served.
        plan: plan whose layout serves, and whose batch is the most that is tried, or one sequence a group.
        ttft_s: limit on the time to the first token, s.
    """
    laid = dataclasses.replace(deployment, layout=plan.layout, correction=plan.correction, speculation=plan.speculation)
    groups = plan.layout.dp
    most = max(plan.batch // groups, 1)
    sequences = np.arange(1, most + 1)
    times = pool_times([laid], workload, most)
    kept = np.flatnonzero(benchmark_first_tokens_s(times, laid, groups * sequences.astype(float)) <= ttft_s)
    return int(groups * sequences[kept[-1]]) if len(kept) else None
