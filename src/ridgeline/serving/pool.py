"""One deployment serving a workload in one pool: latency and throughput at every batch that memory admits.

Both phases share the pool's chips. Users ask again as soon as they are answered, so that there are as many requests in
flight as users: the closed loop with which predictions are compared to measurements.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import (
    answered_within_s,
    decode_time_fraction,
    prompts_together,
    wait_quantile_s,
)
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.timed import occupied_causes
from ridgeline.estimator.timing import Cause
from ridgeline.serving.admission import room
from ridgeline.serving.load import Loaded, closed_loop, idle_first_token_s
from ridgeline.serving.passes import PoolPasses
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.serving.rules import Rules, rules_of
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = [
    "GRID_RATIO",
    "PoolCurve",
    "benchmark_first_tokens_s",
    "beyond_mean_s",
    "causes_per_request",
    "lone_first_token_s",
    "lone_first_tokens_s",
    "most_sequences",
    "pass_causes",
    "pool_curves",
    "queued_first_tokens",
    "sequence_grid",
]

Array = NDArray[np.float64]

DENSE_GRID = 2048
"""Sequences per group up to which every whole number is evaluated: the most that any server admits by default."""
GRID_RATIO = 1.015
"""Ratio of neighbouring batches beyond that, 1.5 %; limits on latency are still met exactly."""


def most_sequences(deployment: Deployment, workload: Workload) -> int:
    """Whole number of sequences of a group that fit and that its engine admits."""
    return int(room(deployment, workload))


def sequence_grid(most: int) -> Array:
    """Sequences per group to evaluate: every number up to servers' defaults, then steps of 1.5 %, and the maximum."""
    dense = np.arange(1, min(most, DENSE_GRID) + 1)
    if most <= DENSE_GRID:
        return dense.astype(float)
    steps = int(np.ceil(np.log(most / DENSE_GRID) / np.log(GRID_RATIO)))
    sparse = np.round(np.geomspace(DENSE_GRID, most, steps + 1))[1:]
    return np.concatenate([dense, sparse])


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolCurve:
    """Latency and throughput of one replica, by batch; arrays of one length.

    Attributes:
        first_token_s: time to the first token of a lone request, of a mean prompt where they differ, s.
        batch: requests in flight on the replica, queued and in prefill included.
        in_flight: requests that have their first token and not their last, averaged over the time with any in the pool.
        decoding: sequences of a decode step: more than ``in_flight`` where prompts take long, since that is a mean over
            their passes, too.
        decode_step_s: time of a decode step, s.
        prompt_s: time of the replica for one prompt, read together with as many as arrive, s.
        tpot_s: time per output token, other requests' prefills included, s.
        requests_per_s: finished requests over the time with any in the pool, requests/s.
    """

    first_token_s: float
    batch: Array
    in_flight: Array
    decoding: Array
    decode_step_s: Array
    prompt_s: Array
    tpot_s: Array
    requests_per_s: Array

    def decode_fraction(self, decode_steps: float) -> Array:
        """Part of the pool's time that decode steps take, at each batch; prompts take the rest.

        Args:
            decode_steps: decode steps of a request, each of which may add several tokens.
        """
        return np.asarray(
            decode_time_fraction(
                decode_steps=decode_steps,
                decode_step_time_s=self.decode_step_s,
                batch=self.decoding,
                prefill_time_per_prompt_s=self.prompt_s,
            )
        )


def pool_curves(
    times: PoolTimes, deployments: Sequence[Deployment], workload: Workload, sequences: Sequence[Array]
) -> list[PoolCurve]:
    """Latency and throughput of pools with a given number of requests in flight in each group.

    Args:
        times: times of the pools' passes.
        deployments: one deployment per pool, all with one engine.
        workload: requests that each pool serves.
        sequences: requests in flight per group at which each pool is evaluated.
    """
    counts = [len(grid) for grid in sequences]
    pool = np.repeat(np.arange(len(deployments)), counts)
    users = np.concatenate(sequences) * times.groups[pool]
    # Requests of a real load differ in length, so that they never stay together in waves.
    rules = rules_of(deployments[0].engine, equal_lengths=False, is_benchmark=False)
    found = _looped(times, pool, rules, users)
    tpot_factor = np.array([one.correction.tpot_factor for one in deployments])[pool]
    ttft_factor = np.array([one.correction.ttft_factor for one in deployments])[pool]
    # One token of a load is one step here, which may add several tokens.
    step_s = tpot_factor * found.tpot_s
    rate = users / (times.decode_steps[pool] * step_s + ttft_factor * found.ttft_s)
    tpot_s = step_s / np.array([one.speculation.accepted_tokens for one in deployments])[pool]
    in_flight = rate * times.decode_steps[pool] * step_s
    arrays = (users, in_flight, found.decoding, tpot_factor * found.step_s, tpot_factor * found.prompt_s, tpot_s, rate)
    lone_s = lone_first_tokens_s(times, rules)
    ends = np.cumsum(counts)
    return [
        PoolCurve(
            first_token_s=one.correction.ttft_factor * float(lone_s[number]),
            **dict(zip(CURVES, (values[end - count : end] for values in arrays), strict=True)),
        )
        for number, (one, count, end) in enumerate(zip(deployments, counts, ends, strict=True))
    ]


