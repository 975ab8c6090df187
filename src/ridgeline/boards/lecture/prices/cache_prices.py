"""Costs of making, holding and retrieving a cache, and their prices on a list."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.board import Control
from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import REACHED_FRACTION
from ridgeline.caching.tiers import LIFE_S, Ownership, bought_tier
from ridgeline.catalog import CatalogError, load_machine
from ridgeline.catalog.list_prices import list_price
from ridgeline.catalog.storage import storage_device
from ridgeline.equations import pricing
from ridgeline.seconds import FIVE_MINUTES_S, HOUR_S

__all__ = [
    "DDR",
    "DISK",
    "FLASH",
    "HIT_USD",
    "INPUT_USD",
    "LIFE_S",
    "LIST_MODEL",
    "MACHINE",
    "MOMENTS",
    "NEWER_MODEL",
    "SMALL_FLASH",
    "WRITE_HOUR_USD",
    "WRITE_USD",
    "ByteCost",
    "byte_cost",
    "chip_flop_per_s",
    "chip_usd_per_s",
    "price_ratio",
    "reached_fraction",
]

LIST_MODEL, NEWER_MODEL = "claude-opus-4-5", "claude-opus-5-5"
"""Model whose prices are quoted, and the newest model of the same line."""

MACHINE = "gb200-nvl72"

INPUT_USD = said(5e-6, "2:00:50")
"""Price of an input token that is read without a cache, $."""

WRITE_USD = said(6.25e-6, "2:01:00")
"""Price of an input token that is read and kept for five minutes, $."""

HIT_USD = filled_in(list_price(LIST_MODEL).of("cache_read"), why="the list that he quotes from")
"""Price of an input token that is found in a cache, on the list of the same model, $."""

WRITE_HOUR_USD = filled_in(list_price(LIST_MODEL).of("cache_write_1h"))
"""Price of an input token that is read and kept for an hour, $."""

DDR, FLASH, DISK = "ddr5-over-pcie", "flash-tlc-31tb", "disk-30tb"
"""Devices of the catalog that stand for their tiers."""

SMALL_FLASH = "flash-tlc-8tb"
"""The smallest flash drive of the catalog."""

MOMENTS = {"5 min": FIVE_MINUTES_S, "1 h": HOUR_S}
"""Times for which caches are sold."""


def price_ratio(*, usd: float, base_usd: float) -> float:
    """One price over another."""
    return 1 + float(pricing.price_step_fraction(usd_below=base_usd, usd_above=usd))


@dataclass(frozen=True, slots=True, kw_only=True)
class ByteCost:
    """Cost of one byte on a device that bills holding and reading alike.

    Attributes:
        retrieve_usd: cost of reading it once, $.
        hold_usd_per_s: cost of holding it for a second, $.
        drain_s: time to read the whole device.
    """

    retrieve_usd: float
    hold_usd_per_s: float
    drain_s: float


def byte_cost(name: str, *, life_s: float) -> ByteCost:
    """Cost of a byte on a bought device that lasts ``life_s``; it is read at its own rate, whatever the link.

    Raises:
        RidgelineError: it has no price.
    """
    tier = bought_tier(storage_device(name), name, owned=Ownership(life_s=life_s))
    return ByteCost(
        retrieve_usd=tier.read_usd_per_byte, hold_usd_per_s=tier.hold_usd_per_byte_s, drain_s=tier.drain_s or 0.0
    )


def chip_usd_per_s() -> float:
    """Price of a chip of the machine in the catalog, $/s."""
    tariff = load_machine(MACHINE).tariff
    if tariff is None:
        raise CatalogError(f"machine {MACHINE!r} has no price in the catalog; claims on costs need one")
    return tariff.usd_per_chip_s


def chip_flop_per_s() -> float:
    """Arithmetic rate of a chip of that machine, in DeepSeek-V3's formats, FLOP/s."""
    facts = fleet.facts(MACHINE)
    return controls.terms(facts).flop_per_s / facts.machine.scale_up_chips


def reached_fraction() -> Control:
    """Part of the peak FLOP/s that recomputing a context reaches."""
    return Control(
        name="reached_fraction",
        meaning="of it reached",
        called="share of peak FLOP/s reached",
        short="share of peak",
        dimension="fraction",
        low=0.05,
        high=1,
        lecture=REACHED_FRACTION,
        careful=REACHED_FRACTION.value,
    )
