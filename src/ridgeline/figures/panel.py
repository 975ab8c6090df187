"""One panel: lines that are named where they end, a floor, and marks with their numbers; no legend, no frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import XAxis, YAxis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from ridgeline.boards.scale import LINEAR, Scale
from ridgeline.figures.labels import Label, Obstacles, Spot, around, is_clear, place, place_all, spread, stroke
from ridgeline.figures.theme import Theme

__all__ = [
    "HEADING_POINTS",
    "SMALL_POINTS",
    "TEXT_POINTS",
    "Band",
    "Limit",
    "Line",
    "Mark",
    "Panel",
    "Pen",
    "Points",
    "draw_panel",
    "mark_ticks",
    "rows_size",
    "show_count",
    "two_sides",
]

HEADING_POINTS, TEXT_POINTS, SMALL_POINTS = 17, 13, 12
INDENT_POINTS = 53
"""Distance of a panel's axis from its heading, in points: room for the numbers at its ticks."""
GAP_POINTS = 6
ROW_POINTS = 19
"""Line height of rows of words, in points."""
FAR_GAPS = 2.5
"""Distance in gaps beyond which a label is joined to its point by a stroke."""
LABEL_REACH = 10
"""Largest distance of a name from its point, in gaps."""
NEAR_GAPS = 2
"""Gaps between the band and its name, which has no stroke."""
STATIONS = 9
"""Places along the band that are tried for its name."""
DOT_POINTS, POINT_POINTS = 10, 5
MOST_POINTS = 40
"""Largest number of points of a line that is known at whole numbers alone; more would run together."""
THIN, MEDIUM, BOLD = 1.8, 2.6, 4.2
"""Widths of lines, in points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line from end to end of the panel, and its name.

    Attributes:
        name: written at its right end; empty where it is not.
        y: ordinates over the panel's x, or over its own.
        x: abscissas of its own; None for the panel's.
        high: upper ends of a band above the line; None without a band.
        colour: colour of line and band.
        bold: whether the line is the panel's subject.
        floor: whether it is the one that the bold line never falls below: dashed.
    """

    name: str
    y: NDArray[np.float64]
    colour: str
    high: NDArray[np.float64] | None = None
    bold: bool = False
    floor: bool = False
    x: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A dot and what is written beside it; a dot alone where its text is empty."""

    x: float
    y: float
    text: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Points off the lines, each with its name where there is room.

    Attributes:
        name: name of all points, written at the right; empty where it is not.
        x: abscissas of the points.
        y: ordinates of the points.
        labels: label of each point; empty for points without a name.
        colour: colour of all points.
    """

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    labels: tuple[str, ...]
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Line with its interval.

    Attributes:
        x: abscissas of the line.
        low: lower end of the interval.
        middle: ordinates of the line.
        high: upper end of the interval.
        name: name at the line's end.
        colour: colour of line and interval.
    """

    x: NDArray[np.float64]
    low: NDArray[np.float64]
    middle: NDArray[np.float64]
    high: NDArray[np.float64]
    name: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Limit of an axis: nothing beyond ``x`` fits; its name is written above it."""

    x: float
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Content of one panel.

    Attributes:
        heading: quantity that is drawn, and what it is drawn against.
        caption: caption of the upright axis.
        x_caption: caption of the horizontal axis.
        x: abscissas of the lines.
        lines: lines from back to front.
        marks: dots with numbers.
        show: a value of the upright axis as text.
        x_scale: scale of the horizontal axis.
        y_scale: scale of the upright axis.
        show_x: a value of the x axis as text.
        x_low: left end of the horizontal axis, if it is linear.
        top: top of the upright axis; None for one that shows all bold lines, points and the band.
        bottom: bottom of the upright axis, if it is logarithmic; None for one that shows all right ends.
        band: an estimate with its interval, if there is one.
        limit: limit of what fits, if there is one.
        points: groups of points over the lines.
        rows: words at the top left, each with its colour.
        is_whole: whether lines are known only at their points, which are then shown.
    """

    heading: str
    caption: str
    x_caption: str
    x: NDArray[np.float64]
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    show: Callable[[float], str]
    x_scale: Scale
    y_scale: Scale
    show_x: Callable[[float], str]
    x_low: float = 0.0
    top: float | None = None
    bottom: float | None = None
    band: Band | None = None
    limit: Limit | None = None
    points: tuple[Points, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    is_whole: bool = False


def mark_ticks(axis: XAxis | YAxis, ticks: Sequence[float], show: Callable[[float], str]) -> None:
    """Ticks at these values and no others, each with its text; zero is plain."""
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: show(value) if value else "0"))


def two_sides(axes: Axes, theme: Theme) -> None:
    """A quiet frame: the left side and the bottom."""
    axes.tick_params(length=4, width=1, color=theme.muted, labelcolor=theme.muted, labelsize=SMALL_POINTS)
    for side, spine in axes.spines.items():
        spine.set_visible(side in {"left", "bottom"})
        spine.set_color(theme.muted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """Figure, colours and measurements that every part of a drawing needs."""

    figure: Figure
    theme: Theme

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
    """Draw lines and axes, and then find room for the words."""
    _dress(pen, panel, axes)
    drawn = _draw_lines(pen, panel, axes)
    if panel.limit is not None:
        _name_limit(pen, panel.limit, axes)
    taken = [*_name_lines(pen, panel, axes), *_write_rows(pen, panel.rows, axes)]
    _annotate(pen, panel, axes, drawn, taken)


def _apart(pen: Pen, ticks: Sequence[float], show: Callable[[float], str], axes: Axes) -> Sequence[float]:
    """Ticks whose numbers do not touch: every second one, from the last, where two would."""
    if not len(ticks):
        return ticks
    texts = [pen.figure.text(0, 0, show(tick), fontsize=SMALL_POINTS) for tick in ticks]
    half = [pen.size(text)[0] / 2 for text in texts]
    for text in texts:
        text.remove()
    along = axes.transData.transform([(tick, axes.get_ylim()[0]) for tick in ticks])[:, 0]
    needed = [one + other + pen.pixels(GAP_POINTS) for one, other in pairwise(half)]
    is_free = all(room <= gap for room, gap in zip(needed, np.diff(along), strict=True))
    return ticks if is_free else ticks[::-2][::-1]


def _dress(pen: Pen, panel: Panel, axes: Axes) -> None:
    """Set scales, few ticks, and headings."""
    theme = pen.theme
    axes.set_facecolor("none")
    axes.set_xscale(panel.x_scale.name)
    axes.set_yscale(panel.y_scale.name)
    axes.set_xlim(panel.x_low if panel.x_scale is LINEAR else float(panel.x[0]), float(panel.x[-1]))
    axes.set_ylim(*_ends(panel))
    for axis, scale, limits, show in (
        (axes.xaxis, panel.x_scale, axes.get_xlim(), panel.show_x),
        (axes.yaxis, panel.y_scale, axes.get_ylim(), panel.show),
    ):
        ticks = scale.ticks(*limits)
        mark_ticks(axis, _apart(pen, ticks, show, axes) if axis is axes.xaxis else ticks, show)
    two_sides(axes, theme)
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


def _ends(panel: Panel) -> tuple[float, float]:
    """Ends of the upright axis: a logarithmic one shows all right ends; lines from below enter at the foot."""
    bold = [float(line.y.max()) for line in panel.lines if line.bold]
    bold += [float(points.y.max()) for points in panel.points]
    if panel.band is not None:
        bold.append(float(panel.band.high.max()))
    top = 1.5 * max(bold) if panel.top is None else panel.top
    if panel.y_scale is LINEAR:
        return 0.0, top
    return (0.5 * min(float(line.y[-1]) for line in panel.lines) if panel.bottom is None else panel.bottom), top


def _draw_lines(pen: Pen, panel: Panel, axes: Axes) -> list[Line2D]:
    """Draw lines, band and limit, and return those that words must keep off."""
    theme = pen.theme
    drawn: list[Line2D] = []
    if panel.limit is not None:
        axes.axvspan(panel.limit.x, float(panel.x[-1]), color=theme.beyond, linewidth=0, zorder=0)
        drawn.append(axes.axvline(panel.limit.x, color=theme.muted, linewidth=1, zorder=1))
    band = panel.band
    if band is not None:
        axes.fill_between(band.x, band.low, band.high, color=theme.interval, linewidth=0, zorder=1)
    for line in panel.lines:
        x = panel.x if line.x is None else line.x
        if line.high is not None:
            axes.fill_between(x, line.y, line.high, color=theme.beyond, linewidth=0, zorder=1)
        drawn += axes.plot(
            x,
            line.y,
            color=line.colour,
            linewidth=BOLD if line.bold else THIN,
            linestyle=(0, (5, 3)) if line.floor else "-",
            solid_capstyle="butt",
            marker="o" if panel.is_whole and len(panel.x) <= MOST_POINTS else "",
            markersize=POINT_POINTS + (BOLD if line.bold else 0),
            zorder=2 if line.bold else 3,
        )
    if band is not None:
        drawn += axes.plot(band.x, band.middle, color=band.colour, linewidth=MEDIUM, zorder=4)
    for points in panel.points:
        axes.plot(points.x, points.y, "o", markersize=POINT_POINTS + 1, color=points.colour, zorder=4)
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


def _name_limit(pen: Pen, limit: Limit, axes: Axes) -> None:
    """Write the limit's name above its line, where nothing else is."""
    frame = axes.bbox
    text = _write(axes, limit.name, pen.theme.muted)
    width, height = pen.size(text)
    x, _ = axes.transData.transform((limit.x, axes.get_ylim()[0]))
    _move(axes, text, max(x, frame.x0 + width / 2), frame.y1 + height / 2 + pen.pixels(2))


