"""A rack as it is drawn: chips outside, switches inside, cables between them."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

from ridgeline.boards.board import Board, Control, Facts, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.journeys import Leg, Node, Route, Routes
from ridgeline.boards.lecture.layouts import controls_layouts, numbers
from ridgeline.boards.lecture.layouts.torus import HEIGHT, MOST_CHIPS, WIDTH, Point, sent, torus
from ridgeline.boards.picture import Box, Cable, Colour, Schematic
from ridgeline.catalog import machine_entry
from ridgeline.equations import racks
from ridgeline.quantity_text import counted
from ridgeline.specs.topology import Torus

__all__ = ["BOARD", "SWITCHES_EQUATION"]

MOST_SWITCHES = 72
MOST_CABLES = 1500
"""Largest number of cables that are drawn; of more, those of every second or third chip."""

EDGE = 4.0
HUB = 30.0, 0.0, 40.0, 6.0
"""The data-centre switch: left, top, width and height."""

BUSES = 11.0, 51.5
ROWS = (16.0, 20.5), (43.0, 47.5)
SWITCHES = 29.0, 33.5
"""Upper and lower edges: what leaves the rack above and below, the chips above and below, the switches."""

HUB_BOX, FIRST_CHIP = 1, 2
"""Indices of boxes; index 0 is the rack's frame."""

TRAYS_OF = "gb200-nvl72"
"""Machine whose trays chips are drawn in: as many on each."""

CLOSER, AROUND = 0.86, 0.7
"""Distance of chips in a tray, as a part of a row's pitch, and the margin of a tray around its chips."""

NAMED = 9.0
"""Width from which a box has its name in it."""


@cache
def _tray_chips() -> int:
    found = machine_entry(TRAYS_OF).facts.node_chips
    return int(found.value) if found else 1


def _row(count: int, edges: tuple[float, float], name: str, colour: Colour, *, together: int = 1) -> list[Box]:
    """Boxes of equal width, in groups of ``together`` that stand close."""
    pitch = (WIDTH - 2 * EDGE) / max(count, 1)
    closer = CLOSER if together > 1 else 1.0
    width = min(0.8 * closer * pitch, 16.0)

    def middle(place: int) -> float:
        first = place - place % together
        group = first + min(together, count - first) / 2
        return EDGE + (group + closer * (place + 0.5 - group)) * pitch

    return [
        Box(
            x=round(middle(place) - width / 2, 3),
            y=edges[0],
            width=width,
            height=edges[1] - edges[0],
            text=name if width > NAMED else "",
            colour=colour,
        )
        for place in range(count)
    ]


def _rows(values: Values) -> tuple[list[Box], list[Box]]:
    """Half of the chips above the switches, half below."""
    above, together = math.ceil(values["chips"] / 2), _together(values)
    return (
        _row(above, ROWS[0], "chip", Colour.BOUND, together=together),
        _row(int(values["chips"]) - above, ROWS[1], "chip", Colour.BOUND, together=together),
    )


def _together(values: Values) -> int:
    """Chips of a tray; each is on its own where they would not fill one above and one below."""
    return _tray_chips() if values["chips"] >= 2 * _tray_chips() else 1


def _trays(chips: list[Box], together: int) -> list[Box]:
    """Frames around a row's chips that are together."""
    if together == 1:
        return []
    groups = [chips[first : first + together] for first in range(0, len(chips), together)]
    return [
        Box(
            x=round(group[0].x - AROUND / 2, 3),
            y=group[0].y - AROUND,
            width=round(group[-1].x + group[-1].width - group[0].x + AROUND, 3),
            height=group[0].height + 2 * AROUND,
            text="",
            colour=Colour.ASIDE,
            is_frame=True,
        )
        for group in groups
    ]


def _reached(values: Values, place: int) -> tuple[int, ...]:
    """Switches that the chip at a place of its row has cables to."""
    count = int(values["switches"])
    return tuple((place + step) % count for step in range(min(count, int(values["cables_per_chip"]))))


