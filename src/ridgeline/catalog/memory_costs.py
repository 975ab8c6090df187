"""Memory's part of what machines cost, as published."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from ridgeline.catalog.facts import CATALOG, Fact, FactFile, read_toml, reads, reads_month

__all__ = ["MemoryShare", "memory_shares"]

Fraction = Annotated[Fact, reads("fraction")]


class MemoryShare(FactFile):
    """Memory's part of one bill.

    Attributes:
        of: machine whose bill it is; None for all of an industry.
        what: that the bill is for.
        paid: middle of the time that it is of, in years; None for that of its machine.
        usd: the bill; None where that is not published.
        low: memory's part of it, or the lower end of that.
        high: the upper end; None where one number is published.
    """

    of: str | None = None
    what: str
    paid: Annotated[Fact, reads_month()] | None = None
    usd: Annotated[Fact, reads("usd")] | None = None
    low: Fraction
    high: Fraction | None = None

    @property
    def fraction(self) -> float:
        """The middle of what is published."""
        return self.low.value if self.high is None else (self.low.value + self.high.value) / 2


class MemoryCosts(FactFile):
    """The contents of ``memory_costs.toml``."""

    shares: tuple[MemoryShare, ...]


@lru_cache(maxsize=1)
def memory_shares() -> tuple[MemoryShare, ...]:
    """All of them, by generation and date."""
    return read_toml(CATALOG / "memory_costs.toml", MemoryCosts).shares
