"""A pool under load, in closed form: users in a closed loop, an unending queue of requests, or two pools in series.

Everything follows from the times of a pool's passes (``PoolTimes``): a decode step at every batch, and prefill passes.
Records hold one pool, or several along an axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import (
    admission_wait_s,
    arrivals_wait_s,
    burst_wait_s,
    closed_loop_wait,
    decoding_by_steps,
    in_flight,
    pooled_time_per_token_s,
    prompt_time_s,
    prompts_gathered,
    prompts_together,
    sequences_of_a_step,
    unaligned_prompt_time_s,
)
from ridgeline.numeric import NEXT_TO_NOTHING, Numeric
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.serving.rules import NO_RULES, Rules

__all__ = [
    "MOST_BUSY",
    "Loaded",
    "closed_loop",
    "disaggregated",
    "idle_first_token_s",
    "prompts_per_s",
    "read_by_users_wait_s",
    "saturated",
    "step_at",
]

Array = NDArray[np.float64]

ROUNDS = 6
"""Iterations of the fixed point of time per token and requests in flight where prompts are read in their own pool."""

MOST_BUSY = 0.95
"""Upper bound on a server's share of time: users of a closed loop feed it themselves, and wait; of arrivals at random
more would leave queues that no estimate is sure of."""

BURST_SHARE = 0.1
"""Part of the requests that arrive in the initial burst: a tenth, as in a benchmark with ten requests per user.

