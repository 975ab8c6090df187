"""Candidates, and rejections of others: they do not divide, are not supported, or do not fit."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import NamedTuple

from ridgeline.errors import RidgelineError
from ridgeline.estimator.drafting import deployment_faults
from ridgeline.estimator.engine_support import engine_faults
from ridgeline.estimator.notes import beyond_default
from ridgeline.planner.outcome import Constraint, Rejection
from ridgeline.quantity_text import counted, format_quantity
from ridgeline.serving.admission import longest_beside, pool_memory, sequence_limit
from ridgeline.serving.pool import (
    most_sequences,
)
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["Candidate", "rejection_of", "require_decode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A deployment that may serve, with the requested format of its weights.

    Attributes:
        deployment: deployment that may serve.
        weights: requested format of its weights.
        chip_s_per_j: chip-time that costs as much as a joule, the site's overhead included, s/J.
    """

    deployment: Deployment
    weights: str | None
    chip_s_per_j: float = 0.0

    @property
    def speculate(self) -> str | None:
        """Name under which its speculation is requested; None without speculation."""
        return str(self.deployment.speculation) if self.deployment.speculation else None


def require_decode(workload: Workload) -> None:
    """Refuse a workload whose only output token comes from reading its prompt.

    Raises:
        RidgelineError: the workload has no decode step; the message says what to do instead.
    """
    if workload.decode_steps < 1:
        raise RidgelineError(
            "output_tokens=1: reading the prompt gives the one token, so that there is nothing to decode;"
            " estimate the prefill instead"
        )


def rejection_of(
    candidate: Candidate,
    workload: Workload,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
    *,
    heeds_engine: bool = True,
) -> Rejection | None:
    """Rejection of a candidate that does not divide, is not supported, or fits too few sequences; else None.

    Args:
        candidate: candidate to check.
        workload: workload that is served.
        demand: load to serve; its batch must fit.
        heeds_engine: whether the engine's known lack of support counts.
    """
    deployment = candidate.deployment

    def rejected(kind: Constraint, reason: str) -> Rejection:
        return Rejection(
            layout=deployment.layout,
            weights=candidate.weights,
            kind=kind,
            reason=reason,
            speculate=candidate.speculate,
        )

    if faults := deployment_faults(deployment):
        return rejected(Constraint.DIVIDES, "; ".join(faults))
    if heeds_engine and (faults := engine_faults(deployment)):
        return rejected(Constraint.ENGINE, "; ".join(faults))
    most = most_sequences(deployment, workload) * deployment.layout.dp
    if fault := _memory_fault(deployment, workload, most):
        return dataclasses.replace(rejected(Constraint.MEMORY, fault.reason), needed_bytes=fault.needed_bytes)
    if demand.batch is not None and demand.batch % deployment.layout.dp:
        reason = (
            f"{counted(demand.batch, 'request')} under way cannot be as many in each of {deployment.layout.dp} groups"
        )
        return rejected(Constraint.DIVIDES, reason)
    if demand.batch is not None and demand.batch > most:
        by_engine = most == sequence_limit(deployment) * deployment.layout.dp
        takes = "its engine lets in" if by_engine else "a replica has room for"
        reason = f"{takes} at most {counted(most, 'request')} at once, and {demand.batch:,} are asked for"
        return dataclasses.replace(rejected(Constraint.BATCH, reason), most_requests=most)
    return None


class _MemoryFault(NamedTuple):
    """Reason why memory does not suffice, and the bytes that a chip would need."""

    reason: str
    needed_bytes: float


def _memory_fault(deployment: Deployment, workload: Workload, most: int) -> _MemoryFault | None:
    """Fault of memory for one mean sequence per group, or for the longest of several; None where it suffices."""
    if most == 0:
        return _fault_of_one(deployment, workload)
    if workload.lengths is None:
        return None
    longest_bytes, room_bytes = longest_beside(deployment, workload)
    if longest_bytes <= room_bytes:
        return None
    reason = (
        f"the longest sequence, of {workload.longest_tokens:,} tokens, keeps"
        f" {format_quantity(longest_bytes, 'bytes')} on a chip, where {format_quantity(room_bytes, 'bytes')} are left"
    )
    memory = pool_memory(deployment, workload, 1)
    return _MemoryFault(reason, float(memory.weights_bytes + memory.activation_bytes) + longest_bytes)


def _fault_of_one(deployment: Deployment, workload: Workload) -> _MemoryFault:
    """Fault with the memory that a chip would need for one sequence per group, and the memory that it has."""
    memory = pool_memory(deployment, workload, 1)
    needed = float(memory.weights_bytes + memory.kv_bytes + memory.activation_bytes)
    usable, chip = needed + float(memory.free_bytes), deployment.machine.chip
    given = beyond_default(memory, deployment)
    reason = (
        f"a chip needs {format_quantity(needed, 'bytes')}"
        f" (weights {format_quantity(float(memory.weights_bytes), 'bytes')}, one sequence's KV"
        f" {format_quantity(float(memory.kv_bytes), 'bytes')}, activations"
        f" {format_quantity(float(memory.activation_bytes), 'bytes')})"
        f" and has {format_quantity(usable, 'bytes')} usable of {format_quantity(chip.hbm_bytes, 'bytes')}{given}"
    )
    return _MemoryFault(reason, needed)
