"""What a hit costs in each tier over the time that a cache is held, and which tier is the cheapest when."""

from __future__ import annotations

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ridgeline.boards.scale import DURATIONS, LOGARITHMIC
from ridgeline.caching.found import Caching
from ridgeline.caching.provider_prices import FIVE_MINUTES_S, HOUR_S
from ridgeline.caching.tiers import HBM, RECOMPUTE
from ridgeline.figures.panel import Line, Mark, Panel, Pen, Points, draw_panel
from ridgeline.figures.slide import write_around
from ridgeline.figures.style import DPI, SIZE_INCHES, style
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_quantity

__all__ = ["tiers_figure"]

SPAN_S = 1e-2, 1e7
FIRST = 2.0
"""Times the shortest hold: where the first tier is named."""
POINTS = 200
WHERE = (0.085, 0.19, 0.78, 0.54)
"""Left, bottom, width and height of the panel, in parts of the picture."""
ABOVE, BELOW = 30.0, 0.4
"""Of what reading anew costs, and of the least cost: ends of the upright axis."""


def tiers_figure(found: Caching, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """One panel of slide size: a line a tier, the least of them bold, and list prices where they are asked for.

    Args:
        found: the tiers.
        title: whose cache is held.
        subtitle: where, and how often it is used.
        foot: what is paid.
        theme: colours.
    """
    held_s = np.geomspace(*SPAN_S, POINTS)
    reuse = found.asked.reuse
    costs = {line.name: np.asarray(line.cost_usd(held_s) + 0 * held_s, dtype=float) / reuse for line in found.lines}
    least: NDArray[np.float64] = np.min(list(costs.values()), axis=0)
    again = found.held(RECOMPUTE).usd_per_hit
    colours, best = _colours(list(costs), theme), {span.name for span in found.envelope}
    top, bottom = ABOVE * again, BELOW * float(least.min())
    panel = Panel(
        heading="Cost of a hit",
        caption="dollars for the whole context, with its part of writing, wear and holding",
        x_caption="time for which it is held",
        x=held_s,
        lines=(
            Line(name="", y=least, colour=theme.ink, bold=True),
            *(
                Line(
                    name=name if cost[-1] <= top else "",
                    x=held_s[cost <= top],
                    y=cost[cost <= top],
                    colour=colours[name],
                    floor=name == RECOMPUTE,
                )
                for name, cost in costs.items()
                if name in best or cost[-1] <= top
            ),
        ),
        marks=tuple(_marks(found, held_s, least, colours)),
        points=_lists(found, theme),
        show=lambda value: f"${np.format_float_positional(value, precision=2, fractional=False, trim='-')}",
        show_x=lambda value: format_quantity(value, "duration", 2),
        x_scale=DURATIONS,
        y_scale=LOGARITHMIC,
        top=top,
        bottom=bottom,
    )
    with style():
        figure = Figure(figsize=SIZE_INCHES, dpi=DPI, facecolor=theme.background)
        FigureCanvasAgg(figure)
        pen = Pen(figure=figure, theme=theme)
        write_around(pen, title=title, subtitle=subtitle, foot=foot)
        draw_panel(pen, panel, figure.add_axes(WHERE))
    return figure


def _colours(names: list[str], theme: Theme) -> dict[str, str]:
    """One for each tier; those that are rarely best are grey."""
    known = {HBM: theme.compute, "DDR": theme.estimate, "flash": theme.kv, "disk": theme.weights}
    return {name: known.get(name, theme.muted) for name in names}


def _marks(
    found: Caching, held_s: NDArray[np.float64], least: NDArray[np.float64], colours: dict[str, str]
) -> list[Mark]:
    """Where the cheapest tier changes, and the times for which caches are sold."""

    def at(time_s: float) -> float:
        return float(np.exp(np.interp(np.log(time_s), np.log(held_s), np.log(least))))

    changes = [
        Mark(
            x=span.from_s,
            y=at(span.from_s),
            text=f"{span.name} from {format_quantity(span.from_s, 'duration', 2)}",
            colour=colours[span.name],
        )
        for span in found.envelope[1:]
        if SPAN_S[0] < span.from_s < SPAN_S[1]
    ]
    first, start_s = found.envelope[0].name, FIRST * SPAN_S[0]
    changes.append(Mark(x=start_s, y=at(start_s), text=first, colour=colours[first]))
    sold = [
        Mark(x=time_s, y=at(time_s), text=text, colour=colours[RECOMPUTE])
        for time_s, text in ((FIVE_MINUTES_S, "5 min"), (HOUR_S, "1 h"))
    ]
    return [*changes, *sold]


def _lists(found: Caching, theme: Theme) -> tuple[Points, ...]:
    """What lists ask for a hit, with its part of the write, in this machine's cost of reading the context."""
    again, reuse = found.held(RECOMPUTE).usd_per_hit, found.asked.reuse
    spots = [
        (time_s, ((ratio - 1) / reuse + one.hit_over_input) * again, f"{one.model}")
        for one in found.prices.lists
        for time_s, ratio in ((FIVE_MINUTES_S, one.write_5min_over_input), (HOUR_S, one.write_1h_over_input))
        if ratio is not None and one.hit_over_input is not None
    ]
    unique = {(x, round(y, 12)): name for x, y, name in reversed(spots)}
    if not unique:
        return ()
    return (
        Points(
            name="",
            x=np.array([x for x, _ in unique]),
            y=np.array([y for _, y in unique]),
            labels=tuple(unique.values()),
            colour=theme.muted,
        ),
    )