The model's own choice for every closed loop, and no benchmark's fact: most are run so."""

IN_A_WAVE = 0.5
"""Part of other requests' prefills that delays a token under prefill-first scheduling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """Latency and throughput under load, with a number for each case.

    Attributes:
        tpot_s: time per output token, other requests' prefills included, s.
        ttft_s: time to the first token, queueing included, s.
        admission_s: part of ``ttft_s`` in which memory is full of earlier requests, s: much the same for all requests.
        in_flight: requests that have their first token and not their last, as many as come while one is so.
        decoding: sequences of a decode step, from which its time is: more than ``in_flight`` where prompts take long,
            since that is a mean over their passes, too.
        step_s: part of ``tpot_s`` that is the decode step, s.
        prompt_s: pool time of one prompt, s.
        requests_per_s: finished requests per second.
    """

    tpot_s: Array
    ttft_s: Array
    admission_s: Array
    in_flight: Array
    decoding: Array
    step_s: Array
    prompt_s: Array
    requests_per_s: Array


def step_at(times: PoolTimes, in_flight: Array) -> Array:
    """Time of decode steps with ``in_flight`` sequences in all groups, s; linear between and beyond batches."""
    nodes, wanted = times.sequences, np.maximum(in_flight / times.groups, 1.0)
    if len(nodes) == 1:
        return np.asarray(times.step_s[times.pool, 0])
    at = np.clip(np.searchsorted(nodes, wanted, side="right") - 1, 0, len(nodes) - 2)
    part = (wanted - nodes[at]) / (nodes[at + 1] - nodes[at])
    return np.asarray(times.step_s[times.pool, at] * (1 - part) + times.step_s[times.pool, at + 1] * part)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """A user's round in a pool whose seats are all taken, counted in steps: those that decode, and passes of prompts.

    Attributes:
        burst: steps of others' prompts that came at once with one's own, as a mean over all rounds.
        queue: steps of others' prompts that came before one's own.
        whole: steps of the round.
        prompts_per_step: prompts of a group that are read in a step of the queue.
    """

    burst: Array
    queue: Array
    whole: Array
    prompts_per_step: Array


def _steps(times: PoolTimes, *, of_group: Array, interval: Array, burst_share: float) -> _Steps:
    """A round by the clock of steps: while a prompt is read, the others gain a token in each of its passes."""
    of_chunk = interval - 1 + times.decodes
    own = times.decodes + (np.ceil(times.chunks) - 1) * of_chunk
    of_prompt = times.chunks * of_chunk / times.stages
    burst = burst_wait_s(users=of_group, prompt_s=of_prompt, burst_share=burst_share)
    apart = times.decode_steps + own + burst
    queue = closed_loop_wait(users=of_group, apart=apart, service=of_prompt, variation=times.prompt_variation)
    return _Steps(
        burst=np.asarray(burst),
        queue=np.asarray(queue),
        whole=np.asarray(apart + queue),
        prompts_per_step=1 / np.maximum(of_prompt, NEXT_TO_NOTHING),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """Times of a user's round in a pool whose seats are all taken.

    Attributes:
        decoding: sequences of a decode step.
        step_s: time of that step, s.
        prompt_s: pool time of one prompt, s.
        tpot_s: time per output token, other requests' prompts included, s.
        queue_s: time for which a prompt waits for others, s.
        first_s: time from the user's seat to the first token, s.
    """

    decoding: Array
    step_s: Array
    prompt_s: Array
    tpot_s: Array
    queue_s: Array
    first_s: Array


def _round(times: PoolTimes, rules: Rules, *, seats: Array, interval: Array, burst_share: float) -> _Round:
    """Times of a round."""
    decode_steps, of_group = times.decode_steps, seats / times.groups
    steps = _steps(times, of_group=of_group, interval=interval, burst_share=burst_share)
    batch = np.asarray(decoding_by_steps(users=seats, decode_steps=decode_steps, round_steps=steps.whole))
    decoding = np.asarray(sequences_of_a_step(in_flight=batch, users=seats))
    step_s = step_at(times, decoding)
    together = prompts_together(
        batch=batch, decode_steps=decode_steps, groups=times.groups, most=times.most_together, interval_steps=interval
    )
    pass_s = prompt_time_s(once_s=times.once_s, more_s=times.more_s, together=together)
    prompt_s = _pool_time_s(times, rules, pass_s=pass_s, flying=batch, interval=interval)
    # Each seat's prompt is read once in a round: in one's own pass, before it, or between one's tokens; those of other
    # groups at any time.
    before = (steps.burst + steps.queue) * steps.prompts_per_step
    elsewhere_per_step = np.maximum(seats - np.maximum(of_group, 1.0), 0.0) / steps.whole
    between = np.maximum(of_group - together - before, 0.0) + elsewhere_per_step * decode_steps
    tpot_s = pooled_time_per_token_s(
        decode_step_time_s=step_s,
        prefill_time_per_prompt_s=np.where(rules.prefill_first_fraction > 0, IN_A_WAVE, 1.0) * prompt_s,
        batch=between,
        decode_steps=decode_steps,
    )
    others_step_s = (1 - 1 / np.maximum(seats, 1.0)) * step_s
    queue_s = steps.queue * (others_step_s + (steps.prompts_per_step + elsewhere_per_step) * prompt_s)
    read_s = np.maximum(times.latency_s, (seats - between) * prompt_s)
    return _Round(
        decoding=decoding,
        step_s=step_s,
        prompt_s=prompt_s,
        tpot_s=np.asarray(tpot_s),
        queue_s=queue_s,
        first_s=read_s + (steps.whole - decode_steps) * others_step_s,
    )


def closed_loop(times: PoolTimes, rules: Rules, users: Array, burst_share: float = BURST_SHARE) -> Loaded:
    """A closed loop of ``users`` who ask again as soon as they are answered."""
    steps, seats = times.decode_steps, np.minimum(users, times.admitted)
    found = _round(times, rules, seats=seats, interval=rules.interval_steps(times), burst_share=burst_share)
    let_in_s = first_token_s(times, rules, found, users=users, burst_share=burst_share)
    # No pool answers more requests than it can prefill; the others wait before it.
    let_in_s = np.maximum(let_in_s, seats * found.prompt_s - steps * found.tpot_s)
    admission_s = np.asarray(
        admission_wait_s(users=users, admitted=times.admitted, request_s=steps * found.tpot_s + found.first_s)
    )
    ttft_s = let_in_s + admission_s
    tpot_s = _by_clients_clock(found.tpot_s, rules, steps=steps, step_s=found.step_s)
    rate = users / (steps * tpot_s + ttft_s)
    return Loaded(
        tpot_s=tpot_s,
        ttft_s=ttft_s,
        admission_s=admission_s,
        in_flight=rate * steps * tpot_s,
        decoding=found.decoding,
        step_s=found.step_s,
        prompt_s=found.prompt_s,
        requests_per_s=rate,
    )


def _pool_time_s(times: PoolTimes, rules: Rules, *, pass_s: Numeric, flying: Array, interval: Array) -> Array:
    """Time of all groups for one prompt, s, of a pass that the groups share, or that one runs while others wait.

    Groups that start their prefills alone share passes, too, where each has one in every step. In a pipeline, as many
    passes as there are stages are in flight in a step, and a prompt joins the next of them.
    """
    shared_s = np.asarray(pass_s / times.groups)
    a_pass = flying / times.stages
    alone_s = unaligned_prompt_time_s(
        once_s=times.once_s,
        more_s=times.more_s,
        together=prompts_together(
            batch=a_pass,
            decode_steps=times.decode_steps,
            groups=times.groups,
            most=times.most_together / times.stages,
            interval_steps=interval,
        ),
        batch=a_pass,
        decode_steps=times.decode_steps,
        interval_steps=interval,
        groups=times.groups,
        shared_s=times.shared_s,
    )
    is_alone = (times.waits_for_groups > 0) & (rules.starts_prefills_alone > 0)
    return np.where(is_alone, np.maximum(alone_s, shared_s), shared_s)


def _by_clients_clock(tpot_s: Array, rules: Rules, *, steps: Array, step_s: Array) -> Array:
    """Time per token on the client's clock, s, which starts at the first chunk; tokens are made before it is sent."""
    return np.asarray(tpot_s - np.minimum(rules.stated_chunk_steps, steps) / steps * step_s)


