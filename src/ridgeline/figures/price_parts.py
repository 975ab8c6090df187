"""Panel beside the lines of a price: margins over the hit rate, or the parts that a token pays for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from ridgeline.figures.frameless import frameless
from ridgeline.figures.labels import spread
from ridgeline.figures.pen import SMALL_POINTS, TEXT_POINTS, Pen
from ridgeline.inversion.against import Against
from ridgeline.inversion.price import Pricing
from ridgeline.quantity_text import format_dollars

__all__ = ["draw_margins", "draw_shares"]

LEAST_PERCENT = -100.0
"""Margin at which serving costs twice the price; curves that go lower end there, with an arrow."""

LEAST_SHARE = 0.005
"""Least part of the cost whose dollars are written."""

ROW = 1.35
"""Line height of a row of words, over the size of its letters."""


def draw_margins(pen: Pen, axes: Axes, lists: Sequence[Against], colours: Sequence[str]) -> None:
    """Margin of the workload's requests over the part of their input that is found, a list a colour."""
    theme = pen.theme
    frameless(axes, theme, "Margin of this mix")
    lowest, ends, words = 0.0, [], []
    for one, colour in zip(lists, colours, strict=True):
        hits = np.array([100 * point.hit_fraction for point in one.curve])
        margins = np.array([100 * point.margin_fraction for point in one.curve])
        lowest = min(lowest, float(margins.min()), 100 * one.mix.margin_fraction)
        axes.plot(hits, margins, color=colour, linewidth=3, clip_on=True, zorder=3)
        at = max(100 * one.mix.margin_fraction, LEAST_PERCENT)
        axes.plot(
            100 * one.mix.hit_fraction,
            at,
            "o" if at > LEAST_PERCENT else "v",
            color=colour,
            markersize=9,
            clip_on=False,
            zorder=4,
        )
        ends.append(max(float(margins[-1]), LEAST_PERCENT))
        words.append(_here_and_at_the_end(one))
    here = 100 * lists[0].mix.hit_fraction
    axes.axvline(here, color=theme.muted, linewidth=1, linestyle=(0, (2, 3)), zorder=2)
    axes.axhline(0, color=theme.muted, linewidth=1, zorder=1)
    axes.set_xlim(-4, 100)
    axes.set_ylim(max(1.1 * lowest, LEAST_PERCENT) - 4, 104)
    axes.set_xlabel("% of the input found in the cache", color=theme.muted, fontsize=SMALL_POINTS)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    axes.grid(visible=True, axis="y", color=theme.beyond)
    axes.set_axisbelow(True)
    _write_beside(pen, axes, ends, words, colours)


def _here_and_at_the_end(one: Against) -> str:
    """Rows of both margins; for a price below cost, the ratio of cost to price."""
    last = one.curve[-1]
    here, end = one.mix.margin_fraction, last.margin_fraction
    first = f"{100 * here:.0f} % here," if here >= 0 else f"costs {1 - here:.2g} x,"
    then = f"{100 * end:.0f} %" if end >= 0 else f"{1 - end:.2g} x"
    return f"{first}\n{then} at {100 * last.hit_fraction:.0f} %"


def _write_beside(pen: Pen, axes: Axes, heights: Sequence[float], words: Sequence[str], colours: Sequence[str]) -> None:
    """Words at the right of an axis, as near to heights of it as they can be without touching."""
    bottom, top = axes.get_ylim()
    points = axes.bbox.height * 72 / pen.figure.dpi
    lines = max(said.count("\n") + 1 for said in words)
    row = (ROW * lines + 0.2) * SMALL_POINTS * (top - bottom) / points
    centres = spread(list(heights), [row] * len(words), low=bottom, high=top)
    for said, centre, colour in zip(words, centres, colours, strict=True):
        axes.annotate(
            said,
            (1, centre),
            xycoords=axes.get_yaxis_transform(),
            xytext=(8, 0),
            textcoords="offset points",
            color=colour,
            fontsize=SMALL_POINTS,
            verticalalignment="center",
            annotation_clip=False,
        )


def draw_shares(pen: Pen, axes: Axes, found: Pricing) -> None:
    """Shares of what a million tokens in and a million out pay for; their numbers beside them."""
    theme = pen.theme
    frameless(axes, theme, "Shares of the cost, dollars in and out")
    colours = {
        "chips at work": theme.compute,
        "host": theme.also,
        "network": theme.links,
        "room and staff": theme.money,
        "electricity": theme.weights,
        "idle chips": theme.kv,
        "idle for latency": theme.estimate,
        "idle hours": theme.muted,
        "failed work": theme.wrong,
    }
    parts = [one for one in found.stack if one.usd_per_input_token or one.usd_per_output_token]
    centres: list[float] = []
    for place, side in enumerate(("input", "output")):
        usd = [float(getattr(one, f"usd_per_{side}_token")) for one in parts]
        shares = [100 * one / sum(usd) for one in usd]
        bottoms = [sum(shares[:number]) for number in range(len(parts))]
        for one, share, bottom in zip(parts, shares, bottoms, strict=True):
            axes.bar(
                place,
                share,
                bottom=bottom,
                color=colours[one.name],
                width=0.8,
                edgecolor=theme.background,
                linewidth=0.8,
            )
        axes.text(
            place, 102, format_dollars(sum(usd)), color=theme.ink, fontsize=TEXT_POINTS, horizontalalignment="center"
        )
        centres = [bottom + share / 2 for share, bottom in zip(shares, bottoms, strict=True)]
    axes.set_xticks((0, 1), ("in", "out"), color=theme.ink, fontsize=TEXT_POINTS)
    axes.set_ylim(0, 110)
    axes.set_yticks(())
    axes.set_xlim(-0.5, 1.5)
    least = LEAST_SHARE * found.usd_per_token["output"]
    words = [
        f"{one.name}\n{format_dollars(one.usd_per_input_token)}, {format_dollars(one.usd_per_output_token)}"
        if one.usd_per_output_token > least
        else f"{one.name}\nbelow {100 * LEAST_SHARE:g} %"
        for one in parts
    ]
    _write_beside(pen, axes, centres, words, [colours[one.name] for one in parts])
