"""Prompts that wait before the prefill pool: of users in a closed loop, or of requests that come at random."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import answered_within_s, queue_wait_s, wait_quantile_s
from ridgeline.planner.two_pools.sides import Reader, Writer
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.serving.load import read_by_users_wait_s
from ridgeline.serving.transfer import cache_move_s

__all__ = ["Queue", "at_random", "first_token_s", "mean_first_token_s", "of_users", "rate_of_users"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """Queue before each replica of the prefill pool.

    Attributes:
        requests_per_s: requests per second of all replicas.
        mean_s: mean wait, s.
        busy: part of the time for which a replica reads prompts.
        most_s: longest wait that there can be: with users, for the prompts of all others; without a bound at random, s.
    """

    requests_per_s: float
    mean_s: float
    busy: float
    most_s: float


def at_random(reader: Reader, readers: int, requests_per_s: float) -> Queue:
    """Queue of requests that come at random at all replicas."""
    busy = requests_per_s / readers / reader.prompts_per_s
    mean_s = float(queue_wait_s(busy=busy, service_s=reader.pass_s, variation=reader.variation))
    return Queue(requests_per_s=requests_per_s, mean_s=mean_s, busy=busy, most_s=math.inf)


def of_users(reader: Reader, writer: Writer, terms: Terms, *, readers: int, place: int, chips: int) -> Queue:
    """Queue of users in a closed loop, and the rate at which they are answered: by Little's law, their round's."""
    users = float(terms.demand.users or 0)
    move_s = cache_move_s(reader.deployment, writer.deployment, terms.workload.prompt_tokens, chips=chips)
    each_s = float(writer.tpot_s[place])
    rate, wait_s = (float(one) for one in rate_of_users(reader, terms, readers=readers, tpot_s=each_s, move_s=move_s))
    return Queue(
        requests_per_s=rate,
        mean_s=wait_s,
        busy=rate / readers / reader.prompts_per_s,
        most_s=max(users / readers - 1, 0.0) / reader.prompts_per_s,
    )


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
    wait_s = factor * read_by_users_wait_s(
        reader.arrivals_wait_fraction,
        users=users / readers,
        apart_s=apart_s,
        prompt_s=1 / reader.prompts_per_s,
        variation=reader.variation,
    )
    return np.asarray(users / (apart_s + wait_s)), wait_s / factor


def first_token_s(reader: Reader, writer: Writer, terms: Terms, queue: Queue | None, chips: int) -> float:
    """Time to the first token, transfer of the cache included, s: a quantile of it where requests wait or differ.

    Args:
        reader: prefill layout that reads the prompt.
        writer: decode layout that receives its cache.
        terms: lengths of requests, and the load.
        queue: queue before a prefill replica; None in an idle system.
        chips: chips of both pools together.
    """
    quantile = terms.demand.ttft_quantile
    read_s = reader.within_s(quantile) if queue is None else _queued_s(reader, queue, quantile)
    return _moved_s(reader, writer, terms, read_s, chips)


def mean_first_token_s(reader: Reader, writer: Writer, terms: Terms, queue: Queue, chips: int) -> float:
    """Mean time to the first token with a queue, transfer of the cache included, s."""
    return _moved_s(reader, writer, terms, reader.first_s + queue.mean_s, chips)


def _moved_s(reader: Reader, writer: Writer, terms: Terms, read_s: float, chips: int) -> float:
    """Time to the first token, from the time until the prompt is read, s."""
    move_s = cache_move_s(reader.deployment, writer.deployment, terms.workload.prompt_tokens, chips=chips)
    return reader.deployment.correction.ttft_factor * (read_s + move_s)


def _queued_s(reader: Reader, queue: Queue, quantile: float) -> float:
    """Quantile of the time to the first token with the queue, s."""
    if len(reader.beyond_s) == 1:
        wait_s = wait_quantile_s(mean_wait_s=queue.mean_s, busy=queue.busy, quantile=quantile)
        return reader.first_s + min(float(wait_s), queue.most_s)
    services_s = tuple((reader.first_s + reader.beyond_s).tolist())
    within_s = answered_within_s(services_s=services_s, mean_wait_s=queue.mean_s, busy=queue.busy, quantile=quantile)
    return min(float(within_s), reader.within_s(quantile) + queue.most_s)
