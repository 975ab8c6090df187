"""The best plan that an engine can be told, as its launch line or manifest."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.engine_support import engine_faults, format_faults
from ridgeline.hand_over import dynamo, sglang, tensorrt_llm, vllm
from ridgeline.hand_over.launch import Launch
from ridgeline.hand_over.replica import CannotHandOverError, Replica
from ridgeline.planner.outcome import Plan, Planning
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["TARGETS", "hand_over", "replica_of"]

TARGETS: Mapping[str, Callable[[Replica], Launch]] = {
    vllm.NAME: vllm.launch,
    sglang.NAME: sglang.launch,
    tensorrt_llm.NAME: tensorrt_llm.launch,
    dynamo.NAME: dynamo.launch,
}
"""What a plan can be handed to."""


def hand_over(
    deployment: Deployment,
    workload: Workload,
    found: Planning,
    to: str,
    *,
    checkpoint: str | None = None,
    top: int = 5,
) -> Launch:
    """The launch of the best plan that can be written for an engine; better ones that cannot are in its notes.

    Args:
        deployment: what was planned.
        workload: what it was planned for.
        found: the plans, best first.
        to: one of ``TARGETS``.
        checkpoint: what is loaded, in the plan's formats; left out, the model's own.
        top: plans that are tried.

    Raises:
        CannotHandOverError: the plans are of another engine, or none of them can be written; says why of the best.
    """
    if to not in TARGETS:
        raise CannotHandOverError(f"plans are handed to {', '.join(TARGETS)}, not to {to!r}")
    _require_same_engine(deployment, to)
    refused: list[tuple[Plan, CannotHandOverError]] = []
    for place, plan in enumerate(found.plans[:top], start=1):
        try:
            made = TARGETS[to](replica_of(deployment, workload, plan, checkpoint))
        except CannotHandOverError as error:
            refused.append((plan, error))
            continue
        passed = tuple(
            f"plan {rank} ({one.layout}) is passed over: {why}" for rank, (one, why) in enumerate(refused, 1)
        )
        return dataclasses.replace(made, plan=place, notes=(*passed, *_replicas(made), *made.notes))
    raise CannotHandOverError(_none(to, refused))


def _none(to: str, refused: Sequence[tuple[Plan, CannotHandOverError]]) -> str:
    """Why no plan can be written."""
    if not refused:
        return f"no plan to hand to {to}: no layout serves this"
    (best, why), *others = refused
    also = f"; so it is with the {len(others)} plans after it (--top tries more)" if others else ""
    return f"the best plan ({best.layout}) cannot be handed to {to}: {why}{also}"


def _require_same_engine(deployment: Deployment, to: str) -> None:
    """Refuse to hand numbers of one engine to another.

    Raises:
        CannotHandOverError: they are not of this engine; says how to plan with it.
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
    """One replica of a plan, as an engine is asked for it.

    Args:
        deployment: what was planned.
        workload: what it was planned for.
        plan: one of those found.
        checkpoint: what is loaded, in the plan's formats; left out, the model's own.

    Raises:
        CannotHandOverError: the engine is known not to run it, or there is nothing known to load.
    """
    planned = dataclasses.replace(deployment, layout=plan.layout, speculation=plan.speculation)
    if plan.weights is not None:
        formats = deploy(deployment.model, deployment.machine, weights=plan.weights, kv=deployment.precision.kv.name)
        planned = dataclasses.replace(planned, precision=formats.precision)
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
        batch=plan.batch,
        replicas=plan.replicas,
        prompt_tokens=workload.prompt_tokens,
        context_tokens=workload.longest_tokens,
        kv_capacity_tokens=plan.kv_capacity_tokens,
        is_memory_raised=plan.is_memory_raised,
    )


def _replicas(made: Launch) -> tuple[str, ...]:
    """How many to start, where the words do not say it."""
    if made.replicas == 1 or made.engine == dynamo.NAME:
        return ()
    return (
        f"one of {made.replicas} replicas: start as many, each on chips of its own, with a load balancer before them",
    )
