"""Layouts for both pools: prompts that a prefill replica reads, and requests that a decode replica finishes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.numeric import Numeric
from ridgeline.planner.choice import WORTH_WAITING_FOR
from ridgeline.planner.rejection import Candidate
from ridgeline.serving.energy import Draw, no_draw, reading_draw, writing_draw
from ridgeline.serving.interval import load_interval
from ridgeline.serving.load import MOST_BUSY, idle_first_token_s, prompts_per_s
from ridgeline.serving.open_curves import LOOKED_AT, open_prefill_pools
from ridgeline.serving.passes import pool_passes, pool_times
from ridgeline.serving.pool import beyond_mean_s, most_sequences, sequence_grid
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.serving.rules import rules_of
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.machine import Machine
from ridgeline.specs.workload import Workload

__all__ = [
    "AtBatch",
    "AtRandom",
    "Reader",
    "Writer",
    "batches_of",
    "best_readers",
    "by_machine",
    "fewest_readers",
    "margin",
    "readers_of",
    "times_of",
    "writers_of",
]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class AtRandom:
    """First tokens of a prefill pool that a load at random comes to, without transfer of the cache.

    Attributes:
        replicas: numbers of replicas that are evaluated, ascending.
        within_s: quantile of the time to the first token with each number of them, s.
        mean_s: mean time to the first token with each number of them, s.
    """

    replicas: Array
    within_s: Array
    mean_s: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A layout of the prefill pool.

    Attributes:
        candidate: one replica, and the requested format of its weights.
        chips: chips of one replica.
        together: prompts of a full pass, of all groups.
        prompts_per_s: prompts that it reads per second.
        first_s: time to the first token of a lone prompt, of mean length where they differ, without transfer of the
            cache, s.
        beyond_s: time of prompts of each length beyond ``first_s``, ascending, s.
        variation: variance of a prompt's time over the square of its mean.
        pass_s: time of a full prefill pass, s.
        arrivals_wait_fraction: fitted factor on the wait for prompts that bunch, as in ``Scheduling``.
        at_random: time to the first token with the queue of a load that comes at random; None without a rate.
        draw: power and energy of a replica, where power matters.
    """

    candidate: Candidate
    chips: int
    together: int
    prompts_per_s: float
    first_s: float
    beyond_s: Array
    variation: float
    pass_s: float
    arrivals_wait_fraction: float
    at_random: AtRandom | None
    draw: Draw

    @property
    def deployment(self) -> Deployment:
        """Deployment of one replica."""
        return self.candidate.deployment

    @property
    def machine(self) -> Machine:
        """Machine of its chips."""
        return self.deployment.machine

    def within_s(self, quantile: float) -> float:
        """Quantile of the time to the first token of a lone prompt, s."""
        return self.first_s + float(np.quantile(self.beyond_s, quantile))


