"""Energy of a pool: chips draw what their time at work says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.power import chip_power_w
from ridgeline.serving.load import Loaded
from ridgeline.serving.passes import PoolPasses, working_shares

__all__ = ["NOTHING", "Draw", "Drawn", "drawn", "joules_per_request", "reading_draw", "writing_draw"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What a pool's chips draw at the points of a curve; arrays of one length.

    Attributes:
        chip_power_w: mean power of a chip, W.
        decode_fraction: part of the energy that decode steps take; the rest reads prompts.
    """

    chip_power_w: Array
    decode_fraction: Array


def drawn(
    passes: PoolPasses,
    *,
    in_flight: Array,
    decode_step_s: Array,
    cycle_s: Array,
    busy: Array | float = 1.0,
    most_w: float,
) -> Drawn:
    """What a pool's chips draw at the points of a curve.

    Args:
        passes: of the pool.
        in_flight: sequences of all groups that decode.
        decode_step_s: time of their step, s.
        cycle_s: time from one step to the next, prompts of others included, s.
        busy: part of the time in which there is anything to do.
        most_w: power that a chip may draw, W.
    """
    chip = passes.deployment.machine.chip
    of_step, of_pass = working_shares(passes, in_flight / passes.deployment.layout.dp)
    reading = 1 - decode_step_s / cycle_s

    def power_w(working: Array) -> Array:
        return np.asarray(chip_power_w(most_w=most_w, idle_fraction=chip.idle_power_fraction, working_fraction=working))

    decode_w, reading_w = (1 - reading) * power_w(of_step), reading * power_w(np.broadcast_to(of_pass, reading.shape))
    return Drawn(
        chip_power_w=power_w(busy * ((1 - reading) * of_step + reading * of_pass)),
        decode_fraction=decode_w / (decode_w + reading_w),
    )


def joules_per_request(passes: PoolPasses, found: Loaded, *, most_w: float) -> float:
    """Energy of a replica's chips for one request, J.

    Args:
        passes: of the pool.
        found: what users of one replica see.
        most_w: power that a chip may draw, W.
    """
    of_one = drawn(passes, in_flight=found.decoding, decode_step_s=found.step_s, cycle_s=found.tpot_s, most_w=most_w)
    return passes.deployment.layout.chips * float(of_one.chip_power_w[0]) / float(found.requests_per_s[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What a replica draws that reads prompts alone, or makes tokens alone: always, and for each request besides.

    Attributes:
        idle_w: power of its chips with nothing to do, W.
        request_j: energy beyond that for a request, J; at each batch of one that makes tokens.
    """

    idle_w: float
    request_j: Array

    def power_w(self, replicas: Array | float, requests_per_s: Array | float, request_j: Array | float) -> Array:
        """Power of replicas that together serve so many requests, W, each for so much energy."""
        return np.asarray(replicas * self.idle_w + requests_per_s * request_j)


NOTHING = Draw(idle_w=0.0, request_j=np.zeros(1))
"""Where power does not matter, or is not known."""


def reading_draw(passes: PoolPasses, prompts_per_s: float) -> Draw:
    """What a replica draws that reads prompts, in full passes.

    Args:
        passes: of the pool.
        prompts_per_s: that it reads at its most.
    """
    return _draw(passes, np.ones(1), np.zeros(1), np.array([prompts_per_s]))


def writing_draw(passes: PoolPasses, batch: Array, requests_per_s: Array) -> Draw:
    """What a replica draws that makes tokens.

    Args:
        passes: of the pool.
        batch: sequences of all groups.
        requests_per_s: that it finishes at each, where it never waits.
    """
    return _draw(passes, batch, np.ones(len(batch)), requests_per_s)


def _draw(passes: PoolPasses, batch: Array, stepping: Array, requests_per_s: Array) -> Draw:
    """Of a replica whose time is all decode steps, or none of it."""
    chip, chips = passes.deployment.machine.chip, passes.deployment.layout.chips
    if chip.power_w is None:
        return NOTHING
    found = drawn(passes, in_flight=batch, decode_step_s=stepping, cycle_s=np.ones(len(batch)), most_w=chip.power_w)
    idle_w = float(chip_power_w(most_w=chip.power_w, idle_fraction=chip.idle_power_fraction, working_fraction=0.0))
    return Draw(idle_w=chips * idle_w, request_j=chips * (found.chip_power_w - idle_w) / requests_per_s)
