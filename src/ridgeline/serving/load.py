"""A pool under load, in closed form: users who ask again at once, requests without end, or two pools in a row.

All is made of what a pool's passes take (``PoolTimes``): a decode step at every batch, and a pass over prompts. Records
hold one pool, or as many as there are rows, with an axis for them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import (
    admission_wait_s,
    arrivals_wait_s,
    burst_wait_s,
    in_flight,
    pooled_time_per_token_s,
    prompt_time_s,
    prompts_together,
)
from ridgeline.numeric import Numeric
from ridgeline.specs.engine import Engine

__all__ = [
    "Loaded",
    "PoolTimes",
    "Rules",
    "closed_loop",
    "disaggregated",
    "idle_first_token_s",
    "rules_of",
    "saturated",
    "step_at",
]

Array = NDArray[np.float64]

ROUNDS = 6
"""Iterations of the fixed point of time per token and requests in flight; it then moves by less than a thousandth,
except where prefill takes nearly all of the time."""

WAITING = 0.5
"""Mean queueing delay over ``rho / (1 - rho)`` service times, which are much the same (Pollaczek and Khinchine)."""

MOST_BUSY = 0.95
"""Upper bound on a closed loop's share of time in prefill: its own users feed it, and wait."""

BURST_SHARE = 0.1
"""Part of the requests that arrive in the initial burst: a tenth, as of a benchmark with ten requests a user.

The model's own choice for every closed loop, and no benchmark's fact: most are run so."""

IN_A_WAVE = 0.5
"""Part of other requests' prefills that delays a token under prefill-first scheduling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolTimes:
    """Times of pools' passes, with a number for each case: a pool, or a number of users of one.

    Attributes:
        sequences: batch sizes of a ``dp`` group at which decode steps are timed.
        step_s: time of a decode step at each of them, s; a row for each pool.
        pool: row of ``step_s`` of each case.
        lone_s: latency of a prefill of a single prompt, s.
        latency_s: latency of a prefill of one prompt in every ``dp`` group, s.
        alone_s: occupancy of the pool by that prefill, s: the time until the next pass may start.
        full_s: occupancy of the pool by a prefill of ``most_together`` prompts in every group, s.
        most_together: maximum prompts of a group in one pass.
        groups: ``dp`` groups.
        admitted: sequences of all groups that memory admits.
        decode_steps: decode steps of a request.
    """

    sequences: Array
    step_s: Array
    pool: NDArray[np.intp]
    lone_s: Array
    latency_s: Array
    alone_s: Array
    full_s: Array
    most_together: Array
    groups: Array
    admitted: Array
    decode_steps: Array

    def cases(self, pool: NDArray[np.intp]) -> PoolTimes:
        """The same with several cases of each pool, by the pools' numbers."""
        picked = {name: getattr(self, name)[pool] for name in CASES}
        return PoolTimes(sequences=self.sequences, step_s=self.step_s, pool=self.pool[pool], **picked)

    @property
    def more_s(self) -> Array:
        """Time that each further prompt of every group adds to a pass, s."""
        further = self.most_together - 1
        return np.where(further > 0, (self.full_s - self.alone_s) / np.maximum(further, 1.0), self.alone_s)

    @property
    def once_s(self) -> Array:
        """Fixed time of a prefill pass, s."""
        return np.maximum(self.alone_s - self.more_s, 0.0)


CASES = tuple(name for name in PoolTimes.__dataclass_fields__ if name not in {"sequences", "step_s", "pool"})
"""Fields of ``PoolTimes`` with a number for each case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Scheduling of each case, or of all; fields as of ``Scheduling`` in ``specs/engine.py``."""

    first_token_s: Array
    first_token_users_power: Array
    first_token_steps: Array
    dp_balance_steps: Array
    stream_interval_steps: Array
    arrivals_wait_fraction: Array
    prefill_first_fraction: Array


