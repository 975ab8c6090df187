"""What each line of a price list costs to serve, beside what lists ask; and margins over the hit rate."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ridgeline.figures.panel import HEADING_POINTS, SMALL_POINTS, TEXT_POINTS, Pen
from ridgeline.figures.slide import write_around
from ridgeline.figures.style import DPI, SIZE_INCHES, style
from ridgeline.figures.theme import Theme
from ridgeline.inversion.price import Pricing
from ridgeline.quantity_text import format_quantity

__all__ = ["price_stack_figure"]

LEFT, RIGHT = (0.185, 0.2, 0.355, 0.56), (0.66, 0.2, 0.27, 0.56)
"""Left, bottom, width and height of the panels, in parts of the picture."""

LINES = {
    "input": "input, computed",
    "cached_input": "input, found",
    "cache_write_5min": "input, kept 5 min",
    "cache_write_1h": "input, kept 1 h",
    "output": "output",
    "batch_input": "batch input",
    "batch_output": "batch output",
    "fast_input": "fast input",
    "fast_output": "fast output",
    "input_above": "input, long prompts",
    "output_above": "output, long prompts",
}
"""Lines that are drawn, from the top."""

LEAST_USD_PER_MTOK = 1e-3
"""Left end of the axis at least: no list asks less."""


def price_stack_figure(found: Pricing, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Two panels of slide size: a row a line, with its cost and its prices; and margins, or the stack without a list.

    Args:
        found: costs and lists.
        title: what is shown.
        subtitle: of what.
        foot: what is paid.
        theme: its colours.
    """
    with style():
        figure = Figure(figsize=SIZE_INCHES, dpi=DPI, facecolor=theme.background)
        FigureCanvasAgg(figure)
        pen = Pen(figure=figure, theme=theme)
        write_around(pen, title=title, subtitle=subtitle, foot=foot)
        _draw_lines(figure.add_axes(LEFT), found, theme)
        if found.against:
            _draw_margins(figure.add_axes(RIGHT), found, theme)
        else:
            _draw_stack(figure.add_axes(RIGHT), found, theme)
    return figure


def _bare(axes: Axes, theme: Theme, heading: str) -> None:
    """An axis without a frame, and what it is about."""
    axes.set_facecolor(theme.background)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(colors=theme.muted, labelsize=SMALL_POINTS, length=0)
    axes.set_title(heading, loc="left", fontsize=HEADING_POINTS, color=theme.ink, pad=22)


def _draw_lines(axes: Axes, found: Pricing, theme: Theme) -> None:
    """Cost and prices of each line, dollars a million tokens."""
    _bare(axes, theme, "Cost and price by line")
    prices = [{one.name: 1e6 * one.usd_per_token for one in against.lines} for against in found.against]
    rows = [
        name for name in LINES if name in found.usd_per_token and (not prices or any(name in one for one in prices))
    ]
    rows = rows or [name for name in LINES if name in found.usd_per_token]
    colours = (theme.money, theme.links, theme.also)
    for place, name in enumerate(reversed(rows)):
        cost = max(1e6 * found.usd_per_token[name], LEAST_USD_PER_MTOK)
        listed = [one[name] for one in prices if name in one]
        ends = [cost, *listed]
        axes.plot([min(ends), max(ends)], [place, place], color=theme.muted, linewidth=1.4, zorder=1)
        axes.plot(cost, place, "o", color=theme.compute, markersize=9, zorder=2)
        is_right = not listed or cost > max(listed)
        _beside(axes, cost, place, _usd(1e6 * found.usd_per_token[name]), theme.compute, is_right=is_right)
        for number, usd in enumerate(listed):
            axes.plot(usd, place, "D", color=colours[number % len(colours)], markersize=8, zorder=3)
        if listed:
            _beside(axes, max(listed), place, _usd(max(listed)), colours[0], is_right=not is_right)
    shown = [max(1e6 * found.usd_per_token[name], LEAST_USD_PER_MTOK) for name in rows]
    shown += [one[name] for one in prices for name in rows if name in one]
    axes.set_xscale("log")
    axes.set_xlim(min(shown) / 25, max(shown) * 8)
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_yticks(range(len(rows)), [LINES[name] for name in reversed(rows)], color=theme.ink, fontsize=TEXT_POINTS)
    axes.xaxis.set_major_formatter(lambda value, _: f"${value:g}")
    axes.minorticks_off()
    axes.grid(visible=True, axis="x", color=theme.beyond)
    axes.set_axisbelow(True)
    axes.set_xlabel("dollars a million tokens", color=theme.muted, fontsize=SMALL_POINTS)
    axes.text(0, 1.02, "● cost of serving", color=theme.compute, transform=axes.transAxes, fontsize=TEXT_POINTS)
    for number, against in enumerate(found.against):
        axes.text(
            -0.45,
            -0.165 - 0.055 * number,
            f"◆ {against.listing}",
            color=colours[number % len(colours)],
            transform=axes.transAxes,
            fontsize=TEXT_POINTS,
        )


