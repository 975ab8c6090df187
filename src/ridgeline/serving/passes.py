"""Times of a pool's passes as its engine runs them, the basis of every load."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ridgeline.estimator.engine_overhead import as_run
from ridgeline.estimator.interval import interval_factors
from ridgeline.estimator.memory import limits_of
from ridgeline.estimator.shares import Shares, shares_of
from ridgeline.estimator.stacked import stacked_parts
from ridgeline.estimator.timed import (
    TimedOperation,
    launched_operations,
    parts_of_step,
    time_step,
    whole_times,
    with_engine,
)
from ridgeline.estimator.timing import Cause
from ridgeline.numeric import Numeric
from ridgeline.serving.admission import chunks_per_prompt, prompts_of_a_pass, room, tokens_per_pass
from ridgeline.serving.pool_times import PoolTimes, PromptTimes
from ridgeline.specs.band import STEP, Band
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Pass, prefill
from ridgeline.specs.workload import Workload, passes_of

__all__ = [
    "BATCHES",
    "TILE",
    "PoolPasses",
    "pass_times",
    "pass_working_fraction",
    "pool_passes",
    "pool_times",
    "step_working_fraction",
    "steps_of_a_request",
]

Array = NDArray[np.float64]

TILE = 64
"""Rows of a tile: products take a step up in time at each multiple."""

LAST_TILED = 2048
"""Sequences beyond which a further tile adds no more than a thirtieth to a product."""

MOST_SEQUENCES = 2**17
"""Sequences of a group beyond what any memory has room for."""


def _nodes() -> Array:
    """Every whole number up to 16, then steps of 8 %, and both sides of each tile's edge."""
    growing = np.round(16 * 1.08 ** np.arange(np.log(MOST_SEQUENCES / 16) / np.log(1.08) + 1))
    edges = np.arange(TILE, LAST_TILED + 1, TILE)
    # A set, since ``np.unique`` would import as much as the rest of this module.
    return np.array(sorted({*range(1, 17), *growing.tolist(), *edges.tolist(), *(edges + 1).tolist()}), dtype=float)


BATCHES = _nodes()
"""Batches at which steps are timed: the same for all queries, so that a query does not change interpolated times.

Linear interpolation between them errs by 0.3 % at most without experts, and by some percent where all experts need
another tile at once (``tests/serving/test_passes.py``).
"""


