"""One panel: lines that are named where they end, a floor, and marks with their numbers; no legend, no frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from ridgeline.figures.labels import Obstacles, Spot, around, place, spread, stroke
from ridgeline.figures.scale import LINEAR, Scale
from ridgeline.figures.theme import Theme

__all__ = ["HEADING_POINTS", "SMALL_POINTS", "TEXT_POINTS", "Line", "Mark", "Panel", "Pen", "draw_panel", "show_count"]

HEADING_POINTS, TEXT_POINTS, SMALL_POINTS = 17, 13, 12
INDENT_POINTS = 53
"""Of a panel's axis from its heading: room for the numbers at its ticks."""
GAP_POINTS = 6
FAR_GAPS = 2.5
"""A label farther off than so many gaps is joined to its point by a stroke."""
NEAR_GAPS = 2
"""The band's name lies as near to it, with no stroke..."""
STATIONS = 9
"""...at the best of so many places along it."""
DOT_POINTS = 10
THIN, MEDIUM, BOLD = 1.8, 2.6, 4.2
"""Widths of lines, in points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line from end to end of the panel, and its name.

    Attributes:
        name: written at its right end.
        y: its values over the panel's x.
        colour: of both.
        bold: whether it is what the panel is about.
        floor: whether it is the one that the bold line never falls below: dashed.
    """

    name: str
    y: NDArray[np.float64]
    colour: str
    bold: bool = False
    floor: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A dot and what is written beside it."""

    x: float
    y: float
    text: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What one panel shows.

    Attributes:
        heading: what is drawn against what.
        caption: the upright axis, in words.
        x_caption: the other axis, in words.
        x: of the lines.
        lines: from the back to the front.
        band_x: of the band.
        band: its lower end, its middle and its upper end.
        band_name: written where it ends.
        band_colour: of all of it.
        limit_x: beyond which nothing fits.
        limit_name: written beside it.
        marks: dots with numbers.
        show: a value of the upright axis as text.
        top: of the upright axis, where it is linear.
    """

    heading: str
    caption: str
    x_caption: str
    x: NDArray[np.float64]
    lines: tuple[Line, ...]
    band_x: NDArray[np.float64]
    band: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
    band_name: str
    band_colour: str
    limit_x: float
    limit_name: str
    marks: tuple[Mark, ...]
    show: Callable[[float], str]
    top: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """What every part of a drawing needs."""

    figure: Figure
    theme: Theme
    scale: Scale

    def size(self, text: Text) -> tuple[float, float]:
        """Width and height of a text, in pixels."""
        extent = text.get_window_extent()
        return extent.width, extent.height

    def pixels(self, points: float) -> float:
        """A length in pixels."""
        return points * self.figure.dpi / 72


def show_count(value: float) -> str:
    """A count as text."""
    return f"{value:,.0f}"


def draw_panel(pen: Pen, panel: Panel, axes: Axes) -> None:
    """Draw all of it, and then find room for the words."""
    _dress(pen, panel, axes)
    drawn = _draw_lines(pen, panel, axes)
    _name_limit(pen, panel, axes)
    taken = _name_lines(pen, panel, axes)
    _annotate(pen, panel, axes, drawn, taken)


def _dress(pen: Pen, panel: Panel, axes: Axes) -> None:
    """Scales, few ticks, headings."""
    theme = pen.theme
    axes.set_facecolor("none")
    axes.set_xscale(pen.scale.name)
    axes.set_yscale(pen.scale.name)
    if pen.scale is LINEAR:
        axes.set_xlim(0.0, float(panel.x[-1]))
        axes.set_ylim(0.0, panel.top)
    else:
        # What comes from far below enters at the foot; all ends at the right are seen.
        axes.set_xlim(float(panel.x[0]), float(panel.x[-1]))
        bold = max(float(line.y.max()) for line in panel.lines if line.bold)
        axes.set_ylim(
            0.5 * min(float(line.y[-1]) for line in panel.lines), 1.5 * max(bold, float(panel.band[-1].max()))
        )
    for axis, limits, show in ((axes.xaxis, axes.get_xlim(), show_count), (axes.yaxis, axes.get_ylim(), panel.show)):
        axis.set_major_locator(FixedLocator(pen.scale.ticks(*limits)))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _, show=show: show(value) if value else "0"))
    axes.tick_params(length=4, width=1, color=theme.muted, labelcolor=theme.muted, labelsize=SMALL_POINTS)
    for side, spine in axes.spines.items():
        spine.set_visible(side in {"left", "bottom"})
        spine.set_color(theme.muted)
    axes.set_xlabel(panel.x_caption, fontsize=TEXT_POINTS, color=theme.muted, labelpad=8)
    for points_above, text, points, weight, colour in (
        (50, panel.heading, HEADING_POINTS, "bold", theme.ink),
        (27, panel.caption, TEXT_POINTS, "normal", theme.muted),
    ):
        axes.annotate(
            text,
            (0, 1),
            xycoords="axes fraction",
            xytext=(-INDENT_POINTS, points_above),
            textcoords="offset points",
            fontsize=points,
            fontweight=weight,
            color=colour,
        )


