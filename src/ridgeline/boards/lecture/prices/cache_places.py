"""Places in which a KV cache waits for its next use, with what they cost, and that of computing it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.boards.board import Values
from ridgeline.boards.lecture.prices.cache_prices import DDR, DISK, FLASH, LIFE_S, byte_cost
from ridgeline.boards.picture import Colour
from ridgeline.caching.envelope import CostLine
from ridgeline.equations import caching
from ridgeline.numeric import Numeric

__all__ = ["HELD_S", "TOKENS", "Place", "cost_lines", "places_of"]

HELD_S = 0.01, 1e6
"""Shortest and longest time until the next use that is drawn, s."""

AGAIN = "recompute"

TOKENS = 1e9
"""Tokens whose caches are priced, so that dollars are neither tiny nor huge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Place of a billion tokens' cache between two uses.

    Attributes:
        retrieve_usd: cost of bringing it back to a chip's memory, or of making it again, $.
        hold_usd_per_s: cost of holding it for a second, $.
        drain_s: time to read all that the place holds; None where nothing is held.
        colour: colour of its line.
    """

    retrieve_usd: float
    hold_usd_per_s: float
    drain_s: float | None
    colour: Colour

    def cost_usd(self, held_s: Numeric) -> Numeric:
        """Cost of one hit after ``held_s``, $."""
        return caching.cost_usd(retrieve_usd=self.retrieve_usd, hold_usd_per_s=self.hold_usd_per_s, held_s=held_s)


def places_of(values: Values) -> dict[str, Place]:
    """Places from the fastest to the slowest, as he would have ordered them."""
    kv_bytes, chip = TOKENS * values["kv_bytes_per_token"], values["usd_per_chip_s"]
    again = caching.recompute_usd_per_token(
        active_params=values["active_params"],
        flop_per_s=values["reached_fraction"] * values["flop_per_s"],
        usd_per_chip_s=chip,
    )
    held = caching.hold_usd_per_token_s(kv_bytes_per_token=kv_bytes, capacity_bytes=values["hbm_bytes"], usd_per_s=chip)
    drain_s = caching.drain_time_s(capacity_bytes=values["hbm_bytes"], bytes_per_s=values["hbm_bytes_per_s"])
    hbm = Place(retrieve_usd=0.0, hold_usd_per_s=float(held), drain_s=float(drain_s), colour=Colour.KV)
    bought = {
        name: _bought(device, kv_bytes, colour)
        for name, device, colour in (
            ("DDR", DDR, Colour.ASIDE),
            ("flash", FLASH, Colour.ALSO),
            ("disk", DISK, Colour.BOUND),
        )
    }
    remade = Place(retrieve_usd=TOKENS * float(again), hold_usd_per_s=0.0, drain_s=None, colour=Colour.COMPUTE)
    return {"HBM": hbm} | bought | {AGAIN: remade}


def _bought(device: str, kv_bytes: float, colour: Colour) -> Place:
    """Place on a device that is bought, spread over its life."""
    a_byte = byte_cost(device, life_s=LIFE_S)
    return Place(
        retrieve_usd=kv_bytes * a_byte.retrieve_usd,
        hold_usd_per_s=kv_bytes * a_byte.hold_usd_per_s,
        drain_s=a_byte.drain_s,
        colour=colour,
    )


def cost_lines(places: Mapping[str, Place]) -> list[CostLine]:
    """Cost lines of the places over the holding time."""
    return [
        CostLine(name=name, once_usd=place.retrieve_usd, hold_usd_per_s=place.hold_usd_per_s)
        for name, place in places.items()
    ]