@dataclass(frozen=True, kw_only=True)
class PoolPasses:
    """A pool's passes; their operations are timed when they are first asked for.

    Attributes:
        deployment: deployment that is served.
        workload: lengths of requests.
        sequences: sequences of a group at which decode steps are timed.
        prompts: prompts of the replica at which prefill passes are timed: one, one in every group, and a full pass.
        like: equal passes by another engine, whose operations are taken where both run kernels alike.
    """

    deployment: Deployment
    workload: Workload
    sequences: Array
    prompts: Array
    like: PoolPasses | None = None

    @property
    def decode_steps(self) -> float:
        """Decode steps of a request, each of which may add several tokens."""
        return steps_of_a_request(self.deployment, self.workload)

    @property
    def decode(self) -> Pass:
        """The decode steps, as a grid."""
        return _step(self.deployment, self.workload, self.sequences)

    @property
    def prefill(self) -> Pass:
        """The prefill passes, as a grid."""
        return _prefill(self.deployment, self.workload, self.prompts)

    @property
    def steps(self) -> tuple[TimedOperation, ...]:
        """Operations of the decode steps, without the engine's own time."""
        if self.like is not None and self._runs_alike(self.like, has_prompts=False):
            return self.like.steps
        return _steps(self.deployment, self.workload, len(self.sequences))

    @property
    def passes(self) -> tuple[TimedOperation, ...]:
        """Operations of the prefill passes, without the engine's own time."""
        if self.like is not None and self._runs_alike(self.like, has_prompts=True):
            return self.like.passes
        return _reads(self.deployment, self.workload)

    def _runs_alike(self, other: PoolPasses, *, has_prompts: bool) -> bool:
        mine, theirs = (as_run(one.deployment, has_prompts=has_prompts) for one in (self, other))
        return mine == theirs

    def run_by(self, engine: Engine) -> PoolPasses:
        """The passes as run by another engine; kernels are timed again where it runs them differently."""
        return dataclasses.replace(self, deployment=dataclasses.replace(self.deployment, engine=engine), like=self)

    # A plan's causes and power start from these, and the interval of an ideal engine's steps.
    @cached_property
    def run_steps(self) -> tuple[tuple[TimedOperation, ...], Pass]:
        """Decode steps with the engine's own time."""
        return self._run(self.steps, self.decode)

    @cached_property
    def run_passes(self) -> tuple[tuple[TimedOperation, ...], Pass]:
        """Prefill passes with the engine's own time."""
        return self._run(self.passes, self.prefill)

    def _run(self, operations: tuple[TimedOperation, ...], pass_: Pass) -> tuple[tuple[TimedOperation, ...], Pass]:
        return with_engine(operations, self.deployment, shares_of(pass_, self.deployment.layout)), pass_

    @property
    def kernel_widths(self) -> tuple[float, float]:
        """Half-widths, in logarithms, of the times of a decode step and a prefill pass, from their kernels.

        They are those of the middle batch, and of one prompt in every group: only these two passes are timed.
        """
        middle = self.sequences[len(self.sequences) // 2].item()
        return _kernel_widths(self.deployment, self.workload, middle, self.prompts[1].item())


def pool_passes(deployment: Deployment, workload: Workload, most_sequences: float) -> PoolPasses:
    """Passes of a pool with up to ``most_sequences`` per group, operation by operation.

    Room is rounded up to the next power of two, so that plans and predictions for as many users have the same interval.
    """
    return PoolPasses(
        deployment=deployment,
        workload=workload,
        sequences=_up_to(float(2 ** np.ceil(np.log2(max(most_sequences, 1.0))))),
        prompts=_prompts(deployment, workload),
    )


# A plan's numbers and what else is said of it rest on the same passes.
@lru_cache(maxsize=128)  # about 70 kB each
def _steps(deployment: Deployment, workload: Workload, nodes: int) -> tuple[TimedOperation, ...]:
    """Operations of decode steps at the first nodes."""
    return launched_operations(deployment, shares_of(_step(deployment, workload, BATCHES[:nodes]), deployment.layout))


@lru_cache(maxsize=1024)  # about 5 kB each
def _reads(deployment: Deployment, workload: Workload) -> tuple[TimedOperation, ...]:
    """Operations of prefill passes."""
    pass_ = _prefill(deployment, workload, _prompts(deployment, workload))
    return launched_operations(deployment, shares_of(pass_, deployment.layout))


# Intervals of several quantities start from these, and rows of a calibration that differ in the quantity alone.
@lru_cache(maxsize=256)
def _kernel_widths(deployment: Deployment, workload: Workload, sequences: float, prompts: float) -> tuple[float, float]:
    """Half-widths, in logarithms, of the times of a decode step and a prefill pass of so many, from their kernels."""
    bands = {**deployment.machine.efficiency.bands, STEP: Band(below=0.0, above=0.0)}
    found = []
    for pass_ in (_step(deployment, workload, sequences), _prefill(deployment, workload, prompts)):
        shares = shares_of(pass_, deployment.layout)
        operations = with_engine(launched_operations(deployment, shares), deployment, shares)
        _, high = interval_factors(parts_of_step(operations), bands, is_step=True)
        found.append(float(np.log(high)))
    return found[0], found[1]


def _over(values: object, pass_: Pass) -> Array:
    """Value broadcast to every pass of a grid."""
    return np.broadcast_to(np.asarray(values, dtype=float), np.shape(pass_.sequences))


def pool_times(deployments: Sequence[Deployment], workload: Workload, most_sequences: float) -> PoolTimes:
    """Times of pools' passes, each with up to ``most_sequences`` per group; all pools are timed together.

    Args:
        deployments: one deployment per pool, with its engine's own time.
        workload: requests that each pool serves.
        most_sequences: sequences of the fullest group of any pool.
    """
    return _pool_times(tuple(deployments), workload, len(_up_to(most_sequences)))


# Searches that differ in load, in limits or in prices ask for the same times.
@lru_cache(maxsize=16)
def _pool_times(deployments: tuple[Deployment, ...], workload: Workload, points: int) -> PoolTimes:
    nodes = BATCHES[:points]
    groups = np.array([float(one.layout.dp) for one in deployments])
    together = np.array([float(prompts_of_a_pass(one, workload)) for one in deployments])
    # One record for all deployments with equal groups and draft tokens.
    checked = {(one.layout.dp, one.speculation.drafted_tokens): one for one in deployments}
    by_checked = {name: _step(one, workload, nodes) for name, one in checked.items()}
    steps = [by_checked[one.layout.dp, one.speculation.drafted_tokens] for one in deployments]
    step_s = pass_times(deployments, steps, len(nodes))[0]
    latency_s, read_s = _read_times(deployments, workload)
    for kept in (step_s, latency_s, read_s):
        kept.flags.writeable = False
    return PoolTimes(
        sequences=nodes,
        step_s=step_s,
        pool=np.arange(len(deployments)),
        lone_s=latency_s[:, 0],
        latency_s=latency_s[:, 1],
        alone_s=read_s[:, 1],
        full_s=read_s[:, 2],
        most_together=together,
        chunks=np.array([workload.read_tokens / tokens_per_pass(one) for one in deployments]),
        decodes=np.array([float(limits_of(one).mixes_prompts) for one in deployments]),
        groups=groups,
        stages=np.array([float(one.layout.pp) for one in deployments]),
        waits_for_groups=np.array([float(_waits_for_groups(one)) for one in deployments]),
        admitted=np.array([room(one, workload) for one in deployments]) * groups,
        decode_steps=np.array([steps_of_a_request(one, workload) for one in deployments]),
        prompts=_prompt_times(deployments, workload),
    )


def _read_times(deployments: Sequence[Deployment], workload: Workload) -> tuple[Array, Array]:
    """Times of passes over prompts, as of ``pass_times``; those that differ in how much is drafted alone share them."""
    firsts: list[Deployment] = []
    rows: dict[tuple[object, ...], int] = {}
    row = []
    for one in deployments:
        parts = one.model, one.machine, one.precision, one.engine, one.speculation.draft
        name = (one.layout, *map(id, parts))  # all of them are held by the deployments
        if name not in rows:
            rows[name] = len(firsts)
            firsts.append(one)
        row.append(rows[name])
    # One record for all that read as many prompts in as many passes, as of decode steps.
    passes: dict[tuple[float, ...], Pass] = {}
    reads = []
    for one in firsts:
        prompts = _prompts(one, workload)
        as_many = (*prompts.tolist(), chunks_per_prompt(one, workload))
        reads.append(passes.setdefault(as_many, _prefill(one, workload, prompts)))
    latency_s, read_s = pass_times(firsts, reads, PROMPT_POINTS)
    return latency_s[row], read_s[row]


KNOTS = 8
"""Prompt lengths at which lone prompts are timed where lengths differ; times are linear in between."""


def _prompt_times(deployments: Sequence[Deployment], workload: Workload) -> PromptTimes | None:
    """Times of lone prompts where their lengths differ; None where they are equal."""
    if workload.lengths is None:
        return None
    read = np.array(workload.lengths.read_tokens)
    knots = np.geomspace(read[0], read[-1], KNOTS)
    cached = workload.hit_fraction / (1 - workload.hit_fraction)
    passes = [
        prefill(
            batch=np.ones(1),
            prompt_tokens=tokens,
            passes=passes_of(tokens, tokens_per_pass=tokens_per_pass(one)),
            cached_tokens=cached * tokens,
        )
        for one in deployments
        for tokens in knots.tolist()
    ]
    repeated = [one for one in deployments for _ in knots]
    latency_s, occupied_s = (
        np.array([np.interp(read, knots, row) for row in times_s.reshape(len(deployments), KNOTS)])
        for times_s in pass_times(repeated, passes, 1)
    )
    return PromptTimes(latency_s=latency_s, occupied_s=occupied_s)


def steps_of_a_request(deployment: Deployment, workload: Workload) -> float:
    """Decode steps of a request, each of which may add several tokens."""
    return deployment.speculation.steps(float(workload.decode_steps))


def _waits_for_groups(deployment: Deployment) -> bool:
    """Whether ``dp`` groups synchronise in every step, to exchange tokens with experts spread over all of them."""
    return deployment.layout.dp > 1 and deployment.model.is_routed


def pass_times(deployments: Sequence[Deployment], passes: Sequence[Pass], points: int) -> tuple[Array, Array]:
    """Times of passes, and those for which they take up their chips where others follow; a row each."""
    shares: dict[tuple[int, Layout], Shares] = {}
    for one, pass_ in zip(deployments, passes, strict=True):
        if (id(pass_), one.layout) not in shares:
            shares[id(pass_), one.layout] = shares_of(pass_, one.layout)
    items = [(one, shares[id(pass_), one.layout]) for one, pass_ in zip(deployments, passes, strict=True)]
    time_s, occupied_s = np.empty((len(items), points)), np.empty((len(items), points))
    for number, ((deployment, mine), parts) in enumerate(zip(items, stacked_parts(items, points), strict=True)):
        time_s[number], occupied_s[number] = whole_times(parts, deployment, mine)
    return time_s, occupied_s


def _up_to(most_sequences: float) -> Array:
    return BATCHES[: int(np.searchsorted(BATCHES, most_sequences)) + 1]


PROMPT_POINTS = 3
"""Numbers of prompts at which prefill passes are timed: one, one in every group, and a full pass."""


def _prompts(deployment: Deployment, workload: Workload) -> Array:
    groups = float(deployment.layout.dp)
    return np.array([1.0, groups, groups * prompts_of_a_pass(deployment, workload)])


def _step(deployment: Deployment, workload: Workload, sequences: Numeric) -> Pass:
    """Decode steps of ``sequences`` in each group, draft tokens verified."""
    drafted = deployment.speculation.drafted_tokens
    return workload.decode_step(sequences * deployment.layout.dp, drafted_tokens=drafted)


def _prefill(deployment: Deployment, workload: Workload, prompts: Numeric) -> Pass:
    return workload.prompt_pass(prompts, chunks_per_prompt(deployment, workload))


def step_working_fraction(passes: PoolPasses, sequences: Numeric) -> Numeric:
    """Part of a decode step's time in which chips work, rather than wait for launches.

    Args:
        passes: passes of a pool.
        sequences: sequences of a group in the step.
    """
    return np.interp(sequences, passes.sequences, _working_fraction(*passes.run_steps))


def pass_working_fraction(passes: PoolPasses) -> float:
    """Part of a full prefill pass's time in which chips work, rather than wait for launches."""
    return float(_working_fraction(*passes.run_passes)[-1])


def _working_fraction(operations: tuple[TimedOperation, ...], pass_: Pass) -> Array:
    time_s, causes = time_step(operations)
    return _over(1 - np.asarray((causes[Cause.LAUNCH] + causes[Cause.PIPELINE]) / time_s), pass_)