@dataclass(frozen=True, slots=True, kw_only=True)
class AtBatch:
    """Decode replica at a batch: numbers, or arrays of one length for several on one machine.

    Attributes:
        machine: machine of its chips.
        chips: chips of the replica.
        batch: sequences in flight on it.
        tpot_s: time per output token, s.
        requests_per_s: requests that it finishes per second.
        draw: power and energy of the replica, 0 where power does not matter.
    """

    machine: Machine
    chips: Numeric
    batch: Numeric
    tpot_s: Numeric
    requests_per_s: Numeric
    draw: Draw

    def at(self, places: NDArray[np.intp]) -> AtBatch:
        """Some of several batches, by their indices."""
        return AtBatch(
            machine=self.machine,
            chips=np.take(self.chips, places),
            batch=np.take(self.batch, places),
            tpot_s=np.take(self.tpot_s, places),
            requests_per_s=np.take(self.requests_per_s, places),
            draw=Draw(idle_w=np.take(self.draw.idle_w, places), request_j=np.take(self.draw.request_j, places)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """A layout of the decode pool over all batches that fit.

    Attributes:
        candidate: one replica, and the requested format of its weights.
        chips: chips of one replica.
        batch: sequences in flight on it.
        tpot_s: time per output token at each batch, s.
        requests_per_s: requests that it finishes per second at each batch.
        best: index of the batch of most value within the limit on the time per token; None where none meets it.
        last: index of the largest batch within the limit; None where none meets it.
        most_sequences: maximum sequences of a group that fit and that the engine admits.
        draw: power and energy of a replica, 0 where power does not matter.
    """

    candidate: Candidate
    chips: int
    batch: Array
    tpot_s: Array
    requests_per_s: Array
    best: int | None
    last: int | None
    most_sequences: int
    draw: Draw

    @property
    def deployment(self) -> Deployment:
        """Deployment of one replica."""
        return self.candidate.deployment

    @property
    def machine(self) -> Machine:
        """Machine of its chips."""
        return self.deployment.machine

    def at(self, place: int) -> AtBatch:
        """One replica at the batch with this index."""
        return AtBatch(
            machine=self.machine,
            chips=self.chips,
            batch=float(self.batch[place]),
            tpot_s=float(self.tpot_s[place]),
            requests_per_s=float(self.requests_per_s[place]),
            draw=Draw(idle_w=self.draw.idle_w, request_j=float(np.take(self.draw.request_j, place))),
        )


def times_of(candidates: Sequence[Candidate], workload: Workload) -> PoolTimes | None:
    """Times of candidates' passes, all timed together: of prompts, and of steps with all sequences that fit."""
    if not candidates:
        return None
    deployments = [one.deployment for one in candidates]
    return pool_times(deployments, workload, max(most_sequences(one, workload) for one in deployments))


def readers_of(
    candidates: Sequence[Candidate], times: PoolTimes | None, workload: Workload, demand: Demand
) -> list[Reader]:
    """Candidates as layouts of the prefill pool, whatever the limit."""
    if times is None:
        return []
    rules = rules_of(candidates[0].deployment.engine, equal_lengths=False, is_benchmark=False)
    first_s = idle_first_token_s(
        rules, groups=times.groups, latency_s=times.lone_s, step_s=times.step_s[:, 0], users=np.ones(1)
    )
    rates = prompts_per_s(times)
    at_random = _at_random([one.deployment for one in candidates], times, rates, workload, demand)
    beyond_s, variation = beyond_mean_s(times), np.broadcast_to(times.prompt_variation, rates.shape)
    return [
        Reader(
            candidate=one,
            chips=one.deployment.layout.chips,
            together=round(float(times.most_together[number] * times.groups[number])),
            prompts_per_s=float(rates[number]),
            first_s=float(first_s[number]),
            beyond_s=beyond_s[number],
            variation=float(variation[number]),
            pass_s=float(times.full_s[number]),
            arrivals_wait_fraction=float(rules.arrivals_wait_fraction[0]),
            at_random=None if at_random is None else at_random[number],
            draw=_reading_draw(one, float(rates[number]), workload) if demand.heeds_power else no_draw(1.0),
        )
        for number, one in enumerate(candidates)
    ]


def fewest_readers(requests_per_s: Array | float, prompts_per_s: Array | float) -> Array:
    """Fewest replicas that read the prompts of a load with time to spare.

    With fewer, requests at random would wait without end, and users would all stand in one queue.
    """
    return np.maximum(np.ceil(requests_per_s / (MOST_BUSY * np.asarray(prompts_per_s))), 1.0)


def _at_random(
    deployments: Sequence[Deployment], times: PoolTimes, rates: Array, workload: Workload, demand: Demand
) -> list[AtRandom] | None:
    """First tokens of each layout under a load at random, with up to twice as many replicas as it needs at least."""
    load = demand.requests_per_s
    if load is None:
        return None
    replicas = [_evaluated(int(fewest)) for fewest in fewest_readers(load, rates)]
    pools = open_prefill_pools(times, deployments, workload)
    found = pools.first_tokens([load / each for each in replicas], demand.ttft_quantile)
    return [
        AtRandom(replicas=each, within_s=within_s, mean_s=mean_s)
        for each, (within_s, mean_s) in zip(replicas, found, strict=True)
    ]


def _evaluated(fewest: int) -> Array:
    """Numbers of replicas that are evaluated, up to twice the fewest: all of few, of many those at ``LOOKED_AT``."""
    most = 2 * fewest + 1
    if most - fewest < len(LOOKED_AT):
        return np.arange(fewest, most + 1, dtype=float)
    return np.unique(np.round(np.minimum(fewest / LOOKED_AT, most)))


def _reading_draw(candidate: Candidate, prompts_per_s: float, workload: Workload) -> Draw:
    return reading_draw(pool_passes(candidate.deployment, workload, 1.0), prompts_per_s)


def best_readers(readers: Iterable[Reader]) -> list[Reader]:
    """Layouts that no other with as many chips of the machine matches in rate, latency and few stages."""
    found: dict[tuple[str, int], list[Reader]] = {}
    for one in sorted(readers, key=lambda one: (-one.prompts_per_s, *_costs_of(one))):
        kept = found.setdefault((one.machine.id, one.chips), [])
        if all(any(mine < its for mine, its in zip(_costs_of(one), _costs_of(other), strict=True)) for other in kept):
            kept.append(one)
    return [one for kept in found.values() for one in kept]


def _costs_of(reader: Reader) -> tuple[float, float, int, Numeric, Numeric]:
    """Costs of a reader besides its rate; less is better."""
    draw = reader.draw
    return reader.first_s, reader.pass_s, reader.deployment.layout.pp, draw.idle_w, draw.request_j


def by_machine(writers: Iterable[Writer]) -> list[list[Writer]]:
    """Decode layouts of each machine."""
    found: dict[str, list[Writer]] = {}
    for one in writers:
        found.setdefault(one.machine.id, []).append(one)
    return list(found.values())


def batches_of(writers: Sequence[Writer]) -> AtBatch:
    """All batches of decode layouts on one machine, one layout after the other."""
    sizes = [len(one.batch) for one in writers]
    return AtBatch(
        machine=writers[0].machine,
        chips=np.repeat([float(one.chips) for one in writers], sizes),
        batch=np.concatenate([one.batch for one in writers]),
        tpot_s=np.concatenate([one.tpot_s for one in writers]),
        requests_per_s=np.concatenate([one.requests_per_s for one in writers]),
        draw=Draw(
            idle_w=np.repeat([one.draw.idle_w for one in writers], sizes),
            request_j=np.concatenate([np.asarray(one.draw.request_j) for one in writers]),
        ),
    )


def writers_of(
    candidates: Sequence[Candidate], times: PoolTimes | None, workload: Workload, demand: Demand
) -> list[Writer]:
    """Candidates as layouts of the decode pool, at every batch that fits, or at the one that was asked for."""
    if times is None:
        return []
    return [_writer(one, times, number, workload, demand) for number, one in enumerate(candidates)]


def _writer(candidate: Candidate, times: PoolTimes, number: int, workload: Workload, demand: Demand) -> Writer:
    deployment = candidate.deployment
    most, groups = most_sequences(deployment, workload), deployment.layout.dp
    grid = sequence_grid(most) if demand.batch is None else np.array([demand.batch / groups])
    step_s = np.interp(grid, times.sequences, times.step_s[number]) * deployment.correction.tpot_factor
    tpot_s = step_s / deployment.speculation.accepted_tokens
    allowed = tpot_s * margin(deployment, workload, demand, "tpot_s") <= (workload.tpot_s or math.inf)
    batch = grid * groups
    rate = batch / (workload.decode_steps * tpot_s)
    draw = no_draw(rate)
    if demand.heeds_power:
        draw = writing_draw(pool_passes(deployment, workload, float(grid[-1])), batch, rate)
    best = None
    if allowed.any():
        slack = WORTH_WAITING_FOR if workload.tpot_s is None else 0.0
        best = int(np.flatnonzero(allowed & (rate >= rate[allowed].max() * (1 - slack)))[0])
    return Writer(
        candidate=candidate,
        chips=deployment.layout.chips,
        batch=batch,
        tpot_s=tpot_s,
        requests_per_s=rate,
        best=best,
        last=None if best is None else int(np.flatnonzero(allowed)[-1]),
        most_sequences=most,
        draw=draw,
    )


def margin(deployment: Deployment, workload: Workload, demand: Demand, quantity: str) -> float:
    """Factor on a time that gives the required certainty of its limit."""
    if not demand.widths_kept:
        return 1.0
    _, high = load_interval(pool_passes(deployment, workload, 1.0), f"disaggregated_{quantity}")
    return float(high**demand.widths_kept)