def lone_first_tokens_s(times: PoolTimes, rules: Rules) -> Array:
    """Times to the first token of lone requests, of mean prompts where they differ, s."""
    step_s = times.step_s[times.pool, 0]
    return idle_first_token_s(rules, groups=times.groups, latency_s=times.lone_s, step_s=step_s, users=np.ones(1))


BLOCK = 8192
"""Points of curves evaluated together: a block fits the processor's cache."""


def _looped(times: PoolTimes, pool: NDArray[np.int_], rules: Rules, users: Array) -> Loaded:
    """Closed loops of pools with ``users``, block by block."""
    # Lengths of prompts that differ are those of all pools, and gone through once.
    block = BLOCK if times.prompts is None else len(pool)
    starts = range(0, len(pool), block)
    found = [closed_loop(times.cases(pool[at : at + block]), rules, users[at : at + block]) for at in starts]
    names = [one.name for one in dataclasses.fields(Loaded)]
    return Loaded(**{name: np.concatenate([getattr(one, name) for one in found]) for name in names})


def queued_first_tokens(
    times: PoolTimes, deployments: Sequence[Deployment], sequences: Sequence[Array], quantile: float
) -> list[Array]:
    """Quantile of the time to the first token in a closed loop, queueing included, s.

    Users ask again when they are answered, and have done so for long: there is no burst, with which a benchmark begins.

    Args:
        times: times of the pools' passes.
        deployments: one deployment per pool, all with one engine.
        sequences: requests in flight per group at which each pool is evaluated.
        quantile: part of the requests that stay below the result.
    """
    cases, rules, found = _in_a_loop(times, deployments, sequences)
    idle_s = idle_first_token_s(
        rules,
        groups=cases.groups,
        latency_s=cases.latency_s,
        step_s=found.step_s,
        users=np.concatenate(sequences) * cases.groups,
    )
    mean_wait_s = np.maximum(found.ttft_s - found.admission_s - idle_s, 0.0)
    busy = np.minimum(found.requests_per_s * found.prompt_s, 1.0)
    if cases.prompts is None:
        waited_s = wait_quantile_s(mean_wait_s=mean_wait_s, busy=busy, quantile=quantile)
    else:
        services_s = tuple(idle_s + beyond_mean_s(cases).T)
        within_s = answered_within_s(services_s=services_s, mean_wait_s=mean_wait_s, busy=busy, quantile=quantile)
        waited_s = within_s - idle_s
    # Where memory is full, all wait for as many earlier requests: a wait that is as long for all has no tail.
    return _corrected(idle_s + found.admission_s + waited_s, deployments, sequences)


def benchmark_first_tokens_s(times: PoolTimes, deployment: Deployment, users: Array) -> Array:
    """Mean time to the first token in benchmarks of ten requests a user, all of whom begin at once, s.

    Args:
        times: times of the passes of one pool.
        deployment: deployment of a replica.
        users: users of a replica, a number for each benchmark.
    """
    rules = rules_of(deployment.engine, equal_lengths=False, is_benchmark=False)
    found = closed_loop(times.cases(np.zeros(len(users), dtype=np.intp)), rules, users)
    return np.asarray(deployment.correction.ttft_factor * found.ttft_s)


def _in_a_loop(
    times: PoolTimes, deployments: Sequence[Deployment], sequences: Sequence[Array]
) -> tuple[PoolTimes, Rules, Loaded]:
    """All points of curves as cases, with latency and throughput at each."""
    pool = np.repeat(np.arange(len(deployments)), [len(grid) for grid in sequences])
    cases, users = times.cases(pool), np.concatenate(sequences) * times.groups[pool]
    rules = rules_of(deployments[0].engine, equal_lengths=False, is_benchmark=False)
    return cases, rules, closed_loop(cases, rules, users, burst_share=0.0)


