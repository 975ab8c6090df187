"""The operations of a pass with their times as an engine runs them, its overhead, and the wait in a pipeline."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ridgeline.estimator.clock import kernel_timing, message_timing
from ridgeline.estimator.drafting import pass_operations
from ridgeline.estimator.engine_overhead import as_run, overhead_s, sent
from ridgeline.estimator.interval import WAITED, Part
from ridgeline.estimator.kernels import Kernel
from ridgeline.estimator.messages import Message
from ridgeline.estimator.napkin import napkin_timing
from ridgeline.estimator.pipeline import Parts, occupied_time_s, parts_of, pass_time_s
from ridgeline.estimator.shares import Shares, shares_of
from ridgeline.estimator.stage_cuts import cut_of
from ridgeline.estimator.timing import NO_WORK, Cause, Timing, scaled
from ridgeline.numeric import Numeric
from ridgeline.specs.as_run import AsRun
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine
from ridgeline.specs.machine import Machine
from ridgeline.specs.passes import Pass

__all__ = [
    "OVERHEAD",
    "WAIT",
    "TimedOperation",
    "launched_operations",
    "occupied_causes",
    "parts_of_step",
    "time_step",
    "timed_operations",
    "whole_times",
    "with_engine",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedOperation:
    """An operation of a pass with its time.

    Attributes:
        name: name of the operation.
        repeats: number of its runs for one micro-batch of the pass, through all stages.
        timing: time of one run.
        is_layer: whether it belongs to layers, which are spread over the stages of a pipeline.
        share: micro-batches over stages: a chip's part of all runs, the mean of the stages.
    """

    name: str
    repeats: int
    timing: Timing
    is_layer: bool = True
    share: Numeric = 1.0

    @property
    def runs(self) -> Numeric:
        """Number of its runs on a chip."""
        return self.repeats * self.share

    @property
    def time_s(self) -> Numeric:
        """Time of all its runs on a chip, s."""
        return self.runs * self.timing.time_s


WAIT = "pipeline wait"
"""Pipeline wait as an operation: the time for which a chip waits for other stages."""

OVERHEAD = "engine, layers", "engine, pass"
"""Engine overhead as two operations: per layer, and per pass."""


def timed_operations(deployment: Deployment, pass_: Pass) -> tuple[TimedOperation, ...]:
    """Operations of a pass, each with its time; numbers or grids, as in the pass.

    The operations are those of one chip, followed by the engine's own time. Where there are several stages, the last
    one is the wait for other stages. All are corrected by measurements of the deployment.
    """
    shares = shares_of(pass_, deployment.layout)
    operations = with_engine(launched_operations(deployment, shares), deployment, shares)
    factor = deployment.correction.factor(pass_)
    if factor == 1:
        return operations
    return tuple(dataclasses.replace(one, timing=scaled(one.timing, factor)) for one in operations)


def launched_operations(deployment: Deployment, shares: Shares) -> tuple[TimedOperation, ...]:
    """Kernels and messages of a pass as an engine runs them, without its own overhead."""
    if not deployment.fidelity.by_operation:
        return (TimedOperation(name="whole pass", repeats=1, timing=napkin_timing(deployment, shares)),)
    clock = _clock(deployment.machine, deployment.engine, as_run(deployment, has_prompts=shares.has_prompts))
    operations = tuple(pass_operations(deployment, shares))
    if shares.is_plain:
        timings = [clock.kept(operation.kernel) for operation in operations]
    else:
        # Norms and reductions are one record wherever they occur, and are timed once.
        kernels = {id(operation.kernel): operation.kernel for operation in operations}
        once = {name: clock.timing(kernel) for name, kernel in kernels.items()}
        timings = [once[id(operation.kernel)] for operation in operations]
    return tuple(
        [
            TimedOperation(name=one.name, repeats=one.repeats, is_layer=one.is_layer, timing=timing)
            for one, timing in zip(operations, timings, strict=True)
        ]
    )


class _Clock:
    """Times of kernels and messages on a machine as an engine runs them.

    For plain numbers they are cached: steps that differ only in their contexts share all products and messages.
    """

    def __init__(self, machine: Machine, engine: Engine, run: AsRun) -> None:
        self.machine, self.engine, self.run = machine, engine, run
        self.kept = lru_cache(maxsize=4096)(self.timing)

    def timing(self, kernel: Kernel | Message) -> Timing:
        if isinstance(kernel, Message):
            return message_timing(sent(kernel, self.engine), self.machine, self.run)
        return kernel_timing(kernel, self.machine, self.run)


_clock = lru_cache(maxsize=32)(_Clock)


def with_engine(
    operations: tuple[TimedOperation, ...], deployment: Deployment, shares: Shares
) -> tuple[TimedOperation, ...]:
    """Launched operations with an engine's own time, and the wait for other stages."""
    layout = deployment.layout
    operations = (*operations, *_overhead(operations, deployment, shares))
    if layout.pp == 1:
        return operations
    parts, share = _parts(operations), shares.micro_batches / layout.pp
    waited_s = pass_time_s(parts, shares, cut_of(deployment)) - share * (parts[0] + parts[1])
    operations = tuple(dataclasses.replace(one, share=share) for one in operations)
    waiting = Timing(time_s=waited_s, time_by_cause_s=((Cause.PIPELINE, waited_s),), work=NO_WORK, kind=WAITED)
    return (*operations, TimedOperation(name=WAIT, repeats=1, timing=waiting))


