"""Energy of a pool: power of its chips from their time at work."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.power import chip_power_w
from ridgeline.equations.serving import decode_time_fraction
from ridgeline.numeric import Numeric
from ridgeline.serving.load import Loaded
from ridgeline.serving.passes import PoolPasses, pass_working_fraction, step_working_fraction

__all__ = ["Draw", "Drawn", "drawn", "joules_per_request", "no_draw", "reading_draw", "writing_draw"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Power of a pool's chips at the points of a curve; arrays of one length.

    Attributes:
        chip_power_w: mean power of a chip, W.
        decode_fraction: part of the energy that decode steps take; the rest is prefill.
    """

    chip_power_w: Array
    decode_fraction: Array


def drawn(
    passes: PoolPasses,
    *,
    decoding: Array,
    decode_fraction: Array,
    busy: Array | float = 1.0,
    most_w: float,
) -> Drawn:
    """Power of a pool's chips at the points of a curve.

    Args:
        passes: passes of the pool.
        decoding: sequences of all groups in a decode step.
        decode_fraction: part of the pool's time that decode steps take; prompts take the rest.
        busy: part of the time in which the pool has work.
        most_w: power limit of a chip, W.
    """
    chip = passes.deployment.machine.chip
    of_step = np.asarray(step_working_fraction(passes, decoding / passes.deployment.layout.dp))
    of_pass = pass_working_fraction(passes)
    reading = 1 - decode_fraction

    def power_w(working: Array) -> Array:
        return np.asarray(chip_power_w(most_w=most_w, idle_fraction=chip.idle_power_fraction, working_fraction=working))

    decode_w, reading_w = decode_fraction * power_w(of_step), reading * power_w(np.broadcast_to(of_pass, reading.shape))
    return Drawn(
        chip_power_w=power_w(busy * (decode_fraction * of_step + reading * of_pass)),
        decode_fraction=decode_w / (decode_w + reading_w),
    )


def joules_per_request(passes: PoolPasses, found: Loaded, *, most_w: float) -> float:
    """Energy of a replica's chips for one request, J.

    Args:
        passes: passes of the pool.
        found: latency and throughput of one replica under load.
        most_w: power limit of a chip, W.
    """
    fraction = decode_time_fraction(
        decode_steps=passes.decode_steps,
        decode_step_time_s=found.step_s,
        batch=found.decoding,
        prefill_time_per_prompt_s=found.prompt_s,
    )
    of_one = drawn(passes, decoding=found.decoding, decode_fraction=np.asarray(fraction), most_w=most_w)
    return passes.deployment.layout.chips * float(of_one.chip_power_w[0]) / float(found.requests_per_s[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Power of a prefill or decode replica when idle, and additional energy per request.

    Attributes:
        idle_w: power of its chips without work, W.
        request_j: energy per request beyond idle power, J; of a decode replica at one batch, or at each of several.
    """

    idle_w: Numeric
    request_j: Numeric

    def power_w(self, replicas: Numeric, requests_per_s: Numeric) -> Numeric:
        """Power of replicas that together serve ``requests_per_s``, W."""
        return replicas * self.idle_w + requests_per_s * self.request_j


def no_draw(requests_per_s: Numeric) -> Draw:
    """No power at each of several rates, where it does not matter or is unknown."""
    return Draw(idle_w=0.0, request_j=0.0 * requests_per_s)


def reading_draw(passes: PoolPasses, prompts_per_s: float) -> Draw:
    """Power of a prefill replica that reads prompts in full passes.

    Args:
        passes: passes of the pool.
        prompts_per_s: prompts that it reads per second at full load.
    """
    return _draw(passes, pass_working_fraction(passes), prompts_per_s)


def writing_draw(passes: PoolPasses, batch: Numeric, requests_per_s: Numeric) -> Draw:
    """Power of a decode replica.

    Args:
        passes: passes of the pool.
        batch: sequences of all groups.
        requests_per_s: requests that it finishes per second at each batch, without waiting.
    """
    return _draw(passes, step_working_fraction(passes, batch / passes.deployment.layout.dp), requests_per_s)


def _draw(passes: PoolPasses, working_fraction: Numeric, requests_per_s: Numeric) -> Draw:
    """Power of a replica that works for part of its passes' time, and has always one under way at full load."""
    chip, chips = passes.deployment.machine.chip, passes.deployment.layout.chips
    if chip.power_w is None:
        return no_draw(requests_per_s)
    power_w, idle_w = (
        chip_power_w(most_w=chip.power_w, idle_fraction=chip.idle_power_fraction, working_fraction=working)
        for working in (working_fraction, 0.0)
    )
    return Draw(idle_w=chips * float(idle_w), request_j=chips * (power_w - idle_w) / requests_per_s)
