"""A model's life as one budget: lines of one loss, crossing costs, shares, and over-training by each law."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ridgeline.boards.scale import LINEAR, LOGARITHMIC
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.panel import Line, Mark, Panel, Points
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.lifecycle.sweeps import LevelLines, NamedPoint, OverTraining, ShareCurves, SizeCurves
from ridgeline.quantity_text import format_quantity

__all__ = ["iso_loss_figure", "over_training_figure", "shares_figure", "sizes_figure"]

WHERE = (0.085, 0.19, 0.76, 0.54)
"""Left, bottom, width and height of the panel, in parts of the picture."""
NAMED = ("DeepSeek-V3", "Llama 3.1 8B", "Llama 3.1 405B", "Qwen3 0.6B")
"""Models whose points bear a name; more would lie over each other."""
HIGHEST = 1e4
"""Over-training at which its picture ends."""
TALLEST = 3.0
"""Top of the picture of costs, as a multiple of the least total cost."""


def _count(value: float) -> str:
    return format_quantity(value, "count", 2)


def _named(point: NamedPoint) -> str:
    """Name of a model with the output tokens that its over-training suits; empty where it would lie over others."""
    if point.name not in NAMED:
        return ""
    return f"{point.name}: {point.over_training:.0f}×, right for {_count(point.output_tokens)}"


def _draw(panel: Panel, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """One panel of slide size."""
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        draw_panel(pen, panel, pen.figure.add_axes(WHERE))
    return pen.figure


def iso_loss_figure(found: LevelLines, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Tokens over parameters: lines of one loss, dashed contours of cost, the cheapest of its loss.

    Args:
        found: lines of equal loss and of equal cost.
        title: question that the picture answers.
        subtitle: scaling law and demand.
        foot: costs that are counted.
        theme: colours of the picture.
    """
    low, high = found.best.tokens / 50, found.best.tokens * 50
    lines = [
        Line(
            name="",
            x=found.params[(tokens > low) & (tokens < high)],
            y=tokens[(tokens > low) & (tokens < high)],
            colour=theme.money,
            floor=True,
        )
        for tokens in found.costs.values()
    ]
    for loss, tokens in found.losses.items():
        seen = np.isfinite(tokens) & (tokens < high) & (tokens > low)
        here = bool(np.isclose(loss, found.best.loss))
        lines.append(
            Line(
                name=f"loss {loss:.3f}",
                x=found.params[seen],
                y=tokens[seen],
                colour=theme.ink if here else theme.muted,
                bold=here,
            )
        )
    best = found.best
    lasts = [int(np.flatnonzero((tokens > low) & (tokens < high))[-1]) for tokens in found.costs.values()]
    contours = Points(
        name="",
        x=found.params[lasts],
        y=np.array([tokens[last] for tokens, last in zip(found.costs.values(), lasts, strict=True)]),
        labels=tuple(f"{one:g}\N{MULTIPLICATION SIGN}" for one in found.costs),
        colour=theme.money,
    )
    words = f"least: {_count(best.active_params)}\non {_count(best.tokens)}"
    marks = [Mark(x=best.active_params, y=best.tokens, text=words, colour=theme.ink)]
    if found.as_asked is not None:
        one = found.as_asked
        said = f"as asked: {_count(one.active_params)}\non {_count(one.tokens)}"
        marks.append(Mark(x=one.active_params, y=one.tokens, text=said, colour=theme.compute))
    panel = Panel(
        heading="One loss, many models",
        caption="tokens of pre-training; dashed: cost, over the least",
        x_caption="active parameters",
        x=found.params,
        lines=tuple(lines),
        marks=tuple(marks),
        points=(contours,),
        show=_count,
        show_x=_count,
        x_scale=LOGARITHMIC,
        y_scale=LOGARITHMIC,
        top=high,
        bottom=low,
    )
    return _draw(panel, title=title, subtitle=subtitle, foot=foot, theme=theme)


