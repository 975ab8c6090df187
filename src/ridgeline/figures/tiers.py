"""Cost of a hit in each tier over the time that a cache is held, and the cheapest tier at each time."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ridgeline.boards.scale import DURATIONS, LOGARITHMIC
from ridgeline.caching.found import Caching
from ridgeline.caching.tiers import HBM, RECOMPUTE
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.panel import Line, Mark, Panel, Points
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_quantity
from ridgeline.seconds import FIVE_MINUTES_S, HOUR_S

__all__ = ["tiers_figure"]

SPAN_S = 1e-2, 1e7
FIRST = 2.0
"""Position of the first tier's name, as a multiple of the shortest holding time."""
POINTS = 200
WHERE = (0.085, 0.19, 0.78, 0.54)
"""Left, bottom, width and height of the panel, in parts of the picture."""
ABOVE, BELOW = 30.0, 0.4
"""Upper and lower end of the upright axis, as multiples of the cost of recomputing and of the least cost."""


def tiers_figure(found: Caching, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """One panel of slide size: a line for each tier, the lowest of all in bold, and what price lists ask.

    Args:
        found: costs of the tiers.
        title: model whose cache is kept.
        subtitle: machine, and uses of the cache.
        foot: costs that are counted.
        theme: colours of the picture.
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
        caption="dollars for the whole context, with its share of writing, wear and holding",
        x_caption="time for which it is kept",
        x=held_s,
        lines=(
            Line(name="", y=least, colour=theme.money, bold=True),
            *(
                Line(name="", x=np.full(2, time_s), y=np.array([bottom, top]), colour=theme.beyond)
                for time_s in (FIVE_MINUTES_S, HOUR_S)
            ),
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
        marks=(*_marks(found, held_s, least, colours, theme), *_list_marks(found, theme)),
        points=_lists(found, theme),
        show=lambda value: format_quantity(value, "usd", 2),
        show_x=lambda value: format_quantity(value, "duration", 2),
        x_scale=DURATIONS,
        y_scale=LOGARITHMIC,
        top=top,
        bottom=bottom,
    )
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        draw_panel(pen, panel, pen.figure.add_axes(WHERE))
    return pen.figure


def _colours(names: list[str], theme: Theme) -> dict[str, str]:
    """Colour of each tier, as on the board; DDR and CXL are grey, what lies behind a network has the links' colour."""
    known = {
        HBM: theme.estimate,
        "QLC flash": theme.also,
        "TLC flash": theme.also,
        "flash": theme.also,
        "disk": theme.ink,
        "pooled DDR": theme.links,
        "object store": theme.links,
        RECOMPUTE: theme.compute,
    }
    return {name: known.get(name, theme.muted) for name in names}


def _marks(
    found: Caching, held_s: NDArray[np.float64], least: NDArray[np.float64], colours: dict[str, str], theme: Theme
) -> list[Mark]:
    """Marks where the cheapest tier changes."""

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
    return changes


def _list_spots(found: Caching) -> list[tuple[float, float, float, str]]:
    """Spots of each write on a price list: time, ratio to the input price, cost of a hit, and the list's maker.

    A hit has its part of the write; dollars are the ratios times the model's own cost of the context.
    """
    again, reuse = found.held(RECOMPUTE).usd_per_hit, found.asked.reuse
    return [
        (held_s, ratio, ((ratio - 1) / reuse + one.hit_over_input) * again, one.model.split()[0].partition("-")[0])
        for one in found.prices.lists
        for held_s, ratio in one.writes_over_input.items()
        if one.hit_over_input is not None
    ]


def _list_marks(found: Caching, theme: Theme) -> list[Mark]:
    """Marks of the cheapest list of each write price, with its makers."""
    lowest: dict[tuple[float, float], float] = {}
    makers: dict[tuple[float, float], list[str]] = {}
    for held_s, ratio, usd, maker in _list_spots(found):
        lowest[held_s, ratio] = min(usd, lowest.get((held_s, ratio), usd))
        makers[held_s, ratio] = list(dict.fromkeys([*makers.get((held_s, ratio), []), maker]))
    return [
        Mark(
            x=held_s,
            y=usd,
            text=f"{', '.join(makers[held_s, ratio])} \N{MULTIPLICATION SIGN}{ratio:g}",
            colour=theme.money,
        )
        for (held_s, ratio), usd in lowest.items()
    ]


def _lists(found: Caching, theme: Theme) -> tuple[Points, ...]:
    """Costs of a hit by price lists."""
    spots = _list_spots(found)
    return (
        Points(
            name="",
            x=np.array([held_s for held_s, *_ in spots]),
            y=np.array([usd for *_, usd, _ in spots]),
            labels=("",) * len(spots),
            colour=theme.money,
        ),
    )