def _corrected(first_s: Array, deployments: Sequence[Deployment], sequences: Sequence[Array]) -> list[Array]:
    """Times to first token with each pool's correction, curve by curve."""
    counts = [len(grid) for grid in sequences]
    factor = np.repeat([one.correction.ttft_factor for one in deployments], counts)
    return np.split(np.asarray(factor * first_s), np.cumsum(counts)[:-1])


def beyond_mean_s(cases: PoolTimes) -> Array:
    """Time of lone prompts of each length beyond the mean, s, ascending; a row for each case."""
    if cases.prompts is None:
        return np.zeros((len(cases.pool), 1))
    latency_s = cases.prompts.latency_s[cases.pool]
    return np.sort(latency_s - latency_s.mean(axis=1, keepdims=True))


def lone_first_token_s(times: PoolTimes, deployment: Deployment, curve: PoolCurve, quantile: float) -> float:
    """Quantile of the time to the first token of a lone request, by the distribution of prompt lengths, s.

    Args:
        times: times of the pool's passes alone.
        deployment: deployment of the pool.
        curve: latency and throughput of the pool.
        quantile: part of the requests that stay below the result.
    """
    (beyond_s,) = beyond_mean_s(times)
    return curve.first_token_s + deployment.correction.ttft_factor * float(np.quantile(beyond_s, quantile))


CURVES = ("batch", "in_flight", "decoding", "decode_step_s", "prompt_s", "tpot_s", "requests_per_s")
"""Fields of ``PoolCurve`` that are arrays."""


def pass_causes(passes: PoolPasses, decoding: float, prompts: float) -> tuple[dict[Cause, float], dict[Cause, float]]:
    """Time of a decode step and of a prefill pass by cause, s.

    Args:
        passes: passes of the pool.
        decoding: sequences of all groups in the step.
        prompts: prompts of all groups in the pass.
    """
    layout = passes.deployment.layout
    places = ((passes.sequences * float(layout.dp), decoding), (passes.prompts, prompts))
    steps, reads = (
        {
            cause: float(np.interp(at, grid, np.broadcast_to(np.asarray(part_s, dtype=float), grid.shape)))
            for cause, part_s in occupied_causes(operations, passes.deployment, shares_of(pass_, layout)).items()
        }
        for (operations, pass_), (grid, at) in zip((passes.run_steps, passes.run_passes), places, strict=True)
    )
    return steps, reads


def causes_per_request(
    passes: PoolPasses, times: PoolTimes, curve: PoolCurve, index: int, *, requests_per_s: float
) -> tuple[dict[Cause, float], dict[Cause, float]]:
    """Pool time of a request's decode steps and of its prompt, by cause, at one point of a curve, s.

    Their sum is a request's share of the pool's time: idle time is divided in proportion. What groups wait while
    another reads a prompt is time of that prompt.

    Args:
        passes: passes of the pool.
        times: times of these passes, of this pool alone.
        curve: latency and throughput of the pool.
        index: index of the point on the curve.
        requests_per_s: requests that the pool finishes per second there; fewer than its capacity under partial load.
    """
    deployment, groups = passes.deployment, float(passes.deployment.layout.dp)
    steps, batch = passes.decode_steps, float(curve.decoding[index])
    rules = rules_of(deployment.engine, equal_lengths=False, is_benchmark=False)
    together = groups * float(
        prompts_together(
            batch=batch,
            decode_steps=steps,
            groups=groups,
            most=float(passes.prompts[-1] / groups),
            interval_steps=float(rules.interval_steps(times)[0]),
        )
    )
    of_step, of_pass = pass_causes(passes, batch, together)
    decode_fraction = float(curve.decode_fraction(steps)[index])
    decode_s, prompt_s = decode_fraction / requests_per_s, (1 - decode_fraction) / requests_per_s
    is_alone = bool(times.waits_for_groups[0] and rules.starts_prefills_alone)
    read_s = deployment.correction.tpot_factor * sum(of_pass.values()) / together
    waited_s = prompt_s * max(1 - read_s / float(curve.prompt_s[index]), 0.0) if is_alone else 0.0
    return (
        _scaled(of_step, decode_s),
        _scaled(of_pass, prompt_s - waited_s) | {Cause.GROUPS: waited_s},
    )


def _scaled(causes: dict[Cause, float], whole_s: float) -> dict[Cause, float]:
    """Causes in their proportions, with another sum."""
    scale = whole_s / sum(causes.values())
    return {cause: scale * part_s for cause, part_s in causes.items()}
