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
    in_flight,
    pooled_time_per_token_s,
    prompt_time_s,
    prompts_gathered,
    prompts_together,
    queue_wait_s,
    unaligned_prompt_time_s,
)
from ridgeline.numeric import NEXT_TO_NOTHING, Numeric
from ridgeline.specs.engine import Engine, Scheduling

__all__ = [
    "MOST_BUSY",
    "Loaded",
    "PoolTimes",
    "PromptTimes",
    "Rules",
    "closed_loop",
    "disaggregated",
    "idle_first_token_s",
    "prompts_per_s",
    "rules_of",
    "saturated",
    "step_at",
]

Array = NDArray[np.float64]

ROUNDS = 6
"""Iterations of the fixed point of time per token and requests in flight; it then moves by less than a thousandth,
except where prefill takes nearly all of the time."""

MOST_BUSY = 0.95
"""Upper bound on a server's share of time: users of a closed loop feed it themselves, and wait; of arrivals at random
more would leave queues that no estimate is sure of."""

BURST_SHARE = 0.1
"""Part of the requests that arrive in the initial burst: a tenth, as in a benchmark with ten requests per user.

The model's own choice for every closed loop, and no benchmark's fact: most are run so."""

IN_A_WAVE = 0.5
"""Part of other requests' prefills that delays a token under prefill-first scheduling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTimes:
    """Times of lone prompts of equally likely lengths; a row for each pool, a column for each length.

    Attributes:
        latency_s: time until the first token, s.
        occupied_s: time for which the pool is occupied, s.
    """

    latency_s: Array
    occupied_s: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolTimes:
    """Times of pools' passes, with a number for each case: a pool, or a number of users of one.

    Attributes:
        sequences: batch sizes of a ``dp`` group at which decode steps are timed.
        step_s: time of a decode step at each of ``sequences``, s; a row for each pool.
        pool: row of ``step_s`` for each case.
        lone_s: latency of a prefill of a single prompt, s.
        latency_s: latency of a prefill of one prompt in every ``dp`` group, s.
        alone_s: occupancy of the pool by that prefill, s: the time until the next pass may start.
        full_s: occupancy of the pool by a prefill of ``most_together`` prompts in every group, s.
        most_together: maximum prompts of a group in one pass.
        groups: number of ``dp`` groups.
        stages: number of pipeline stages, each of which runs another pass.
        waits_for_groups: 1 where a group's pass keeps the others waiting, because experts are spread over all of them;
            else 0.
        admitted: sequences of all groups that memory admits.
        decode_steps: decode steps of a request.
        prompts: times of lone prompts where their lengths differ; rows as in ``step_s``.
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
    stages: Array
    waits_for_groups: Array
    admitted: Array
    decode_steps: Array
    prompts: PromptTimes | None = None

    def cases(self, pool: NDArray[np.intp]) -> PoolTimes:
        """The times with several cases for each pool, by the pools' indices."""
        picked = {name: getattr(self, name)[pool] for name in CASES}
        return PoolTimes(
            sequences=self.sequences, step_s=self.step_s, pool=self.pool[pool], prompts=self.prompts, **picked
        )

    @property
    def prompt_variation(self) -> Numeric:
        """Variance of a prompt's occupancy of the pool over the square of its mean."""
        if self.prompts is None:
            return 0.0
        taken_s = self.prompts.occupied_s
        return np.asarray((taken_s.std(axis=1) / taken_s.mean(axis=1))[self.pool] ** 2)

    @property
    def more_s(self) -> Array:
        """Additional time of a pass for each further prompt of every group, s."""
        further = self.most_together - 1
        return np.where(further > 0, (self.full_s - self.alone_s) / np.maximum(further, 1.0), self.alone_s)

    @property
    def shared_s(self) -> Array:
        """Part of ``more_s`` that all groups' prompts cause together, and not each group separately, s.

        Experts are spread over all groups: a prompt of one group alone gives them a part of the work that one in each
        makes.
        """
        others = np.maximum(self.groups - 1, 1.0) / self.groups
        # In a pipeline a lone prompt's part of the stages' time is that of its latency.
        more = 1 - self.lone_s / np.maximum(self.latency_s, NEXT_TO_NOTHING)
        return np.clip(self.alone_s * more / others, 0.0, self.more_s) * (self.groups > 1)

    @property
    def once_s(self) -> Array:
        """Fixed time of a prefill pass, s."""
        return np.maximum(self.alone_s - self.more_s, 0.0)


