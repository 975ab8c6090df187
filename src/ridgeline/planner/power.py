"""Power in a plan: where it sets the number of chips, the cost of a joule as chip-time, and notes on both."""

from __future__ import annotations

from ridgeline.errors import RidgelineError
from ridgeline.specs.demand import Demand
from ridgeline.specs.machine import Machine

__all__ = ["chip_s_per_j", "is_of_power", "most_chips", "power_notes", "replica_chips", "require_power"]

LEAST_DRAW = 0.05
"""Part of its maximum power below which no chip that waits for work is taken to draw."""


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


def replica_chips(machine: Machine, demand: Demand) -> int:
    """Chips within which a replica is searched where power determines how many there are.

    They are a power of two of scale-up domains, about as many as the power feeds by the spec sheet: so the layouts that
    are tried do not depend on what divides a number of chips that nobody asked for.
    """
    by_sheet = (demand.site_power_w or 0.0) / (demand.pue * (machine.chip.power_w or 1.0))
    domains = max(int(by_sheet / machine.scale_up_chips), 1)
    return int(machine.scale_up_chips) << (domains.bit_length() - 1)


def most_chips(machine: Machine, demand: Demand) -> int:
    """Chips that a limit on power cannot exceed, since each draws a part of its maximum even while it waits."""
    least_w = max(machine.chip.idle_power_fraction, LEAST_DRAW) * (machine.chip.power_w or 1.0)
    return max(int((demand.site_power_w or 0.0) / (demand.pue * least_w)), 1)


def is_of_power(machine: Machine, demand: Demand) -> bool:
    """Whether a limit on power determines the number of chips, where neither they nor a load are given."""
    return demand.site_power_w is not None and machine.chip.power_w is not None and not demand.has_load


def chip_s_per_j(demand: Demand, price: float | None) -> float:
    """Chip-time that costs as much as a joule, s; 0 where either has no price."""
    if demand.electricity_usd_per_j is None or price is None:
        return 0.0
    return demand.pue * demand.electricity_usd_per_j / price


def power_notes(
    machine: Machine, demand: Demand, price: float | None, *, is_given: bool, is_fed: bool
) -> tuple[str, ...]:
    """Notes on power, where it matters.

    Args:
        machine: machine that serves.
        demand: limit on power, and the price of electricity.
        price: price of a chip, $/s; None where none is known.
        is_given: whether that price was asked for.
        is_fed: whether power alone determines how many chips there are.
    """
    notes = []
    if demand.electricity_usd_per_j is not None and price is not None and not is_given:
        notes.append(
            "electricity is added to a rental price, which has it already: give the cost of an owned chip by --price"
        )
    if demand.heeds_power:
        of_budget = "; chips of the budget that no replica takes are off, and yet paid for"
        of_power = "; each layout has as many replicas as the power feeds at its own draw; ranked by a request's cost"
        idle = "" if demand.has_load else of_power if is_fed else of_budget
        notes.append(
            f"power is that of chips, {100 * machine.chip.idle_power_fraction:.3g} % of it always and the rest while at"
            f" work; hosts, switches and cooling are in --pue{idle}"
        )
    return tuple(notes)
