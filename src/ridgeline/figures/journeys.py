"""Loops and routes without motion: a full loop above its time line, and the last of several routes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Wedge

from ridgeline.boards.board import View
from ridgeline.boards.journeys import Batch, Loop, Routes
from ridgeline.boards.picture import Colour, Schematic
from ridgeline.figures.pen import SMALL_POINTS, Pen
from ridgeline.figures.scene import draw_gantt
from ridgeline.figures.schematic import draw_schematic

__all__ = ["draw_journey"]

RING = 0.34
"""Width of the ring, in parts of its radius."""
GAP_DEGREES = 2.0
"""Gap between two stages of the ring, in degrees."""
QUARTER, WHOLE = 90.0, 360.0
"""Angle at which the first stage begins, at the top, and a full turn, in degrees."""
LEAST_POINTS = 120
"""Least width of a ring in which batches have their numbers, in points."""


def draw_journey(pen: Pen, view: View, journey: Loop | Routes, axes: Axes) -> None:
    """Drawing of a loop or of routes."""
    if isinstance(journey, Loop):
        _draw_loop(pen, view, journey, axes)
    else:
        _draw_routes(pen, view, journey, axes)


def _draw_loop(pen: Pen, view: View, loop: Loop, axes: Axes) -> None:
    """Time line of each stage; where there is room beside it, the ring at its end."""
    draw_gantt(pen, view, loop.gantt, axes.inset_axes((0.0, 0.0, 0.66, 1.0)))
    axes.set_axis_off()
    ring = axes.inset_axes((0.7, 0.06, 0.3, 0.86))
    ring.set_axis_off()
    ring.set_aspect("equal")
    ring.set_xlim(-1.1, 1.1)
    ring.set_ylim(-1.1, 1.1)
    stages, end = loop.gantt.stages, loop.gantt.end
    found = [_at(batch, stages, end) for batch in loop.batches]
    busy = {
        stage: colour for stage, _, token in found if stage >= 0 for colour in [loop.colours[token % len(loop.colours)]]
    }
    theme, each = pen.theme, WHOLE / stages
    for stage in range(stages):
        colour = getattr(theme, busy[stage].value) if stage in busy else theme.wrong
        first = QUARTER - (stage + 1) * each + GAP_DEGREES / 2
        ring.add_patch(
            Wedge((0, 0), 1.0, first, first + each - GAP_DEGREES, width=RING, facecolor=colour, alpha=0.25, linewidth=0)
        )
    middle = 1 - RING / 2
    size = min(0.36 * RING, 0.8 * np.pi * middle / max(stages, 1))
    for number, (stage, part, token) in enumerate(found):
        if stage < 0:
            continue
        angle = np.radians(QUARTER - (stage + part) * each)
        place = middle * float(np.cos(angle)), middle * float(np.sin(angle))
        ring.add_patch(
            Circle(
                place,
                size,
                facecolor=getattr(theme, loop.colours[token % len(loop.colours)].value),
                linewidth=0,
                zorder=3,
            )
        )
        if ring.bbox.width > pen.pixels(LEAST_POINTS):
            ring.text(
                *place,
                f"{number}",
                fontsize=SMALL_POINTS,
                color=theme.background,
                horizontalalignment="center",
                verticalalignment="center_baseline",
                zorder=4,
            )


def _at(batch: Batch, stages: int, time: float) -> tuple[int, float, int]:
    """Stage of a batch just before a time, -1 for none, its progress through the stage, and the number of its token."""
    for place, (start, end) in enumerate(zip(batch.starts, batch.ends, strict=True)):
        if start < time <= end:
            return place % stages, (time - start) / (end - start), place // stages
    return -1, 0.0, 0


def _draw_routes(pen: Pen, view: View, routes: Routes, axes: Axes) -> None:
    """Draw the schematic, with the last route all the way through it."""
    still, last = routes.schematic, routes.routes[-1]
    cables = tuple(cable for leg in last.legs for cable in leg.cables)
    reached = {box for leg in last.legs for box in leg.boxes if not still.boxes[box].text}
    draw_schematic(
        pen,
        view.heading,
        Schematic(
            width=still.width,
            height=still.height,
            boxes=tuple(
                replace(box, colour=Colour.COMPUTE) if place in reached else box
                for place, box in enumerate(still.boxes)
            ),
            cables=(*still.cables, *cables),
            text=still.text,
        ),
        axes,
    )
