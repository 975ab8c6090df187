"""What a chip costs."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.glossary import require_plausible

__all__ = ["Tariff"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff:
    """A price of one chip.

    Attributes:
        usd_per_chip_s: dollars a second.
        label: kind, date and source, as shown beside it.
    """

    usd_per_chip_s: float
    label: str

    def __post_init__(self) -> None:
        require_plausible(self)
