"""A pool with random arrivals: requests in flight and step times, by Little's law.

The number in flight is the rate of arrivals times a request's time in flight: one step per token, each as long as its
batch and the arriving prompts make it (``step_chain.py``). Nothing here was fitted;
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
"""Iterations of the requests in flight; more change them by less than one percent, except at edges of tiles."""

HERMITE = ((-(3.0**0.5), 1 / 6), (0.0, 2 / 3), (3.0**0.5, 1 / 6))
"""Points, in standard deviations, and weights that match the first five moments of the normal distribution."""

FULL = 0.999
"""Part of a pool's capacity beyond which its queue is taken at this part: at full capacity none is steady."""


def _picked(record: Any, rows: NDArray[np.intp]) -> Any:  # noqa: ANN401  a record whose fields are arrays, or such
    """Record with the given rows of all its arrays."""
    values = {one.name: getattr(record, one.name) for one in dataclasses.fields(record)}
    return type(record)(
        **{name: _picked(one, rows) if dataclasses.is_dataclass(one) else one[rows] for name, one in values.items()}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """State of pools under random arrivals, with a number for each case.

    Attributes:
        requests_per_s: arrivals, all of which are answered, requests/s.
        tpot_s: time per decode step of a request, other requests' prefills included, s.
        in_flight: time average of the requests that have their first token and not their last.
        step_s: time of a decode step without prompts, s.
        prompt_s: time that a prompt adds to steps, s.
        flying: sequences of a step, averaged over steps.
        steps: steps at the mean number of sequences.
        slow_deviation: standard deviation of step time due to slow changes of the batch, over the mean.
        waits: part of the requests that wait for admission.
        wait_s: mean time of those requests' wait, s.
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
        """Pools' state in some of the cases."""
        found: Opened = _picked(self, rows)
        return found


def opened(pool: OpenPool, most_per_s: Array, rate: Array, most: Array) -> Opened:
    """State of pools under random arrivals at given rates.

    Args:
        pool: pools, with a case for each load.
        most_per_s: capacity of each pool, requests/s.
        rate: rate of arrivals, requests/s.
        most: sequences of all groups that fit and that the engine admits.
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
    """Mean sequences of a step, by Little's law; the steps at this number; and free places at a full pool's pace."""
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
"""Ratio by which the batch is enlarged and reduced for the slope of step time: wide enough that a tile's edge between
them counts for no more than its share.
"""

MOST_GAIN = 0.98
"""Upper bound of the elasticity of step time to the batch: beyond, no load is steady."""


def _batches(flying: Array, deviation: Array, most: Array) -> tuple[Array, Array]:
    """Batches below the mean, at it and above it, and weights that give their mean and variance.

    They are the three points of Gauss and Hermite, skewed where no batch at all, or the largest, is nearer than these;
    the largest leaves less variance.
    """
    below = np.minimum(SPREAD * deviation, flying)
    above = np.minimum((SPREAD * deviation) ** 2 / below, np.maximum(most - flying, NEXT_TO_NOTHING))
    lower, upper = above / (3 * (below + above)), below / (3 * (below + above))
    nodes = np.stack([flying - below, flying, flying + above])
    return nodes, np.stack([lower, np.full_like(lower, 2 / 3), upper])


SPREAD = 3.0**0.5
"""Distance from the mean of the outer two of three points with the normal distribution's first five moments, in
standard deviations.
"""


def _bursts(found: Steps) -> tuple[Array, Array]:
    """Extra time of a request's steps since it arrives in bursts, s; and variance over mean of arriving prompts.

    The variance is that of the prompts that arrive in many steps. Both results follow from the effect of each number of
    prompts on all later steps, over the mean: the solution of the Markov chain's Poisson equation.
    """
    weights, counts = found.weights, found.counts
    per_step = (found.prompts / found.decode_steps)[:, None]
    rest_s = found.taken_s - found.cycle_s[:, None] * found.decoding
    rest = counts - per_step * found.decoding
    both = np.stack([rest_s, rest], axis=2)
    led = np.linalg.solve(np.eye(NUMBERS) - found.follows + weights[:, None], both)
    share = weights * counts / found.prompts[:, None]
    behind_s = (share * (found.follows @ led[..., :1])[..., 0]).sum(axis=1)
    variance = (weights * rest * (2 * led[..., 1] - rest)).sum(axis=1)
    return behind_s, np.maximum(variance / found.prompts, 1.0)