CASES = tuple(name for name in PoolTimes.__dataclass_fields__ if name not in {"sequences", "step_s", "pool", "prompts"})
"""Fields of ``PoolTimes`` with a number for each case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Scheduling rules of each case, or of all.

    Attributes:
        first_token_s: host time before a lone request's first token, s, as in ``Scheduling`` (``specs/engine.py``).
        first_token_users_power: exponent of the number of users by which ``first_token_s`` grows, as in ``Scheduling``.
        first_token_steps: decode steps of other requests that a prefill waits for, as in ``Scheduling``.
        dp_balance_steps: further such steps where ``dp`` groups wait for each other's prefills, as in ``Scheduling``.
        stream_interval_steps: decode steps before the server sends its first chunk, as in ``Scheduling``.
        arrivals_wait_fraction: fitted factor on the queueing delay of a closed loop, as in ``Scheduling``.
        prefill_first_fraction: part of a full wave of prefills that a request waits for, as in ``Scheduling``.
        starts_prefills_alone: 1 where each ``dp`` group starts its prefills on its own, else 0, as in ``Scheduling``.
        stated_chunk_steps: part of ``stream_interval_steps`` from a stated stream interval, which delays the start of
            the client's clock for tokens; of an unstated interval, only the delay of the first token is known.
        gap_steps: minimum steps without prompts between one prefill pass and the next.
        aligned_gap_steps: minimum steps without prompts between prefill passes where ``dp`` groups start them together.
        prompt_hold_steps: steps for which the first prompt of a pass is held back for others.
    """

    first_token_s: Array
    first_token_users_power: Array
    first_token_steps: Array
    dp_balance_steps: Array
    stream_interval_steps: Array
    arrivals_wait_fraction: Array
    prefill_first_fraction: Array
    starts_prefills_alone: Array
    stated_chunk_steps: Array
    gap_steps: Array
    aligned_gap_steps: Array
    prompt_hold_steps: Array

    def interval_steps(self, times: PoolTimes) -> Array:
        """Minimum steps from one prefill pass to the next."""
        return 1 + np.maximum(self.gap_steps, times.waits_for_groups * self.aligned_gap_steps)

    def hold_steps(self, times: PoolTimes) -> Array:
        """Steps for which the first prompt of a pass waits: half of the gap on average, or until others have come."""
        return np.asarray(self.prompt_hold_steps + times.waits_for_groups * self.aligned_gap_steps / 2)


FITTED = tuple(name for name in Rules.__dataclass_fields__ if name in Scheduling.__dataclass_fields__)
"""Rules that are fitted numbers of an engine; the others follow from its options."""


