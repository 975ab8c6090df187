"""A pool to which requests come at random: how many are in flight, and what steps take, by Little's law.

As many are in flight as come while one is, each for as many steps as it has tokens, and steps are as long as by their
batch and by the prompts that come (``step_chain.py``). Nothing here was fitted;
``tests/agreement/test_open_arrivals.py`` holds it to the simulator, which plays such loads.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.open_arrivals import admission_chance, admission_queue_s, flight_dispersion
from ridgeline.numeric import NEXT_TO_NOTHING
from ridgeline.serving.load import step_at
from ridgeline.serving.prompt_numbers import NUMBERS
from ridgeline.serving.step_chain import LEAST_SPARE, OpenPool, Steps, steps_at

__all__ = ["HERMITE", "Opened", "opened"]

Array = NDArray[np.float64]

FLIGHT_ROUNDS = 6
"""Iterations of the requests in flight; they then move by less than a hundredth but at edges of tiles."""

HERMITE = ((-(3.0**0.5), 1 / 6), (0.0, 2 / 3), (3.0**0.5, 1 / 6))
"""Deviations and weights of a normal number that has its first five moments."""

FULL = 0.999
"""Part of what a pool can answer beyond which its queue is taken to be that of this part: none is steady at all."""


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
    steps: Steps
    slow_deviation: Array
    waits: Array
    wait_s: Array

    def cases(self, rows: NDArray[np.intp]) -> Opened:
        """The same of some of the cases."""
        found: Opened = _picked(self, rows)
        return found


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
    flying, found, unfilled = _in_flight(pool, played, most)
    larger, smaller = np.minimum(GROWN * flying, most), flying / GROWN
    more_s, less_s = (steps_at(pool, one, played, found).cycle_s for one in (larger, smaller))
    gain = np.clip(per_cycle * (more_s - less_s) / (larger - smaller), 0.0, MOST_GAIN)
    behind_s, bursts = _bursts(found)
    deviation = np.sqrt(flying * flight_dispersion(bursts=bursts, gain=gain))
    cycle_s, own_s = found.cycle_s, step_at(times, flying)
    nodes, weights = _batches(flying, deviation, most)
    # Of batches around the mean: steps as long as by their own, and by the mean of what prompts add.
    nodes_s = np.stack([step_at(times, one) for one in nodes]) * (cycle_s / own_s)
    smoothed_s = (weights * nodes_s).sum(axis=0)
    # Where these are longer on the mean than the mean batch's own, the batch grows, and with it they.
    grown = 1 + (smoothed_s / cycle_s - 1) / (1 - gain)
    mean_s = np.clip(grown * cycle_s, nodes_s.min(axis=0), nodes_s.max(axis=0))
    # A request sees more of the steps that have many beside it, and comes in bursts with others.
    seen = (weights * nodes * nodes_s).sum(axis=0) / (weights * nodes).sum(axis=0) / smoothed_s
    tpot_s = mean_s * seen + behind_s / steps
    in_flight = per_cycle * tpot_s
    spare = most - in_flight - played * found.mean_s
    return Opened(
        requests_per_s=played,
        tpot_s=tpot_s,
        in_flight=in_flight,
        step_s=tpot_s * own_s / cycle_s,
        prompt_s=(1 - own_s / cycle_s) / played,
        flying=flying,
        steps=found,
        slow_deviation=np.sqrt((weights * (nodes_s - smoothed_s) ** 2).sum(axis=0)) / cycle_s,
        waits=np.asarray(admission_chance(spare_deviations=spare / np.maximum(deviation, LEAST_SPARE))),
        wait_s=np.asarray(admission_queue_s(stay_s=(most - unfilled) / played, dispersion=bursts, spare=unfilled)),
    )


def _in_flight(pool: OpenPool, rate: Array, most: Array) -> tuple[Array, Steps, Array]:
    """Sequences of a step on the mean, by Little's law; its steps; and what it leaves empty in a full pool."""
    per_cycle = rate * pool.times.decode_steps
    # Between half of what steps of a lone request lead to, and a full pool.
    low, high = np.minimum(per_cycle * step_at(pool.times, np.zeros_like(rate)), most) / 2, most
    found, full = (steps_at(pool, one, rate) for one in (low, high))
    spare_low, spare_high = per_cycle * found.cycle_s - low, per_cycle * full.cycle_s - high
    unfilled = np.maximum(-spare_high, LEAST_SPARE)
    flying = low
    for _ in range(FLIGHT_ROUNDS):
        part = np.clip(spare_low / np.maximum(spare_low - spare_high, LEAST_SPARE), 0.0, 1.0)
        flying = low + (high - low) * part
        found = steps_at(pool, flying, rate, found)
        spare = per_cycle * found.cycle_s - flying
        rises = spare > 0
        # The bound that stays loses half of its weight, lest it stay for ever (Dowell and Jarratt 1971, "Illinois").
        spare_high, spare_low = np.where(rises, spare_high / 2, spare), np.where(rises, spare, spare_low / 2)
        low, high = np.where(rises, flying, low), np.where(rises, high, flying)
    return flying, found, unfilled


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
