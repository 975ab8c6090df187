"""A pool to which requests come at random: how many are in flight, and what steps take, by Little's law.

A step reads the prompts that came while the one before ran, and decodes beside them. How many came has a mean and a
variance that follow from each other (``_Steps``), and is a negative binomial number of these, the law of a Poisson
number whose mean varies. Nothing here was fitted; ``tests/agreement/test_open_arrivals.py`` holds it to the simulator,
which plays such loads.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.open_arrivals import (
    admission_chance,
    admission_queue_s,
)
from ridgeline.numeric import NEXT_TO_NOTHING
from ridgeline.serving.load import PoolTimes, step_at
from ridgeline.serving.mixed import MixedTimes
from ridgeline.serving.prompt_numbers import NUMBERS, arrival_weights, number_weights, numbers_around

__all__ = ["OpenPool", "Opened", "Steps", "most_requests_per_s", "opened", "read_s"]

Array = NDArray[np.float64]

ROUNDS = 6
"""Iterations of mean and variance of the prompts in a step; they then move by less than a thousandth."""

ROUNDS_NEAR = 2
"""The same from a start nearby."""

FLIGHT_ROUNDS = 6
"""Iterations of the requests in flight, each with the slope of the curve that it started from."""

HERMITE = ((-(3.0**0.5), 1 / 6), (0.0, 2 / 3), (3.0**0.5, 1 / 6))
"""Deviations and weights of a normal number that has its first five moments."""

FULL = 0.999
"""Part of what a pool can answer beyond which its queue is taken to be that of this part: none is steady at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPool:
    """What a pool's passes take and how it schedules them, with a number for each case.

    Attributes:
        times: of its passes.
        mixed: what decoding adds to passes over prompts.
        interval: steps from one pass over prompts to the next at least.
    """

    times: PoolTimes
    mixed: MixedTimes
    interval: Array

    def cases(self, pool: NDArray[np.intp]) -> OpenPool:
        """The same with several cases of each pool, by the pools' numbers."""
        return OpenPool(times=self.times.cases(pool), mixed=self.mixed.cases(pool), interval=self.interval[pool])

    @property
    def spread(self) -> Array:
        """Variance over mean of the prompts that come in a time, each counted by what it takes of the mean one."""
        return np.asarray(1 + self.times.prompt_variation * np.ones(len(self.interval)))

    @property
    def most_together(self) -> Array:
        """Prompts that a pass of all groups takes."""
        return self.times.most_together * self.times.groups


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Steps of pools, from one chance to read prompts to the next, at a load and so many sequences.

    Attributes:
        counts: numbers of prompts that came since the last chance; a row for each case.
        weights: how often each of them comes.
        taken_s: time until all of them are read, s.
        decoding: steps in it that decode.
        follows: chance of each number behind each; a row for each number before.
    """

    counts: Array
    weights: Array
    taken_s: Array
    decoding: Array
    follows: Array

    @property
    def mean_s(self) -> Array:
        """Mean time from one chance to the next, s."""
        return np.asarray((self.weights * self.taken_s).sum(axis=1))

    @property
    def prompts(self) -> Array:
        """Mean number of prompts in it."""
        return np.asarray((self.weights * self.counts).sum(axis=1))

    @property
    def variance(self) -> Array:
        """Variance of that number."""
        return np.asarray((self.weights * (self.counts - self.prompts[:, None]) ** 2).sum(axis=1))

    @property
    def cycle_s(self) -> Array:
        """Mean time from one decode step to the next, s."""
        return np.asarray(self.mean_s / (self.weights * self.decoding).sum(axis=1))


def read_s(pool: OpenPool, flying: Array, counts: Array) -> tuple[Array, Array]:
    """Time for so many prompts, with sequences in flight beside them, s, and steps in it that decode.

    Straight lines between one prompt, one in every group and as many as a pass takes; beyond, as many passes.

    Args:
        pool: what reads.
        flying: sequences in flight of each case.
        counts: of prompts; a row for each case. Of none, a step that decodes alone.
    """
    points = pool.mixed.prompts
    at_s = pool.mixed.at(flying / pool.times.groups)
    of_pass_s = np.repeat(at_s[:, :1], counts.shape[1], axis=1)
    for low in range(points.shape[1] - 1):
        width = (points[:, low + 1] - points[:, low])[:, None]
        part = np.clip((counts - points[:, low, None]) / np.maximum(width, 1.0), 0.0, 1.0) * (width > 0)
        of_pass_s = of_pass_s + part * (at_s[:, low + 1] - at_s[:, low])[:, None]
    passes = np.maximum(counts / pool.most_together[:, None], 1.0)
    step_s, gap = step_at(pool.times, flying)[:, None], pool.interval[:, None] - 1
    decoding = passes * ((pool.mixed.chunks * pool.mixed.decodes)[:, None] + gap)
    return (
        np.where(counts > 0, passes * (of_pass_s + gap * step_s), step_s),
        np.where(counts > 0, decoding, 1.0),
    )


def steps_at(pool: OpenPool, flying: Array, rate: Array, near: Steps | None = None) -> Steps:
    """Steps with so many sequences in flight, where prompts come at a rate.

    The numbers of prompts are a Markov chain: as many come as in Poisson's law while those before are read. Where there
    are many, a negative binomial number has the mean and the variance of the chain.

    Args:
        pool: what serves.
        flying: sequences in flight of each case.
        rate: requests a second.
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
    ones = np.ones((len(rate), NUMBERS, 1))
    weights = np.linalg.solve(np.eye(NUMBERS) - follows.transpose(0, 2, 1) + 1.0, ones)[..., 0]
    return Steps(counts=counts, weights=weights, taken_s=taken_s, decoding=decoding, follows=follows)


