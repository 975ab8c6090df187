"""A machine with one percent more of one thing, for elasticities."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ridgeline.specs.machine import Machine

__all__ = ["CHANGES", "STEP", "raised_machines"]

STEP = 1.01
"""Factor of one percent: small against the distance to kinks where another term becomes the bound."""


def _faster_memory(machine: Machine, by: float) -> Machine:
    chip = dataclasses.replace(machine.chip, hbm_bytes_per_s=machine.chip.hbm_bytes_per_s * by)
    return dataclasses.replace(machine, chip=chip)


def _larger_memory(machine: Machine, by: float) -> Machine:
    chip = machine.chip
    chip = dataclasses.replace(chip, hbm_bytes=chip.hbm_bytes * by)
    return dataclasses.replace(machine, chip=chip)


def _faster_arithmetic(machine: Machine, by: float) -> Machine:
    peaks = {name: peak * by for name, peak in machine.chip.flop_per_s.items()}
    return dataclasses.replace(machine, chip=dataclasses.replace(machine.chip, flop_per_s=peaks))


def _faster_links(machine: Machine, by: float, *, is_scale_up: bool) -> Machine:
    fabric = tuple(
        dataclasses.replace(level, bytes_per_s=level.bytes_per_s * by) if (index == 0) is is_scale_up else level
        for index, level in enumerate(machine.fabric)
    )
    return dataclasses.replace(machine, fabric=fabric)


CHANGES: dict[str, Callable[[Machine, float], Machine]] = {
    "hbm_bytes_per_s": _faster_memory,
    "flop_per_s": _faster_arithmetic,
    "hbm_bytes": _larger_memory,
    "scale_up_bytes_per_s": lambda machine, by: _faster_links(machine, by, is_scale_up=True),
    "scale_out_bytes_per_s": lambda machine, by: _faster_links(machine, by, is_scale_up=False),
}


def raised_machines(machine: Machine, by: float = STEP) -> dict[str, Machine]:
    """Machines with one percent more of one quantity, by quantity."""
    return {raised: change(machine, by) for raised, change in CHANGES.items()}
