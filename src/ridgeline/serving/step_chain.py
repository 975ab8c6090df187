"""Steps that decode and read prompts, as a Markov chain: prompts that arrive during one step are read in the next.

The prompts of a step are those that came in the one before, a Poisson number that grows with how long that step was.
How often a step has how many follows from that alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.open_arrivals import passes_that_read
from ridgeline.serving.load import step_at
from ridgeline.serving.mixed import MixedTimes
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.serving.prompt_numbers import NUMBERS, arrival_weights, number_weights, numbers_around

__all__ = ["LEAST_SPARE", "OpenPool", "Steps", "most_requests_per_s", "read_s", "steps_at"]

Array = NDArray[np.float64]

ROUNDS = 6
"""Iterations of the mean and variance of the prompts in a step; more change them by less than a thousandth."""

ROUNDS_NEAR = 2
"""Iterations of this mean and variance that start from those of a similar pool."""

ANEW = 1e-9
"""Probability per step that the numbers of prompts start anew, so that every chain has one stationary distribution."""

LEAST_SPARE = 1e-3
"""Spare part of a pool's time below which it counts as full of prompts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPool:
    """Pass times and scheduling of pools, with a number for each case.

    Attributes:
        times: times of the pools' passes.
        mixed: times of passes over prompts beside decoding sequences.
        interval: minimum steps from one pass over prompts to the next.
    """

    times: PoolTimes
    mixed: MixedTimes
    interval: Array

    def cases(self, pool: NDArray[np.intp]) -> OpenPool:
        """Pools with several cases of each, by the pools' numbers."""
        return OpenPool(times=self.times.cases(pool), mixed=self.mixed.cases(pool), interval=self.interval[pool])

    @property
    def spread(self) -> Array:
        """Variance over mean of the prompts that arrive in a given time, each weighted by its relative prefill time."""
        return np.asarray(1 + self.times.prompt_variation * np.ones(len(self.interval)))

    @property
    def passes(self) -> Array:
        """Passes that are under way in a step, each of which may read prompts of some groups while others wait.

        Of one group, passes of several stages count as one: their times add up.
        """
        return np.asarray(np.where(self.times.groups > 1, self.times.stages, 1.0))

    @property
    def most_together(self) -> Array:
        """Prompts that the passes of a step take in all groups."""
        return np.asarray(self.mixed.prompts[:, -1] * self.passes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Steps from one opportunity to read prompts to the next, at given rates and sequences in flight.

    Attributes:
        counts: numbers of prompts that arrived since the last opportunity; a row for each case.
        weights: probability of each number.
        taken_s: time until all of them are read, s.
        decoding: decode steps within this time.
        follows: transition probabilities: of each number after each other one; a row for each number before.
    """

    counts: Array
    weights: Array
    taken_s: Array
    decoding: Array
    follows: Array

    @property
    def mean_s(self) -> Array:
        """Mean time from one opportunity to the next, s."""
        return np.asarray((self.weights * self.taken_s).sum(axis=1))

    @property
    def prompts(self) -> Array:
        """Mean number of prompts that are read at one opportunity."""
        return np.asarray((self.weights * self.counts).sum(axis=1))

    @property
    def variance(self) -> Array:
        """Variance of the number of prompts that are read at one opportunity."""
        return np.asarray((self.weights * (self.counts - self.prompts[:, None]) ** 2).sum(axis=1))

    @property
    def decode_steps(self) -> Array:
        """Mean decode steps from one opportunity to the next; where prompts alone fill a pool, next to none."""
        return np.asarray(np.maximum((self.weights * self.decoding).sum(axis=1), LEAST_SPARE))

    @property
    def cycle_s(self) -> Array:
        """Mean time from one decode step to the next, s."""
        return np.asarray(self.mean_s / self.decode_steps)


def read_s(pool: OpenPool, flying: Array, counts: Array) -> tuple[Array, Array]:
    """Time to read ``counts`` prompts beside ``flying`` sequences, s, and the decode steps within it.

    Times are interpolated linearly between the timed numbers of prompts; beyond a full pass, they grow in proportion.
    Where groups and stages meet, prompts are spread over the passes under way, and each pass with any takes its time.

    Args:
        pool: pools that read the prompts.
        flying: sequences in flight in each case.
        counts: numbers of prompts; a row for each case. Zero stands for a step that only decodes.
    """
    points, most = pool.mixed.prompts, pool.passes[:, None]
    at_s = pool.mixed.at(flying / pool.times.groups)
    reading = passes_that_read(prompts=counts, passes=most)
    each = counts / np.maximum(reading, 1.0)
    of_pass_s = np.repeat(at_s[:, :1], counts.shape[1], axis=1)
    for low in range(points.shape[1] - 1):
        width = (points[:, low + 1] - points[:, low])[:, None]
        part = np.clip((each - points[:, low, None]) / np.maximum(width, 1.0), 0.0, 1.0) * (width > 0)
        of_pass_s = of_pass_s + part * (at_s[:, low + 1] - at_s[:, low])[:, None]
    repeats = np.maximum(each / points[:, -1:], 1.0)
    step_s, gap = step_at(pool.times, flying)[:, None], pool.interval[:, None] - 1
    beside = (pool.mixed.chunks * pool.mixed.decodes)[:, None]
    # Further passes of a pipeline read beside one and the same decode step.
    further_s = (np.maximum(reading, 1.0) - 1) * np.maximum(of_pass_s - beside * step_s, 0.0)
    return (
        np.where(counts > 0, repeats * (of_pass_s + further_s + gap * step_s), step_s),
        np.where(counts > 0, repeats * (beside + gap), 1.0),
    )


def steps_at(pool: OpenPool, flying: Array, rate: Array, near: Steps | None = None) -> Steps:
    """Steps at given sequences in flight and a given rate of requests.

    The numbers of prompts are a Markov chain: as many come as in Poisson's law while those before are read. Where there
    are many, a negative binomial number has the mean and the variance of the chain.

    Args:
        pool: pools that serve the requests.
        flying: sequences in flight in each case.
        rate: rate of arrivals, requests/s.
        near: steps at another number in flight, from which the search for mean and variance starts.
    """
    spread = pool.spread
    most = pool.most_together
    slope_s = read_s(pool, flying, most[:, None])[0][:, 0] / most
    short = np.maximum(1 - rate * slope_s, LEAST_SPARE)
    own_s = step_at(pool.times, flying)
    prompts = rate * own_s / short
    variance = spread * prompts
    if near is not None:
        prompts, variance = near.prompts, np.maximum(near.variance, near.prompts)
    for _ in range(ROUNDS if near is None else ROUNDS_NEAR):
        counts = numbers_around(prompts, variance)
        weights = number_weights(counts, prompts, variance)
        taken_s, decoding = read_s(pool, flying, counts)
        mean_s = (weights * taken_s).sum(axis=1)
        relative = np.maximum((weights * taken_s**2).sum(axis=1) / mean_s**2 - 1, 0.0)
        prompts = rate * np.maximum(mean_s - slope_s * prompts, LEAST_SPARE * mean_s) / short
        variance = prompts * (spread + prompts * relative)
    follows = arrival_weights(counts, rate[:, None] * taken_s, spread)
    # Beyond what a pool can read, a chain stays where it is, be it at no prompts or at the most: both are left at last.
    follows = (1 - ANEW) * follows + ANEW * weights[:, None]
    ones = np.ones((len(rate), NUMBERS, 1))
    stationary = np.linalg.solve(np.eye(NUMBERS) - follows.transpose(0, 2, 1) + 1.0, ones)[..., 0]
    return Steps(
        counts=counts,
        weights=np.asarray(stationary, dtype=np.float64),
        taken_s=taken_s,
        decoding=decoding,
        follows=follows,
    )


def most_requests_per_s(pool: OpenPool, most: Array) -> Array:
    """Capacity of pools, requests/s: they are full of admitted requests, or read prompts all of the time.

    Args:
        pool: pools, a case each.
        most: sequences of all groups that fit and that the engine admits.
    """
    low, high = np.zeros(len(most)), pool.most_together / read_s(pool, most, pool.most_together[:, None])[0][:, 0]
    for _ in range(CAPACITY_ROUNDS):
        rate = (low + high) / 2
        flying = rate * pool.times.decode_steps * steps_at(pool, most, rate).cycle_s
        low, high = np.where(flying < most, rate, low), np.where(flying < most, high, rate)
    return low


CAPACITY_ROUNDS = 11
"""Number of bisections of the bounds of the capacity: to a thousandth."""
