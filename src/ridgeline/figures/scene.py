"""Still pictures of scenes: trains and riders, racks under traffic, schedules at their end, small multiples."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator

from ridgeline.boards.board import View
from ridgeline.boards.scene import Cells, Gantt, Multiples, Racks, Small, Tick, Trains
from ridgeline.figures.pen import MEDIUM, SMALL_POINTS, TEXT_POINTS, THIN, Pen
from ridgeline.figures.schematic import bare

__all__ = ["draw_gantt", "draw_multiples", "draw_racks", "draw_trains", "quiet", "write_head"]

BINS = 10
"""Number of bins for the times of a period."""

CHARACTER_POINTS = 8.0
"""Width of a character of a text below a heading, at most."""

GAP = 0.06
"""Gap between two cells, as a part of a cell, or of a chip's edge."""

HOTTEST = 4.0
"""Heat at which an expert has its full colour, as a multiple of the mean."""

MOST_APART = 8
"""Largest number of stages with gaps between their rows."""


def draw_trains(pen: Pen, view: View, trains: Trains, axes: Axes) -> None:
    """Draw the riders of each train and those left behind; below, their latencies."""
    write_head(pen, view, trains.text, axes)
    theme = pen.theme
    upper, lower = axes.inset_axes((0.0, 0.66, 1.0, 0.32)), axes.inset_axes((0.0, 0.06, 1.0, 0.3))
    numbers = range(1, len(trains.departures) + 1)
    aboard = [one.aboard for one in trains.departures]
    upper.bar(numbers, aboard, color=theme.also, width=0.8)
    upper.bar(numbers, [one.left for one in trains.departures], bottom=aboard, color=theme.wrong, width=0.8)
    upper.set_ylim(0, 1.3 * trains.seats)
    for number, one in zip(numbers, trains.departures, strict=True):
        if one.left:
            upper.text(
                number,
                one.aboard + one.left,
                one.left_text,
                color=theme.wrong,
                fontsize=SMALL_POINTS,
                horizontalalignment="center",
                verticalalignment="bottom",
            )
    quiet(pen, upper, "train; left behind on top", numbers, [f"{number}" for number in numbers])
    times, late = trains.requests.latencies_periods
    end = max(3, int(max([*times, *late])) + 1)
    edges = np.linspace(0, end, end * BINS + 1)
    lower.hist([times, late], bins=edges.tolist(), stacked=True, color=[theme.also, theme.wrong])
    lower.axvline(trains.mean_periods, color=theme.ink, linewidth=THIN)
    lower.text(
        trains.mean_periods - 0.06,
        1,
        trains.mean_text,
        transform=lower.get_xaxis_transform(),
        fontsize=SMALL_POINTS,
        color=theme.ink,
        horizontalalignment="right",
        verticalalignment="bottom",
    )
    quiet(pen, lower, view.x.caption, range(end + 1), trains.clock[: end + 1])


