"""Result of a study's query as a picture: a heat map of two axes, or a line for each name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from ridgeline.boards.scale import LINEAR, LOGARITHMIC, Scale
from ridgeline.errors import RidgelineError
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.panel import Line, Mark, Panel
from ridgeline.figures.pen import SMALL_POINTS, TEXT_POINTS, Pen
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.studies.quantities import caption_of, shown

__all__ = ["study_figure"]

Grid = NDArray[np.float64]
Rows = Sequence[tuple[Any, ...]]

WHERE, MAP_WHERE = (0.085, 0.2, 0.87, 0.53), (0.11, 0.2, 0.86, 0.62)
"""Left, bottom, width and height of lines' panel and of a heat map, in parts of the picture."""

SHADES_WHERE = (0.875, 0.2, 0.018, 0.62)
"""Frame of the colour bar beside a heat map: left, bottom, width and height in parts of the picture."""

MOST_LINES = 8
"""Largest number of lines that can be told apart by colour."""
MOST_ALONG = 400
"""Largest number of cells along an axis: more are finer than the picture."""
MOST_WRITTEN = (16, 10)
"""Largest numbers of columns and rows of cells with room for numbers."""
MOST_TICKS = (14, 12)
"""Largest numbers of ticks beside columns and rows of cells."""
WIDE = 8.0
"""Largest over least value from which an axis, or a shade, is logarithmic."""
ROOM = 1.06
"""Right end of a linear axis, as a multiple of the farthest place."""