def sizes_figure(found: SizeCurves, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Costs over parameters of models of one loss: pre-training falls, serving and reinforcement learning rise.

    Args:
        found: costs by size.
        title: question that the picture answers.
        subtitle: scaling law and demand.
        foot: costs that are counted.
        theme: colours of the picture.
    """
    least = found.best.total_cost
    phases, total = found.phases, np.asarray(found.phases.total) / least
    seen = total <= TALLEST
    later = np.asarray(phases.serving) / least
    rl = np.asarray(phases.rl) / least
    one = found.best
    words = f"least: {_count(one.active_params)} on {_count(one.tokens)}"
    marks = [Mark(x=one.active_params, y=1.0, text=words, colour=theme.ink)]
    if found.as_asked is not None:
        there = found.as_asked
        said = f"as asked: {there.total_cost / least:.2f}"
        marks.append(Mark(x=there.active_params, y=there.total_cost / least, text=said, colour=theme.compute))
    x = found.params[seen]
    pretraining = np.asarray(phases.pretraining)[seen] / least
    alike = bool(np.allclose(later, rl))
    panel = Panel(
        heading="Two costs that cross",
        caption="over the least cost of the whole life",
        x_caption="active parameters of models of the same loss",
        x=x,
        lines=(
            Line(name="pre-training", y=pretraining, colour=theme.compute),
            Line(name="serving, and RL" if alike else "serving", y=later[seen], colour=theme.also),
            *(() if alike or not rl.any() else (Line(name="RL", y=rl[seen], colour=theme.estimate, floor=True),)),
            Line(name="all", y=total[seen], colour=theme.ink, bold=True),
        ),
        marks=tuple(marks),
        show=lambda value: f"{value:.3g}",
        show_x=_count,
        x_scale=LOGARITHMIC,
        y_scale=LINEAR,
        top=TALLEST,
    )
    return _draw(panel, title=title, subtitle=subtitle, foot=foot, theme=theme)


def shares_figure(found: ShareCurves, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Shares of the three budgets over served tokens.

    Args:
        found: shares of the three budgets.
        title: question that the picture answers.
        subtitle: scaling law and demand.
        foot: costs that are counted.
        theme: colours of the picture.
    """
    alike = bool(np.allclose(found.rl, found.serving))
    best = found.best
    said = format_quantity(best.shares.pretraining, "fraction", 2)
    words = f"{said} at {_count(found.here)}:\n{_count(best.active_params)} on {_count(best.tokens)}"
    panel = Panel(
        heading="Three budgets",
        caption="part of the cost of the cheapest model's life",
        x_caption="tokens written for users",
        x=found.served_tokens,
        lines=(
            Line(name="serving, and RL" if alike else "serving", y=found.serving, colour=theme.also),
            *(() if alike else (Line(name="RL", y=found.rl, colour=theme.estimate, floor=True),)),
            Line(name="pre-training", y=found.pretraining, colour=theme.compute, bold=True),
        ),
        marks=(Mark(x=found.here, y=best.shares.pretraining, text=words, colour=theme.compute),),
        show=lambda value: format_quantity(value, "fraction", 2),
        show_x=_count,
        x_scale=LOGARITHMIC,
        y_scale=LINEAR,
        top=1.0,
    )
    return _draw(panel, title=title, subtitle=subtitle, foot=foot, theme=theme)


def over_training_figure(found: OverTraining, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Over-training of the cheapest model over what it serves, a line a law; points are models as published.

    Args:
        found: over-training by law.
        title: question that the picture answers.
        subtitle: quantities on the axes.
        foot: note on the placement of models.
        theme: colours of the picture.
    """
    ours = found.placed_by.short
    colours = (theme.kv, theme.compute, theme.money, theme.links, theme.also)
    lines = [
        Line(
            name=name,
            y=values,
            colour=theme.ink if name == ours else colours[number % len(colours)],
            bold=name == ours,
        )
        # The last is named at the top, and all leave the frame there.
        for number, (name, values) in enumerate(sorted(found.by_law.items(), key=lambda one: float(one[1][-1])))
    ]
    x = found.served_per_token
    here = float(np.exp(np.interp(np.log(found.equal_thirds), np.log(x), np.log(found.by_law[ours]))))
    words = f"equal thirds: {here:.0f}×"
    panel = Panel(
        heading="Over-training by what is served",
        caption="times the tokens that are best for training alone",
        x_caption="tokens written after training, for each token of pre-training",
        x=x,
        lines=tuple(lines),
        marks=(Mark(x=found.equal_thirds, y=here, text=words, colour=theme.ink),),
        points=(
            Points(
                name="models, over 20\na parameter",
                x=np.array([one.served_per_token for one in found.points]),
                y=np.array([one.over_training for one in found.points]),
                labels=tuple(_named(one) for one in found.points),
                colour=theme.muted,
            ),
        )
        if found.points
        else (),
        show=lambda value: f"{value:,.0f}×",
        show_x=lambda value: f"{value:g}",
        x_scale=LOGARITHMIC,
        y_scale=LOGARITHMIC,
        top=HIGHEST,
        bottom=1.0,
    )
    return _draw(panel, title=title, subtitle=subtitle, foot=foot, theme=theme)