def _to_switches(values: Values, chips: list[Box], switches: list[Box], *, is_above: bool) -> list[Cable]:
    """Cables from each chip to as many switches as it has cables for, or to all."""
    reached = len(_reached(values, 0))
    every = math.ceil(values["chips"] * reached / MOST_CABLES)
    y, to_y = (ROWS[0][1], SWITCHES[0]) if is_above else (ROWS[1][0], SWITCHES[1])
    return [
        Cable(
            x=round(chip.x + chip.width / 2, 2),
            y=y,
            to_x=round(switch.x + switch.width / 2, 2),
            to_y=to_y,
            colour=Colour.LINKS,
            width=1.6 if len(chips) * reached <= NAMED else 0.15,
        )
        for place, chip in enumerate(chips)
        if place % every == 0
        for switch in (switches[number] for number in _reached(values, place))
    ]


def _dashed(start: Point, end: Point) -> Cable:
    return Cable(x=start[0], y=start[1], to_x=end[0], to_y=end[1], colour=Colour.AWAY, is_dashed=True, width=1.0)


def _leaving(above: list[Box], below: list[Box]) -> list[Cable]:
    """The slower way out of the rack: every chip to a line that ends at the data-centre switch."""
    left, top, width, height = HUB
    middle, side = left + width / 2, WIDTH - 0.5
    stubs = [
        _dashed((box.x + box.width / 2, edge), (box.x + box.width / 2, bus))
        for boxes, edge, bus in ((above, ROWS[0][0], BUSES[0]), (below, ROWS[1][1], BUSES[1]))
        for box in boxes
    ]
    corners = [(EDGE, BUSES[1]), (side, BUSES[1]), (side, BUSES[0]), (EDGE, BUSES[0])]
    around = [_dashed(start, end) for start, end in pairwise(corners)]
    return [*stubs, *around, _dashed((middle, BUSES[0]), (middle, top + height))]


def _cables(values: Values, *, times: float = 1) -> float:
    found = racks.switch_cables(chips=times * values["chips"], cables_per_chip=values["cables_per_chip"])
    return float(found)


def _rack(values: Values) -> Routes:
    above, below = _rows(values)
    switches = _row(int(values["switches"]), SWITCHES, "switch", Colour.LINKS)
    left, top, width, height = HUB
    hub = Box(x=left, y=top, width=width, height=height, text="data-centre switch", colour=Colour.AWAY)
    frame = Box(
        x=1.0, y=12.5, width=WIDTH - 3, height=37.5, text="", colour=Colour.ASIDE, is_frame=True
    )  # between what leaves above and below
    trays = [tray for row in (above, below) for tray in _trays(row, _together(values))]
    text = f"{_cables(values):,.0f} cables; twice the chips, {_cables(values, times=2):,.0f} in the same rack"
    return Routes(
        schematic=Schematic(
            width=WIDTH,
            height=HEIGHT,
            boxes=(frame, hub, *above, *below, *switches, *trays),
            cables=(
                *_to_switches(values, above, switches, is_above=True),
                *_to_switches(values, below, switches, is_above=False),
                *_leaving(above, below),
            ),
            text=text,
        ),
        routes=(_inside(values, above, below, switches), _outside(above)),
        nodes=_nodes(values, above, below),
        text=text,
        total_text=f"{_cables(values):,.0f} cables",
    )


def _bottom(box: Box) -> Point:
    return box.x + box.width / 2, box.y + box.height


def _top(box: Box) -> Point:
    return box.x + box.width / 2, box.y


def _nodes(values: Values, above: list[Box], below: list[Box]) -> tuple[Node, ...]:
    """Chips, in the order of their boxes, and the switches behind them."""
    chips = [*range(len(above)), *range(len(below))]
    reached = [_reached(values, place) for place in chips]
    of_switches = [
        tuple(chip for chip, ones in enumerate(reached) if switch in ones) for switch in range(int(values["switches"]))
    ]
    return (
        *(
            Node(
                name=f"chip {chip + 1}",
                box=FIRST_CHIP + chip,
                neighbours=tuple(len(chips) + switch for switch in ones),
                neighbours_text=counted(len(ones), "switch"),
                is_end=True,
            )
            for chip, ones in enumerate(reached)
        ),
        *(
            Node(
                name=f"switch {switch + 1}",
                box=FIRST_CHIP + len(chips) + switch,
                neighbours=ones,
                neighbours_text=counted(len(ones), "chip"),
                is_end=False,
            )
            for switch, ones in enumerate(of_switches)
        ),
    )


