"""Price of a chip: as asked, else the catalog's, and a note where there is none."""

from __future__ import annotations

from ridgeline.specs.machine import Machine
from ridgeline.specs.tariff import unlisted

__all__ = ["AS_ASKED", "price_label", "price_of", "rents_of", "unpriced"]

AS_ASKED = "as asked"
"""Source of a price that was given."""


def price_of(machine: Machine, asked: float | None) -> float | None:
    """Price of a chip, $/s; None where none was asked for and none is listed."""
    return asked if asked is not None or machine.tariff is None else machine.tariff.usd_per_chip_s


def price_label(machine: Machine, asked: float | None) -> str:
    """Source of the price."""
    if asked is not None:
        return AS_ASKED
    return "no price known" if machine.tariff is None else machine.tariff.label


def rents_of(machine: Machine, asked: float | None) -> tuple[float, float]:
    """Lowest and highest price known for that year, over the price; 1 where it was given, or is the only one."""
    tariff = machine.tariff
    if asked is not None or tariff is None:
        return 1.0, 1.0
    ends = tariff.usd_per_chip_s_low, tariff.usd_per_chip_s_high
    low, high = (tariff.usd_per_chip_s if one is None else one for one in ends)
    return low / tariff.usd_per_chip_s, high / tariff.usd_per_chip_s


def unpriced(machine: Machine, price: float | None) -> tuple[str, ...]:
    """Advice for a machine without a listed price."""
    if price is not None:
        return ()
    return (unlisted(machine.id, ", so no cost in dollars"),)
