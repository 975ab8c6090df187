"""Tables and timelines: numbers as darkness, and activities as rows over time."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from matplotlib.axes import Axes
from matplotlib.axis import Axis as Ruler
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ridgeline.boards.board import View
from ridgeline.boards.picture import Axis, Table, Timeline
from ridgeline.boards.scale import LINEAR
from ridgeline.figures.pen import SMALL_POINTS, TEXT_POINTS, Pen
from ridgeline.quantity_text import format_quantity

__all__ = ["GAP", "draw_table", "draw_timeline"]

Colour = str | tuple[float, float, float] | tuple[float, float, float, float]

GAP = 0.06
"""Gap between blocks, in parts of a row."""
EDGE_POINTS, EDGE = 1.5, 0.25
"""Width of a block's edge, in points, and the largest part of the narrowest block that it may take."""


def draw_table(pen: Pen, view: View, table: Table, axes: Axes) -> None:
    """Draw cells, the darker the larger, with rows from the top."""
    theme = pen.theme
    shades = LinearSegmentedColormap.from_list("shades", [theme.beyond, theme.estimate])
    rows, columns = table.values.shape
    largest = float(table.values.max()) or 1.0
    axes.imshow(table.values, cmap=shades, vmin=0, vmax=largest, aspect="auto", interpolation="nearest", origin="upper")
    if table.is_written:
        for row in range(rows):
            for column in range(columns):
                value = float(table.values[row, column])
                ground = shades(value / largest)
                if value:
                    axes.text(
                        column,
                        row,
                        f"{value:.3g}",
                        fontsize=SMALL_POINTS,
                        color=max((theme.ink, theme.background), key=partial(_contrast, ground)),
                        horizontalalignment="center",
                        verticalalignment="center",
                    )
    _dress(pen, axes, view.x, view.y, (view.heading, table.text))
    for axis, count, along in ((axes.xaxis, columns, view.x), (axes.yaxis, rows, view.y)):
        # Cells have no halves.
        numbers = [number for number in LINEAR.ticks(table.first, table.first + count) if number.is_integer()]
        places = [number - table.first for number in numbers]
        _number(axis, [place for place in places if 0 <= place < count], along, table.first)


PALE = 0.5
"""Part of the background in a pale colour."""


def _mixed(colour: tuple[float, float, float], ground: tuple[float, float, float]) -> tuple[float, float, float]:
    red, green, blue = ((1 - PALE) * one + PALE * other for one, other in zip(colour, ground, strict=True))
    return red, green, blue


def _contrast(one: Colour, other: Colour) -> float:
    """Contrast of two colours, as WCAG 2.1 defines it."""
    dark, bright = sorted((_luminance(one), _luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


LINEAR_UP_TO = 0.04045
"""Upper end of the linear part of sRGB's transfer function."""


def _luminance(colour: Colour) -> float:
    parts = [part / 12.92 if part <= LINEAR_UP_TO else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def draw_timeline(
    pen: Pen, timeline: Timeline, axes: Axes, *, along: Axis, upright: Axis, pale: Collection[int] = frozenset()
) -> None:
    """Draw a row for each worker, with blocks from start to end, some of them paler by number."""
    theme = pen.theme
    rows = len(timeline.rows)
    end = max(block.end for block in timeline.blocks)
    axes.set_xlim(0, end)
    axes.set_ylim(rows, 0)
    axes.set_facecolor("none")
    narrowest_points = min(block.end - block.start for block in timeline.blocks) / end * axes.bbox.width / pen.pixels(1)
    colours = [to_rgb(getattr(theme, block.colour.value)) for block in timeline.blocks]
    for number in pale:
        colours[number] = _mixed(colours[number], to_rgb(theme.background))
    empty = [_block(row, 0, end) for row in range(rows)]
    blocks = [_block(block.row, block.start, block.end) for block in timeline.blocks]
    width = min(EDGE_POINTS, EDGE * narrowest_points)
    # All at once: of thousands, each by itself would take most of the time. The ends of both axes are set above.
    axes.add_collection(PolyCollection(empty, facecolors=theme.beyond, linewidths=0), autolim=False)
    axes.add_collection(
        PolyCollection(blocks, facecolors=colours, edgecolors=theme.background, linewidths=width), autolim=False
    )
    for block, colour in zip(timeline.blocks, colours, strict=True):
        if block.text:
            axes.text(
                (block.start + block.end) / 2,
                block.row + 0.5,
                block.text,
                fontsize=SMALL_POINTS,
                color=max((theme.background, theme.ink), key=partial(_contrast, colour)),
                horizontalalignment="center",
                verticalalignment="center",
            )
    _dress(pen, axes, along, upright, ("", timeline.text))
    axes.yaxis.set_major_locator(FixedLocator([row + 0.5 for row in range(rows)]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda _, place: timeline.rows[place or 0]))
    _number(axes.xaxis, LINEAR.ticks(0, end), along)


def _block(row: int, start: float, end: float) -> list[tuple[float, float]]:
    """Corners of a block in a row."""
    top, bottom = row + GAP, row + 1 - GAP
    return [(start, top), (end, top), (end, bottom), (start, bottom)]


def _dress(pen: Pen, axes: Axes, along: Axis, upright: Axis, words: tuple[str, str]) -> None:
    """Write heading and summary, and make the axes quiet."""
    theme = pen.theme
    axes.tick_params(length=0, labelcolor=theme.muted, labelsize=SMALL_POINTS)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xlabel(along.caption, fontsize=TEXT_POINTS, color=theme.muted, labelpad=8)
    axes.set_ylabel(upright.caption, fontsize=TEXT_POINTS, color=theme.muted, labelpad=8)
    pen.head(axes, *words)


def _number(axis: Ruler, ticks: list[float], along: Axis, first: int = 0) -> None:
    """Ticks, written as an increase."""
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: format_quantity(first + float(value), along.dimension)))
