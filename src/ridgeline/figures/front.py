"""Price of speed: fronts of pools or machines, with the best plan, and the bounds of speed and cost."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ridgeline.boards.scale import LINEAR, LOGARITHMIC
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.panel import Line, Mark, Panel, show_count
from ridgeline.figures.panel_words import rows_size
from ridgeline.figures.pen import Pen
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.planner.fronts import Front, Place
from ridgeline.quantity_text import format_quantity

__all__ = ["FAST", "front_figure"]

FAST = 2.5
"""Speed of a fast mode as providers sell it, as a multiple of the plan's."""
WORTH_MARKING = 0.95
"""Most that a place may cost to count as a cheap mode, as a part of the plan's cost: at least 5 % less."""
WHERE = (0.085, 0.19, 0.84, 0.54)
"""Left, bottom, width and height of the panel, in parts of the picture."""
ROOM = 1.06
"""Right end of the axis, as a multiple of the fastest place."""
THE_PLAN = "the plan"
BELOW, ABOVE = 0.6, 1.8
"""Lower and upper end of the upright axis, as multiples of the least and the greatest cost."""


def front_figure(
    fronts: Sequence[Front], *, title: str, subtitle: str, foot: str, output_tokens: float, theme: Theme
) -> Figure:
    """One panel of slide size; every front is named at its plan, and what the plans are stands at the top left.

    Args:
        fronts: fronts, at least one; costs are in dollars if all have a price, in chip-seconds otherwise.
        title: model and machine in words.
        subtitle: lengths, limits and formats.
        foot: sources of the numbers.
        output_tokens: output tokens of a request, over which its cost is spread.
        theme: colours of the picture.
    """
    priced = all(one.places[0].usd is not None for one in fronts)

    def cost(place: Place) -> float:
        paid = place.usd if priced and place.usd is not None else place.chip_s
        return paid / output_tokens

    def show(value: float) -> str:
        return format_quantity(value, "usd_per_token" if priced else "s").removesuffix("/Mtok")

    places = [place for one in fronts for place in one.places]
    costs, fastest = [cost(place) for place in places], max(place.tokens_per_s for place in places)
    colours = (theme.estimate, theme.compute, theme.kv, theme.weights, theme.muted)
    coloured = [(one, colours[number % len(colours)]) for number, one in enumerate(fronts)]
    what = "dollars per million output tokens" if priced else "chip-time of an output token"
    panel = Panel(
        heading="Cost against speed",
        caption=f"{what}, their prompts included",
        x_caption="speed: tokens per second that a user sees",
        x=np.array([0.0, ROOM * fastest]),
        lines=tuple(
            Line(
                name="",
                x=np.array([place.tokens_per_s for place in one.places]),
                y=np.array([cost(place) for place in one.places]),
                colour=colour,
            )
            for one, colour in coloured
        ),
        marks=tuple(_marks(coloured, cost)),
        rows=tuple(_rows(coloured, cost, show)),
        show=show,
        show_x=show_count,
        x_scale=LINEAR,
        y_scale=LOGARITHMIC,
        bottom=BELOW * min(costs),
        top=ABOVE * max(costs),
    )
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        axes = pen.figure.add_axes(WHERE)
        draw_panel(pen, dataclasses.replace(panel, top=_top(pen, panel, axes)), axes)
    return pen.figure


def _top(pen: Pen, panel: Panel, axes: Axes) -> float:
    """End of the upright axis at which no line runs into the rows of words."""
    width, height = rows_size(pen, panel.rows)
    bottom, top = panel.bottom or 1.0, panel.top or 1.0
    ends = float(panel.x[-1]) * width / axes.bbox.width
    below = [float(line.y[line.x <= ends].max(initial=bottom)) for line in panel.lines if line.x is not None]
    left = 1 - height / axes.bbox.height
    return max(top, bottom * math.pow(ABOVE * max(below) / bottom, 1 / left))


def _rows(
    fronts: Sequence[tuple[Front, str]], cost: Callable[[Place], float], show: Callable[[float], str]
) -> Iterator[tuple[str, str]]:
    """Rows of words: the plan of each front and its cost, with the front's colour."""
    for one, colour in fronts:
        if one.plan is not None:
            said = ", ".join((*one.plan.said.splitlines(), show(cost(one.plan))))
            yield f"{one.name or THE_PLAN}: {said}", colour


def _marks(fronts: Sequence[tuple[Front, str]], cost: Callable[[Place], float]) -> Iterator[Mark]:
    """Marks of each front's plan, and of faster or cheaper places of the first; the most wanted come first."""
    for one, colour in fronts:
        place = one.places[-1] if one.plan is None else one.plan
        said = one.name or THE_PLAN
        yield Mark(x=place.tokens_per_s, y=cost(place), text=said, colour=colour)
    one, colour = fronts[0]
    plan, end, cheapest = one.plan, one.places[-1], one.places[0]
    if plan is None:
        return
    fast = next((place for place in one.places if place.tokens_per_s >= FAST * plan.tokens_per_s), end)
    if fast is not end:
        said = f"{FAST:g} x as fast, {cost(fast) / cost(plan):.3g} x the cost\n{fast.said}"
        yield Mark(x=fast.tokens_per_s, y=cost(fast), text=said, colour=colour)
    if cost(cheapest) < WORTH_MARKING * cost(plan):
        said = f"{100 * (1 - cost(cheapest) / cost(plan)):.0f} % cheaper\n{cheapest.said}"
        yield Mark(x=cheapest.tokens_per_s, y=cost(cheapest), text=said, colour=colour)
    fastest = f"fastest of {one.name}" if one.name else "fastest"
    yield Mark(x=end.tokens_per_s, y=cost(end), text=f"{fastest}\n{end.said}", colour=colour)
