"""What a pool's passes take, as its engine runs them: what every load is made of."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.estimator.clock import Cause
from ridgeline.estimator.engine_overhead import as_run
from ridgeline.estimator.interval import interval_factors
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.timed import (
    TimedOperation,
    launched_operations,
    occupied_time,
    parts_of_step,
    time_step,
    with_engine,
)
from ridgeline.serving.admission import admitted_sequences, chunks_per_prompt, prompts_together
from ridgeline.serving.load import PoolTimes
from ridgeline.specs.band import STEP, Band
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine
from ridgeline.specs.passes import Pass, prefill
from ridgeline.specs.workload import Workload

__all__ = ["PoolPasses", "kernel_widths", "pool_passes", "times_with", "working_shares"]

Array = NDArray[np.float64]

BATCHES = np.sort(np.concatenate([2.0 ** np.arange(15), 1.5 * 2.0 ** np.arange(1, 14)]))
"""Batches at which steps are timed: the same for all, so that what is asked for does not move the times between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolPasses:
    """A pool's passes before its engine's own time.

    Attributes:
        deployment: what is served.
        workload: lengths of requests.
        sequences: of a group, at which steps are timed.
        prompts: of the replica, at which passes over prompts are timed: one, one in every group, and as many as a pass
            takes.
        steps: operations of the decode steps.
        passes: and of the passes over prompts.
    """

    deployment: Deployment
    workload: Workload
    sequences: Array
    prompts: Array
    steps: tuple[TimedOperation, ...]
    passes: tuple[TimedOperation, ...]

    @property
    def decode(self) -> Pass:
        """The decode steps, as a grid."""
        return self.workload.decode_step(self.sequences * self.deployment.layout.dp)

    @property
    def prefill(self) -> Pass:
        """The passes over prompts, as a grid."""
        return prefill(
            batch=self.prompts,
            prompt_tokens=self.workload.prompt_tokens,
            passes=chunks_per_prompt(self.deployment, self.workload),
        )

    def run_by(self, engine: Engine) -> tuple[Deployment, tuple[tuple[tuple[TimedOperation, ...], Pass], ...]]:
        """Both kinds of passes with an engine's own time; kernels are timed again where it runs them in another way."""
        deployment = dataclasses.replace(self.deployment, engine=engine)
        found = []
        for operations, pass_ in ((self.steps, self.decode), (self.passes, self.prefill)):
            shares = shares_of(pass_, deployment.layout)
            how, here = (as_run(one, has_prompts=pass_.has_prompts) for one in (deployment, self.deployment))
            kernels = operations if how == here else launched_operations(deployment, shares)
            found.append((with_engine(kernels, deployment, shares), pass_))
        return deployment, tuple(found)


def pool_passes(deployment: Deployment, workload: Workload, most_sequences: float) -> PoolPasses:
    """The passes of a pool with up to ``most_sequences`` a group."""
    sequences = BATCHES[: int(np.searchsorted(BATCHES, most_sequences)) + 1]
    groups = float(deployment.layout.dp)
    prompts = np.unique([1.0, groups, groups * prompts_together(deployment, workload)])
    empty = PoolPasses(
        deployment=deployment, workload=workload, sequences=sequences, prompts=prompts, steps=(), passes=()
    )
    steps, passes = (
        launched_operations(deployment, shares_of(pass_, deployment.layout)) for pass_ in (empty.decode, empty.prefill)
    )
    return dataclasses.replace(empty, steps=steps, passes=passes)


def _over(values: object, pass_: Pass) -> Array:
    """A number for every pass of a grid."""
    return np.broadcast_to(np.asarray(values, dtype=float), np.shape(pass_.sequences))


def times_with(passes: PoolPasses, engine: Engine) -> PoolTimes:
    """What the passes take with an engine's own time; of one pool."""
    deployment, (steps, prompts) = passes.run_by(engine)

    def times(operations: tuple[TimedOperation, ...], pass_: Pass) -> tuple[Array, Array]:
        time_s, occupied_s, _ = occupied_time(operations, deployment, pass_)
        return _over(time_s, pass_), _over(occupied_s, pass_)

    latency_s, read_s = times(*prompts)
    groups = float(deployment.layout.dp)
    in_every_group = int(np.searchsorted(passes.prompts, groups))
    return PoolTimes(
        sequences=passes.sequences[None],
        step_s=times(*steps)[0][None],
        lone_s=latency_s[:1],
        latency_s=latency_s[[in_every_group]],
        alone_s=read_s[[in_every_group]],
        full_s=read_s[-1:],
        most_together=passes.prompts[-1:] / groups,
        groups=np.array([groups]),
        admitted=np.array([admitted_sequences(deployment, passes.workload) * groups]),
        decode_steps=np.array([float(passes.workload.decode_steps)]),
    )


def kernel_widths(passes: PoolPasses, engine: Engine) -> tuple[float, float]:
    """Half-widths, in logarithms, that its kernels give the time of a decode step and that of a pass over prompts.

    Of the middle of the batches, and of one prompt in every group.
    """
    deployment, run = passes.run_by(engine)
    bands = {**deployment.machine.efficiency.bands, STEP: Band(below=0.0, above=0.0)}
    found = []
    places = len(passes.sequences) // 2, int(np.searchsorted(passes.prompts, deployment.layout.dp))
    for (operations, pass_), place in zip(run, places, strict=True):
        _, high = interval_factors(parts_of_step(operations), bands, is_step=True)
        found.append(float(np.log(_over(high, pass_)[place])))
    return found[0], found[1]


def working_shares(passes: PoolPasses, engine: Engine, sequences: float) -> tuple[float, float]:
    """Shares of a decode step's and of a full pass' time in which chips work, and do not wait for launches.

    Args:
        passes: of a pool.
        engine: with its own time, in which chips wait, too.
        sequences: of a group, in the step.
    """
    found = []
    for operations, pass_ in passes.run_by(engine)[1]:
        time_s, causes = time_step(operations)
        found.append(_over(1 - np.asarray((causes[Cause.LAUNCH] + causes[Cause.PIPELINE]) / time_s), pass_))
    return float(np.interp(sequences, passes.sequences, found[0])), float(found[1][-1])
