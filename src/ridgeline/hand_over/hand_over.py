"""Launch line or manifest of the best plan that an engine can run."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.engine_support import engine_faults, format_faults
from ridgeline.estimator.memory import kv_capacity_tokens
from ridgeline.hand_over import dynamo, sglang, tensorrt_llm, vllm
from ridgeline.hand_over.launch import Launch
from ridgeline.hand_over.replica import CannotHandOverError, Replica
from ridgeline.planner.outcome import Plan, Planning
from ridgeline.planner.two_pools.outcome import Part, TwoPoolPlan, TwoPools
from ridgeline.serving.admission import pool_memory
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["TARGETS", "hand_over", "hand_over_two", "replica_of"]

TARGETS: Mapping[str, Callable[[Replica], Launch]] = {
    vllm.NAME: vllm.launch,
    sglang.NAME: sglang.launch,
    tensorrt_llm.NAME: tensorrt_llm.launch,
    dynamo.NAME: dynamo.launch,
}
"""Engines and orchestrators that a plan can be handed to."""


def hand_over(
    deployment: Deployment,
    workload: Workload,
    found: Planning,
    to: str,
    *,
    checkpoint: str | None = None,
    top: int = 5,
) -> Launch:
    """Launch of the best plan that can be written for an engine; better ones that cannot are in its notes.

    Args:
        deployment: deployment that was planned.
        workload: workload that it was planned for.
        found: result of the search, best plans first.
        to: one of ``TARGETS``.
        checkpoint: checkpoint that is loaded, in the plan's formats; left out, the model's own.
        top: number of plans that are tried.

    Raises:
        CannotHandOverError: the plans are for another engine, or none can be written; the message says why.
    """
    if to not in TARGETS:
        raise CannotHandOverError(f"plans are handed to {', '.join(TARGETS)}, not to {to!r}")
    _require_same_engine(deployment, to)

    def made(plan: Plan) -> Launch:
        return TARGETS[to](replica_of(deployment, workload, plan, checkpoint))

    return _first(to, [(str(one.layout), partial(made, one)) for one in found.plans[:top]])


def hand_over_two(
    workload: Workload, found: TwoPools, to: str, *, checkpoint: str | None = None, top: int = 5
) -> Launch:
    """Manifest of the best two pools that can be written; better ones that cannot are in its notes.

    Args:
        workload: workload that they were planned for.
        found: result of the search, best plans first.
        to: name of the orchestrator that starts both pools: dynamo.
        checkpoint: checkpoint that is loaded, in the plan's formats; left out, the model's own.
        top: number of plans that are tried.

    Raises:
        CannotHandOverError: it starts no two pools, they are of other engines or of two machines, or none can be
            written; says why of the best.
    """
    if to != dynamo.NAME:
        raise CannotHandOverError(f"two pools are handed to {dynamo.NAME}, which starts both, not to {to}")

    def made(plan: TwoPoolPlan) -> Launch:
        parts = plan.prefill, plan.decode
        for one in parts:
            _require_same_engine(one.deployment, to)
        if len({one.deployment.machine.id for one in parts}) > 1:
            raise CannotHandOverError("a manifest is for nodes of one kind; plan both pools on one machine")
        return dynamo.of_pools(tuple(_pool_of(workload, plan, role, checkpoint) for role in ("prefill", "decode")))

    names = [(f"{one.prefill.deployment.layout} and {one.decode.deployment.layout}", one) for one in found.plans[:top]]
    return _first(to, [(name, partial(made, one)) for name, one in names])


def _pool_of(workload: Workload, plan: TwoPoolPlan, role: str, checkpoint: str | None) -> Replica:
    """A replica of one of two pools."""
    part: Part = getattr(plan, role)
    memory = pool_memory(part.deployment, workload, math.ceil(part.batch / part.deployment.layout.dp))
    room = kv_capacity_tokens(part.deployment, memory, held_tokens=workload.longest_tokens)
    return _replica(
        part.deployment,
        workload,
        checkpoint,
        batch=part.batch,
        most_at_once=part.most_at_once,
        replicas=part.replicas,
        kv_capacity_tokens=room,
        is_memory_raised=float(memory.raised_bytes) > 0,
        role=role,
    )


def _first(to: str, plans: Sequence[tuple[str, Callable[[], Launch]]]) -> Launch:
    """First of the plans that can be written."""
    refused: list[tuple[str, CannotHandOverError]] = []
    for place, (name, launch) in enumerate(plans, start=1):
        try:
            made = launch()
        except CannotHandOverError as error:
            refused.append((name, error))
            continue
        passed = tuple(f"plan {rank} ({one}) is passed over: {why}" for rank, (one, why) in enumerate(refused, 1))
        return dataclasses.replace(made, plan=place, notes=(*passed, *_replicas(made), *made.notes))
    raise CannotHandOverError(_none(to, refused))


def _none(to: str, refused: Sequence[tuple[str, CannotHandOverError]]) -> str:
    """Message on why no plan can be written."""
    if not refused:
        return f"no plan to hand to {to}: no layout serves this"
    (best, why), *others = refused
    also = f"; so it is with the {len(others)} plans after it (--top tries more)" if others else ""
    return f"the best plan ({best}) cannot be handed to {to}: {why}{also}"


def _require_same_engine(deployment: Deployment, to: str) -> None:
    """Refuse to hand a plan for one engine to another.

    Raises:
        CannotHandOverError: the plans are for another engine; the message says how to plan with this one.
    """
    engine, runs = deployment.engine.name, tuple(dynamo.ENGINES)
    if to == engine or (to == dynamo.NAME and engine in runs):
        return
    asked = to if to in runs else f"{runs[0]}, {' or '.join(runs[1:])}"
    raise CannotHandOverError(
        f"the plan is of engine {engine} at fidelity {deployment.fidelity.name}, whose batches and memory are not"
        f" those of {to}; plan with --engine {asked} and --fidelity measured"
    )


def replica_of(deployment: Deployment, workload: Workload, plan: Plan, checkpoint: str | None = None) -> Replica:
    """One replica of a plan, as it is requested of an engine.

    Args:
        deployment: deployment that was planned.
        workload: workload that it was planned for.
        plan: plan among those found.
        checkpoint: checkpoint that is loaded, in the plan's formats; left out, the model's own.

    Raises:
        CannotHandOverError: the engine does not support the plan, or no checkpoint is known.
    """
    planned = dataclasses.replace(deployment, layout=plan.layout, speculation=plan.speculation)
    if plan.weights is not None:
        formats = deploy(deployment.model, deployment.machine, weights=plan.weights, kv=deployment.precision.kv.name)
        planned = dataclasses.replace(planned, precision=formats.precision)
    return _replica(
        planned,
        workload,
        checkpoint,
        batch=plan.batch,
        most_at_once=plan.most_at_once,
        replicas=plan.replicas,
        kv_capacity_tokens=plan.kv_capacity_tokens,
        is_memory_raised=plan.is_memory_raised,
    )


def _replica(
    planned: Deployment,
    workload: Workload,
    checkpoint: str | None,
    *,
    batch: int,
    most_at_once: int,
    replicas: int,
    kv_capacity_tokens: int | None,
    is_memory_raised: bool,
    role: str = "",
) -> Replica:
    """A replica of a deployment that its engine supports, with a known checkpoint."""
    if faults := (*engine_faults(planned), *format_faults(planned.engine, planned.machine, planned.precision)):
        raise CannotHandOverError(f"{'; '.join(faults)}; plan with another --engine, machine or format")
    loaded = checkpoint or planned.model.checkpoint
    if loaded is None:
        raise CannotHandOverError(
            f"no checkpoint of {planned.model.name} is known; name what is to be loaded:"
            " --checkpoint ORG/NAME or a folder"
        )
    return Replica(
        deployment=planned,
        checkpoint=loaded,
        is_own_checkpoint=checkpoint is not None,
        batch=batch,
        most_at_once=most_at_once,
        replicas=replicas,
        prompt_tokens=int(workload.longest_prompt_tokens),
        context_tokens=int(workload.longest_tokens),
        kv_capacity_tokens=kv_capacity_tokens,
        is_memory_raised=is_memory_raised,
        role=role,
    )


def _replicas(made: Launch) -> tuple[str, ...]:
    """Note on how many replicas to start, where the command does not say it."""
    if made.replicas == 1 or made.engine == dynamo.NAME:
        return ()
    return (
        f"one of {made.replicas:,} replicas: start as many, each on chips of its own, with a load balancer before them",
    )
