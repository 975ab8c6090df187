"""Price of a faster first token: the mixes of tiers that no other mix beats in both money and time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.figure import Figure

from ridgeline.boards.scale import LINEAR
from ridgeline.caching.hierarchy import Mix
from ridgeline.caching.log_mixes import LogMixes
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.panel import Line, Mark, Panel, Points
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_quantity
from ridgeline.seconds import HOUR_S

__all__ = ["mixes_figure"]

WHERE = (0.085, 0.2, 0.84, 0.51)
"""Left, bottom, width and height of the panel, in parts of the picture."""
ROOM = 0.12
"""Room beside the cheapest and the dearest mix, as a part of their distance, or of the price where there is only one.
"""
SOONER = 0.98
"""Largest time, as a part of the last named mix's, at which another mix is named."""
ABOVE = 1.3
"""Top of the upright axis, as a multiple of the longest time."""


def mixes_figure(
    of: LogMixes, chosen: Mix | None, *, timed: str, title: str, subtitle: str, foot: str, theme: Theme
) -> Figure:
    """One panel of slide size: a dot a mix, joined, with what is in it; that which was asked for is marked.

    Args:
        of: mixes that no other beats.
        chosen: chosen one of the mixes; None where none was asked for.
        timed: requests whose first token is timed, in words.
        title: title of the picture.
        subtitle: subject of the picture.
        foot: how it was found.
        theme: colours of the picture.
    """
    usd = HOUR_S * np.array([one.usd_per_s for one in of.mixes])
    times_s = np.array([one.ttft_s for one in of.mixes])
    beside = ROOM * (float(np.ptp(usd)) or float(usd[0]) or 1.0)
    low, high = max(float(usd[0]) - beside, 0.0), float(usd[-1]) + beside
    marked = list(_marked(of.mixes, chosen))
    panel = Panel(
        heading="First token against cost",
        caption=f"time to the first token, {timed}, without a queue",
        x_caption="dollars an hour: tiers, and the chips while they read",
        x=np.array([low, high]),
        # Between two mixes there is none: the dearer one begins at its own price.
        lines=(Line(name="", x=np.repeat(usd, 2)[1:], y=np.repeat(times_s, 2)[:-1], colour=theme.estimate),),
        marks=tuple(
            Mark(x=HOUR_S * one.usd_per_s, y=one.ttft_s, text=f"{said}\n{_inside(of, one)}", colour=theme.ink)
            for said, one in marked
        ),
        points=(
            Points(
                name="", x=usd, y=times_s, labels=tuple(_labels(of, [one for _, one in marked])), colour=theme.estimate
            ),
        ),
        show=lambda value: format_quantity(value, "s"),
        show_x=lambda value: format_quantity(value, "usd"),
        x_scale=LINEAR,
        y_scale=LINEAR,
        x_low=low,
        top=ABOVE * float(times_s.max()),
    )
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        draw_panel(pen, panel, pen.figure.add_axes(WHERE))
    return pen.figure


def _marked(mixes: Sequence[Mix], chosen: Mix | None) -> Iterator[tuple[str, Mix]]:
    """Cheapest and fastest mix, and the one that was asked for."""
    if chosen is not None:
        yield "chosen", chosen
    for said, one in (("cheapest", mixes[0]), ("quickest", mixes[-1])):
        if one is not chosen and (said == "cheapest" or len(mixes) > 1):
            yield said, one


def _labels(of: LogMixes, marked: Sequence[Mix]) -> Iterator[str]:
    """Contents of each mix that is visibly faster than the last one named; empty for the others."""
    named_s = np.inf
    for one in of.mixes:
        is_named = one.ttft_s < SOONER * named_s and not any(one is other for other in marked)
        named_s = one.ttft_s if is_named else named_s
        yield _inside(of, one) if is_named else ""


def _inside(of: LogMixes, mix: Mix) -> str:
    """Contents of a mix in words."""
    held = [
        f"{name} {format_quantity(size, 'bytes', 2)}"
        for name, size in zip(of.tiers, mix.capacities_bytes, strict=True)
        if size
    ]
    return ", ".join(held) or "no tier"