def draw_racks(pen: Pen, view: View, racks: Racks, axes: Axes) -> None:
    """Draw every chip with its experts, the brighter the more visited; the busiest chip has a frame."""
    said = "\n".join(filter(None, (racks.busiest_text, racks.leaving_text)))
    write_head(pen, view, racks.text, axes)
    theme = pen.theme
    most = max(len(rack.chips) for rack in racks.racks)
    columns = int(np.ceil(np.sqrt(most)))
    rows, abreast = -(-most // columns), min(len(racks.racks), 4)
    lines = -(-len(racks.racks) // abreast)
    board = axes.inset_axes((0.0, 0.2, 1.0, 0.7))
    board.set_axis_off()
    board.set_xlim(0, abreast * (columns + 1) - 1)
    board.set_ylim(lines * (rows + 1) - 1, 0)
    board.set_aspect("equal", anchor="NW")
    places = [
        (chip, number % abreast * (columns + 1) + place % columns, number // abreast * (rows + 1) + place // columns)
        for number, rack in enumerate(racks.racks)
        for place, chip in enumerate(rack.chips)
    ]
    side = 1 - 2 * GAP
    slots = max(1, min(racks.slots, max(len(chip.experts) for chip, _, _ in places)))
    across = int(np.ceil(np.sqrt(slots)))
    down = -(-slots // across)
    frames = [Rectangle((x + GAP, y + GAP), side, side) for _, x, y in places]
    board.add_collection(PatchCollection(frames, facecolor=theme.beyond, linewidth=0))
    cells, heat = [], []
    for chip, x, y in places:
        for slot, expert in enumerate(chip.experts):
            left, top = x + GAP + slot % across * side / across, y + GAP + slot // across * side / down
            cells.append(Rectangle((left, top), 0.9 * side / across, 0.9 * side / down))
            heat.append(min(1.0, float(np.sqrt(racks.heat[expert] / HOTTEST))))
    lit = PatchCollection(cells, facecolor=theme.compute, linewidth=0)
    lit.set_alpha(heat)
    board.add_collection(lit)
    for chip, x, y in places:
        if chip.number == racks.busiest:
            board.add_patch(Rectangle((x, y), 1, 1, facecolor="none", edgecolor=theme.wrong, linewidth=THIN))
    axes.text(0, 0.16, said, fontsize=SMALL_POINTS, color=theme.ink, verticalalignment="top", transform=axes.transAxes)


def draw_gantt(pen: Pen, view: View, gantt: Gantt, axes: Axes) -> list[Axes]:
    """Draw schedules one above another over one time axis; returns the axes of each."""
    write_head(pen, view, gantt.text, axes)
    drawn = []
    theme, count = pen.theme, len(gantt.played)
    for place, played in enumerate(gantt.played):
        top = 1 - (place + 0.25) / count * 0.9
        rows = axes.inset_axes((0.0, top - 0.62 * 0.9 / count, 1.0, 0.62 * 0.9 / count))
        drawn.append(rows)
        rows.set_xlim(0, gantt.end)
        rows.set_ylim(gantt.stages, 0)
        rows.add_patch(Rectangle((0, 0), gantt.end, gantt.stages, facecolor=theme.beyond, linewidth=0))
        gap = GAP if gantt.stages <= MOST_APART else 0.0
        for cells in played.cells:
            rows.add_collection(
                PatchCollection(_cells(cells, gap), facecolor=getattr(theme, cells.colour.value), linewidth=0)
            )
        is_last = place == count - 1
        quiet(
            pen,
            rows,
            view.x.caption if is_last else "",
            [tick.at for tick in gantt.ticks] if is_last else [],
            [tick.text for tick in gantt.ticks] if is_last else [],
        )
        if place == count // 2:
            rows.set_ylabel(view.y.caption, fontsize=TEXT_POINTS, color=theme.muted, labelpad=8)
        rows.text(
            0,
            1.04,
            f"{played.name}: {played.text}",
            fontsize=SMALL_POINTS,
            color=theme.ink,
            verticalalignment="bottom",
            transform=rows.transAxes,
        )
    return drawn


def _cells(cells: Cells, gap: float) -> list[Rectangle]:
    return [
        Rectangle((start, row + gap), (end - start) * (1 - gap), 1 - 2 * gap)
        for row, start, end in zip(cells.rows, cells.starts, cells.ends, strict=True)
    ]


def draw_multiples(pen: Pen, view: View, multiples: Multiples, axes: Axes) -> None:
    """Draw each model in a small frame of its own, the others and the reference in grey."""
    write_head(pen, view, multiples.text, axes)
    columns = 3
    rows = -(-len(multiples.smalls) // columns)
    for number, small in enumerate(multiples.smalls):
        column, row = number % columns, number // columns
        frame = axes.inset_axes(
            (column / columns, 0.1 + 0.86 * (rows - 1 - row) / rows, 0.93 / columns, 0.86 / rows * 0.62)
        )
        _small(pen, frame, multiples, small, is_first=not column, is_lowest=row == rows - 1)
    axes.text(0, -0.03, view.x.caption, fontsize=TEXT_POINTS, color=pen.theme.muted, transform=axes.transAxes)


def _small(pen: Pen, frame: Axes, multiples: Multiples, small: Small, *, is_first: bool, is_lowest: bool) -> None:
    theme, low, high = pen.theme, multiples.x[0], multiples.x[-1]
    frame.set_facecolor(theme.beyond)
    frame.set_xscale("log")
    frame.set_yscale("log")
    frame.set_xlim(low, high)
    frame.set_ylim(multiples.bottom, multiples.top)
    for other in multiples.smalls:
        if other is not small:
            frame.plot(multiples.x, other.y, color=theme.muted, alpha=0.2, linewidth=0.8)
    frame.plot(multiples.x, multiples.reference, color=theme.muted, linewidth=1.2, linestyle=(0, (4, 3)))
    frame.plot(multiples.x, small.y, color=theme.ink, linewidth=MEDIUM)
    frame.plot([small.mark_x], [small.mark_y], "o", color=theme.kv, markersize=5)
    frame.text(0, 1.05, _short(small.name), transform=frame.transAxes, fontsize=SMALL_POINTS, color=theme.ink)
    frame.text(
        0.05, 0.9, small.text, transform=frame.transAxes, fontsize=SMALL_POINTS, color=theme.kv, verticalalignment="top"
    )
    quiet(pen, frame, "", *(_apart(multiples.x_ticks) if is_lowest else ([], [])))
    if is_first:
        frame.set_yticks(*_apart(multiples.y_ticks))


MOST_CHARACTERS = 14


def _short(name: str) -> str:
    """Short name that fits over a small frame."""
    return name if len(name) <= MOST_CHARACTERS else f"{name[: MOST_CHARACTERS - 1]}…"


def _apart(ticks: Sequence[Tick]) -> tuple[list[float], list[str]]:
    """The second and each second one after it, which have room beside each other."""
    return [tick.at for tick in ticks[1::2]], [tick.text for tick in ticks[1::2]]


def write_head(pen: Pen, view: View, text: str, axes: Axes) -> None:
    """Write the heading, and the summary in as many lines as it needs."""
    points = axes.bbox.width / pen.pixels(1)
    bare(pen, view.heading, "", axes)
    axes.annotate(
        textwrap.fill(text, int(points / CHARACTER_POINTS * 1.15)),
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 42),
        textcoords="offset points",
        fontsize=TEXT_POINTS,
        color=pen.theme.muted,
        verticalalignment="top",
        annotation_clip=False,
    )


def quiet(pen: Pen, axes: Axes, caption: str, places: Sequence[float], texts: Sequence[str]) -> None:
    """Make the axes quiet: ticks without lines, where there are any."""
    theme = pen.theme
    for spine in axes.spines.values():
        spine.set_visible(False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(NullLocator())
        axis.set_minor_locator(NullLocator())
    if axes.get_facecolor()[:3] == (1.0, 1.0, 1.0):
        axes.set_facecolor("none")
    axes.set_xticks(list(places), list(texts))
    axes.tick_params(length=0, labelcolor=theme.muted, labelsize=SMALL_POINTS)
    axes.set_xlabel(caption, fontsize=TEXT_POINTS, color=theme.muted, labelpad=4)
