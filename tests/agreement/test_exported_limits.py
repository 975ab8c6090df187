"""Launch lines of a load: the most requests at once that they say, played by the simulator, let the plan's limits hold.

A load's batch is a mean. An engine that lets in no more than the mean keeps arrivals above it waiting.
"""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

import ridgeline
from ridgeline.hand_over.hand_over import hand_over, hand_over_two
from ridgeline.planner.plan import plan
from ridgeline.planner.two_pools.search import plan_two_pools
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload
from ridgeline.traces.arrivals import Poisson
from ridgeline.traces.request_lengths import Fixed

WORKLOAD = Workload(prompt_tokens=1000, output_tokens=200, tpot_s=0.02, ttft_s=0.2)
RATE_PER_S = 5.0
LOADS = (Demand(requests_per_s=RATE_PER_S), Demand(users=48))


def limited(layout: str, sequences: str) -> Deployment:
    """The deployment whose engine was started with a flag for the most sequences."""
    engine = ridgeline.load_engine("vllm", options={"max_num_seqs": int(sequences)})
    return ridgeline.deploy("llama-3.1-8b", "h100-sxm", layout, engine=engine)


def within(deployment: Deployment, demand: Demand, replicas: int, pool: ridgeline.PromptReplicas | None = None) -> bool:
    """Whether a load that is played keeps to both limits, as a plan does."""
    source = ridgeline.synthetic(
        requests=1500,
        arrivals=Poisson(RATE_PER_S),
        lengths=Fixed(prompt_tokens=1000, output_tokens=200),
    )
    _, served = ridgeline.simulate(
        deployment, source, users=demand.users, replicas=replicas, prompt_pool=pool, has_bands=False
    )
    first_s = float(np.quantile(served.ttft_s, demand.ttft_quantile))
    return first_s <= (WORKLOAD.ttft_s or 0.0) and float(served.tpot_s.mean()) <= (WORKLOAD.tpot_s or 0.0)


@pytest.mark.parametrize("demand", LOADS, ids=("rate", "users"))
def test_one_pool_that_is_started_as_exported_keeps_to_its_limits(demand: Demand) -> None:
    deployment = ridgeline.deploy("llama-3.1-8b", "h100-sxm", engine="vllm")
    found = plan(deployment, WORKLOAD, demand=demand)
    made = hand_over(deployment, WORKLOAD, found, "vllm")
    most = made.command[made.command.index("--max-num-seqs") + 1]
    assert within(limited(made.layout, most), demand, made.replicas)
    assert any(f"lets in {most} requests at once, all that memory" in note for note in made.notes)
    # The mean batch as the limit, which a load at random is above half of the time, breaks them.
    mean = str(found.plans[made.plan - 1].batch)
    assert demand.users is not None or not within(limited(made.layout, mean), demand, made.replicas)


def test_two_pools_that_are_started_as_exported_keep_to_their_limits() -> None:
    deployment = ridgeline.deploy("llama-3.1-8b", "h100-sxm", engine="vllm")
    found = plan_two_pools([deployment], [deployment], WORKLOAD, demand=LOADS[0])
    made = hand_over_two(WORKLOAD, found, "dynamo")
    best = found.plans[made.plan - 1]
    reads, makes = re.findall(r'"--max-num-seqs"\n +- "(\d+)"', made.manifest or "")
    pool = ridgeline.PromptReplicas(
        deployment=limited(str(best.prefill.deployment.layout), reads), replicas=best.prefill.replicas
    )
    writing, replicas = str(best.decode.deployment.layout), best.decode.replicas
    assert within(limited(writing, makes), LOADS[0], replicas, pool)
    # As many as the mean batch keep others waiting in the decode pool: tokens come as fast, and answers later.
    assert int(makes) > best.batch


def test_a_batch_that_the_plan_chose_is_the_limit() -> None:
    """Without a load the time per token asks for it: every request more would break its limit."""
    deployment = ridgeline.deploy("llama-3.1-8b", "h100-sxm", engine="vllm")
    found = plan(deployment, dataclasses.replace(WORKLOAD, tpot_s=0.01), chips=1)
    made = hand_over(deployment, WORKLOAD, found, "vllm")
    assert made.command[made.command.index("--max-num-seqs") + 1] == str(found.plans[0].batch)
