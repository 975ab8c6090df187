"""Memory's part of what machines cost, by year, and how dear memory must be to be half of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial

import numpy as np

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture.not_wise.claims import QUOTED_FRACTION
from ridgeline.boards.picture import Axis, Colour, Curves, Dots
from ridgeline.boards.pictures import At, at, curve, curves, linear, logarithmic
from ridgeline.boards.written import flat
from ridgeline.catalog import machine_entry
from ridgeline.catalog.memory_costs import MemoryShare, memory_shares
from ridgeline.catalog.storage import storage_device
from ridgeline.equations import pricing
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD"]

FIRST, LAST = 2021.5, 2027.5
MIDDLE = 0.5
"""Part of the year at which a machine is drawn, of which the year alone is known: its middle."""

CHIP, RACK = "a chip to make", "a rack to buy"
KINDS = {CHIP: Colour.ASIDE, RACK: Colour.ALSO}
ALL_CHIPS = "parts of all AI chips"
NAMES = {
    "h100-sxm": "H100",
    "h200-sxm": "H200",
    "b200-sxm": "B200",
    "mi355x": "MI355X",
    "gb200-nvl72": "GB200 rack",
    "vr200-nvl144": "Vera Rubin\nrack",
}
DRAWN = ("h100-sxm", "gb200-nvl72", "vr200-nvl144")
"""Machines whose memory share is drawn over the price of memory."""
NEWEST = DRAWN[-1]
LEAST, MOST = 0.25, 30.0
DDR = "ddr5-over-pcie"
QUOTED = "as quoted"


def _year(one: MemoryShare) -> float:
    """Date of a bill, years."""
    if one.paid is not None:
        return one.paid.value
    return machine_entry(one.of or "").facts.released + MIDDLE


@lru_cache(maxsize=1)
def _newest() -> tuple[MemoryShare, ...]:
    """Memory shares, the last estimate where one was revised."""
    found = {(one.of, one.what): one for one in memory_shares()}
    return tuple(found.values())


def _after(one: MemoryShare, ratio: Numeric) -> Numeric:
    """Share of memory in a machine's cost after a change of its price."""
    return pricing.part_of_cost_fraction(part_fraction=one.fraction, price_ratio=ratio)


def _dots(name: str, shares: Iterable[MemoryShare], ratio: float, colour: Colour) -> Dots:
    drawn = list(shares)
    return Dots(
        name=name,
        x=np.array([_year(one) for one in drawn]),
        y=np.array([float(_after(one, ratio)) for one in drawn]),
        labels=tuple(NAMES.get(one.of or "", "") for one in drawn),
        colour=colour,
        is_named=True,
        names=tuple(one.what if one.of is None else one.of for one in drawn),
    )


def _by_year(values: Values) -> Curves:
    ratio = values["memory_price_ratio"]
    groups = [
        _dots(f"{kind}:\nmemory's share", [one for one in _newest() if one.what == kind], ratio, colour)
        for kind, colour in KINDS.items()
    ]
    groups.append(_dots(f"HBM's share of\n{ALL_CHIPS}", [one for one in _newest() if one.of is None], ratio, Colour.KV))
    return curves(
        linear(FIRST, LAST, is_closed=True),
        curve(QUOTED, values["quoted_fraction"], Colour.BOUND, is_bold=True),
        dots=tuple(groups),
        top=1.0,
    )


def _ddr_ratio() -> float:
    """Ratio of DDR's latest price to its first in the catalog."""
    first, *_, last = storage_device(DDR).usd
    return last.value / first.value


def _over_price(values: Values) -> Curves:
    shares = {one.of: one for one in _newest() if one.of in DRAWN}
    drawn = {NAMES[machine]: shares[machine] for machine in DRAWN}
    newest, quoted = NAMES[NEWEST], values["quoted_fraction"]
    return curves(
        logarithmic(LEAST, MOST),
        curve(QUOTED, quoted, Colour.ASIDE, is_floor=True),
        *(
            curve(
                name, partial(_after, one), KINDS[one.what] if name != newest else Colour.BOUND, is_bold=name == newest
            )
            for name, one in drawn.items()
        ),
        marks=[*_moved(newest, values), *_halves(drawn, quoted)],
        top=1.0,
    )


def _halves(drawn: dict[str, MemoryShare], quoted: float) -> Iterable[At]:
    """Marks where each has the part that is quoted."""
    if not 0 < quoted < 1:
        return
    for name, one in sorted(drawn.items(), key=lambda one: one[0] != NAMES[NEWEST]):
        ratio = float(pricing.part_price_ratio(part_fraction=one.fraction, to_fraction=quoted))
        yield at(
            f"{name} there",
            ratio,
            on=name,
            text=f"{flat(name)}: at {format_quantity(ratio, 'count', 2)} times",
            colour=Colour.ASIDE,
        )


def _moved(newest: str, values: Values) -> Iterable[At]:
    """Marks of DDR's price ratio so far, and of the ratio that is set."""
    moved = _ddr_ratio()
    yield at(
        "as DDR has moved",
        moved,
        on=newest,
        text=f"DDR5 in half a year:\n{format_quantity(moved, 'count', 2)} times",
        is_fixed=True,
    )
    ratio = values["memory_price_ratio"]
    if ratio not in {1.0, moved}:
        yield at("the ratio that is set", ratio, on=newest, text=f"{format_quantity(ratio, 'count', 2)} times")


BOARD = Board(
    name="memory-wall",
    time_stamp="1:03:59",
    title="Memory's share of a machine",
    question="How much of a machine's cost is memory, and what would make it half?",
    caption="Estimates from cost breakdowns: HBM as a share of what a chip costs to make, and all memory as a share of"
    " what a rack sells for. The half that is quoted is a share of one year's investment.",
    formula=(
        Term(tex=r"f_{new}", colour=Colour.ASIDE),
        Term(tex=r"\;=\;\dfrac{f_{mem}\,P_{mem}}{1-f_{mem}+f_{mem}\,P_{mem}}"),
    ),
    controls=(
        Control(
            name="memory_price_ratio",
            meaning="times the estimate's price of memory",
            called="memory price over estimate",
            short="memory price",
            dimension="count",
            low=LEAST,
            high=MOST,
            lecture=filled_in(1.0, why="the estimate as it stands"),
            careful=1.0,
        ),
        Control(
            name="quoted_fraction",
            meaning="of an investment for memory, as quoted",
            called="quoted share of spending",
            short="quoted share",
            dimension="fraction",
            low=0,
            high=1,
            lecture=QUOTED_FRACTION,
            careful=QUOTED_FRACTION.value,
        ),
    ),
    views=(
        View(
            compute=_by_year,
            heading="By year of the machine",
            x=Axis(caption="year", dimension="year"),
            y=Axis(caption="memory's share of the cost", dimension="fraction"),
        ),
        View(
            compute=_over_price,
            heading="If memory gets dearer",
            x=Axis(caption="memory price over the estimate", dimension="count", is_logarithmic=True),
            y=Axis(caption="memory's share of the cost", dimension="fraction"),
        ),
    ),
    claims=("B13",),
    exercises=("memory-dearer",),
    machine="h100-sxm",
    first_move=FirstMove(
        control="memory_price_ratio",
        to=4.0,
        then="memory's share rises at every machine",
        seen=(Moves(what="dots", way=Way.UP),),
    ),
)
