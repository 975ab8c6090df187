"""Costs of tokens as a picture: each line of a price list beside its cost, and margins over the hit rate."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ridgeline.figures.frameless import frameless
from ridgeline.figures.pen import SMALL_POINTS, TEXT_POINTS, Pen
from ridgeline.figures.price_parts import draw_margins, draw_shares
from ridgeline.figures.slide import MARGIN, slide
from ridgeline.figures.theme import Theme
from ridgeline.inversion.against import Against
from ridgeline.inversion.price import Pricing
from ridgeline.quantity_text import format_dollars

__all__ = ["MOST_LISTS", "price_stack_figure"]

MOST_LISTS = 3
"""Largest number of price lists that are drawn; there is no room for the numbers of more."""

BOTTOM, HEIGHT = 0.17, 0.57
"""Bottom and height of the panels, in parts of the picture."""

NAMES, COLUMN = 0.16, 0.058
"""Width of the lines' names, and of a column of numbers."""

RIGHT = (0.725, 0.165)
"""Left and width of the panel at the right."""

LEGEND = 0.83
"""Height of the legend, as a part of the picture."""

LINES = {
    "input": "input, computed",
    "cached_input": "input, found",
    "cache_write_5min": "input, kept 5 min",
    "cache_write_1h": "input, kept 1 h",
    "output": "output",
    "input_above": "input, long prompts",
    "output_above": "output, long prompts",
    "batch_input": "batch input",
    "batch_output": "batch output",
    "flex_input": "flex input",
    "flex_output": "flex output",
    "fast_input": "fast input",
    "fast_output": "fast output",
}
"""Lines of a price list that are drawn, from the top."""

TICK_POINTS = 66
"""Least distance of numbers on the axis, in points, so that they do not touch."""

DODGE = 0.16
"""Distance of one list's mark from the next, as a part of a row, so that none hides another."""


def price_stack_figure(found: Pricing, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Two panels of slide size: a row a line, with its cost and its prices; and margins, or shares without a list.

    Args:
        found: costs and lists.
        title: title of the picture.
        subtitle: subject of the picture.
        foot: costs that are paid.
        theme: colours of the picture.
    """
    lists = found.against[:MOST_LISTS]
    colours = (theme.money, theme.links, theme.also)[: len(lists)]
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        _write_legend(pen, lists, colours)
        right = RIGHT[0] if lists else RIGHT[0] - 0.06
        numbers = COLUMN * (1 + len(lists))
        width = right - 0.06 - numbers - MARGIN - NAMES
        axes = pen.figure.add_axes((MARGIN + NAMES, BOTTOM, width, HEIGHT))
        _draw_lines(pen, axes, found, lists, colours)
        beside = pen.figure.add_axes((right, BOTTOM, RIGHT[1], HEIGHT))
        if lists:
            draw_margins(pen, beside, lists, colours)
        else:
            draw_shares(pen, beside, found)
    return pen.figure


def _write_legend(pen: Pen, lists: Sequence[Against], colours: Sequence[str]) -> None:
    """Meaning of the marks in one row, in smaller letters where they would not fit."""
    entries = [("● cost of serving, from low to high", pen.theme.compute)]
    entries += [(f"◆ {one.listing}", colour) for one, colour in zip(lists, colours, strict=True)]
    gap = pen.pixels(2 * TEXT_POINTS)
    texts = [
        pen.figure.text(0, LEGEND, words, color=colour, fontsize=TEXT_POINTS, verticalalignment="center")
        for words, colour in entries
    ]
    room = (1 - 2 * MARGIN) * pen.figure.bbox.width
    whole = sum(pen.size(text)[0] for text in texts) + gap * (len(texts) - 1)
    at = MARGIN * pen.figure.bbox.width
    for text in texts:
        text.set_fontsize(TEXT_POINTS * min(1.0, room / whole))
        text.set_x(at / pen.figure.bbox.width)
        at += pen.size(text)[0] + gap * min(1.0, room / whole)


def _draw_lines(pen: Pen, axes: Axes, found: Pricing, lists: Sequence[Against], colours: Sequence[str]) -> None:
    """Cost and prices of each line, dollars a million tokens on a logarithmic axis, with their numbers beside it."""
    theme = pen.theme
    frameless(axes, theme, "Cost and price by line" if lists else "Cost by line")
    prices = [{one.name: 1e6 * one.usd_per_token for one in against.lines} for against in lists]
    rows = [name for name in LINES if name in found.costs and (not prices or any(name in one for one in prices))]
    rows = rows or [name for name in LINES if name in found.costs]
    for place, name in enumerate(reversed(rows)):
        cost = found.costs[name]
        low, middle, high = (1e6 * usd for usd in (cost.low_usd, cost.usd, cost.high_usd))
        axes.plot([low, high], [place, place], color=theme.compute, linewidth=3.2, alpha=0.45, zorder=2)
        axes.plot(middle, place, "o", color=theme.compute, markersize=9, zorder=3)
        cells = [(format_dollars(cost.usd), theme.compute)]
        for one, colour in zip(prices, colours, strict=True):
            if name in one:
                dodged = place + DODGE * (len(cells) - (len(prices) + 1) / 2)
                axes.plot(one[name], dodged, "D", color=colour, markersize=7, zorder=4)
            cells.append((format_dollars(1e-6 * one[name]) if name in one else "", colour))
        _write_numbers(pen, axes, place, cells)
    heads = [("cost", theme.compute), *(("price", colour) for colour in colours)]
    _write_numbers(pen, axes, len(rows) - 0.25, heads)
    shown = [1e6 * usd for name in rows for usd in (found.costs[name].low_usd, found.costs[name].high_usd)]
    shown += [one[name] for one in prices for name in rows if name in one]
    axes.set_xscale("log")
    axes.set_xlim(min(shown) / 2, max(shown) * 2)
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_yticks(range(len(rows)), [LINES[name] for name in reversed(rows)], color=theme.ink, fontsize=TEXT_POINTS)
    _tick(pen, axes)
    axes.grid(visible=True, axis="x", color=theme.beyond)
    axes.set_axisbelow(True)
    axes.set_xlabel("dollars a million tokens", color=theme.muted, fontsize=SMALL_POINTS)


def _write_numbers(pen: Pen, axes: Axes, place: float, cells: Sequence[tuple[str, str]]) -> None:
    """Numbers in columns at the right of a row."""
    width = axes.get_position().width
    for number, (words, colour) in enumerate(cells, start=1):
        axes.text(
            1 + number * COLUMN / width,
            place,
            words,
            color=colour,
            fontsize=SMALL_POINTS,
            transform=axes.get_yaxis_transform(),
            horizontalalignment="right",
            verticalalignment="center",
        )


def _tick(pen: Pen, axes: Axes) -> None:
    """Powers of ten along the axis, as many as their numbers leave room for."""
    low, high = axes.get_xlim()
    powers = [power for power in range(-9, 7) if low <= 10.0**power <= high]
    most = max(int(axes.bbox.width / pen.pixels(TICK_POINTS)), 1)
    shown = powers[::-1][:: -(-len(powers) // most)]
    axes.set_xticks([10.0**power for power in shown], [f"${10.0**power:.{max(-power, 0)}f}" for power in shown])
    axes.minorticks_off()
