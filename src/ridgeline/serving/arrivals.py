"""Time to first token of requests that arrive at random at a pool, in closed form.

A request waits for the end of the step that runs when it arrives, then behind earlier prompts, and is then read.
Nothing here is fitted; ``tests/agreement/test_open_arrivals.py`` compares it with the simulator, which plays such
loads.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import (
    answered_within_s,
    prompt_time_s,
    prompts_together,
    queue_wait_s,
    step_end_wait_s,
)
from ridgeline.serving.load import MOST_BUSY, Loaded, PoolTimes, Rules

__all__ = ["first_token_within_s"]

Array = NDArray[np.float64]

STEP_POINTS = (np.arange(16) + 0.5) / 16
"""Equally likely waits for the end of a step: sixteen are within 1 % of many (``tests/serving/test_arrivals.py``)."""


def first_token_within_s(times: PoolTimes, rules: Rules, found: Loaded, beyond_s: Array, *, quantile: float) -> Array:
    """Quantile of the time to the first token, s.

    Args:
        times: times of the pools' passes.
        rules: scheduling rules of the engine.
        found: closed-loop latency and throughput at the same number of requests per second.
        beyond_s: time of lone prompts of each length beyond the mean, s; a row for each case.
        quantile: part of the requests that stay below the result.
    """
    rate, interval = found.requests_per_s, rules.interval_steps(times)
    # A step that reads a prompt also decodes: it fetches the weights once, and reads more caches than a lone prompt.
    caches_s = np.maximum(found.step_s - times.step_s[times.pool, 0], 0.0)
    together = prompts_together(
        batch=found.in_flight,
        decode_steps=times.decode_steps,
        groups=times.groups,
        most=times.most_together,
        interval_steps=interval,
    )
    arrivals = rate * found.tpot_s
    has_prompts = -np.expm1(-arrivals)
    pass_s = (
        caches_s
        + times.once_s
        + (times.more_s - times.shared_s) * together
        + times.shared_s * np.minimum(arrivals / has_prompts / times.groups, together)
    )
    reading_s, decoding_s = has_prompts * pass_s, (1 - has_prompts) * found.step_s
    step_waits_s = [
        step_end_wait_s(
            step_s=found.step_s,
            prompt_step_s=np.maximum(pass_s, found.step_s),
            in_prompt_steps=reading_s / (reading_s + decoding_s),
            quantile=float(point),
        )
        for point in STEP_POINTS
    ]
    full = times.most_together
    service_s = prompt_time_s(once_s=times.once_s + caches_s, more_s=times.more_s, together=full)
    busy = np.minimum(rate / times.groups * service_s, MOST_BUSY)
    wait_s = queue_wait_s(busy=busy, service_s=service_s, variation=times.prompt_variation)
    held_s = (rules.hold_steps(times) + rules.stream_interval_steps) * found.step_s
    read_s = rules.first_token_s + times.lone_s + caches_s + held_s
    each_s = np.array(step_waits_s)[:, None] + (read_s[:, None] + beyond_s).T[None]
    services_s = np.sort(each_s.reshape(-1, len(rate)), axis=0)
    return np.asarray(answered_within_s(services_s=tuple(services_s), mean_wait_s=wait_s, busy=busy, quantile=quantile))
