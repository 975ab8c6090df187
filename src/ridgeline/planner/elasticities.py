"""What one percent more of a machine, or of its price, does to the whole plan: the best plans are searched again.

Batches are chosen anew, so that more memory shows in what it makes room for, and a limit on the time per token turns
faster hardware into cheaper tokens. Layouts are the best of the first search; whichever of them is best then counts.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

from ridgeline.planner.outcome import Plan
from ridgeline.planner.search import Served, best_plan, serve
from ridgeline.specs.machine import Machine

__all__ = ["CONTENDERS", "QUANTITIES", "elasticities", "raised_machines"]

STEP = 1.01
"""One percent, as it is said: small against the kinks where another term comes to bind."""

CONTENDERS = 4
"""Plans that are searched again: one percent moves none from farther down to the top."""

QUANTITIES: dict[str, Callable[[Plan], float | None]] = {
    "tpot_s": lambda one: one.tpot_s,
    "ttft_s": lambda one: one.ttft_s,
    "usd_per_output_token": lambda one: one.usd_per_output_token,
    "usd_per_input_token": lambda one: one.usd_per_input_token,
    "chip_s_per_request": lambda one: one.paid_chip_s_per_request,
}
"""What changes, of the best plan."""


def _faster_memory(machine: Machine) -> Machine:
    chip = dataclasses.replace(machine.chip, hbm_bytes_per_s=machine.chip.hbm_bytes_per_s * STEP)
    return dataclasses.replace(machine, chip=chip)


def _larger_memory(machine: Machine) -> Machine:
    chip = dataclasses.replace(machine.chip, hbm_bytes=machine.chip.hbm_bytes * STEP)
    return dataclasses.replace(machine, chip=chip)


def _faster_arithmetic(machine: Machine) -> Machine:
    peaks = {name: peak * STEP for name, peak in machine.chip.flop_per_s.items()}
    return dataclasses.replace(machine, chip=dataclasses.replace(machine.chip, flop_per_s=peaks))


def _faster_links(machine: Machine, *, is_scale_up: bool) -> Machine:
    fabric = tuple(
        dataclasses.replace(level, bytes_per_s=level.bytes_per_s * STEP) if (index == 0) is is_scale_up else level
        for index, level in enumerate(machine.fabric)
    )
    return dataclasses.replace(machine, fabric=fabric)


CHANGES: dict[str, Callable[[Machine], Machine]] = {
    "hbm_bytes_per_s": _faster_memory,
    "flop_per_s": _faster_arithmetic,
    "hbm_bytes": _larger_memory,
    "scale_up_bytes_per_s": lambda machine: _faster_links(machine, is_scale_up=True),
    "scale_out_bytes_per_s": lambda machine: _faster_links(machine, is_scale_up=False),
}


def raised_machines(machine: Machine) -> dict[str, Machine]:
    """The machine with one percent more of each, by what it has more of."""
    return {raised: change(machine) for raised, change in CHANGES.items()}


def elasticities(contenders: Sequence[Served], best: Plan, price: float | None) -> dict[str, float]:
    """Percent of change for one percent more, by ``"what changes:what is raised"``.

    Args:
        contenders: the layouts of the best plans, the best first.
        best: the best plan now.
        price: of a chip, in dollars a second; without one there are no dollars to change.
    """
    found: dict[str, float] = {}
    domain = contenders[0].pool.machine.scale_up_chips
    leaves = any(one.pool.layout.chips > domain for one in contenders)
    for raised, machine in raised_machines(contenders[0].pool.machine).items():
        # Links out of a domain that nobody leaves need no search.
        changed = _on(machine, contenders) if leaves or raised != "scale_out_bytes_per_s" else contenders
        found |= _changes(best, _best(changed, price), raised)
    dearer = None if price is None else price * STEP
    return found | _changes(best, _best(contenders, dearer), "usd_per_chip_s")


def _on(machine: Machine, contenders: Sequence[Served]) -> list[Served]:
    """The contenders' layouts on another machine, those that still serve there."""
    outcomes = [serve(dataclasses.replace(one.pool, machine=machine), one.weights, one.budget) for one in contenders]
    return [one for one in outcomes if isinstance(one, Served)]


def _best(contenders: Sequence[Served], price: float | None) -> Plan | None:
    """The best plan of the contenders; None where none of them serves."""
    plans = [best_plan(one, price) for one in contenders]
    return min(
        (one for one in plans if isinstance(one, Plan)), key=lambda one: one.paid_chip_s_per_request, default=None
    )


def _changes(now: Plan, then: Plan | None, raised: str) -> dict[str, float]:
    if then is None:
        return {}
    values = {name: (value(now), value(then)) for name, value in QUANTITIES.items()}
    return {
        f"{name}:{raised}": math.log(after / before) / math.log(STEP)
        for name, (before, after) in values.items()
        if before is not None and after is not None
    }
