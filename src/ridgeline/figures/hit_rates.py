"""Hit rate of prefix caches against their size, with eviction by recency or by holding time."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ridgeline.boards.scale import LINEAR, LOGARITHMIC
from ridgeline.caching.hit_rates import HitRates
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.panel import Line, Mark, Panel
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_quantity

__all__ = ["hit_rates_figure"]

Array = NDArray[np.float64]

WHERE = (0.085, 0.2, 0.73, 0.51)
"""Left, bottom, width and height in parts of the picture; the lines' names are at its right."""

POINTS = 300

MARKED_S = (10.0, 60.0, 300.0, 1800.0, 3600.0)
"""Holding times that are marked, where the log is as long: those that providers sell, and others."""

TOP = 1.15
"""Top of the upright axis, as a multiple of the unlimited hit rate."""


def hit_rates_figure(
    rates: HitRates, unit: float, dimension: str, *, title: str, subtitle: str, foot: str, theme: Theme
) -> Figure:
    """Draw both lines, up to the hit rate of an unlimited cache.

    Args:
        rates: hit rates of a log.
        unit: size of a block in the unit of the horizontal axis.
        dimension: dimension of that unit.
        title: title of the picture.
        subtitle: subject of the picture.
        foot: how it was found.
        theme: colours of the picture.
    """

    def show(part: float) -> str:
        return format_quantity(part, "fraction")

    blocks: Array = np.unique(np.geomspace(1, max(rates.different, 2), POINTS).astype(np.int64)).astype(float)
    holds_s = np.geomspace(max(rates.span_s * 1e-4, 1e-3), rates.span_s, POINTS)
    unlimited = np.full(len(blocks), rates.unlimited)
    lines = (
        Line(name=f"unlimited\n{show(rates.unlimited)}", y=unlimited, colour=theme.muted, floor=True),
        Line(name="", x=rates.held_blocks(holds_s) * unit, y=rates.of_hold(holds_s), colour=theme.also),
        Line(
            name="least recently\nused goes",
            y=rates.of_blocks(blocks.astype(np.int64)),
            colour=theme.estimate,
            bold=True,
        ),
    )
    marks = tuple(
        Mark(
            x=float(rates.held_blocks(hold_s)) * unit,
            y=float(rates.of_hold(hold_s)),
            text=f"held {format_quantity(hold_s, 'duration')}: {show(float(rates.of_hold(hold_s)))}",
            colour=theme.also,
        )
        for hold_s in MARKED_S
        if hold_s <= rates.span_s
    )
    panel = Panel(
        heading="Hit rate against size",
        caption="part of the prompts' blocks",
        x_caption="size of the cache; of times held, the mean of what they keep",
        x=blocks * unit,
        lines=lines,
        marks=marks,
        show=show,
        show_x=lambda size: format_quantity(size, dimension),
        x_scale=LOGARITHMIC,
        y_scale=LINEAR,
        top=max(TOP * rates.unlimited, 0.01),
    )
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        draw_panel(pen, panel, pen.figure.add_axes(WHERE))
    return pen.figure
