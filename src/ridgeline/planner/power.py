"""Power in a plan: chips that a limit feeds, the cost of a joule as chip-time, and notes on both."""

from __future__ import annotations

from ridgeline.errors import RidgelineError
from ridgeline.numeric import ROUNDING
from ridgeline.specs.demand import Demand
from ridgeline.specs.machine import Machine

__all__ = ["chip_s_per_j", "is_of_power", "least_power_w", "power_notes", "require_power", "usual_chips"]


def require_power(machine: Machine, demand: Demand) -> None:
    """Refuse a demand on the power of chips for which it is unknown.

    Raises:
        RidgelineError: the chips' power is unknown; the message says what to give, or to leave out.
    """
    if demand.heeds_power and machine.chip.power_w is None:
        raise RidgelineError(
            f"the power of a chip of {machine.id} is not known; give it as power_w of the chip in a machine's .toml, or"
            " leave --power and --electricity out"
        )


def usual_chips(machine: Machine, demand: Demand) -> int:
    """Budget where none is given: a scale-up domain, or as many chips as the power feeds at their maximum."""
    if not is_of_power(machine, demand):
        return machine.scale_up_chips
    return max(int((demand.site_power_w or 0.0) / least_power_w(machine, demand, 1) * (1 + ROUNDING)), 1)


def is_of_power(machine: Machine, demand: Demand) -> bool:
    """Whether a budget that is not given follows from a limit on power alone."""
    return demand.site_power_w is not None and machine.chip.power_w is not None and not demand.has_load


def least_power_w(machine: Machine, demand: Demand, chips: int) -> float:
    """Least limit on the site's power that feeds ``chips`` chips at their maximum, W."""
    return demand.pue * chips * (machine.chip.power_w or 0.0)


def chip_s_per_j(demand: Demand, price: float | None) -> float:
    """Chip-time that costs as much as a joule, s; 0 where either has no price."""
    if demand.electricity_usd_per_j is None or price is None:
        return 0.0
    return demand.pue * demand.electricity_usd_per_j / price


def power_notes(machine: Machine, demand: Demand, price: float | None, *, is_given: bool) -> tuple[str, ...]:
    """Notes on power, where it matters."""
    notes = []
    if demand.electricity_usd_per_j is not None and price is not None and not is_given:
        notes.append(
            "electricity is added to a rental price, which has it already: give the cost of an owned chip by --price"
        )
    if demand.heeds_power:
        idle = "" if demand.has_load else "; chips of the budget that no replica takes are off, and yet paid for"
        notes.append(
            f"power is that of chips, {100 * machine.chip.idle_power_fraction:.3g} % of it always and the rest while at"
            f" work; hosts, switches and cooling are in --pue{idle}"
        )
    return tuple(notes)
