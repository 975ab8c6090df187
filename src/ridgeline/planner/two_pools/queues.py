"""Prompts that wait before the prefill pool: of users in a closed loop, or of requests that come at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import answered_within_s, wait_quantile_s
from ridgeline.planner.two_pools.sides import Reader, Writer
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.serving.load import read_by_users_wait_s
from ridgeline.serving.transfer import cache_move_s

__all__ = ["Queue", "at_random", "first_token_s", "mean_first_token_s", "of_users", "rate_of_users"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """Prompts before the prefill pool of a load.

    Attributes:
        requests_per_s: requests per second of all replicas.
        mean_s: mean time to the first token, without the cache's move, s.
        within_s: quantile of it that the demand names, s.
    """

    requests_per_s: float
    mean_s: float
    within_s: float


def at_random(reader: Reader, readers: int, requests_per_s: float) -> Queue:
    """Queue of requests that come at random at each replica, by the same closed form as that of one pool."""
    found = reader.at_random
    if found is None:
        raise ValueError("no rate was given with which the layouts of the prefill pool were evaluated")
    mean_s, within_s = (
        float(np.exp(np.interp(np.log(readers), np.log(found.replicas), np.log(time_s))))
        for time_s in (found.mean_s, found.within_s)
    )
    return Queue(requests_per_s=requests_per_s, mean_s=mean_s, within_s=within_s)


def of_users(reader: Reader, writer: Writer, terms: Terms, *, readers: int, place: int, chips: int) -> Queue:
    """Queue of users in a closed loop, and the rate at which they are answered: by Little's law, their round's."""
    users = float(terms.demand.users or 0)
    move_s = cache_move_s(reader.deployment, writer.deployment, terms.workload.prompt_tokens, chips=chips)
    each_s = float(writer.tpot_s[place])
    rate, wait_s = (float(one) for one in rate_of_users(reader, terms, readers=readers, tpot_s=each_s, move_s=move_s))
    return Queue(
        requests_per_s=rate,
        mean_s=reader.first_s + wait_s,
        within_s=_within_s(reader, terms, users=users / readers, each_per_s=rate / readers, wait_s=wait_s),
    )


def _within_s(reader: Reader, terms: Terms, *, users: float, each_per_s: float, wait_s: float) -> float:
    """Quantile of the time to the first token of users of a replica, from the mean wait, s."""
    quantile, prompt_s = terms.demand.ttft_quantile, 1 / reader.prompts_per_s
    busy = each_per_s * prompt_s
    apart_s = users / each_per_s - reader.deployment.correction.ttft_factor * wait_s
    # Where the pool never rests, all wait until the round is as long as it takes to read everyone's prompt: such a wait
    # has no tail. The rest of the wait has, and yet nobody waits for more than the others' prompts.
    alike_s = min(max(users * prompt_s - apart_s, 0.0), wait_s)
    most_s = max(users - 1, 0.0) * prompt_s
    if len(reader.beyond_s) == 1:
        tail_s = wait_quantile_s(mean_wait_s=wait_s - alike_s, busy=busy, quantile=quantile)
        return reader.first_s + min(alike_s + float(tail_s), most_s)
    services_s = tuple((reader.first_s + reader.beyond_s).tolist())
    within_s = answered_within_s(services_s=services_s, mean_wait_s=wait_s - alike_s, busy=busy, quantile=quantile)
    return min(alike_s + float(within_s), reader.within_s(quantile) + most_s)


def rate_of_users(
    reader: Reader, terms: Terms, *, readers: Array | float, tpot_s: Array | float, move_s: Array | float
) -> tuple[Array, Array]:
    """Requests per second of users in a closed loop, and the mean wait of their prompts, s.

    Args:
        reader: layout of the prefill pool.
        terms: lengths of requests, and the users.
        readers: replicas of the prefill pool.
        tpot_s: time per output token in the decode pool, s.
        move_s: transfer time of a prompt's KV cache, s.
    """
    users, factor = float(terms.demand.users or 0), reader.deployment.correction.ttft_factor
    apart_s = terms.workload.decode_steps * tpot_s + factor * (reader.first_s + move_s)
    wait_s = read_by_users_wait_s(
        reader.arrivals_wait_fraction,
        users=users / readers,
        apart_s=apart_s,
        prompt_s=1 / reader.prompts_per_s,
        variation=reader.variation,
    )
    return np.asarray(users / (apart_s + factor * wait_s)), wait_s


def first_token_s(reader: Reader, writer: Writer, terms: Terms, queue: Queue | None, chips: int) -> float:
    """Time to the first token, transfer of the cache included, s: a quantile of it where requests wait or differ.

    Args:
        reader: prefill layout that reads the prompt.
        writer: decode layout that receives its cache.
        terms: lengths of requests, and the load.
        queue: queue before a prefill replica; None in an idle system.
        chips: chips of both pools together.
    """
    read_s = reader.within_s(terms.demand.ttft_quantile) if queue is None else queue.within_s
    return _moved_s(reader, writer, terms, read_s, chips)


def mean_first_token_s(reader: Reader, writer: Writer, terms: Terms, queue: Queue, chips: int) -> float:
    """Mean time to the first token with a queue, transfer of the cache included, s."""
    return _moved_s(reader, writer, terms, queue.mean_s, chips)


def _moved_s(reader: Reader, writer: Writer, terms: Terms, read_s: float, chips: int) -> float:
    """Time to the first token, from the time until the prompt is read, s."""
    move_s = cache_move_s(reader.deployment, writer.deployment, terms.workload.prompt_tokens, chips=chips)
    return reader.deployment.correction.ttft_factor * (read_s + move_s)
