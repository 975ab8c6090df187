"""Price of a chip."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.glossary import require_plausible

__all__ = ["Tariff"]


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
