"""Rental prices of a chip by date, and the one that a plan takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from ridgeline.catalog.facts import CatalogError, Fact, FactFile, reads
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.tariff import Tariff

if TYPE_CHECKING:
    from ridgeline.catalog.machines import MachineEntry

__all__ = ["MARKETS", "MarketError", "Rental", "default_tariff", "market_tariff"]

Price = Annotated[Fact, reads("usd_per_s")]


class Rental(FactFile):
    """One ``[[rental]]`` table: a price at a date."""

    usd_per_chip_s: Price
    kind: Literal["on-demand", "spot", "contract", "list"]


MARKETS = ("on-demand", "list", "spot", "contract")
"""Kinds of prices, the most usual first, which is the default."""


def default_tariff(rentals: tuple[Rental, ...]) -> Tariff | None:
    """Newest price of the most usual kind: on demand, else by list, spot or contract."""
    for kind in MARKETS:
        of_kind = [rental for rental in rentals if rental.kind == kind]
        if of_kind:
            return _tariff(_newest(of_kind), rentals, rentals)
    return None


class MarketError(CatalogError):
    """An unknown market, or one without a price of a machine."""


def market_tariff(entry: MachineEntry, market: str) -> Tariff:
    """Newest price of a machine in a market, or the newest up to a date: "spot", "contract@2025-10".

    Args:
        entry: machine with its facts.
        market: one of ``MARKETS``, with a year, a month or a day.

    Raises:
        MarketError: the market is unknown, or has no price of the machine; the message lists those that have.
    """
    kind, _, until = market.partition("@")
    if kind not in MARKETS or (until and not re.fullmatch(r"\d{4}(-\d{2}(-\d{2})?)?", until)):
        raise MarketError(
            f"market {market!r} is not one of {', '.join(MARKETS)}, each perhaps with a date: contract@2025-10"
        )
    rentals = entry.facts.rental
    of_kind = [one for one in rentals if one.kind == kind]
    if until:
        of_kind = [one for one in of_kind if str(one.usd_per_chip_s.date)[: len(until)] <= until]
    if not of_kind:
        known = sorted({f"{one.kind}@{str(one.usd_per_chip_s.date)[:7]}" for one in rentals})
        listed = f"known are {', '.join(known)}" if known else "none is known; give one by --price"
        raise MarketError(f"no {market} price of {entry.facts.id} is known; {listed}")
    return _tariff(_newest(of_kind), rentals, of_kind)


def _newest(rentals: Sequence[Rental]) -> Rental:
    return max(rentals, key=lambda rental: rental.usd_per_chip_s.date)


def _tariff(rental: Rental, rentals: Sequence[Rental], asked: Sequence[Rental]) -> Tariff:
    """A price with the range of others of its year: of all kinds for its label, and of those that were asked for."""
    fact = rental.usd_per_chip_s
    doubt = ", unverified" if fact.unverified else ""
    ends, (lowest, highest) = (_ends(fact.date.year, those) for those in (rentals, asked))
    known = [
        format_quantity(_price(end), "usd_per_s") + (f" ({end.kind})" if end.kind != rental.kind else "")
        for end in ends
    ]
    low, high = _price(lowest), _price(highest)
    kinds = " of all markets" if (low, high) != tuple(map(_price, ends)) else ""
    spread = f"; prices of {fact.date.year}{kinds}: {known[0]} to {known[1]}" if len(set(known)) > 1 else ""
    source = "general knowledge" if fact.source == "memory" else fact.source
    return Tariff(
        usd_per_chip_s=fact.value,
        label=f"{rental.kind}, {fact.date}, {source}{doubt}{spread}",
        usd_per_chip_s_low=low,
        usd_per_chip_s_high=high,
    )


def _ends(year: int, rentals: Sequence[Rental]) -> tuple[Rental, Rental]:
    """The cheapest and the dearest price of a year."""
    within = [one for one in rentals if one.usd_per_chip_s.date.year == year]
    return min(within, key=_price), max(within, key=_price)


def _price(rental: Rental) -> float:
    return rental.usd_per_chip_s.value
