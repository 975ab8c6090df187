"""Steps as the lecture's trains, and requests as passengers: they wait, board and leave with the last token."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ridgeline.boards.scale import LINEAR
from ridgeline.figures.pen import SMALL_POINTS, TEXT_POINTS, THIN, Pen
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_quantity
from ridgeline.simulator.journal import Journal, Passenger

__all__ = ["departures_figure"]

LEFT, WIDTH = 0.16, 0.77
TRAINS = (LEFT, 0.63, WIDTH, 0.165)
REQUESTS = (LEFT, 0.165, WIDTH, 0.4)
"""Left, bottom, width and height of both parts, in parts of the picture."""

BAR = 0.62
"""Height of a request's bar, as a part of its row."""

FEWEST_ROWS = 6
"""Least number of rows, lest the bars of few requests become as thick as trains."""

GAP = 0.12
"""Gap between steps, as a part of the mean step: it makes them trains and not a wall."""


def departures_figure(journal: Journal, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Steps above, requests below, over the same time.

    Args:
        journal: journal of a replica, with at least one step.
        title: title of the picture.
        subtitle: subject of the picture.
        foot: how it was found.
        theme: colours of the picture.
    """
    begin_s = min([journal.steps[0].start_s, *(one.arrival_s for one in journal.passengers)])
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        trains, requests = pen.figure.add_axes(TRAINS), pen.figure.add_axes(REQUESTS)
        for axes in (trains, requests):
            axes.set_facecolor("none")
            axes.set_xlim(begin_s, journal.steps[-1].end_s)
        _draw_trains(trains, journal, theme)
        _draw_requests(requests, journal, theme)
        _dress(trains, theme, caption="steps: sequences in each", is_last=False)
        _dress(requests, theme, caption="requests:", is_last=True)
        _name_colours(pen, requests)
    return pen.figure


def _draw_trains(axes: Axes, journal: Journal, theme: Theme) -> None:
    """Draw a bar for each step, as wide as its time and as high as its batch, prompts on top."""
    steps = journal.steps
    gap_s = GAP * sum(one.end_s - one.start_s for one in steps) / len(steps)
    left = [one.start_s for one in steps]
    width = [max(one.end_s - one.start_s - gap_s, (one.end_s - one.start_s) / 2) for one in steps]
    decoding = [float(one.decoding) for one in steps]
    reading = [float(len(one.reading)) for one in steps]
    axes.bar(left, decoding, width, align="edge", color=theme.estimate, linewidth=0)
    axes.bar(left, reading, width, bottom=decoding, align="edge", color=theme.compute, linewidth=0)
    most = max(both + more for both, more in zip(decoding, reading, strict=True))
    axes.set_ylim(0.0, 1.1 * most)
    axes.yaxis.set_major_locator(FixedLocator(sorted({tick for tick in LINEAR.ticks(0.0, most) if tick == int(tick)})))


def _draw_requests(axes: Axes, journal: Journal, theme: Theme) -> None:
    """Draw a row for each request: wait, prefill and decode."""
    end_s, rows = journal.steps[-1].end_s, max(len(journal.passengers), FEWEST_ROWS)
    axes.set_ylim(rows - 0.4, -0.6)
    for row, one in enumerate(journal.passengers):
        boarded_s = min(journal.boarded_s(one), end_s)
        first_s, done_s = min(max(one.first_s, boarded_s), end_s), min(one.done_s, end_s)
        axes.plot([one.arrival_s, boarded_s], [row, row], color=theme.muted, linewidth=THIN, zorder=2)
        axes.barh(row, first_s - boarded_s, BAR, left=boarded_s, color=theme.compute, linewidth=0, zorder=3)
        axes.barh(row, done_s - first_s, BAR, left=first_s, color=theme.estimate, linewidth=0, zorder=3)
        axes.plot([one.arrival_s], [row], "o", markersize=5, color=theme.ink, zorder=4, clip_on=False)
    for step in journal.steps:
        axes.axvline(step.start_s, color=theme.beyond, linewidth=0.8, zorder=1)
    axes.yaxis.set_major_locator(FixedLocator(list(range(len(journal.passengers)))))
    names = [_name(one) for one in journal.passengers]
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: names[round(value)] if 0 <= value < len(names) else "")
    )


def _name(one: Passenger) -> str:
    """Text on the length of a request.

    >>> _name(Passenger(number=0, arrival_s=0, first_s=1, done_s=2, prompt_tokens=1000, output_tokens=200))
    '1,000 in, 200 out'
    """
    return f"{one.prompt_tokens:,} in, {one.output_tokens:,} out"


def _dress(axes: Axes, theme: Theme, *, caption: str, is_last: bool) -> None:
    """Dress of both panels' axes: ticks, spines and captions."""
    axes.xaxis.set_major_locator(FixedLocator(LINEAR.ticks(*axes.get_xlim())))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(
        FuncFormatter(lambda value, _: (format_quantity(value, "s") if value else "0") if is_last else "")
    )
    small = SMALL_POINTS - 3 if is_last else SMALL_POINTS
    axes.tick_params(length=4, width=1, color=theme.muted, labelcolor=theme.muted, labelsize=SMALL_POINTS)
    axes.tick_params(axis="y", labelsize=small)
    for side, spine in axes.spines.items():
        spine.set_visible(side in {"left", "bottom"})
        spine.set_color(theme.muted)
    axes.annotate(
        caption,
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 9),
        textcoords="offset points",
        fontsize=TEXT_POINTS,
        fontweight="bold",
        color=theme.ink,
    )
    if is_last:
        axes.set_xlabel("time", fontsize=TEXT_POINTS, color=theme.muted, labelpad=4)


def _name_colours(pen: Pen, axes: Axes) -> None:
    """Write the meaning of each colour behind the caption of requests."""
    theme, x = pen.theme, axes.bbox.x0 + pen.pixels(84)
    for words, colour in (
        ("● comes", theme.ink),
        ("— waits", theme.muted),
        ("■ its prompt is read", theme.compute),
        ("■ decodes, a token a step", theme.estimate),
    ):
        text = axes.annotate(
            words,
            (x, axes.bbox.y1 + pen.pixels(9)),
            xycoords="figure pixels",
            fontsize=TEXT_POINTS,
            color=colour,
            annotation_clip=False,
        )
        x += pen.size(text)[0] + pen.pixels(18)
