"""Time to read a whole memory, drive or disk, by its capacity, beside the times for which caches are sold."""

from __future__ import annotations

from ridgeline.boards.board import LetterNumber, Term, Values, View
from ridgeline.boards.companions import Draining, ReadOut
from ridgeline.boards.in_a_sentence import time_text
from ridgeline.boards.lecture.prices.cache_prices import DDR, DISK, FLASH, MOMENTS, SMALL_FLASH
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import At, Form, at, curve, curves, logarithmic
from ridgeline.boards.tick import Tick
from ridgeline.catalog.storage import storage_device
from ridgeline.equations import caching
from ridgeline.quantity_text import format_quantity

__all__ = ["DIGITS", "DRAIN_EQUATION", "NUMBERS", "VIEW", "drained", "sized"]

CAPACITY_BYTES = 3e10, 3e14
SHOWN_S = 1e-3, 3e6
POINTS = 9
"""Points of a line: all are straight, on even axes and on those of equal ratios."""
DIGITS = 2
"""Significant digits of drain times."""
DEVICES = {
    "DDR": (Colour.ASIDE, (DDR,)),
    "flash": (Colour.ALSO, (SMALL_FLASH, FLASH)),
    "disk": (Colour.BOUND, (DISK,)),
}
"""Devices of each tier: all of a tier that has a rate of its own lie on one line."""


def drained(drain_s: float) -> str:
    """Text of a drain time, as claims have it."""
    return time_text(drain_s, DIGITS)


def hbm_drain_s(values: Values) -> float:
    """Time to read all memory of a chip, s."""
    found = caching.drain_time_s(capacity_bytes=values["hbm_bytes"], bytes_per_s=values["hbm_bytes_per_s"])
    return float(found)


def _line(bytes_per_s: float) -> Form:
    return lambda capacity: caching.drain_time_s(capacity_bytes=capacity, bytes_per_s=bytes_per_s)


def _named(tier: str, bytes_per_s: float) -> str:
    return f"{tier}\n{format_quantity(bytes_per_s, 'bytes_per_s', DIGITS)}"


def sized(capacity_bytes: float) -> str:
    """Text of a capacity, as claims have it."""
    return format_quantity(capacity_bytes, "bytes", DIGITS)


def _drain_times(values: Values) -> Curves:
    hbm = _named("HBM", values["hbm_bytes_per_s"])
    lines = [curve(hbm, _line(values["hbm_bytes_per_s"]), Colour.KV, is_bold=True)]
    marks: list[At] = []
    stores = [_read_out("HBM", values["hbm_bytes"], hbm_drain_s(values), Colour.KV)]
    for tier, (colour, names) in DEVICES.items():
        for name in names:
            device = storage_device(name)
            rate, capacity = device.bytes_per_s.value, device.capacity()
            line = _named(tier, rate)
            if line not in {one.name for one in lines}:
                lines.append(curve(line, _line(rate), colour))
            named = f"small {tier}" if name == SMALL_FLASH else tier
            drain_s = float(caching.drain_time_s(capacity_bytes=capacity, bytes_per_s=rate))
            stores.append(_read_out(named, capacity, drain_s, colour))
            # The capacity is read along the axis.
            marks.append(at(device.name, capacity, on=line, text=drained, colour=colour, is_fixed=True))
    # The lecture's own two tiers are told first.
    marks.sort(key=lambda mark: mark.colour is Colour.ASIDE)
    chip = at("HBM of a chip", values["hbm_bytes"], on=hbm, text=drained, colour=Colour.KV)
    sold = (curve(f"priced for\n{text}", held_s, Colour.MONEY, is_floor=True) for text, held_s in MOMENTS.items())
    return curves(
        logarithmic(*CAPACITY_BYTES, points=POINTS),
        *lines,
        *sold,
        marks=[*marks, chip],
        top=SHOWN_S[1],
        bottom=SHOWN_S[0],
        companion=Draining(
            read_out=tuple(sorted(stores, key=lambda one: one.drain_s)),
            moments=tuple(Tick(at=held_s, text=text) for text, held_s in MOMENTS.items()),
            text="Stores that are read from their beginning to their end, all at once",
        ),
    )


def _read_out(name: str, capacity_bytes: float, drain_s: float, colour: Colour) -> ReadOut:
    return ReadOut(
        name=name,
        capacity_text=format_quantity(capacity_bytes, "bytes"),
        drain_s=drain_s,
        drain_text=drained(drain_s),
        colour=colour,
    )


VIEW = View(
    equations=(4,),
    compute=_drain_times,
    heading="Time to read a tier whole",
    x=Axis(caption="capacity", dimension="bytes", is_logarithmic=True),
    y=Axis(caption="time to read all of it", dimension="duration", is_logarithmic=True),
)
"""View of the board of tiers."""
DRAIN_EQUATION = (
    Term(tex=r"t_{drain}", colour=Colour.KV),
    Term(tex=r"\;=\;\dfrac{C}{W}"),
)
"""Time to read a tier whole; the lecture's rule is that a cache is held for about as long."""
NUMBERS = (LetterNumber(tex=r"t_{drain}", value=hbm_drain_s, dimension="s"),)
"""Numbers of the equation's letters that no control turns."""
