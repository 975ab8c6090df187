"""Words of a panel, each where it covers nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from ridgeline.figures.labels import Label, Obstacles, Spot, around, is_clear, place, place_all, spread, stroke
from ridgeline.figures.panel import Band, Limit, Mark, Panel
from ridgeline.figures.pen import DOT_POINTS, GAP_POINTS, POINT_POINTS, SMALL_POINTS, TEXT_POINTS, Pen

__all__ = ["annotate", "name_limit", "name_lines", "rows_size", "write_rows"]

ROW_POINTS = 19
"""Line height of rows of words, in points."""
FAR_GAPS = 2.5
"""Distance in gaps beyond which a label is joined to its point by a stroke."""
LABEL_REACH = 10
"""Largest distance of a name from its point, in gaps."""
NEAR_GAPS = 2
"""Gaps between the band and its name, which has no stroke."""
GROUP_CHARACTERS = 20
"""Most characters in a line of a group's name, which stands beside the panel."""
STATIONS = 9
"""Places along the band that are tried for its name."""


def name_limit(pen: Pen, limit: Limit, axes: Axes) -> None:
    """Write the limit's name above its line, where nothing else is."""
    frame = axes.bbox
    text = _write(axes, limit.name, pen.theme.muted)
    width, height = pen.size(text)
    x, _ = axes.transData.transform((limit.x, axes.get_ylim()[0]))
    _move(axes, text, max(x, frame.x0 + width / 2), frame.y1 + height / 2 + pen.pixels(2))


def name_lines(pen: Pen, panel: Panel, axes: Axes) -> list[Bbox]:
    """Write each line's name at the right of its end, moved up or down where names would touch; points' likewise."""
    frame, to_pixels = axes.bbox, axes.transData
    lines = [line for line in panel.lines if line.name]
    texts = [
        _write(axes, line.name, line.colour, weight="bold" if line.bold else "normal", align="left") for line in lines
    ]
    groups = [points for points in panel.points if points.name]
    texts += [
        _write(axes, fill(points.name, GROUP_CHARACTERS), points.colour, align="left", points=SMALL_POINTS)
        for points in groups
    ]
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


def write_rows(pen: Pen, rows: Iterable[tuple[str, str]], axes: Axes) -> list[Bbox]:
    """Write words at the top left, one below the other."""
    boxes, step = [], pen.pixels(ROW_POINTS)
    for number, (words, colour) in enumerate(rows):
        text = _write(axes, words, colour, align="left")
        _move(axes, text, axes.bbox.x0 + pen.pixels(2 * GAP_POINTS), axes.bbox.y1 - (number + 0.5) * step)
        boxes.append(text.get_window_extent())
    return boxes


def annotate(pen: Pen, panel: Panel, axes: Axes, drawn: Iterable[Line2D], taken: list[Bbox]) -> None:
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
            spots=around(*dots[mark], (width, height), gap=gap),
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
