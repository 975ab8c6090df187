"""What one percent more of a machine does to a plan, in percent, at the plan's layout and batch."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import numpy as np

from ridgeline.planner.pool import Pool
from ridgeline.specs.machine import Machine

__all__ = ["elasticities"]

STEP = 1.01
"""One percent: small against the kinks where another term comes to bind, large against rounding."""


def _faster_memory(machine: Machine) -> Machine:
    chip = dataclasses.replace(machine.chip, hbm_bytes_per_s=machine.chip.hbm_bytes_per_s * STEP)
    return dataclasses.replace(machine, chip=chip)


def _faster_arithmetic(machine: Machine) -> Machine:
    peaks = {name: peak * STEP for name, peak in machine.chip.flop_per_s.items()}
    return dataclasses.replace(machine, chip=dataclasses.replace(machine.chip, flop_per_s=peaks))


def _faster_links(machine: Machine, name: str) -> Machine:
    fabric = tuple(
        dataclasses.replace(level, bytes_per_s=level.bytes_per_s * STEP) if level.name == name else level
        for level in machine.fabric
    )
    return dataclasses.replace(machine, fabric=fabric)


CHANGES: dict[str, Callable[[Machine], Machine]] = {
    "hbm_bytes_per_s": _faster_memory,
    "flop_per_s": _faster_arithmetic,
    "scale_up_bytes_per_s": lambda machine: _faster_links(machine, "scale_up"),
    "scale_out_bytes_per_s": lambda machine: _faster_links(machine, "scale_out"),
}


def elasticities(pool: Pool, batch: int) -> dict[str, float]:
    """Percent of change for one percent more of each rate, by ``"what changes:what is raised"``.

    ``tpot_s`` is what a user waits for a token; ``usd_per_output_token`` and ``usd_per_input_token`` follow the
    chip-time of decode and of prefill, and the price itself.
    """

    def speeds(machine: Machine) -> dict[str, float]:
        changed = dataclasses.replace(pool, machine=machine)
        curve = changed.curve(np.array([batch / pool.layout.dp]))
        return {
            "tpot_s": float(curve.tpot_s[0]),
            "usd_per_output_token": float(curve.decode_step_s[0]),
            "usd_per_input_token": float(curve.prefill_per_prompt_s[0]),
        }

    now = speeds(pool.machine)
    changes: dict[str, float] = {}
    for raised, change in CHANGES.items():
        then = speeds(change(pool.machine))
        for quantity, value in then.items():
            changes[f"{quantity}:{raised}"] = math.log(value / now[quantity]) / math.log(STEP)
    # A dollar figure is chip-time times the price.
    return changes | {"usd_per_output_token:usd_per_chip_s": 1.0, "usd_per_input_token:usd_per_chip_s": 1.0}
