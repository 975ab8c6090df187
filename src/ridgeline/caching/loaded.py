"""One replica at its cheapest load, without a cache and with one: the cost of reading a context, and the waits."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from ridgeline.equations import caching
from ridgeline.errors import UnservedError
from ridgeline.estimator.notes import STAGES_UNMEASURED
from ridgeline.numeric import bracket
from ridgeline.planner.compare import unserved
from ridgeline.planner.plan import plan
from ridgeline.serving.admission import room
from ridgeline.serving.load import closed_loop, idle_first_token_s
from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import pool_curves, sequence_grid
from ridgeline.serving.rules import rules_of
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

__all__ = ["MOST_OF_A_CONTEXT", "LoadedMachine", "WithHits", "like_whole_hits", "loaded_machine", "with_hits"]

MOST_OF_A_CONTEXT = 0.999
"""Largest part of a context that a hit saves: its last block is always computed."""

HALVINGS = 10
"""Bisections for a part of a context, to a thousandth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedMachine:
    """One replica that recomputes every context, at the batch that costs least.

    Attributes:
        deployment: model and machine in the replica's layout.
        batch: requests in flight.
        requests_per_s: finished requests per second.
        chip_s: chip-seconds of prefilling one context.
        prefill_s: time to prefill one context, decode steps of other requests in between, s.
        wait_s: mean queueing time before that, s.
        idle_prefill_s: time to prefill one context where no other request is under way, s.
        kv_capacity_tokens: tokens of KV cache that it has room for; None where none is stored.
        notes: assumptions and omissions of the plan.
    """

    deployment: Deployment
    batch: int
    requests_per_s: float
    chip_s: float
    prefill_s: float
    wait_s: float
    idle_prefill_s: float
    kv_capacity_tokens: int | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WithHits:
    """A replica where part of the requests finds its context, in whichever tier.

    Attributes:
        found_fraction: fraction of the requests that find it.
        requests_per_s: finished requests per second, where neither reading nor writing of a tier limits them.
        last_pass_s: time of the pass over the last token of a found context, until the first new one, s.
        wait_s: mean queueing time before that, s.
        idle_pass_s: time of that pass where no other request is under way, s.
    """

    found_fraction: float
    requests_per_s: float
    last_pass_s: float
    wait_s: float
    idle_pass_s: float


def loaded_machine(
    deployment: Deployment, workload: Workload, *, layout: Layout | None, chips: int | None, usd_per_chip_s: float
) -> LoadedMachine:
    """The cheapest way to serve the contexts, or that of a given layout.

    Args:
        deployment: model and machine; its layout is ignored.
        workload: context and output of a request.
        layout: layout of a replica; None for the cheapest of all.
        chips: budget over which layouts are searched; None for one scale-up domain.
        usd_per_chip_s: price of a chip, $/s.

    Raises:
        RidgelineError: no layout, or not the given one, holds such a context.
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
        reason = unserved(found) if found.why_not is None else found.why_not.reason
        other = "more --chips" if layout is None else "another --layout"
        raise UnservedError(
            f"{deployment.model.name} does not serve contexts of {workload.prompt_tokens:,.0f} tokens there:"
            f" {reason}; take {other}, a shorter --context, or --kv fp8"
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
        idle_prefill_s=_first_token(served, workload, 1.0)[0],
        kv_capacity_tokens=best.kv_capacity_tokens,
        notes=tuple(one for one in found.notes if one != STAGES_UNMEASURED or best.layout.pp > 1),
    )


def with_hits(loaded: LoadedMachine, workload: Workload, *, found_fraction: float) -> WithHits:
    """Load of a replica where this part of the requests finds all but the end of its context, and the others nothing.

    Args:
        loaded: replica without a cache.
        workload: context and output of a request.
        found_fraction: fraction of the requests that find their context.
    """
    deployment = loaded.deployment
    all_found = dataclasses.replace(workload, hit_fraction=MOST_OF_A_CONTEXT)
    batch, rate = _most_requests(deployment, all_found)
    last_pass_s, wait_s = _first_token(deployment, all_found, batch)
    return WithHits(
        found_fraction=found_fraction,
        requests_per_s=float(
            caching.mixed_per_s(without_per_s=loaded.requests_per_s, with_per_s=rate, found_fraction=found_fraction)
        ),
        last_pass_s=last_pass_s,
        wait_s=(1 - found_fraction) * loaded.wait_s + found_fraction * wait_s,
        idle_pass_s=_first_token(deployment, all_found, 1.0)[0],
    )


def like_whole_hits(deployment: Deployment, workload: Workload, *, found_fraction: float) -> Workload:
    """Workload with a partial hit for every context, with the prefill time of whole hits for some of them.

    The end of a context attends to everything before it and takes longer than its beginning: finding a third of each
    saves less than finding one in three.

    Args:
        deployment: deployment that prefills.
        workload: context and output of a request.
        found_fraction: fraction of the contexts that are found whole.
    """

    def prefill_s(part: float) -> float:
        found = dataclasses.replace(workload, hit_fraction=part * MOST_OF_A_CONTEXT)
        return float(pool_times([deployment], found, 1.0).alone_s[0])

    wanted_s = (1 - found_fraction) * prefill_s(0.0) + found_fraction * prefill_s(1.0)
    _, part = bracket(lambda part: prefill_s(part) <= wanted_s, 0.0, 1.0, halvings=HALVINGS)
    return dataclasses.replace(workload, hit_fraction=part * MOST_OF_A_CONTEXT)


def _most_requests(deployment: Deployment, workload: Workload) -> tuple[float, float]:
    """Batch at which one replica finishes most requests, and their number per second."""
    grid = sequence_grid(max(int(room(deployment, workload)), 1))
    (curve,) = pool_curves(pool_times([deployment], workload, float(grid[-1])), [deployment], workload, [grid])
    best = int(np.argmax(curve.requests_per_s))
    return float(curve.batch[best]), float(curve.requests_per_s[best])


def _first_token(deployment: Deployment, workload: Workload, batch: float) -> tuple[float, float]:
    """Time of a lone context's passes among ``batch`` requests, and the mean wait before them, s."""
    times = pool_times([deployment], workload, max(batch / deployment.layout.dp, 1.0))
    rules = rules_of(deployment.engine, equal_lengths=False, is_benchmark=False)
    users = np.array([float(batch)])
    found = closed_loop(times, rules, users, burst_share=0.0)
    idle_s = idle_first_token_s(rules, groups=times.groups, latency_s=times.latency_s, step_s=found.step_s, users=users)
    return float(idle_s[0]), max(float(found.ttft_s[0] - idle_s[0]), 0.0)