def _beside(axes: Axes, x: float, y: float, words: str, colour: str, *, is_right: bool) -> None:
    axes.annotate(
        words,
        (x, y),
        xytext=(9 if is_right else -9, 0),
        textcoords="offset points",
        color=colour,
        fontsize=SMALL_POINTS,
        horizontalalignment="left" if is_right else "right",
        verticalalignment="center",
    )


def _draw_margins(axes: Axes, found: Pricing, theme: Theme) -> None:
    """Margin of the workload's requests over the part of their input that is found."""
    _bare(axes, theme, "Margin of this mix")
    colours = (theme.money, theme.links, theme.also)
    lowest = 0.0
    for number, against in enumerate(found.against):
        colour = colours[number % len(colours)]
        hits = np.array([point.hit_fraction for point in against.curve])
        margins = np.array([point.margin_fraction for point in against.curve])
        lowest = min(lowest, float(margins.min()))
        axes.plot(100 * hits, 100 * margins, color=colour, linewidth=3)
        at = against.mix
        axes.plot(100 * at.hit_fraction, 100 * at.margin_fraction, "o", color=colour, markersize=9)
        axes.annotate(
            f"{100 * at.margin_fraction:.0f} % here",
            (100 * at.hit_fraction, 100 * at.margin_fraction),
            xytext=(-6, 8),
            textcoords="offset points",
            color=colour,
            fontsize=TEXT_POINTS,
            horizontalalignment="right",
        )
        axes.annotate(
            f"{100 * margins[-1]:.0f} %",
            (100 * hits[-1], 100 * margins[-1]),
            xytext=(6, 0),
            textcoords="offset points",
            color=colour,
            fontsize=TEXT_POINTS,
            verticalalignment="center",
        )
    axes.axhline(0, color=theme.muted, linewidth=1)
    axes.set_xlim(0, 100)
    axes.set_ylim(100 * lowest * 1.1 - 2, 104)
    axes.set_xlabel("% of the input found in the cache", color=theme.muted, fontsize=SMALL_POINTS)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    axes.grid(visible=True, axis="y", color=theme.beyond)
    axes.set_axisbelow(True)


def _draw_stack(axes: Axes, found: Pricing, theme: Theme) -> None:
    """What a token in and one out pay for."""
    _bare(axes, theme, "What it pays for")
    colours = {
        "chips at work": theme.compute,
        "electricity": theme.weights,
        "host": theme.also,
        "network": theme.links,
        "chips that wait": theme.kv,
        "idle for latency": theme.estimate,
        "idle hours": theme.muted,
        "failed work": theme.wrong,
    }
    for place, side in enumerate(("input", "output")):
        parts = [(one.name, 1e6 * getattr(one, f"usd_per_{side}_token")) for one in found.stack]
        whole = sum(usd for _, usd in parts)
        bottom = 0.0
        for name, usd in parts:
            share = 100 * usd / whole
            axes.bar(place, share, bottom=bottom, color=colours.get(name, theme.also), width=0.8)
            if share > 4:  # noqa: PLR2004  percent; a lower bar has no room for words
                axes.text(
                    place,
                    bottom + share / 2,
                    f"{name}\n{_usd(usd)}",
                    color=theme.background,
                    fontsize=SMALL_POINTS,
                    horizontalalignment="center",
                    verticalalignment="center",
                )
            bottom += share
        axes.text(place, 102, _usd(whole), color=theme.ink, fontsize=TEXT_POINTS, horizontalalignment="center")
    axes.set_xticks((0, 1), ("a million in", "a million out"), color=theme.ink, fontsize=TEXT_POINTS)
    axes.set_ylim(0, 110)
    axes.set_yticks(())
    axes.set_xlim(-0.5, 1.5)


def _usd(usd_per_mtok: float) -> str:
    if usd_per_mtok < LEAST_USD_PER_MTOK:
        return "< $0.001"
    return format_quantity(usd_per_mtok, "usd", 3)
