"""Experiments of the laboratory on a slide: panels side by side, each with room for names at its right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ridgeline.boards.scale import LINEAR, LOGARITHMIC
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.panel import Line, Mark, Panel, Points
from ridgeline.figures.pen import Pen
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_number

__all__ = ["Array", "Part", "Spread", "curves_part", "panels_figure"]

Array = NDArray[np.float64]
Part = Callable[[Pen, Axes], None]
"""Function that draws one panel onto its axes."""

WHERE = {
    1: ((0.085, 0.2, 0.67, 0.51),),
    2: ((0.075, 0.2, 0.29, 0.51), (0.575, 0.2, 0.28, 0.51)),
    3: ((0.07, 0.2, 0.17, 0.51), (0.395, 0.2, 0.17, 0.51), (0.73, 0.2, 0.17, 0.51)),
}
"""Frames of panels by their number: left, bottom, width and height in parts of the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Standard errors of a line's points.

    Attributes:
        x: abscissas of the points.
        y: ordinates of the points.
        error: standard error of each point.
        colour: colour of the line.
    """

    x: Array
    y: Array
    error: Array
    colour: str


def curves_part(
    heading: str,
    caption: str,
    x_caption: str,
    x: Sequence[float],
    lines: Sequence[Line],
    *,
    marks: Sequence[Mark] = (),
    points: Sequence[Points] = (),
    spreads: Sequence[Spread] = (),
    top: float | None = None,
    bottom: float | None = None,
    is_x_logarithmic: bool = False,
    is_logarithmic: bool = False,
    is_whole: bool = False,
    show: Callable[[float], str] = format_number,
    show_x: Callable[[float], str] = format_number,
) -> Part:
    """A panel of lines, with bars where a line's points have errors."""
    panel = Panel(
        heading=heading,
        caption=caption,
        x_caption=x_caption,
        x=np.asarray(x, dtype=float),
        lines=tuple(lines),
        marks=tuple(marks),
        points=tuple(points),
        show=show,
        show_x=show_x,
        x_scale=LOGARITHMIC if is_x_logarithmic else LINEAR,
        y_scale=LOGARITHMIC if is_logarithmic else LINEAR,
        x_low=float(x[0]),
        top=top,
        bottom=bottom,
        is_whole=is_whole,
    )

    def draw(pen: Pen, axes: Axes) -> None:
        draw_panel(pen, panel, axes)
        for one in spreads:
            axes.errorbar(
                one.x, one.y, yerr=one.error, fmt="none", ecolor=one.colour, elinewidth=1.5, capsize=3, zorder=4
            )

    return draw


def panels_figure(parts: Sequence[Part], *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """All panels on one slide."""
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        for part, where in zip(parts, WHERE[len(parts)], strict=True):
            part(pen, pen.figure.add_axes(where))
    return pen.figure
