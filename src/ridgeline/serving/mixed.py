"""Steps that read prompts beside sequences that decode, as an engine with chunked prefill runs them.

Such a step fetches the weights once for both, and is timed as one pass.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.estimator.memory import limits_of
from ridgeline.serving.admission import chunks_per_prompt, prompts_of_a_pass
from ridgeline.serving.load import step_at
from ridgeline.serving.passes import pass_times
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Pass, chunk, together
from ridgeline.specs.workload import Workload

__all__ = ["MixedTimes", "is_sum", "mixed_times"]

Array = NDArray[np.float64]


PARTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Places between one prompt in every group and a full pass, on a logarithmic scale, at which passes are timed."""

POINTS = 1 + len(PARTS)
"""Numbers of prompts at which passes are timed; the first is one prompt in a single group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedTimes:
    """Times of passes over prompts beside decoding sequences, with a number for each case.

    Attributes:
        sequences: numbers of decoding sequences of a ``dp`` group at which passes are timed.
        prompts: numbers of prompts of all groups at which passes are timed, ascending; a row for each pool.
        taken_s: time until the prompts are read, s, by pool, number of prompts and number of sequences.
        lone_s: occupancy of its chips by a lone prompt, where others follow it without end, s.
        chunks: number of passes in which a prompt is read.
        decodes: 1 where steps that read prompts decode, too; 0 where they read alone.
    """

    sequences: Array
    prompts: Array
    taken_s: Array
    lone_s: Array
    chunks: Array
    decodes: Array

    def cases(self, pool: NDArray[np.intp]) -> MixedTimes:
        """Times with several cases of each pool, by the pools' numbers."""
        picked = {name: getattr(self, name)[pool] for name in ("prompts", "taken_s", "lone_s", "chunks", "decodes")}
        return dataclasses.replace(self, **picked)

    def at(self, sequences: Array) -> Array:
        """Times with ``sequences`` sequences in a group, s; a row for each case."""
        nodes = self.sequences
        if len(nodes) == 1:
            return self.taken_s[:, :, 0]
        wanted = np.clip(sequences, nodes[0], nodes[-1])
        at = np.clip(np.searchsorted(nodes, wanted, side="right") - 1, 0, len(nodes) - 2)
        part = ((wanted - nodes[at]) / (nodes[at + 1] - nodes[at]))[:, None]
        every = np.arange(len(at))
        return np.asarray(self.taken_s[every, :, at] * (1 - part) + self.taken_s[every, :, at + 1] * part)


def mixed_times(
    deployments: Sequence[Deployment], workload: Workload, most_sequences: float, times: PoolTimes
) -> MixedTimes:
    """Times of passes over prompts beside sequences that decode, of pools that are timed together.

    Where steps are no sum over their lanes, as in a pipeline, a pass over prompts follows a decode step, as it does in
    the simulator; so do the passes of deployments that draft tokens, whose mixed steps are not estimated.

    Args:
        deployments: one deployment per pool, with their engines' own time.
        workload: requests that each pool serves.
        most_sequences: sequences of the fullest group of all pools.
        times: times of the pools' passes.
    """
    nodes = np.unique(np.round(2.0 ** (np.arange(2 * np.ceil(np.log2(max(most_sequences, 1.0))) + 1) / 2)))
    prompts = np.array([_prompts(one, workload) for one in deployments])
    chunks = np.array([float(chunks_per_prompt(one, workload)) for one in deployments])
    decodes = np.array([float(limits_of(one).mixes_prompts) for one in deployments])
    known: dict[tuple[object, ...], Pass] = {}

    def pass_of(number: int, kind: str) -> Pass:
        """A pass of a pool, which others that have as many prompts share."""
        one = deployments[number]
        name = (kind, one.layout.dp, one.layout.pp, prompts[number].tobytes(), chunks[number])
        if name not in known:
            known[name] = _pass(kind, one, workload, prompts[number], int(chunks[number]), nodes)
        return known[name]

    every = range(len(deployments))
    stages = np.array([float(one.layout.pp) for one in deployments])[:, None]
    alone_s = pass_times(deployments, [pass_of(number, "alone") for number in every], POINTS)[1] / stages
    # A pass takes as long with one prompt as with one in every group, but for the work of experts that groups share.
    in_stages = (times.stages > 1) & (times.groups > 1)
    lone_s = np.maximum(alone_s[:, 1] - (1 - 1 / times.groups) * times.shared_s, alone_s[:, 0])
    alone_s[:, 0] = np.where(in_stages, lone_s, alone_s[:, 0])
    pools = np.arange(len(deployments))
    beside_s = np.empty((len(deployments), POINTS, len(nodes)))
    for place, count in enumerate(nodes):
        beside_s[:, :, place] = step_at(times.cases(pools), count * times.groups)[:, None]
    summed = [
        number
        for number, one in enumerate(deployments)
        if decodes[number] and is_sum(one) and not one.speculation.drafted_tokens
    ]
    if summed:
        chosen = [deployments[number] for number in summed]
        mixed_s = pass_times(chosen, [pass_of(number, "mixed") for number in summed], POINTS * len(nodes))[0]
        chunk_s = pass_times(chosen, [pass_of(number, "chunk") for number in summed], POINTS)[0]
        beside_s[summed] = np.maximum(mixed_s.reshape(len(summed), POINTS, len(nodes)) - chunk_s[:, :, None], 0.0)
    return MixedTimes(
        sequences=nodes,
        prompts=prompts,
        taken_s=alone_s[:, :, None] + beside_s * (chunks * decodes)[:, None, None],
        lone_s=alone_s[:, 0],
        chunks=chunks,
        decodes=decodes,
    )


def _prompts(deployment: Deployment, workload: Workload) -> Array:
    """Numbers of prompts of all groups at which passes are timed: in a pipeline, of as many passes as it has stages."""
    groups = float(deployment.layout.dp)
    most = prompts_of_a_pass(deployment, workload) / deployment.layout.pp
    return np.array([1.0, *(groups * np.round(most**part) for part in PARTS)])


def _pass(kind: str, one: Deployment, workload: Workload, prompts: Array, chunks: int, nodes: Array) -> Pass:
    """Prompts alone, one chunk of them, or that beside sequences."""
    if kind == "alone":
        return workload.prompt_pass(prompts * one.layout.pp, chunks)
    if kind == "chunk":
        return _chunk(workload, prompts, chunks)
    steps = workload.decode_step(np.tile(nodes, POINTS) * one.layout.dp)
    return together(steps, _chunk(workload, np.repeat(prompts, len(nodes)), chunks))


def _chunk(workload: Workload, prompts: Array, chunks: int) -> Pass:
    """One pass over ``prompts`` prompts; where they are read in several chunks, the middle one."""
    if chunks == 1:
        return workload.prompt_pass(prompts, 1)
    tokens = workload.read_tokens / chunks
    return chunk(
        batch=prompts, new_tokens=tokens, past_tokens=workload.cached_tokens + (workload.read_tokens - tokens) / 2
    )


def is_sum(deployment: Deployment) -> bool:
    """Whether times of a step's lanes add up."""
    layout = deployment.layout
    plain = Layout(tp=layout.tp, dp=layout.dp, ep=layout.ep, redundant_experts=layout.redundant_experts)
    return layout == plain and not deployment.engine.may_wait_for_launches
