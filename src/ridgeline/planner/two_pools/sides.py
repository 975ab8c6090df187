"""Layouts for either pool: how many prompts a replica of the first reads, and what one of the second finishes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.planner.choice import WORTH_WAITING_FOR
from ridgeline.serving.interval import load_interval
from ridgeline.serving.load import PoolTimes, idle_first_token_s, prompts_per_s, rules_of
from ridgeline.serving.passes import pool_passes, pool_times
from ridgeline.serving.pool import beyond_mean_s, most_sequences, sequence_grid
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["Reader", "Writer", "best_readers", "margin", "readers_of", "writers_of"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A layout of the prefill pool.

    Attributes:
        deployment: one replica.
        together: prompts of a full pass, of all groups.
        prompts_per_s: that it reads.
        first_s: time to the first token of a lone prompt, without the cache's move; of the mean where they differ, s.
        beyond_s: what prompts of each length take beyond that, the least first, s.
        variation: variance of what a prompt takes over the square of its mean.
        pass_s: time of a full pass over prompts, s.
    """

    deployment: Deployment
    together: int
    prompts_per_s: float
    first_s: float
    beyond_s: Array
    variation: float
    pass_s: float

    @property
    def chips(self) -> int:
        """Of one replica."""
        return self.deployment.layout.chips

    def within_s(self, quantile: float) -> float:
        """Time to the first token of a lone prompt that a part of the requests stays below, s."""
        return self.first_s + float(np.quantile(self.beyond_s, quantile))


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """A layout of the decode pool over all batches that fit.

    Attributes:
        deployment: one replica.
        batch: sequences under way on it.
        tpot_s: time per output token at each, s.
        requests_per_s: that it finishes at each.
        best: the batch that is worth most within the limit on the time per token; None where none keeps to it.
    """

    deployment: Deployment
    batch: Array
    tpot_s: Array
    requests_per_s: Array
    best: int | None

    @property
    def chips(self) -> int:
        """Of one replica."""
        return self.deployment.layout.chips


def readers_of(deployments: Sequence[Deployment], workload: Workload) -> list[Reader]:
    """What replicas read, whatever the limit."""
    if not deployments:
        return []
    times = pool_times(deployments, workload, 1.0)
    rules = rules_of(deployments[0].engine, equal_lengths=False, is_benchmark=False)
    first_s = idle_first_token_s(
        rules, groups=times.groups, latency_s=times.lone_s, step_s=times.step_s[:, 0], users=np.ones(1)
    )
    rates = prompts_per_s(times)
    beyond_s, variation = beyond_mean_s(times), np.broadcast_to(times.prompt_variation, rates.shape)
    return [
        Reader(
            deployment=deployment,
            together=round(float(times.most_together[number] * times.groups[number])),
            prompts_per_s=float(rates[number]),
            first_s=float(first_s[number]),
            beyond_s=beyond_s[number],
            variation=float(variation[number]),
            pass_s=float(times.full_s[number]),
        )
        for number, deployment in enumerate(deployments)
    ]


def best_readers(readers: Iterable[Reader]) -> list[Reader]:
    """Of those with as many chips of a machine, all but what another matches in rate, in latency and in few stages."""
    found: dict[tuple[str, int], list[Reader]] = {}
    for one in sorted(readers, key=lambda one: (-one.prompts_per_s, *_costs_of(one))):
        kept = found.setdefault((one.deployment.machine.id, one.chips), [])
        if all(any(mine < its for mine, its in zip(_costs_of(one), _costs_of(other), strict=True)) for other in kept):
            kept.append(one)
    return [one for kept in found.values() for one in kept]


def _costs_of(reader: Reader) -> tuple[float, float, int]:
    """What else than its rate matters of a reader, the less the better."""
    return reader.first_s, reader.pass_s, reader.deployment.layout.pp


def writers_of(deployments: Sequence[Deployment], workload: Workload, demand: Demand) -> list[Writer]:
    """What replicas finish at every batch that fits, or at the one that is asked for."""
    if not deployments:
        return []
    most = [most_sequences(one, workload) for one in deployments]
    times = pool_times(deployments, workload, max(most))
    return [
        _writer(deployment, _grid(deployment, sequences, demand), times, number, workload, demand)
        for number, (deployment, sequences) in enumerate(zip(deployments, most, strict=True))
    ]


def _grid(deployment: Deployment, most: int, demand: Demand) -> Array:
    """Sequences of a group to look at."""
    return sequence_grid(most) if demand.batch is None else np.array([demand.batch / deployment.layout.dp])


def _writer(
    deployment: Deployment, grid: Array, times: PoolTimes, number: int, workload: Workload, demand: Demand
) -> Writer:
    step_s = np.interp(grid, times.sequences, times.step_s[number]) * deployment.correction.tpot_factor
    tpot_s = step_s / deployment.speculation.accepted_tokens
    allowed = tpot_s * margin(deployment, workload, demand, "tpot_s") <= (workload.tpot_s or math.inf)
    batch = grid * deployment.layout.dp
    rate = batch / (workload.decode_steps * tpot_s)
    best = None
    if allowed.any():
        slack = WORTH_WAITING_FOR if workload.tpot_s is None else 0.0
        best = int(np.flatnonzero(allowed & (rate >= rate[allowed].max() * (1 - slack)))[0])
    return Writer(deployment=deployment, batch=batch, tpot_s=tpot_s, requests_per_s=rate, best=best)


def margin(deployment: Deployment, workload: Workload, demand: Demand, quantity: str) -> float:
    """By how much a time must stay below its limit to be as sure as is asked."""
    if not demand.widths_kept:
        return 1.0
    _, high = load_interval(pool_passes(deployment, workload, 1.0), f"disaggregated_{quantity}")
    return float(high**demand.widths_kept)