def rules_of(engine: Engine, *, equal_lengths: bool, is_benchmark: bool) -> Rules:
    """Scheduling rules of an engine for one pool.

    Args:
        engine: engine that schedules the requests.
        equal_lengths: whether all requests are equal; otherwise they never move in waves of prefills.
        is_benchmark: whether a benchmark's scripts started the servers, which then send tokens in chunks.
    """
    how, options = engine.scheduling, engine.options
    numbers = {name: float(getattr(how, name)) for name in FITTED}
    if not equal_lengths:
        numbers["prefill_first_fraction"] = 0.0
    chunk = 0.0
    if how.stream_interval_steps and options.stream_interval is not None:
        numbers["stream_interval_steps"] = chunk = float(options.stream_interval - 1)
    elif not is_benchmark:
        numbers["stream_interval_steps"] = 0.0
    held = float(options.prompt_hold_steps or 0)
    numbers |= {
        "stated_chunk_steps": chunk,
        "gap_steps": max(held, float(options.decode_steps_after_prompts or 0)),
        "aligned_gap_steps": float((options.aligned_prompt_steps or 1) - 1),
        "prompt_hold_steps": held,
    }
    return Rules(**{name: np.array([value]) for name, value in numbers.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """Latency and throughput under load, with a number for each case.

    Attributes:
        tpot_s: time per output token, other requests' prefills included, s.
        ttft_s: time to the first token, queueing included, s.
        in_flight: requests that have their first token and not their last, as many as come while one is so.
        decoding: sequences of a decode step, from which its time is: some percent off ``in_flight`` where first tokens
            take longer than the iteration takes them to.
        step_s: part of ``tpot_s`` that is the decode step, s.
        prompt_s: pool time of one prompt, s.
        requests_per_s: finished requests per second.
    """

    tpot_s: Array
    ttft_s: Array
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


def closed_loop(times: PoolTimes, rules: Rules, users: Array, burst_share: float = BURST_SHARE) -> Loaded:
    """A closed loop of ``users`` who ask again as soon as they are answered."""
    steps, groups = times.decode_steps, times.groups
    interval = rules.interval_steps(times)
    most = np.minimum(users, times.admitted)
    flying, in_waves = most, rules.prefill_first_fraction > 0
    others = 1 - 1 / np.maximum(users, 1.0)  # one's own prompt is read before one's tokens, never between them
    tpot_s = step_s = step_at(times, flying)
    pass_s: Numeric = 0.0
    prompt_s = np.zeros_like(flying)
    for _ in range(ROUNDS):
        step_s = step_at(times, flying)
        together = prompts_together(
            batch=flying, decode_steps=steps, groups=groups, most=times.most_together, interval_steps=interval
        )
        pass_s = prompt_time_s(once_s=times.once_s, more_s=times.more_s, together=together)
        prompt_s = _pool_time_s(times, rules, pass_s=pass_s, flying=flying, interval=interval)
        read_s = np.where(in_waves, IN_A_WAVE, 1.0) * prompt_s
        tpot_s = np.asarray(
            pooled_time_per_token_s(
                decode_step_time_s=step_s, prefill_time_per_prompt_s=read_s, batch=others * flying, decode_steps=steps
            )
        )
        # Where prefill passes are kept apart, a token waits for no more of them than may run.
        tpot_s = np.where(interval > 1, np.minimum(tpot_s, step_s + times.full_s / interval), tpot_s)
        starved_s = _starved_s(times, interval, users, tpot_s)
        busy = np.minimum(others * flying / steps * pass_s / groups / tpot_s, MOST_BUSY)
        queued = burst_wait_s(users=users / groups, prompt_s=pass_s, burst_share=burst_share)
        first_s = np.maximum(
            pass_s + queued + queue_wait_s(busy=busy, service_s=pass_s, variation=times.prompt_variation), starved_s
        )
        loop = in_flight(users=users, decode_steps=steps, time_per_token_s=tpot_s, first_token_s=first_s)
        flying = np.asarray(np.minimum(most, loop))
    ttft_s = first_token_s(
        times, rules, users=users, flying=flying, tpot_s=tpot_s, step_s=step_s, burst_share=burst_share
    )
    # No pool answers more requests than it can prefill; the others wait before it.
    ttft_s = np.maximum(np.maximum(ttft_s, users * pass_s / groups - steps * tpot_s), starved_s)
    tpot_s = _by_clients_clock(tpot_s, rules, steps=steps, step_s=step_s)
    rate = users / (steps * tpot_s + ttft_s)
    return Loaded(
        tpot_s=tpot_s,
        ttft_s=ttft_s,
        in_flight=rate * steps * tpot_s,
        decoding=flying,
        step_s=step_s,
        prompt_s=prompt_s,
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


def _starved_s(times: PoolTimes, interval: Array, users: Array, tpot_s: Array) -> Array:
    """Wait for a first token where prefill passes are so far apart that they read fewer prompts than arrive, s."""
    period_s = interval * tpot_s / (times.most_together * times.groups)
    return np.where(interval > 1, users * period_s - times.decode_steps * tpot_s, 0.0)


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
    together_s = rules.arrivals_wait_fraction * arrivals_wait_s(
        users=served, busy=busy, prompt_s=full_s, variation=times.prompt_variation
    )
    outside_s = admission_wait_s(
        users=users, admitted=times.admitted, decode_steps=times.decode_steps, time_per_token_s=tpot_s
    )
    before_s = before_s + np.where(rules.prefill_first_fraction > 0, 0.0, together_s)
    idle_s = idle_first_token_s(rules, groups=times.groups, latency_s=times.latency_s, step_s=step_s, users=users)
    hold = rules.hold_steps(times)
    gathered = prompts_gathered(batch=flying, decode_steps=times.decode_steps, groups=times.groups, hold_steps=hold)
    # The first prompt of a pass waits for the whole time, the others for half of it.
    held_s = (1 - 1 / np.maximum(users, 1.0)) * hold * (1 + gathered) / (2 * gathered) * step_s
    return np.asarray(idle_s + before_s + outside_s + held_s)


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
        in_flight=batch_occupancy_fraction * flying,
        decoding=flying,
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
        in_flight=np.asarray(rate * decode.decode_steps * sent_s),
        decoding=flying,
        step_s=np.asarray(tpot_s),
        prompt_s=prompt_s,
        requests_per_s=np.asarray(rate),
    )
