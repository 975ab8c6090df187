"""Small pictures of parts: racks under traffic, schematics."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.boards.colour import Colour
from ridgeline.boards.scene import Racks
from ridgeline.boards.schematic import Box, Schematic
from ridgeline.boards.thumbnails.look import Look
from ridgeline.boards.thumbnails.stroke import HEIGHT, WIDTH, Stroke, bar, cell, curve, shade

__all__ = ["racks_strokes", "schematic_strokes"]

MOST_CABLES = 300
"""Cables of a colour that can be told apart; of more only every second, third, ... is drawn."""
ROWS = 8
"""Rows of a rack's chips."""


def racks_strokes(picture: Racks) -> Iterator[Stroke]:
    """Chips of all racks, the busier the stronger."""
    columns = [-(-len(rack.chips) // ROWS) for rack in picture.racks]
    busiest = max(chip.load for rack in picture.racks for chip in rack.chips)
    # A free column between racks.
    whole, cells, before = sum(columns) + len(columns) - 1, list[tuple[str, float]](), 0
    for rack, wide in zip(picture.racks, columns, strict=True):
        cells += [
            (cell(which // wide, before + which % wide, ROWS, whole), chip.load / busiest)
            for which, chip in enumerate(rack.chips)
        ]
        before += wide + 1
    yield from shade(cells, Colour.LINKS)


def schematic_strokes(picture: Schematic) -> Iterator[Stroke]:
    """Cables behind boxes, by colour."""
    scale = min(WIDTH / picture.width, HEIGHT / picture.height)
    left, top = (WIDTH - scale * picture.width) / 2, (HEIGHT - scale * picture.height) / 2

    def around(box: Box) -> str:
        x, y = left + scale * box.x, top + scale * box.y
        return bar(x, y, x + scale * box.width, y + scale * box.height)

    cables: dict[Colour, dict[str, None]] = {}
    for one in picture.cables:
        ends = [(left + scale * x, top + scale * y) for x, y in ((one.x, one.y), (one.to_x, one.to_y))]
        # Each once, where several fall on one another.
        cables.setdefault(one.colour, {})[curve(ends)] = None
    for colour, paths in cables.items():
        shown = list(paths)[:: -(-len(paths) // MOST_CABLES)]
        yield Stroke(path="".join(shown), colour=colour, strength=0.6)
    boxes: dict[tuple[Colour, bool], str] = {}
    for box in picture.boxes:
        key = box.colour, box.is_frame
        boxes[key] = boxes.get(key, "") + around(box)
    for (colour, is_frame), path in boxes.items():
        yield Stroke(path=path, colour=colour, look=Look.LINE if is_frame else Look.FILL)
