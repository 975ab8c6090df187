"""Carriers of a request's time in a pool: the fitted numbers behind its decode steps and its prompt."""

from __future__ import annotations

from ridgeline.estimator.carriers import BUBBLES, carriers
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.timed import occupied_causes, timed_operations
from ridgeline.estimator.timing import Cause
from ridgeline.serving.admission import chunks_per_prompt
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.passes import Pass
from ridgeline.specs.provenance import Carrier, heaviest_first
from ridgeline.specs.workload import Workload

__all__ = ["request_carriers"]


def request_carriers(
    deployment: Deployment, workload: Workload, *, batch: int, decode_s: float, prompt_s: float
) -> tuple[Carrier, ...]:
    """Carriers of a request's time, worst first.

    Args:
        deployment: deployment that serves it.
        workload: requests that are served.
        batch: sequences of a decode step, over all groups.
        decode_s: time of a replica for a request's decode steps, s; 0 for a prefill replica.
        prompt_s: time of a replica for its prompt, s; 0 for a decode replica.
    """
    passes = (
        (workload.decode_step(batch, drafted_tokens=deployment.speculation.drafted_tokens), decode_s),
        (workload.prompt_pass(deployment.layout.dp, chunks_per_prompt(deployment, workload)), prompt_s),
    )
    return heaviest_first(
        (one.part, one.source, one.time_fraction * time_s)
        for pass_, time_s in passes
        if time_s
        for one in _carriers_among_others(deployment, pass_)
    )


def _carriers_among_others(deployment: Deployment, pass_: Pass) -> tuple[Carrier, ...]:
    """Carriers of a pass that others follow without end: its pipeline is filled and drained for none of them."""
    operations = timed_operations(deployment, pass_)
    found = carriers(deployment, pass_, operations)
    idle_s = float(occupied_causes(operations, deployment, shares_of(pass_, deployment.layout))[Cause.PIPELINE])
    return heaviest_first((one.part, one.source, idle_s if one.part == BUBBLES else one.time_s) for one in found)
