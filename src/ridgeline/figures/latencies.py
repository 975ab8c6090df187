"""Latencies of requests by percentile: those of most requests, and of the slowest in a thousand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from ridgeline.boards.scale import LOGARITHMIC
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.panel import Line, Mark, Panel
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_quantity
from ridgeline.simulator.spread import Spread

__all__ = ["latencies_figure"]

WHERE = (0.085, 0.2, 0.73, 0.51)
"""Left, bottom, width and height in parts of the picture; the lines' names are at its right."""

MOST_POINTS = 400

LAST = 1000.0
"""End of the axis: the slowest one of this many requests."""


def latencies_figure(
    latencies: Mapping[str, Spread],
    limits: Mapping[str, float],
    *,
    title: str,
    subtitle: str,
    foot: str,
    theme: Theme,
) -> Figure:
    """A line for each latency, over requests in order of it, the slowest spread out at the right.

    Args:
        latencies: latencies of all requests, s, by name.
        limits: limits by name of the latency, s; not all need one.
        title: title of the picture.
        subtitle: subject of the picture.
        foot: how it was found.
        theme: colours of the picture.
    """
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        draw_panel(pen, _panel(latencies, limits, theme), pen.figure.add_axes(WHERE))
    return pen.figure


def _panel(latencies: Mapping[str, Spread], limits: Mapping[str, float], theme: Theme) -> Panel:
    known = {name: spread for name, spread in latencies.items() if spread.count}
    fewest = min(spread.count for spread in known.values())
    # One in so many requests took longer: no more than there are.
    one_in = np.geomspace(1.0, min(LAST, max(fewest, 2.0)), MOST_POINTS)
    colours = (theme.ink, theme.estimate, theme.also)
    lines, marks = [], []
    for (name, spread), colour in zip(known.items(), colours, strict=False):
        seen_s = np.maximum(spread.quantiles(1 - 1 / one_in), np.finfo(float).tiny)
        lines.append(Line(name=f"{name}\n{format_quantity(float(seen_s[-1]), 's')}", y=seen_s, colour=colour))
        if name in limits:
            kept = spread.part_within(limits[name])
            place = min(1 / max(1 - kept, 1 / one_in[-1]), float(one_in[-1]))
            text = f"limit {format_quantity(limits[name], 's')}: {100 * kept:.4g} % within"
            marks.append(Mark(x=place, y=limits[name], text=text, colour=colour))
    every = np.concatenate([line.y for line in lines])
    return Panel(
        heading="Latency, requests in order of it",
        caption="time",
        x_caption="part of the requests that took no longer",
        x=one_in,
        lines=tuple(lines),
        marks=tuple(marks),
        show=lambda time_s: format_quantity(time_s, "s"),
        x_scale=LOGARITHMIC,
        y_scale=LOGARITHMIC,
        show_x=_part,
        top=1.5 * float(every.max()),
        bottom=float(every.min()) / 1.5,
    )


def _part(one_in: float) -> str:
    """The part of requests that take no longer than the slowest one in so many.

    >>> _part(1000)
    '99.9 %'
    """
    return f"{100 - 100 / one_in:.4g} %"
