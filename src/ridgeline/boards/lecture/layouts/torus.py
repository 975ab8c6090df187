"""The chips of a rack as a torus: each is connected to its neighbours, and a message goes from one to the next."""

from __future__ import annotations

from itertools import pairwise, product
from math import cos, inf, pi, sin

from ridgeline.boards.board import Values
from ridgeline.boards.journeys import Leg, Node, Route, Routes
from ridgeline.boards.picture import Box, Cable, Colour, Schematic
from ridgeline.equations import racks
from ridgeline.quantity_text import counted

__all__ = ["HEIGHT", "MOST_CHIPS", "WIDTH", "Point", "even_sides", "sent", "torus"]

WIDTH, HEIGHT = 100.0, 54.0
"""Size of the drawings of a rack."""
MOST_CHIPS = 256
ROUND = 0.42
"""Part of the sheet that a ring reaches from its middle."""

SIZES = ((16, 5.0), (MOST_CHIPS // 2, 2.4), (inf, 1.4))
"""Side of a chip, by how many are drawn at most."""

Point = tuple[float, float]
Chip = tuple[int, ...]
"""Coordinates of a chip along each axis."""


def sent(start: Point, end: Point, colour: Colour = Colour.LINKS) -> Cable:
    """A part of a message's way."""
    return Cable(x=start[0], y=start[1], to_x=end[0], to_y=end[1], colour=colour, is_arrow=True, width=1.6)


def even_sides(chips: int, axes: int) -> Chip:
    """Sides of a torus of ``chips`` chips, as even as whole numbers allow, the longest first.

    >>> even_sides(64, 3), even_sides(72, 3), even_sides(4, 1)
    ((4, 4, 4), (6, 4, 3), (4,))
    """
    if axes == 1:
        return (chips,)
    wanted = round(chips ** (1 / axes), 6)
    side = max(part for part in range(1, chips + 1) if chips % part == 0 and part <= wanted)
    return tuple(sorted((*even_sides(chips // side, axes - 1), side), reverse=True))


def _spot(node: Chip, sides: Chip) -> Point:
    """Position of a chip on the sheet: round one axis, or in rows; the third axis leads away to the upper right."""
    across, down, away = (*node, 0, 0)[:3]
    if len(sides) == 1:
        angle = 2 * pi * across / sides[0]
        return round(WIDTH * (0.5 - ROUND * cos(angle)), 2), round(HEIGHT * (0.5 - ROUND * sin(angle)), 2)
    depth = (*sides, 1, 1)[2]
    slant = 0.75 / max(depth, 2)
    columns, rows = sides[0] - 1 + slant * (depth - 1), (*sides, 1)[1] - 1 + slant * (depth - 1)
    x = 10.0 + (WIDTH - 20.0) * (across + slant * away) / max(columns, 1)
    y = HEIGHT / 2 if not rows else 8.0 + (HEIGHT - 14.0) * (down + slant * (depth - 1 - away)) / rows
    return round(x, 2), round(y, 2)


def _neighbours(node: Chip, sides: Chip) -> list[Cable]:
    """Cables to the next chip along each axis; at an end, out to the other end."""
    x, y = _spot(node, sides)
    if len(sides) == 1:
        return [_straight((x, y), _spot(((node[0] + 1) % sides[0],), sides), 1.0)] if sides[0] > 1 else []
    found = []
    for axis, side in enumerate(sides):
        if side == 1:
            continue
        after, before = (
            tuple(place + (step if at == axis else 0) for at, place in enumerate(node)) for step in (1, -1)
        )
        ends = [after] if node[axis] + 1 < side else []
        found += [_straight((x, y), _spot(end, sides), 1.0) for end in ends]
        out = [after] * (node[axis] + 1 == side) + [before] * (node[axis] == 0)
        found += [_straight((x, y), _spot(end, sides), 0.4) for end in out]
    return found


def _straight(start: Point, end: Point, part: float) -> Cable:
    """A cable, or the first part of one that leads out of the drawing."""
    (x, y), (to_x, to_y) = start, end
    return Cable(
        x=x,
        y=y,
        to_x=round(x + part * (to_x - x), 2),
        to_y=round(y + part * (to_y - y), 2),
        colour=Colour.LINKS if part == 1 else Colour.ALSO,
        is_dashed=part < 1,
        width=1.2,
    )


def torus(values: Values) -> Routes:
    """The rack's chips as a torus, and a message to the farthest of them."""
    sides = even_sides(int(values["chips"]), int(values["axes"]))
    nodes = list(product(*(range(side) for side in sides)))
    size = next(size for most, size in SIZES if len(nodes) <= most)
    boxes = [
        Box(x=x - size / 2, y=y - size / 2, width=size, height=size, text="", colour=Colour.BOUND)
        for x, y in (_spot(node, sides) for node in nodes)
    ]
    count = racks.direct_cables(chips=values["chips"], cables_per_chip=values["cables_per_chip"])
    shape = " x ".join(f"{side}" for side in sides) if len(sides) > 1 else f"a ring of {sides[0]}"
    text = f"{shape}: {count:,.0f} cables, at as many a chip"
    return Routes(
        schematic=Schematic(
            width=WIDTH,
            height=HEIGHT,
            boxes=tuple(boxes),
            cables=tuple(cable for node in nodes for cable in _neighbours(node, sides)),
            text=text,
        ),
        routes=(_farthest(nodes, sides),),
        nodes=_joined(nodes, sides),
        text=text,
    )


def _joined(nodes: list[Chip], sides: Chip) -> tuple[Node, ...]:
    """Every chip with the next one on either side along each axis, at an end with the one at the other end."""
    places = {node: place for place, node in enumerate(nodes)}
    return tuple(
        Node(
            name=f"chip {place + 1}",
            box=place,
            neighbours=(beside := tuple(sorted(_beside(node, sides, places)))),
            neighbours_text=counted(len(beside), "chip"),
            is_end=True,
        )
        for node, place in places.items()
    )


def _beside(node: Chip, sides: Chip, places: dict[Chip, int]) -> set[int]:
    around = {
        places[(*node[:axis], (node[axis] + step) % side, *node[axis + 1 :])]
        for axis, side in enumerate(sides)
        for step in (1, -1)
    }
    return around - {places[node]}


def _farthest(nodes: list[Chip], sides: Chip) -> Route:
    """Route from a corner to the farthest chip, from neighbour to neighbour, one axis after another."""
    stops = [(0,) * len(sides)]
    for axis, side in enumerate(sides):
        for _ in range(side // 2):  # more the other way round
            stops.append((*stops[-1][:axis], stops[-1][axis] + 1, *stops[-1][axis + 1 :]))
    places = {node: place for place, node in enumerate(nodes)}
    hops = len(stops) - 1
    return Route(
        name="to the farthest chip",
        legs=tuple(
            Leg(
                text=f"{hop} of {counted(hops, 'hop')}",
                cables=(sent(_spot(start, sides), _spot(end, sides)),),
                boxes=(places[start], places[end]),
            )
            for hop, (start, end) in enumerate(pairwise(stops), start=1)
        ),
    )
