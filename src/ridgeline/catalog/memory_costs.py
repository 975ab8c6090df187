"""Memory's part of the cost of machines, as published."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, Fact, FactFile, reads, reads_month

__all__ = ["MemoryShare", "SoldMachine", "memory_shares", "sold_machines"]

Fraction = Annotated[Fact, reads("fraction")]


class MemoryShare(FactFile):
    """Memory's part of one bill.

    Attributes:
        of: id of the machine that the bill is for; None for a whole industry.
        what: description of the bill.
        paid: middle of the time that it covers, in years; None for that of its machine.
        usd: amount of the bill, $; None where it is not published.
        low: memory's part of the bill, or the lower end of a range.
        high: upper end of the range; None where one number is published.
    """

    of: str | None = None
    what: str
    paid: Annotated[Fact, reads_month()] | None = None
    usd: Annotated[Fact, reads("usd")] | None = None
    low: Fraction
    high: Fraction | None = None

    @property
    def fraction(self) -> float:
        """Middle of the published range."""
        return self.low.value if self.high is None else (self.low.value + self.high.value) / 2


class SoldMachine(FactFile):
    """Sale price of a machine.

    Attributes:
        of: id of the machine.
        chips: number of chips that the price is for.
        stack: id of the storage device whose price stands for its HBM.
        usd: sale price, $.
    """

    of: str
    chips: int
    stack: str
    usd: Annotated[Fact, reads("usd")]


class MemoryCosts(FactFile):
    """The contents of ``memory_costs.toml``."""

    shares: tuple[MemoryShare, ...]
    sold: tuple[SoldMachine, ...]


@lru_cache(maxsize=1)
def _memory_costs() -> MemoryCosts:
    return read_toml(CATALOG / "memory_costs.toml", MemoryCosts)


def memory_shares() -> tuple[MemoryShare, ...]:
    """Published shares of memory, by generation and date."""
    return _memory_costs().shares


def sold_machines() -> tuple[SoldMachine, ...]:
    """Machines whose price is known, by generation."""
    return _memory_costs().sold
