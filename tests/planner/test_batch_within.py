"""The largest batch of a layout whose first tokens keep to a limit with all of it under way."""

from __future__ import annotations

import dataclasses
import math

from ridgeline.planner.batch_within import largest_batch_within
from ridgeline.planner.plan import plan
from ridgeline.specs.demand import Demand
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy

WORKLOAD = Workload(prompt_tokens=1000, output_tokens=100)


def test_a_layout_of_groups_is_tried_from_one_sequence_a_group() -> None:
    deployment = deploy("deepseek-v3", "h200-sxm")
    found = plan(deployment, WORKLOAD, demand=Demand(batch=64), is_brief=True)
    best = next(one for one in found.plans if one.layout.dp > 1)
    few = dataclasses.replace(best, batch=1)
    assert largest_batch_within(deployment, WORKLOAD, few, math.inf) == best.layout.dp
    assert largest_batch_within(deployment, WORKLOAD, few, best.ttft_low_s / 2) is None
    assert largest_batch_within(deployment, WORKLOAD, best, math.inf) == best.batch