def _inside(values: Values, above: list[Box], below: list[Box], switches: list[Box]) -> Route:
    """Route from the first chip to one below with cables at the same switches, over all of them at once."""
    reached = range(min(len(switches), int(values["cables_per_chip"])))
    other = (len(below) - 1) // len(switches) * len(switches)
    start, end = _bottom(above[0]), _top(below[other])
    chips, first = (FIRST_CHIP, FIRST_CHIP + len(above) + other), FIRST_CHIP + len(above) + len(below)
    over = f"over {counted(len(reached), 'switch')}"
    return Route(
        name="to another chip of the rack",
        legs=(
            Leg(
                text=f"1 hop, {over}",
                cables=tuple(sent(start, _top(switches[switch])) for switch in reached),
                boxes=(chips[0], *(first + switch for switch in reached)),
            ),
            Leg(
                text=f"2 hops, {over}",
                cables=tuple(sent(_bottom(switches[switch]), end) for switch in reached),
                boxes=(chips[1],),
            ),
        ),
    )


def _outside(above: list[Box]) -> Route:
    """Route from the last chip above, along the line around the rack."""
    left, top, width, height = HUB
    chip, middle = _top(above[-1]), left + width / 2
    way = (chip, (chip[0], BUSES[0]), (middle, BUSES[0]), (middle, top + height))
    text = "over the slower network between racks"
    last = len(way) - 2
    return Route(
        name="to another rack",
        legs=tuple(
            Leg(
                text=text,
                cables=(sent(start, end, Colour.AWAY),),
                boxes=(FIRST_CHIP + len(above) - 1,) if not place else (HUB_BOX,) if place == last else (),
            )
            for place, (start, end) in enumerate(pairwise(way))
        ),
    )


def _chips(facts: Facts) -> float:
    """Number of chips of a rack: a domain with switches, or the smallest block of a torus whose ends are joined."""
    inside = facts.machine.fabric[0]
    if not isinstance(inside.topology, Torus):
        return facts.machine.scale_up_chips
    return math.prod(min(side, inside.topology.wraps_every) for side in inside.topology.sides)


SWITCHES_EQUATION = (
    Term(tex=r"\mathrm{cables}"),
    Term(tex=r"\;=\;"),
    Term(tex=r"w\,n", colour=Colour.LINKS),
)
"""Cables of a rack with switches."""

BOARD = Board(
    name="switches",
    time_stamp="0:38:20",
    title="A rack: its chips, switches and cables",
    question="How does a chip reach others inside and outside its rack, and how many cables does that take?",
    caption="With switches: any two chips are two hops apart, and the dashed way out to other racks is the slower"
    " scale-out network. Both are played. A link of GB200 is four copper pairs: 18 links on each of 72 chips make"
    " 5,184. As a torus: chips are connected to their neighbours only, as Google does it. A dashed cable leads to the"
    " opposite end.",
    formula=(
        *SWITCHES_EQUATION,
        Term(tex=r"\;\mathrm{(switches)},\qquad\mathrm{cables}\;=\;"),
        Term(tex=r"\dfrac{w\,n}{2}", colour=Colour.ALSO),
        Term(tex=r"\;\mathrm{(torus)}"),
    ),
    controls=(
        Control(
            name="chips",
            meaning="chips per rack",
            dimension="count",
            low=2,
            high=MOST_CHIPS,
            lecture=numbers.TRAYS,
            careful=_chips,
            is_whole=True,
        ),
        Control(
            name="switches",
            meaning="switches",
            dimension="count",
            low=1,
            high=MOST_SWITCHES,
            lecture=filled_in(2, why="one for each cable of a tray"),
            careful=lambda facts: facts.machine.fabric[0].switches or facts.machine.fabric[0].links,
            is_whole=True,
        ),
        controls_layouts.cables_per_chip(),
        controls_layouts.axes(lecture=filled_in(1, why="two cables a chip join two neighbours"), high=3),
    ),
    views=(
        View(heading="With switches", compute=_rack),
        View(equations=(1,), heading="As a torus", compute=torus),
    ),
    claims=("B2", "B30", "B21", "B22", "B27"),
    exercises=("racks-wired",),
    has_model=False,
    first_move=FirstMove(
        control="chips",
        to=128.0,
        then="the rack needs more cables",
        seen=(Moves(what="text", way=Way.UP),),
    ),
)
