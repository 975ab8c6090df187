"""Price of a chip."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.glossary import require_plausible

__all__ = ["Tariff", "unlisted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff:
    """A price of one chip, with its range.

    Attributes:
        usd_per_chip_s: price of one chip, $/s.
        label: kind, date and source, as shown beside it.
        usd_per_chip_s_low: lowest other price known for that year, $/s; None where the price is the only one.
        usd_per_chip_s_high: highest other price known for that year, $/s; None where the price is the only one.
    """

    usd_per_chip_s: float
    label: str
    usd_per_chip_s_low: float | None = None
    usd_per_chip_s_high: float | None = None

    def __post_init__(self) -> None:
        require_plausible(self)


def unlisted(machines: str, so: str = "") -> str:
    """Words on machines whose price is not known, and on how to give one.

    Args:
        machines: ids of these machines.
        so: consequence, with the comma before it; left out, none.

    >>> unlisted("h100-pcie", ", so no dollars")
    "no price of h100-pcie is listed, so no dollars; give one: --price '$2/h' (in Python usd_per_chip_s=2/3600)"
    """
    return f"no price of {machines} is listed{so}; give one: --price '$2/h' (in Python usd_per_chip_s=2/3600)"