LEAST_SPARE = 1e-3
"""Spare part of a pool's time below which it is as good as full of prompts."""


def most_requests_per_s(pool: OpenPool, most: Array) -> Array:
    """Requests a second at which pools have as many in flight as they admit, or read prompts all of the time.

    Args:
        pool: each a case.
        most: sequences of all groups that fit and that the engine lets in.
    """
    low, high = np.zeros(len(most)), pool.most_together / read_s(pool, most, pool.most_together[:, None])[0][:, 0]
    for _ in range(CAPACITY_ROUNDS):
        rate = (low + high) / 2
        flying = rate * pool.times.decode_steps * steps_at(pool, most, rate).cycle_s
        low, high = np.where(flying < most, rate, low), np.where(flying < most, high, rate)
    return low


CAPACITY_ROUNDS = 11
"""Times that the bounds of what pools can answer are halved: to a thousandth."""


def _picked(record: Any, rows: NDArray[np.intp]) -> Any:  # noqa: ANN401  a record whose fields are arrays, or such
    """Some rows of all arrays of a record."""
    values = {one.name: getattr(record, one.name) for one in dataclasses.fields(record)}
    return type(record)(
        **{name: _picked(one, rows) if dataclasses.is_dataclass(one) else one[rows] for name, one in values.items()}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A pool under a load of requests at random, with a number for each case.

    Attributes:
        requests_per_s: that come, and are answered.
        tpot_s: time per step of a request, other requests' prompts included, s.
        in_flight: requests that have their first token and not their last, on the mean over time.
        step_s: decode step without prompts, s.
        prompt_s: what a prompt adds to steps, s.
        flying: sequences of a step on the mean over steps.
        deviation: standard deviation of it.
        steps: at that mean.
        slow_deviation: standard deviation of their length over many steps, since the batch varies, over the mean.
        waits: part of the requests that wait for admission.
        wait_s: mean time for which these do, s.
    """

    requests_per_s: Array
    tpot_s: Array
    in_flight: Array
    step_s: Array
    prompt_s: Array
    flying: Array
    deviation: Array
    steps: Steps
    slow_deviation: Array
    waits: Array
    wait_s: Array

    def cases(self, rows: NDArray[np.intp]) -> Opened:
        """The same of some of the cases."""
        return _picked(self, rows)


def opened(pool: OpenPool, most_per_s: Array, rate: Array, most: Array) -> Opened:
    """Pools to which so many requests a second come at random.

    Args:
        pool: with a case for each load.
        most_per_s: that it answers at most.
        rate: requests a second.
        most: sequences of all groups that fit and that the engine lets in.
    """
    times, steps = pool.times, pool.times.decode_steps
    played = np.minimum(rate, FULL * most_per_s)
    per_cycle = played * steps
    # Between what a lone request's steps lead to and what steps of a full pool do.
    low, high = np.minimum(per_cycle * step_at(times, np.zeros_like(rate)), most) / 2, most
    found, full = (steps_at(pool, one, played) for one in (low, high))
    spare_low, spare_high = per_cycle * found.cycle_s - low, per_cycle * full.cycle_s - high
    empty_when_full = np.maximum(-spare_high, LEAST_SPARE)
    flying = low
    for _ in range(FLIGHT_ROUNDS):
        part = np.clip(spare_low / np.maximum(spare_low - spare_high, LEAST_SPARE), 0.0, 1.0)
        flying = low + (high - low) * part
        found = steps_at(pool, flying, played, found)
        spare = per_cycle * found.cycle_s - flying
        rises = spare > 0
        # The bound that stays loses half of its weight, lest it stay for ever (Dowell and Jarratt 1971, "Illinois").
        spare_high, spare_low = (
            np.where(rises, spare_high / 2, spare),
            np.where(rises, spare, spare_low / 2),
        )
        low, high = np.where(rises, flying, low), np.where(rises, high, flying)
    larger, smaller = np.minimum(GROWN * flying, most), flying / GROWN
    more_s, less_s = (steps_at(pool, one, played, found).cycle_s for one in (larger, smaller))
    gain = np.clip(per_cycle * (more_s - less_s) / (larger - smaller), 0.0, MOST_GAIN)
    behind_s, bursts = _bursts(found)
    dispersion = bursts / (1 - gain)
    deviation = np.sqrt(flying * dispersion)
    cycle_s, own_s = found.cycle_s, step_at(times, flying)
    nodes, weights = _batches(flying, deviation, most)
    # Of batches around the mean: steps as long as by their own, and by the mean of what prompts add.
    nodes_s = np.stack([step_at(times, one) for one in nodes]) * (cycle_s / own_s)
    smoothed = (weights * nodes_s).sum(axis=0) / cycle_s
    grown = np.clip(1 + (smoothed - 1) / (1 - gain), nodes_s.min(axis=0) / cycle_s, nodes_s.max(axis=0) / cycle_s)
    tpot_s = (weights * nodes * nodes_s).sum(axis=0) / (weights * nodes).sum(axis=0) * grown / smoothed
    slow = (weights * (nodes_s - smoothed * cycle_s) ** 2).sum(axis=0)
    tpot_s = tpot_s + behind_s / steps
    in_flight = played * steps * tpot_s
    mean_s = found.mean_s
    return Opened(
        requests_per_s=played,
        tpot_s=tpot_s,
        in_flight=in_flight,
        step_s=tpot_s * own_s / cycle_s,
        prompt_s=(1 - own_s / cycle_s) / played,
        flying=flying,
        deviation=deviation,
        steps=found,
        slow_deviation=np.sqrt(slow) / cycle_s,
        waits=np.asarray(
            admission_chance(spare_deviations=(most - in_flight - played * mean_s) / np.maximum(deviation, LEAST_SPARE))
        ),
        wait_s=np.asarray(
            admission_queue_s(
                stay_s=steps * (most - empty_when_full) / per_cycle, dispersion=bursts, spare=empty_when_full
            )
        ),
    )


GROWN = 1.15
"""Batches by this larger and smaller, by which it is asked how much longer steps become: wide enough that a tile's edge
between them counts for no more than its part."""

MOST_GAIN = 0.98
"""By how many parts steps become longer where a batch grows by one, at most: beyond, no load is steady."""


def _batches(flying: Array, deviation: Array, most: Array) -> tuple[Array, Array]:
    """Batches below the mean, at it and above it, and their weights, which have the mean and the variance.

    They are the three points of Gauss and Hermite, skewed where no batch at all, or the largest, is nearer than these;
    the largest leaves less variance.
    """
    below = np.minimum(SPREAD * deviation, flying)
    above = np.minimum((SPREAD * deviation) ** 2 / below, np.maximum(most - flying, NEXT_TO_NOTHING))
    lower, upper = above / (3 * (below + above)), below / (3 * (below + above))
    nodes = np.stack([flying - below, flying, flying + above])
    return nodes, np.stack([lower, np.full_like(lower, 2 / 3), upper])


SPREAD = 3.0**0.5
"""Deviations from the mean of the outer two of three points that have the first five moments of a normal number."""


def _bursts(found: Steps) -> tuple[Array, Array]:
    """How much longer the steps of a request take than others, s, since it came in a burst; and variance over mean.

    The variance is that of how many prompts come in many steps. Both follow from what each number of prompts leads to
    in all steps behind it, beyond the mean: the solution of the chain's Poisson equation.
    """
    weights, counts = found.weights, found.counts
    per_step = (found.prompts / (weights * found.decoding).sum(axis=1))[:, None]
    rest_s = found.taken_s - found.cycle_s[:, None] * found.decoding
    rest = counts - per_step * found.decoding
    both = np.stack([rest_s, rest], axis=2)
    led = np.linalg.solve(np.eye(NUMBERS) - found.follows + weights[:, None], both)
    share = weights * counts / found.prompts[:, None]
    behind_s = (share * (found.follows @ led[..., :1])[..., 0]).sum(axis=1)
    variance = (weights * rest * (2 * led[..., 1] - rest)).sum(axis=1)
    return behind_s, np.maximum(variance / found.prompts, 1.0)
