"""Time to first token of requests that arrive at random at a pool, in closed form.

A request waits for the end of the step that runs when it comes, is read together with those that came in that step, and
has its first token at the end of theirs. Where memory is full it waits for admission before. Nothing here was fitted;
``tests/agreement/test_open_arrivals.py`` holds it to the simulator, which plays such loads.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.open_arrivals import answered_part
from ridgeline.numeric import NEXT_TO_NOTHING
from ridgeline.serving.open_loop import HERMITE, Opened
from ridgeline.serving.prompt_numbers import arrival_weights, numbers_around
from ridgeline.serving.rules import Rules
from ridgeline.serving.step_chain import OpenPool, read_s

__all__ = ["first_token_within_s"]

Array = NDArray[np.float64]

HALVINGS = 9
"""Number of bisections of the bounds of a time, before linear interpolation between them."""

SEGMENTS = 3
"""Parts of a step at which arrivals are evaluated, where the order of arrivals matters."""


def first_token_within_s(
    pool: OpenPool, rules: Rules, found: Opened, beyond_s: Array, *, quantile: float
) -> tuple[Array, Array]:
    """Quantile of the time to first token, s, and its mean, s.

    Args:
        pool: pools, with a case for each load.
        rules: scheduling rules of the engine.
        found: state of the pools under these loads.
        beyond_s: time to prefill a lone prompt of each length, less that of the mean prompt, s; a row for each case.
        quantile: part of the requests whose time is below the result.
    """
    times = pool.times
    # Where all that come in a step are read in one pass, their order is of no matter.
    steps = found.steps
    many = (steps.weights * (steps.counts + 1 > pool.most_together[:, None])).sum(axis=1) > RARE
    varies = found.slow_deviation > LEAST_DEVIATION
    within_s, mean_s = np.empty((2, len(many)))
    for is_long, segments in ((many, SEGMENTS), (~many, 1)):
        for mine, batches in ((is_long & varies, HERMITE), (is_long & ~varies, ((0.0, 1.0),))):
            rows = np.flatnonzero(mine)
            if len(rows):
                within_s[rows], mean_s[rows] = _within_s(
                    pool.cases(rows), found.cases(rows), beyond_s[rows], segments, batches, quantile
                )
    beside_s = rules.first_token_s + (rules.hold_steps(times) + rules.stream_interval_steps) * found.step_s
    return np.asarray(within_s + beside_s), np.asarray(mean_s + beside_s)


LEAST_WAITING = 1e-4
"""Part of the requests that wait for admission below which nobody is assumed to wait."""

LEAST_DEVIATION = 0.1
"""Relative deviation of step times over many steps, below which it changes a time by less than one percent."""

RARE = 0.01
"""Part of the steps with more arriving prompts than a pass takes, below which the order of arrivals is ignored."""


def _within_s(
    pool: OpenPool,
    found: Opened,
    beyond_s: Array,
    segments: int,
    batches: tuple[tuple[float, float], ...],
    quantile: float,
) -> tuple[Array, Array]:
    """Quantile of the time to first token and its mean, without the host's time, s.

    Args:
        pool: pools, with a case for each load.
        found: state of the pools under these loads.
        beyond_s: time to prefill a lone prompt of each length, less that of the mean prompt, s; a row for each case.
        segments: parts of a step at which arrivals are evaluated.
        batches: evaluated deviations of the batch from its mean, in standard deviations, and their weights.
        quantile: part of the requests whose time is below the result.
    """
    times, rate = pool.times, found.requests_per_s
    steps = found.steps
    counts, weights = steps.counts, steps.weights
    step_s, _ = read_s(pool, found.flying, counts)
    weights = weights * step_s
    weights /= weights.sum(axis=1, keepdims=True)
    mean_s = (weights * step_s).sum(axis=1)
    mean = rate * mean_s
    others = numbers_around(
        mean, mean * pool.spread + rate**2 * (weights * (step_s - mean_s[:, None]) ** 2).sum(axis=1)
    )
    before = (np.arange(segments) + 0.5) / segments  # part of the step that is past
    came = rate[:, None, None] * step_s[:, None, :] * np.ones((segments, 1))
    if segments > 1:
        came = _counted(came, before[:, None], pool.most_together[:, None, None])
    every = arrival_weights(others, came.reshape(len(rate), -1), pool.spread)
    chances = every.reshape(*came.shape, -1) * weights[:, None, :, None] / segments
    gap_s = (pool.interval - 1) * found.step_s
    own_s, _ = read_s(pool, found.flying, others + 1)
    # A lone prompt's way through a pipeline takes longer than it keeps any stage busy.
    own_s = own_s - gap_s[:, None] + (times.lone_s - pool.mixed.lone_s)[:, None]
    # Who comes late in a step waits for less of it.
    left = (1 - before - 0.5 / segments)[None, :, None, None]
    starts_s = own_s[:, None, None, :] + left * step_s[:, None, :, None]
    part_s = np.broadcast_to(step_s[:, None, :, None] / segments, chances.shape)

    full = np.flatnonzero(found.waits > LEAST_WAITING)
    # Larger batches make all steps longer alike, for as long as they last.
    longer = [(1 + far * found.slow_deviation, weight) for far, weight in batches]

    def answered(time_s: Array) -> Array:
        total = np.zeros_like(time_s)
        for factor, weight in longer:
            spare_s = (time_s / factor)[:, None, None, None] - starts_s
            part = np.clip(spare_s / part_s, 0.0, 1.0)
            if len(full):
                part[full] = answered_part(
                    spare_s=spare_s[full],
                    step_s=part_s[full],
                    waits=found.waits[full, None, None, None],
                    wait_s=(found.wait_s / factor)[full, None, None, None],
                )
            total += weight * np.einsum("ijkl,ijkl->i", chances, part)
        return total

    far_s = found.wait_s * np.log(np.maximum(found.waits / (1 - quantile), 1.0))
    low_s, high_s = own_s[:, 0] * longer[0][0], (own_s[:, -1] + step_s[:, -1]) * longer[-1][0] + far_s
    mean_s = (chances * (starts_s + part_s / 2)).sum(axis=(1, 2, 3)) + found.waits * found.wait_s
    return _reached(answered, low_s, high_s, beyond_s, quantile), mean_s


def _counted(came: Array, before: Array, most: Array) -> Array:
    """Mean number of prompts that arrive in a step and are read before a given request's prompt or with it.

    All that arrived before it, and as many of the later ones as its pass still takes: half a pass where many wait.
    """
    earlier = before * came
    room = np.maximum(most - 1 - earlier, (most - 1) / 2)
    return earlier + np.minimum(came - earlier, room)


def _reached(
    answered: Callable[[Array], Array], low_s: Array, high_s: Array, beyond_s: Array, quantile: float
) -> Array:
    """Time by which a part of the requests has its first token, s, where prompts differ in length.

    Args:
        answered: part of the requests with a mean prompt that have their first token by a time.
        low_s: time before any of these is answered, s.
        high_s: time by which at least this part of them is answered, s.
        beyond_s: time to prefill a prompt of each length, less that of the mean one, ascending, s; a row for each case.
        quantile: part of the requests that are answered by the result.
    """
    if beyond_s.shape[1] > 1:
        # All times between these bounds, looked up for each length of a prompt.
        grid_s = low_s + (high_s - low_s) * np.linspace(0.0, 1.0, TABULATED)[:, None]
        table = np.array([answered(time_s) for time_s in grid_s])

        def of_all(time_s: Array) -> Array:
            found = np.empty_like(time_s)
            for case, one_s in enumerate(time_s):
                found[case] = np.interp(
                    one_s - beyond_s[case], grid_s[:, case], table[:, case], left=0.0, right=1.0
                ).mean()
            return found

        return _halved(of_all, low_s + beyond_s[:, 0], high_s + beyond_s[:, -1], quantile)
    return _halved(answered, low_s, high_s, quantile)


TABULATED = 65
"""Number of times at which the answered part is tabulated, where prompts differ in length."""


def _halved(answered: Callable[[Array], Array], low_s: Array, high_s: Array, quantile: float) -> Array:
    """Time at which the answered part reaches a quantile, s: by bisection, then by linear interpolation."""
    low, high = np.zeros_like(low_s), np.ones_like(low_s)
    for _ in range(HALVINGS):
        middle_s = (low_s + high_s) / 2
        part = answered(middle_s)
        is_below = part < quantile
        low_s, low = np.where(is_below, middle_s, low_s), np.where(is_below, part, low)
        high_s, high = np.where(is_below, high_s, middle_s), np.where(is_below, high, part)
    between = np.clip((quantile - low) / np.maximum(high - low, NEXT_TO_NOTHING), 0.0, 1.0)
    return np.asarray(low_s + (high_s - low_s) * between)
