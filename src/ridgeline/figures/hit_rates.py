"""Hit rate of prefix caches against their size, with eviction by recency or by holding time."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ridgeline.boards.scale import LINEAR, LOGARITHMIC
from ridgeline.caching.hit_lines import HitLines
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.panel import Line, Mark, Panel
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_quantity

__all__ = ["hit_rates_figure"]

WHERE = (0.085, 0.2, 0.73, 0.51)
"""Left, bottom, width and height in parts of the picture; the lines' names are at its right."""

TOP = 1.15
"""Top of the upright axis, as a multiple of the unlimited hit rate."""


def hit_rates_figure(
    found: HitLines, unit: float, dimension: str, *, title: str, subtitle: str, foot: str, theme: Theme
) -> Figure:
    """Draw both lines, up to the hit rate of an unlimited cache.

    Args:
        found: hit rates of a log over sizes and hold times.
        unit: size of a block in the unit of the horizontal axis.
        dimension: dimension of that unit.
        title: title of the picture.
        subtitle: subject of the picture.
        foot: how it was found.
        theme: colours of the picture.
    """

    def show(part: float) -> str:
        return format_quantity(part, "fraction")

    lines = (
        Line(
            name=f"unlimited\n{show(found.unlimited)}",
            y=np.full(len(found.blocks), found.unlimited),
            colour=theme.muted,
            floor=True,
        ),
        Line(name="", x=found.held_blocks * unit, y=found.of_hold, colour=theme.also),
        Line(name="least recently\nused goes", y=found.of_blocks, colour=theme.estimate, bold=True),
    )
    marks = tuple(
        Mark(
            x=one.blocks * unit,
            y=one.hit_rate,
            text=f"held {format_quantity(one.hold_s, 'duration')}: {show(one.hit_rate)}",
            colour=theme.also,
        )
        for one in found.marked
    )
    panel = Panel(
        heading="Hit rate against size",
        caption="part of the prompts' blocks",
        x_caption="size of the cache; of times held, the mean of what they keep",
        x=found.blocks * unit,
        lines=lines,
        marks=marks,
        show=show,
        show_x=lambda size: format_quantity(size, dimension),
        x_scale=LOGARITHMIC,
        y_scale=LINEAR,
        top=max(TOP * found.unlimited, 0.01),
    )
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        draw_panel(pen, panel, pen.figure.add_axes(WHERE))
    return pen.figure