def _name_lines(pen: Pen, panel: Panel, axes: Axes) -> list[Bbox]:
    """Write each line's name at the right of its end, moved up or down where names would touch; points' likewise."""
    frame, to_pixels = axes.bbox, axes.transData
    lines = [line for line in panel.lines if line.name]
    texts = [
        _write(axes, line.name, line.colour, weight="bold" if line.bold else "normal", align="left") for line in lines
    ]
    groups = [points for points in panel.points if points.name]
    texts += [_write(axes, points.name, points.colour, align="left", points=SMALL_POINTS) for points in groups]
    ends = [float(to_pixels.transform((panel.x[-1], line.y[-1]))[1]) for line in lines]
    # What leaves through the top or the foot is named there.
    ends = [min(max(end, frame.y0), frame.y1) for end in ends]
    ends += [float(np.median(to_pixels.transform(np.column_stack((one.x, one.y)))[:, 1])) for one in groups]
    heights = [pen.size(text)[1] + pen.pixels(GAP_POINTS) for text in texts]
    centres = spread(ends, heights, low=frame.y0, high=frame.y1)
    left = frame.x1 + pen.pixels(16)
    boxes = []
    for text, centre in zip(texts, centres, strict=True):
        _move(axes, text, left, centre)
        boxes.append(text.get_window_extent())
    for line, end, centre in zip(lines, ends, centres, strict=False):  # names of points follow
        turns = ((frame.x1, end), (frame.x1 + pen.pixels(3), end), (left - pen.pixels(5), centre))
        _stroke(axes, (*turns, (left - pen.pixels(2), centre)), line.colour)
    return boxes