def _overhead(
    operations: tuple[TimedOperation, ...], deployment: Deployment, shares: Shares
) -> tuple[TimedOperation, ...]:
    """Engine overhead as operations without work; empty where there is none."""
    # Kernels overlap with host launches, where those take any time.
    layers_s = _parts(operations)[0] if deployment.engine.may_wait_for_launches else 0.0
    times = overhead_s(deployment, shares, layers_s=layers_s)
    return tuple(
        TimedOperation(
            name=name,
            repeats=1,
            is_layer=is_layer,
            timing=Timing(time_s=time_s, time_by_cause_s=((Cause.LAUNCH, time_s),), work=NO_WORK),
        )
        for name, is_layer, time_s in zip(OVERHEAD, (True, False), times, strict=True)
        if (time_s if isinstance(time_s, (int, float)) else np.any(time_s))
    )


def whole_times(parts: Parts, deployment: Deployment, shares: Shares) -> tuple[Numeric, Numeric]:
    """Time of a pass, and its occupancy of its chips where others follow it without end, s.

    Without stages, both are the same. With them, a stage that waits for a prompt has others to read, and tokens to
    decode, so that prompts occupy the pool for the time of the slowest stage.

    Args:
        parts: times of one micro-batch's kernels and messages, in the layers of all stages and at both ends, s.
        deployment: deployment with the engine that adds its overhead.
        shares: a chip's share of the pass.
    """
    in_layers_s, at_ends_s = overhead_s(deployment, shares, layers_s=parts[0])
    parts = parts[0] + in_layers_s, parts[1] + at_ends_s
    if deployment.layout.pp == 1:
        return parts[0] + parts[1], parts[0] + parts[1]
    cut = cut_of(deployment)
    time_s = pass_time_s(parts, shares, cut)
    return time_s, occupied_time_s(parts, shares, cut) if shares.has_prompts else time_s


def occupied_causes(
    operations: tuple[TimedOperation, ...], deployment: Deployment, shares: Shares
) -> dict[Cause, Numeric]:
    """Occupancy of its chips by a pass that others follow without end, by cause, s."""
    time_s, causes = time_step(operations)
    layout = deployment.layout
    if layout.pp == 1 or not shares.has_prompts:
        return causes
    occupied_s = occupied_time_s(_parts(operations), shares, cut_of(deployment))
    return causes | {Cause.PIPELINE: occupied_s - (time_s - causes[Cause.PIPELINE])}


def _parts(operations: tuple[TimedOperation, ...]) -> Parts:
    return parts_of((one.repeats * one.timing.time_s, one.is_layer) for one in operations if one.timing.kind != WAITED)


def time_step(operations: tuple[TimedOperation, ...]) -> tuple[Numeric, dict[Cause, Numeric]]:
    """Time of a pass and its causes; operations run one after the other."""
    total: Numeric = 0.0
    causes: dict[Cause, Numeric] = dict.fromkeys(Cause, 0.0)
    for operation in _to_be_added(operations):
        runs, timing = operation.runs, operation.timing
        total = total + runs * timing.time_s
        for cause, part_s in timing.time_by_cause_s:
            causes[cause] = causes[cause] + runs * part_s
    return total, causes


def parts_of_step(operations: Sequence[TimedOperation]) -> tuple[Part, ...]:
    """Parts of a step's time, for its interval."""
    return tuple([Part(one.timing.kind, one.time_s, one.timing.time_s) for one in _to_be_added(operations)])


def _to_be_added(operations: Sequence[TimedOperation]) -> Sequence[TimedOperation]:
    """Operations in the order that adds up fastest: over a grid, those that depend on the batch alone come first."""
    times = [operation.timing.time_s for operation in operations]
    if any(isinstance(time_s, np.ndarray) and time_s.ndim > 1 for time_s in times):
        return sorted(operations, key=lambda operation: np.size(operation.timing.time_s))
    return operations
