"""Energy of a pool: chips draw what their time at work says."""

from __future__ import annotations

from ridgeline.equations.power import chip_power_w
from ridgeline.serving.load import Loaded
from ridgeline.serving.passes import PoolPasses, working_shares

__all__ = ["joules_per_request"]


def joules_per_request(passes: PoolPasses, found: Loaded, *, most_w: float) -> float:
    """Energy of a replica's chips for one request, J.

    Args:
        passes: of the pool.
        found: what users of one replica see.
        most_w: power that a chip may draw, W.
    """
    layout, chip = passes.deployment.layout, passes.deployment.machine.chip
    of_step, of_pass = working_shares(passes, float(found.in_flight[0] / layout.dp))
    reading = 1 - float(found.step_s[0] / found.tpot_s[0])
    power_w = chip_power_w(
        most_w=most_w,
        idle_fraction=chip.idle_power_fraction,
        working_fraction=(1 - reading) * of_step + reading * of_pass,
    )
    return layout.chips * float(power_w) / float(found.requests_per_s[0])