def study_figure(columns: Sequence[str], rows: Rows, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """A picture of slide size.

    Args:
        columns: names of two or three; a third of numbers makes a heat map, of names a line for each.
        rows: rows of the query, in order.
        title: title of the study.
        subtitle: below it; empty for what the picture shows.
        foot: query in SQL.
        theme: colours of the picture.

    Raises:
        RidgelineError: the columns are none that can be drawn, or there are too many names or cells.
    """
    is_map = _require_drawn(columns, rows)
    said = subtitle or (_map_words(columns, rows) if is_map else _line_words(columns))
    with slide(theme, title=title, subtitle=said, foot=foot) as pen:
        if is_map:
            _draw_map(pen, columns, rows, pen.figure.add_axes(MAP_WHERE))
        else:
            draw_panel(pen, _panel(columns, rows, theme), pen.figure.add_axes(WHERE))
    return pen.figure


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _require_drawn(columns: Sequence[str], rows: Rows) -> bool:
    """Whether the rows are cells of a heat map; lines otherwise.

    Raises:
        RidgelineError: they are neither.
    """
    width = len(columns)
    if width not in (2, 3):
        raise RidgelineError(
            f"a figure is drawn of two or three columns, x, y and a value or a name, and this has {width}; choose them,"
            " such as batch, step_time_s, layout"
        )
    if not rows:
        raise RidgelineError("the query gives no row to draw; see it without --figure")
    if any(value is None for row in rows for value in row):
        raise RidgelineError("a figure is drawn of values, and some are null; add WHERE ... IS NOT NULL")
    if width == 3 and all(_is_number(row[2]) for row in rows):  # noqa: PLR2004  x, y and a value
        _require_cells(columns, rows)
        return True
    for at, column in enumerate(columns[:2]):
        if not all(_is_number(row[at]) for row in rows):
            raise RidgelineError(f"{column} has no numbers; of lines the first two columns are x and y")
    names = {row[2] for row in rows} if width == 3 else set()  # noqa: PLR2004  x, y and a name
    if len(names) > MOST_LINES:
        raise RidgelineError(
            f"{columns[2]} has {len(names):,} names, and {MOST_LINES} lines can be told apart; choose some by WHERE"
        )
    return False


def _require_cells(columns: Sequence[str], rows: Rows) -> None:
    """Refuse rows that are no cells of a heat map: too many along an axis, or several in one place."""
    for at, column in enumerate(columns[:2]):
        if (count := len({row[at] for row in rows})) > MOST_ALONG:
            raise RidgelineError(f"{column} has {count:,} values, over the {MOST_ALONG} of a heat map; choose some")
    if len({row[:2] for row in rows}) < len(rows):
        raise RidgelineError(
            f"several rows share one cell of {columns[0]} and {columns[1]}; ask for one of each, as by"
            f" {columns[0]}, {columns[1]}, min({columns[2]}), with GROUP BY ALL"
        )


def _line_words(columns: Sequence[str]) -> str:
    if len(columns) == 2:  # noqa: PLR2004  x and y
        return f"{caption_of(columns[1])} against {caption_of(columns[0])}"
    return f"a line for each {caption_of(columns[2])}"


def _map_words(columns: Sequence[str], rows: Rows) -> str:
    x, y, value = columns
    least = min(rows, key=lambda row: row[2])
    return (
        f"{caption_of(value)} by {caption_of(x)} and {caption_of(y)}; framed is the least,"
        f" {shown(value, least[2])} at {shown(x, least[0])} and {shown(y, least[1])}"
    )


def _scale(values: Grid) -> Scale:
    """Scale of values: logarithmic where they are positive and far apart."""
    return LOGARITHMIC if values.min() > 0 and values.max() > WIDE * values.min() else LINEAR


def _panel(columns: Sequence[str], rows: Rows, theme: Theme) -> Panel:
    """Lines, each named at that end at which they lie farther apart: of fronts at the fast one."""
    x_name, y_name = columns[:2]
    named: dict[str, list[tuple[float, float]]] = {}
    for x, y, *names in rows:
        named.setdefault(str(names[0]) if names else "", []).append((float(x), float(y)))
    colours = (theme.estimate, theme.compute, theme.kv, theme.weights, theme.links, theme.money, theme.also, theme.ink)
    lines = []
    for points, colour in zip(named.values(), colours, strict=False):
        across, up = (np.array(values) for values in zip(*sorted(points), strict=True))
        lines.append(Line(name="", x=across, y=up, colour=colour, bold=len(named) == 1))
    end = max((0, -1), key=lambda at: float(np.ptp([line.y[at] for line in lines])))
    marks = [
        Mark(x=float(line.x[end]), y=float(line.y[end]), text=name, colour=line.colour)
        for name, line in zip(named, lines, strict=True)
        if name and line.x is not None
    ]
    every_x, every_y = map(np.concatenate, _values(lines))
    x_scale, y_scale = _scale(every_x), _scale(every_y)
    low, high = float(every_x.min()), float(every_x.max())
    ends = np.array([low / ROOM, high * ROOM]) if x_scale is LOGARITHMIC else np.array([0.0, ROOM * high])
    return Panel(
        heading=caption_of(y_name),
        caption=f"against {caption_of(x_name)}",
        x_caption=caption_of(x_name),
        x=ends,
        lines=tuple(lines),
        marks=tuple(marks),
        show=partial(shown, y_name),
        show_x=partial(shown, x_name),
        x_scale=x_scale,
        y_scale=y_scale,
        top=float(every_y.max()) * (1.5 if y_scale is LOGARITHMIC else ROOM),
        bottom=float(every_y.min()) / 1.5,
    )


def _values(lines: Sequence[Line]) -> tuple[list[Grid], list[Grid]]:
    return [line.x for line in lines if line.x is not None], [line.y for line in lines]


def _draw_map(pen: Pen, columns: Sequence[str], rows: Rows, axes: Axes) -> None:
    """Cells the darker the larger, the least framed; with numbers where there is room, else a strip of shades."""
    theme = pen.theme
    across, up = (sorted({row[at] for row in rows}) for at in (0, 1))
    cells = np.full((len(up), len(across)), np.nan)
    places = [{value: at for at, value in enumerate(values)} for values in (across, up)]
    for x, y, value in rows:
        cells[places[1][y], places[0][x]] = value
    shades = LinearSegmentedColormap.from_list("shades", [theme.beyond, theme.estimate])
    known = cells[np.isfinite(cells)]
    tone = np.log(cells) if _scale(known) is LOGARITHMIC else cells
    least, most = float(np.nanmin(tone)), float(np.nanmax(tone))
    axes.imshow(tone, cmap=shades, vmin=least, vmax=most, aspect="auto", interpolation="nearest", origin="lower")
    axes.set_facecolor(theme.background)
    row, column = np.unravel_index(np.nanargmin(cells), cells.shape)
    axes.add_patch(
        Rectangle(
            (column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=theme.ink, linewidth=2.5, zorder=4, clip_on=False
        )
    )
    if len(across) > MOST_WRITTEN[0] or len(up) > MOST_WRITTEN[1]:
        _draw_shades(pen, axes, columns[2], (float(known.min()), float(known.max())), shades)
    else:
        for (one, other), value in np.ndenumerate(cells):
            if math.isfinite(value):
                ground = shades(float((tone[one, other] - least) / ((most - least) or 1.0)))
                _write_cell(pen, axes, (other, one), shown(columns[2], float(value)), ground)
    _dress_map(pen, columns, (across, up), axes)


def _draw_shades(pen: Pen, axes: Axes, name: str, ends: tuple[float, float], shades: LinearSegmentedColormap) -> None:
    """Colour bar at the right of the cells, for maps whose cells are too small for numbers."""
    left, bottom, width, height = SHADES_WHERE
    axes.set_position((MAP_WHERE[0], MAP_WHERE[1], left - MAP_WHERE[0] - 0.02, MAP_WHERE[3]))
    beside = pen.figure.add_axes((left, bottom, width, height))
    scale = _scale(np.array(ends))
    tones = np.log(ends) if scale is LOGARITHMIC else np.array(ends)
    beside.imshow(np.linspace(0, 1, 256)[:, None], cmap=shades, aspect="auto", origin="lower")
    ticks = scale.ticks(*ends)
    places = (np.log(ticks) if scale is LOGARITHMIC else np.array(ticks)) - tones[0]
    beside.yaxis.tick_right()
    beside.set_xticks([])
    beside.set_yticks(255 * places / ((tones[1] - tones[0]) or 1.0), [shown(name, tick) for tick in ticks])
    beside.tick_params(length=0, labelcolor=pen.theme.muted, labelsize=SMALL_POINTS)
    for spine in beside.spines.values():
        spine.set_visible(False)


def _write_cell(pen: Pen, axes: Axes, place: tuple[int, int], text: str, ground: Sequence[float]) -> None:
    """A cell's number, in whichever ink stands out from it."""
    colour = max((pen.theme.ink, pen.theme.background), key=lambda one: abs(_light(to_rgb(one)) - _light(ground)))
    axes.text(*place, text, fontsize=SMALL_POINTS - 2, color=colour, ha="center", va="center", zorder=5)


def _light(colour: Sequence[float]) -> float:
    """Luminance of a colour, from 0 to 1."""
    red, green, blue = colour[:3]
    return math.sqrt(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2)


def _dress_map(pen: Pen, columns: Sequence[str], along: tuple[list[Any], list[Any]], axes: Axes) -> None:
    """Write ticks and captions of both axes."""
    theme = pen.theme
    for axis, name, values, most in zip((axes.xaxis, axes.yaxis), columns, along, MOST_TICKS, strict=False):
        every = -(-len(values) // most)
        places = list(range(0, len(values), every))
        axis.set_ticks(places, [shown(name, values[place]) for place in places])
    axes.tick_params(length=0, labelcolor=theme.muted, labelsize=SMALL_POINTS)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xlabel(caption_of(columns[0]), fontsize=TEXT_POINTS, color=theme.muted, labelpad=8)
    axes.set_ylabel(caption_of(columns[1]), fontsize=TEXT_POINTS, color=theme.muted, labelpad=8)