def rules_of(engine: Engine, *, equal_lengths: bool, is_benchmark: bool) -> Rules:
    """An engine's rules for one pool.

    Args:
        engine: whose scheduling it is.
        equal_lengths: whether all requests are alike; others never move in waves of prefills.
        is_benchmark: whether a benchmark's scripts started the servers, which then send tokens in chunks.
    """
    how = engine.scheduling
    numbers = {name: np.array([float(getattr(how, name))]) for name in Rules.__dataclass_fields__}
    if not equal_lengths:
        numbers["prefill_first_fraction"] = np.zeros(1)
    if not is_benchmark:
        numbers["stream_interval_steps"] = np.zeros(1)
    return Rules(**numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """Latency and throughput under load, with a number for each case.

    Attributes:
        tpot_s: time per output token, other requests' prefills included, s.
        ttft_s: time to the first token, queueing included, s.
        in_flight: requests that have their first token and not their last.
        step_s: decode step within ``tpot_s``, s.
        prompt_s: time of the pool for one prompt, s.
        requests_per_s: finished requests per second.
    """

    tpot_s: Array
    ttft_s: Array
    in_flight: Array
    step_s: Array
    prompt_s: Array
    requests_per_s: Array


def step_at(times: PoolTimes, in_flight: Array) -> Array:
    """Time of decode steps with so many sequences in all groups, s: linear between those timed, and beyond."""
    nodes, wanted = times.sequences, np.maximum(in_flight / times.groups, 1.0)
    if len(nodes) == 1:
        return np.asarray(times.step_s[times.pool, 0])
    at = np.clip(np.searchsorted(nodes, wanted, side="right") - 1, 0, len(nodes) - 2)
    part = (wanted - nodes[at]) / (nodes[at + 1] - nodes[at])
    return np.asarray(times.step_s[times.pool, at] * (1 - part) + times.step_s[times.pool, at + 1] * part)


def closed_loop(times: PoolTimes, rules: Rules, users: Array, burst_share: float = BURST_SHARE) -> Loaded:
    """A closed loop: ``users`` who ask again as soon as they are answered."""
    steps, groups = times.decode_steps, times.groups
    most = np.minimum(users, times.admitted)
    flying, in_waves = most, rules.prefill_first_fraction > 0
    others = 1 - 1 / np.maximum(users, 1.0)  # one's own prompt is read before one's tokens, never between them
    tpot_s = step_s = step_at(times, flying)
    pass_s: Numeric = 0.0
    for _ in range(ROUNDS):
        step_s = step_at(times, flying)
        together = prompts_together(batch=flying, decode_steps=steps, groups=groups, most=times.most_together)
        pass_s = prompt_time_s(once_s=times.once_s, more_s=times.more_s, together=together)
        read_s = np.where(in_waves, IN_A_WAVE, 1.0) * pass_s / groups
        tpot_s = np.asarray(
            pooled_time_per_token_s(
                decode_step_time_s=step_s, prefill_time_per_prompt_s=read_s, batch=others * flying, decode_steps=steps
            )
        )
        busy = np.minimum(others * flying / steps * pass_s / groups / tpot_s, MOST_BUSY)
        queued = burst_wait_s(users=users / groups, prompt_s=pass_s, burst_share=burst_share)
        first_s = pass_s + queued + WAITING * busy / (1 - busy) * pass_s
        loop = in_flight(users=users, decode_steps=steps, time_per_token_s=tpot_s, first_token_s=first_s)
        flying = np.asarray(np.minimum(most, loop))
    ttft_s = first_token_s(
        times, rules, users=users, flying=flying, tpot_s=tpot_s, step_s=step_s, burst_share=burst_share
    )
    # No pool answers more requests than it can read prompts of; the others wait before it.
    ttft_s = np.maximum(ttft_s, users * pass_s / groups - steps * tpot_s)
    return Loaded(
        tpot_s=tpot_s,
        ttft_s=ttft_s,
        in_flight=flying,
        step_s=step_s,
        prompt_s=np.asarray(pass_s / groups),
        requests_per_s=users / (steps * tpot_s + ttft_s),
    )


def first_token_s(
    times: PoolTimes,
    rules: Rules,
    *,
    users: Array,
    flying: Array,
    tpot_s: Array,
    step_s: Array,
    burst_share: float,
) -> Array:
    """Time to first token: prefill, queueing behind others', decode steps in between, host, and wait for admission, s.

    The queue holds a wave of prefills, or those of the burst and of later coincidences.
    """
    served = np.minimum(users, times.admitted) / times.groups
    full_s = prompt_time_s(once_s=times.once_s, more_s=times.more_s, together=times.most_together)
    burst = np.where(rules.prefill_first_fraction > 0, rules.prefill_first_fraction, burst_share)
    before_s = burst_wait_s(users=served, prompt_s=full_s, burst_share=burst)
    busy = np.minimum(flying / times.decode_steps * full_s / times.groups / tpot_s, MOST_BUSY)
    together_s = rules.arrivals_wait_fraction * arrivals_wait_s(users=served, busy=busy, prompt_s=full_s)
    outside_s = admission_wait_s(
        users=users, admitted=times.admitted, decode_steps=times.decode_steps, time_per_token_s=tpot_s
    )
    before_s = before_s + np.where(rules.prefill_first_fraction > 0, 0.0, together_s)
    idle_s = idle_first_token_s(rules, groups=times.groups, latency_s=times.latency_s, step_s=step_s, users=users)
    return np.asarray(idle_s + before_s + outside_s)


def idle_first_token_s(rules: Rules, *, groups: Array, latency_s: Array, step_s: Array, users: Array) -> Array:
    """Time to first token with no prefill queued: its own pass, the host, and decode steps of others, if any, s."""
    others = 1 - 1 / np.maximum(users, 1.0)
    steps = (
        others * (rules.first_token_steps + np.where(groups > 1, rules.dp_balance_steps, 0.0))
        + rules.stream_interval_steps
    )
    return np.asarray(latency_s + steps * step_s + rules.first_token_s * users**rules.first_token_users_power)


def saturated(times: PoolTimes, most_sequences: Array, batch_occupancy_fraction: Array) -> Loaded:
    """A saturated pool: as many requests in flight as memory and the engine admit, times the batch occupancy."""
    flying = np.minimum(times.admitted, most_sequences * times.groups)
    together = prompts_together(
        batch=flying, decode_steps=times.decode_steps, groups=times.groups, most=times.most_together
    )
    read_s = prompt_time_s(once_s=times.once_s, more_s=times.more_s, together=together) / times.groups
    step_s = step_at(times, flying)
    tpot_s = np.asarray(
        pooled_time_per_token_s(
            decode_step_time_s=step_s,
            prefill_time_per_prompt_s=read_s,
            batch=flying,
            decode_steps=times.decode_steps,
        )
    )
    return Loaded(
        tpot_s=tpot_s,
        ttft_s=np.asarray(times.latency_s),
        in_flight=flying,
        step_s=step_s,
        prompt_s=np.asarray(read_s),
        requests_per_s=batch_occupancy_fraction * flying / (times.decode_steps * tpot_s),
    )


def disaggregated(
    prefill: PoolTimes,
    decode: PoolTimes,
    rules: Rules,
    *,
    users: Array,
    prefill_workers: Array,
    decode_workers: Array,
    prompts_at_once: Array,
    move_s: Array,
) -> Loaded:
    """Prompts read in one pool, tokens made in another, with the caches sent in between.

    Args:
        prefill: a worker of the first pool.
        decode: a worker of the second; ``admitted`` holds its own limit, too.
        rules: of the engine.
        users: who ask again as soon as they are answered.
        prefill_workers: of the first pool.
        decode_workers: of the second.
        prompts_at_once: of a group, that a worker reads in a pass.
        move_s: to send a prompt's cache.
    """
    together = np.maximum(np.minimum(prompts_at_once, prefill.most_together), 1.0)
    pass_s = prompt_time_s(once_s=prefill.once_s, more_s=prefill.more_s, together=together)
    prompt_s = np.asarray(pass_s / prefill.groups)
    first_s = prefill.latency_s + move_s
    most = decode.admitted * decode_workers
    flying = np.minimum(users, most)
    tpot_s = step_at(decode, flying / decode_workers)
    for _ in range(ROUNDS):
        tpot_s = step_at(decode, flying / decode_workers)
        waiting_s = burst_wait_s(users=users / prefill_workers, prompt_s=prompt_s, burst_share=BURST_SHARE)
        free = in_flight(
            users=users,
            decode_steps=decode.decode_steps,
            time_per_token_s=tpot_s,
            first_token_s=first_s + waiting_s,
        )
        fed = prefill_workers / prompt_s * decode.decode_steps * tpot_s  # no more than prompts are read
        flying = np.minimum(np.minimum(free, fed), most)
    rate = flying / (decode.decode_steps * tpot_s)
    starved_s = np.maximum(users / rate - decode.decode_steps * tpot_s - first_s, 0.0)
    asking = users / prefill_workers
    busy = np.minimum(rate / prefill_workers * prompt_s, MOST_BUSY)
    together_s = rules.arrivals_wait_fraction * arrivals_wait_s(users=asking, busy=busy, prompt_s=prompt_s)
    # Those of the burst wait for each other, the others for what always stands before a pool that reads too slowly.
    burst_s = burst_wait_s(users=asking, prompt_s=prompt_s, burst_share=BURST_SHARE)
    before_s = burst_s + (1 - BURST_SHARE) * starved_s + together_s
    ttft_s = before_s + idle_first_token_s(
        rules, groups=prefill.groups, latency_s=first_s, step_s=np.asarray(tpot_s), users=users
    )
    return Loaded(
        tpot_s=np.asarray(tpot_s),
        ttft_s=np.asarray(ttft_s),
        in_flight=flying,
        step_s=np.asarray(tpot_s),
        prompt_s=prompt_s,
        requests_per_s=np.asarray(rate),
    )