def first_token_s(times: PoolTimes, rules: Rules, found: _Round, *, users: Array, burst_share: float) -> Array:
    """Time to first token of requests that are let in: prefill, queueing behind others', steps in between, and host, s.

    The queue holds a wave of prefills, or those of the burst and of later coincidences: as many as engines show, or as
    users who come at random meet.
    """
    flying, steps = found.decoding, times.decode_steps
    served = np.minimum(users, times.admitted) / times.groups
    full_s = prompt_time_s(once_s=times.once_s, more_s=times.more_s, together=times.most_together)
    is_wave = rules.prefill_first_fraction > 0
    burst = np.where(is_wave, rules.prefill_first_fraction, burst_share)
    before_s = burst_wait_s(users=served, prompt_s=full_s, burst_share=burst)
    busy = np.minimum(flying / steps * full_s / times.groups / found.tpot_s, MOST_BUSY)
    behind_s = _behind_s(
        rules.arrivals_wait_fraction,
        users=served,
        busy=busy,
        prompt_s=full_s,
        variation=times.prompt_variation,
        queue_s=found.queue_s,
    )
    before_s = before_s + np.where(is_wave, 0.0, behind_s)
    idle_s = idle_first_token_s(rules, groups=times.groups, latency_s=times.latency_s, step_s=found.step_s, users=users)
    hold = rules.hold_steps(times)
    gathered = prompts_gathered(batch=flying, decode_steps=steps, groups=times.groups, hold_steps=hold)
    # The first prompt of a pass waits for the whole time, the others for half of it.
    held_s = (1 - 1 / np.maximum(users, 1.0)) * hold * (1 + gathered) / (2 * gathered) * found.step_s
    return np.asarray(idle_s + before_s + held_s)


def _behind_s(
    arrivals_wait_fraction: Array | float,
    *,
    users: Array | float,
    busy: Array | float,
    prompt_s: Array | float,
    variation: Numeric,
    queue_s: Array | float,
) -> Array:
    """Mean wait behind others' prompts in a closed loop without a burst, s: of a queue, or as measured loops bunch."""
    together_s = arrivals_wait_fraction * arrivals_wait_s(
        users=users, busy=busy, prompt_s=prompt_s, variation=variation
    )
    return np.maximum(together_s, queue_s)