def _draw_lines(pen: Pen, panel: Panel, axes: Axes) -> list[Line2D]:
    """The lines, the band and the limit; those that words must keep off."""
    theme = pen.theme
    axes.axvspan(panel.limit_x, float(panel.x[-1]), color=theme.beyond, linewidth=0, zorder=0)
    drawn = [axes.axvline(panel.limit_x, color=theme.muted, linewidth=1, zorder=1)]
    low, middle, high = panel.band
    axes.fill_between(panel.band_x, low, high, color=theme.interval, linewidth=0, zorder=1)
    for line in panel.lines:
        drawn += axes.plot(
            panel.x,
            line.y,
            color=line.colour,
            linewidth=BOLD if line.bold else THIN,
            linestyle=(0, (5, 3)) if line.floor else "-",
            solid_capstyle="butt",
            zorder=2 if line.bold else 3,
        )
    drawn += axes.plot(panel.band_x, middle, color=panel.band_colour, linewidth=MEDIUM, zorder=4)
    for mark in panel.marks:
        axes.plot(
            [mark.x],
            [mark.y],
            "o",
            markersize=DOT_POINTS,
            color=mark.colour,
            markeredgecolor=theme.background,
            zorder=5,
            clip_on=False,
        )
    return drawn


def _name_limit(pen: Pen, panel: Panel, axes: Axes) -> None:
    """Write what the limit is above its line, where nothing else is."""
    frame = axes.bbox
    text = _write(axes, panel.limit_name, pen.theme.muted)
    width, height = pen.size(text)
    x, _ = axes.transData.transform((panel.limit_x, axes.get_ylim()[0]))
    _move(axes, text, max(x, frame.x0 + width / 2), frame.y1 + height / 2 + pen.pixels(2))


def _name_lines(pen: Pen, panel: Panel, axes: Axes) -> list[Bbox]:
    """Write each line's name at the right of its end, moved up or down where names would touch."""
    frame, to_pixels = axes.bbox, axes.transData
    texts = [
        _write(axes, line.name, line.colour, weight="bold" if line.bold else "normal", align="left")
        for line in panel.lines
    ]
    ends = [float(to_pixels.transform((panel.x[-1], line.y[-1]))[1]) for line in panel.lines]
    heights = [pen.size(text)[1] + pen.pixels(GAP_POINTS) for text in texts]
    centres = spread(ends, heights, low=frame.y0, high=frame.y1)
    left = frame.x1 + pen.pixels(16)
    boxes = []
    for text, line, end, centre in zip(texts, panel.lines, ends, centres, strict=True):
        _move(axes, text, left, centre)
        turns = ((frame.x1, end), (frame.x1 + pen.pixels(3), end), (left - pen.pixels(5), centre))
        _stroke(axes, (*turns, (left - pen.pixels(2), centre)), line.colour)
        boxes.append(text.get_window_extent())
    return boxes


def _annotate(pen: Pen, panel: Panel, axes: Axes, drawn: Iterable[Line2D], taken: list[Bbox]) -> None:
    """Write what belongs inside the panel where it covers nothing, the most wanted first."""
    frame, gap = axes.bbox, pen.pixels(GAP_POINTS)
    dot = pen.pixels(DOT_POINTS)
    paths = [line.get_transform().transform_path(line.get_path()) for line in drawn]
    dots = {mark: axes.transData.transform((mark.x, mark.y)) for mark in panel.marks}
    boxes = [*taken, *(Bbox.from_extents(x - dot, y - dot, x + dot, y + dot) for x, y in dots.values())]
    room = Bbox.from_extents(frame.x0 + gap, frame.y0 + gap, frame.x1, frame.y1 + gap)
    for mark, (x, y) in dots.items():
        text = _write(axes, mark.text, mark.colour)
        spots = around(x, y, pen.size(text), gap=gap)
        box = _settle(pen, axes, text, spots, Obstacles(frame=room, lines=paths, boxes=boxes), point=(x, y))
        boxes.append(box)
        ends = stroke(box, (x, y))
        if math.dist(*ends) > FAR_GAPS * gap:
            _stroke(axes, ends, mark.colour)
            paths.append(Path(ends))
    text = _write(axes, panel.band_name, panel.band_colour)
    size = pen.size(text)
    spots = [spot for x, y in _stations(panel, axes) for spot in around(x, y, size, gap=gap, reach=NEAR_GAPS)]
    boxes.append(_settle(pen, axes, text, spots, Obstacles(frame=room, lines=paths, boxes=boxes)))


def _stations(panel: Panel, axes: Axes) -> list[tuple[float, float]]:
    """Places along the band's middle where its name may stand, from its end backwards, in pixels."""
    x, y = axes.transData.transform(np.column_stack((panel.band_x, panel.band[1]))).T
    inside = y <= axes.bbox.y1
    x, y = x[inside], y[inside]
    return [(float(at), float(np.interp(at, x, y))) for at in np.linspace(x[-1], x[0], STATIONS)]


def _settle(
    pen: Pen,
    axes: Axes,
    text: Text,
    spots: Iterable[Spot],
    obstacles: Obstacles,
    *,
    point: tuple[float, float] | None = None,
) -> Bbox:
    """Move a text to the best of the places tried, with some air around it."""
    width, height = pen.size(text)
    air = pen.pixels(GAP_POINTS)
    box = place((width + air, height + air), spots, obstacles, point=point)
    _move(axes, text, (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
    return box


def _write(axes: Axes, words: str, colour: str, *, weight: str = "normal", align: str = "center") -> Text:
    """A text that has yet to be moved to its place."""
    return axes.text(
        0,
        0,
        words,
        transform=axes.transAxes,
        fontsize=TEXT_POINTS,
        fontweight=weight,
        color=colour,
        horizontalalignment=align,
        verticalalignment="center",
        linespacing=1.15,
        zorder=6,
        clip_on=False,
    )


def _stroke(axes: Axes, points: Sequence[tuple[float, float]], colour: str) -> None:
    """A thin stroke from a name to what it names, through points in pixels."""
    x, y = axes.transAxes.inverted().transform(points).T
    axes.plot(x, y, transform=axes.transAxes, clip_on=False, color=colour, linewidth=1, zorder=2)


def _move(axes: Axes, text: Text, x: float, y: float) -> None:
    text.set_position(tuple(axes.transAxes.inverted().transform((x, y))))