def rows_size(pen: Pen, rows: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """Width and height of a panel's rows of words, in pixels."""
    texts = [pen.figure.text(0, 0, words, fontsize=TEXT_POINTS) for words, _ in rows]
    width = max((pen.size(text)[0] for text in texts), default=0.0)
    for text in texts:
        text.remove()
    return width + pen.pixels(2 * GAP_POINTS), len(rows) * pen.pixels(ROW_POINTS)


def _write_rows(pen: Pen, rows: Iterable[tuple[str, str]], axes: Axes) -> list[Bbox]:
    """Write words at the top left, one below the other."""
    boxes, step = [], pen.pixels(ROW_POINTS)
    for number, (words, colour) in enumerate(rows):
        text = _write(axes, words, colour, align="left")
        _move(axes, text, axes.bbox.x0 + pen.pixels(2 * GAP_POINTS), axes.bbox.y1 - (number + 0.5) * step)
        boxes.append(text.get_window_extent())
    return boxes


def _annotate(pen: Pen, panel: Panel, axes: Axes, drawn: Iterable[Line2D], taken: list[Bbox]) -> None:
    """Write the words inside the panel where they cover nothing, the most wanted first."""
    frame, gap = axes.bbox, pen.pixels(GAP_POINTS)
    dot = pen.pixels(DOT_POINTS)
    paths = [line.get_transform().transform_path(line.get_path()) for line in drawn]
    dots = {mark: _point(axes, mark.x, mark.y) for mark in panel.marks}
    boxes = [*taken, *(Bbox.from_extents(x - dot, y - dot, x + dot, y + dot) for x, y in dots.values())]
    boxes += _point_boxes(pen, panel, axes)
    room = Bbox.from_extents(frame.x0 + gap, frame.y0 + gap, frame.x1, frame.y1 + gap)
    placed = _place_marks(pen, axes, dots, Obstacles(frame=room, lines=paths, boxes=boxes))
    for mark, box in placed.items():
        ends = stroke(box, dots[mark])
        if math.dist(*ends) > FAR_GAPS * gap:
            _stroke(axes, ends, mark.colour)
            paths.append(Path(ends))
    boxes += placed.values()
    # The texts themselves: their places have air around them.
    written = [text.get_window_extent() for text in axes.texts if text.get_text() in {one.text for one in placed}]
    _name_points(pen, panel, axes, Obstacles(frame=room, lines=paths, boxes=boxes), [*taken, *written])
    if panel.band is None:
        return
    text = _write(axes, panel.band.name, panel.band.colour)
    size = pen.size(text)
    spots = [spot for x, y in _stations(panel.band, axes) for spot in around(x, y, size, gap=gap, reach=NEAR_GAPS)]
    boxes.append(_settle(pen, axes, text, spots, Obstacles(frame=room, lines=paths, boxes=boxes)))


def _place_marks(
    pen: Pen, axes: Axes, dots: Mapping[Mark, tuple[float, float]], obstacles: Obstacles
) -> dict[Mark, Bbox]:
    """Write the texts of marks off each other and off their strokes, in the best of several orders."""
    texts = {mark: _write(axes, mark.text, mark.colour) for mark in dots if mark.text}
    gap = pen.pixels(GAP_POINTS)
    sizes = [pen.size(text) for text in texts.values()]
    labels = [
        Label(
            size=(width + gap, height + gap),
            spots=tuple(around(*dots[mark], (width, height), gap=gap)),
            point=dots[mark],
        )
        for mark, (width, height) in zip(texts, sizes, strict=True)
    ]
    boxes = place_all(labels, obstacles, stroked_from=FAR_GAPS * gap)
    for text, box in zip(texts.values(), boxes, strict=True):
        _move(axes, text, (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
    return dict(zip(texts, boxes, strict=True))


def _point(axes: Axes, x: float, y: float) -> tuple[float, float]:
    """A place of the panel in pixels."""
    across, up = axes.transData.transform((x, y))
    return float(across), float(up)


def _point_boxes(pen: Pen, panel: Panel, axes: Axes) -> list[Bbox]:
    """Boxes that the points cover."""
    dot = pen.pixels(POINT_POINTS)
    places = (axes.transData.transform(np.column_stack((one.x, one.y))) for one in panel.points)
    return [Bbox.from_extents(x - dot, y - dot, x + dot, y + dot) for place in places for x, y in place]


def _name_points(pen: Pen, panel: Panel, axes: Axes, obstacles: Obstacles, words: Iterable[Bbox]) -> None:
    """Write the names of points, except those that would hide another or a line: their dots stay."""
    gap = pen.pixels(GAP_POINTS) / 2
    boxes, lines, words = list(obstacles.boxes), list(obstacles.lines), list(words)
    named = [
        (label, points.colour, axes.transData.transform((x, y)))
        for points in panel.points
        for label, x, y in zip(points.labels, points.x, points.y, strict=True)
        if label
    ]
    for label, colour, (x, y) in named:
        text = _write(axes, label, colour, points=SMALL_POINTS)
        spots = around(x, y, pen.size(text), gap=gap, reach=LABEL_REACH)
        free = Obstacles(frame=obstacles.frame, lines=lines, boxes=boxes)
        box = _settle(pen, axes, text, spots, free, point=(x, y))
        if not is_clear(box, free, words, point=(x, y)):
            text.remove()
            continue
        boxes.append(box)
        words.append(text.get_window_extent())
        ends = stroke(box, (x, y))
        if math.dist(*ends) > FAR_GAPS * gap:
            _stroke(axes, ends, colour)
            lines.append(Path(ends))


def _stations(band: Band, axes: Axes) -> list[tuple[float, float]]:
    """Places along the band's middle for its name, from its end backwards, in pixels."""
    x, y = axes.transData.transform(np.column_stack((band.x, band.middle))).T
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


def _write(
    axes: Axes,
    words: str,
    colour: str,
    *,
    weight: str = "normal",
    align: str = "center",
    points: float = TEXT_POINTS,
) -> Text:
    """Text at the origin, to be moved to its place."""
    return axes.text(
        0,
        0,
        words,
        transform=axes.transAxes,
        fontsize=points,
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