def read_by_users_wait_s(
    arrivals_wait_fraction: float,
    *,
    users: Array | float,
    apart_s: Array | float,
    prompt_s: float,
    variation: Numeric = 0.0,
) -> Array:
    """Mean wait before a pool that only reads prompts, for users in a closed loop, s.

    A prompt waits for those of all other users at most, since each has one.

    Args:
        arrivals_wait_fraction: fitted factor on the delay of bunches, as in ``Scheduling`` (``specs/engine.py``).
        users: users of a replica of the pool.
        apart_s: time of a user's round outside the queue: its prompt's pass, the cache's move, and all tokens, s.
        prompt_s: time of the pool for one prompt, s.
        variation: variance of a prompt's time over the square of its mean.
    """
    queue_s = closed_loop_wait(users=users, apart=apart_s, service=prompt_s, variation=variation)
    busy = np.minimum(users * prompt_s / (apart_s + queue_s), MOST_BUSY)
    waited_s = _behind_s(
        arrivals_wait_fraction, users=users, busy=busy, prompt_s=prompt_s, variation=variation, queue_s=queue_s
    )
    return np.minimum(waited_s, np.maximum(users - 1, 0.0) * prompt_s)


def prompts_per_s(times: PoolTimes) -> Array:
    """Prompts that a prefill pool reads per second, in full passes."""
    pass_s = prompt_time_s(once_s=times.once_s, more_s=times.more_s, together=times.most_together)
    return np.asarray(times.groups / pass_s)


def idle_first_token_s(rules: Rules, *, groups: Array, latency_s: Array, step_s: Array, users: Array) -> Array:
    """Time to first token with no prefill queued: its own pass, the host, and others' decode steps, s."""
    others = 1 - 1 / np.maximum(users, 1.0)
    steps = (
        others * (rules.first_token_steps + np.where(groups > 1, rules.dp_balance_steps, 0.0))
        + rules.stream_interval_steps
    )
    return np.asarray(latency_s + steps * step_s + rules.first_token_s * users**rules.first_token_users_power)


def saturated(times: PoolTimes, most_sequences: Array, batch_occupancy_fraction: Array) -> Loaded:
    """A saturated pool: requests in flight up to memory and engine limits, times the batch occupancy."""
    seats = np.minimum(times.admitted, most_sequences * times.groups)
    found = _round(times, NO_RULES, seats=seats, interval=np.ones(1), burst_share=0.0)
    rate = batch_occupancy_fraction * seats / (times.decode_steps * found.tpot_s + found.first_s)
    return Loaded(
        tpot_s=found.tpot_s,
        ttft_s=np.asarray(times.latency_s),
        admission_s=np.zeros_like(found.tpot_s),
        in_flight=rate * times.decode_steps * found.tpot_s,
        decoding=found.decoding,
        step_s=found.step_s,
        prompt_s=found.prompt_s,
        requests_per_s=rate,
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
    """Prefill in one pool, decode in another, and transfer of the KV caches between them.

    Args:
        prefill: times of a prefill worker.
        decode: times of a decode worker; ``admitted`` includes the engine's limit.
        rules: scheduling rules of the engine.
        users: users in a closed loop, who ask again as soon as they are answered.
        prefill_workers: number of prefill workers.
        decode_workers: number of decode workers.
        prompts_at_once: prompts of a group that a prefill worker reads in a pass.
        move_s: transfer time of a prompt's KV cache, s.
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
    # Requests of the burst wait for each other, the others for the queue before a pool that prefills too slowly.
    burst_s = burst_wait_s(users=asking, prompt_s=prompt_s, burst_share=BURST_SHARE)
    before_s = burst_s + (1 - BURST_SHARE) * starved_s + together_s
    ttft_s = before_s + idle_first_token_s(
        rules, groups=prefill.groups, latency_s=first_s, step_s=np.asarray(tpot_s), users=users
    )
    sent_s = _by_clients_clock(tpot_s, rules, steps=decode.decode_steps, step_s=tpot_s)
    return Loaded(
        tpot_s=sent_s,
        ttft_s=np.asarray(ttft_s),
        admission_s=np.zeros_like(np.asarray(ttft_s)),
        in_flight=np.asarray(rate * decode.decode_steps * sent_s),
        decoding=flying,
        step_s=np.asarray(tpot_s),
        prompt_s=prompt_s,
        requests_per_s=np.asarray(rate),
    )
