"""Prior and posterior of every unknown, and probabilities of every discrete answer before and after."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

from ridgeline.figures.frameless import frameless
from ridgeline.figures.pen import SMALL_POINTS, TEXT_POINTS
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.inversion.infer import Inference, Unknown
from ridgeline.inversion.intervals import Interval
from ridgeline.inversion.questions import Question
from ridgeline.inversion.said import NAMED, percent, shown, shown_range

__all__ = ["posterior_figure"]

LEFT, RIGHT = (0.245, 0.105, 0.42, 0.68), (0.79, 0.105, 0.185, 0.68)
"""Left, bottom, width and height of the panels, in parts of the picture."""

SHOWN_OPTIONS = 6
"""Largest number of a question's answers that are drawn, the likeliest first."""

WORDS_AT, ENDS_AT = 1.18, 1.95
"""Abscissas of a row's numbers and of its axis' end, in widths of the prior."""


def posterior_figure(found: Inference, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Two panels of slide size: a row an unknown over its own axis, and a row an answer.

    Each row has its own logarithmic scale, on which the prior takes the same room: a posterior of the same width has
    learnt nothing.

    Args:
        found: prior and posterior.
        title: title of the picture.
        subtitle: period of the prices.
        foot: sources of the numbers.
        theme: colours of the picture.
    """
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        _draw_unknowns(pen.figure.add_axes(LEFT), found.unknowns, theme)
        _draw_questions(pen.figure.add_axes(RIGHT), found.questions, theme)
    return pen.figure


def _draw_unknowns(axes: Axes, unknowns: Sequence[Unknown], theme: Theme) -> None:
    """Bars of nine tenths, thicker ones of half, and a dot in the middle; prior above posterior."""
    frameless(axes, theme)
    axes.set_xticks(())
    rows = list(reversed(unknowns))
    for at in (0, 1):
        axes.plot([at, at], [-0.5, len(rows) - 0.5], color=theme.beyond, linewidth=1.5, zorder=0)
    for place, one in enumerate(rows):
        # What is learnt is to be seen first, and what is not last.
        colour, ink = (theme.estimate, theme.estimate) if one.informed else (_pale(theme, 0.4), theme.muted)
        _draw_interval(axes, one.prior, one.prior, place + 0.17, _pale(theme, 0.75), THIN)
        _draw_interval(axes, one.posterior, one.prior, place - 0.17, colour, WIDE)
        middle = shown(one.name, one.posterior.p50)
        ends = shown_range(one.name, one.posterior.p05, one.posterior.p95)
        words = "misleads on open models" if one.misleads else f"{middle}  ({ends})"
        axes.text(WORDS_AT, place, words, color=ink, fontsize=SMALL_POINTS - 1.5, verticalalignment="center")
    axes.set_yticks(range(len(rows)), [NAMED[one.name].words for one in rows], color=theme.ink, fontsize=SMALL_POINTS)
    axes.set_xlim(-0.15, ENDS_AT)
    axes.set_ylim(-1.3, len(rows) - 0.4)
    above = len(rows) - 0.25
    axes.text(0, above, "prior", color=theme.muted, fontsize=TEXT_POINTS)
    axes.text(0.22, above, "posterior", color=theme.estimate, fontsize=TEXT_POINTS, fontweight="bold")
    axes.text(0.64, above, "pale: no news", color=theme.muted, fontsize=TEXT_POINTS)
    axes.text(WORDS_AT, above, "middle (5 % to 95 %)", color=theme.muted, fontsize=SMALL_POINTS)
    axes.text(
        0.5,
        -1.05,
        "each row has its own logarithmic axis; the two lines are the prior's 5 % and 95 %",
        color=theme.muted,
        fontsize=SMALL_POINTS - 1,
        horizontalalignment="center",
    )


def _pale(theme: Theme, part: float) -> str:
    """The colour of axes, thinned by the background's: solid, since not every program knows transparency."""
    red, green, blue = (
        part * of_muted + (1 - part) * of_background
        for of_muted, of_background in zip(to_rgb(theme.muted), to_rgb(theme.background), strict=True)
    )
    return to_hex((red, green, blue))


THIN, WIDE = 0.7, 1.3
"""Line widths of a prior's bars and of a posterior's."""


def _draw_interval(
    axes: Axes, interval: Interval, scale: Interval, height: float, colour: str, strength: float
) -> None:
    """One interval in a row's own scale, on which the prior reaches from 0 to 1."""
    low, high = math.log(scale.p05), math.log(scale.p95)
    values = (interval.p05, interval.p25, interval.p50, interval.p75, interval.p95)
    # Beyond the panel a bar ends at its edge.
    ends = [min(max((math.log(value) - low) / (high - low), -0.14), WORDS_AT - 0.04) for value in values]
    axes.plot([ends[0], ends[-1]], [height, height], color=colour, linewidth=1.8 * strength, solid_capstyle="butt")
    axes.plot([ends[1], ends[3]], [height, height], color=colour, linewidth=5 * strength, solid_capstyle="butt")
    axes.plot(ends[2], height, "o", color=colour, markersize=6 * strength)


def _draw_questions(axes: Axes, questions: Sequence[Question], theme: Theme) -> None:
    """A heading a question, and under it a bar an answer: chance after, with a stroke at that before."""
    frameless(axes, theme)
    axes.set_xticks(())
    height, ticks = 0.0, []
    names = {
        "machine": "chips",
        "format": "numbers",
        "kind": "model",
        "tier": "caches wait in",
        "step": "the step is",
    }
    for question in questions:
        colour = theme.estimate if question.informed else theme.muted
        verdict = "" if question.informed else ": not told"
        axes.text(
            -0.72,
            height,
            f"{names[question.name]}{verdict}",
            color=theme.ink,
            fontsize=TEXT_POINTS,
            fontweight="bold",
            verticalalignment="center",
        )
        height -= 1
        for option in question.options[:SHOWN_OPTIONS]:
            axes.barh(height, option.posterior, color=colour, height=0.6)
            axes.plot([option.prior, option.prior], [height - 0.42, height + 0.42], color=theme.ink, linewidth=2)
            axes.text(
                max(option.posterior, option.prior) + 0.03,
                height,
                percent(option.posterior),
                color=colour,
                fontsize=SMALL_POINTS - 1,
                verticalalignment="center",
            )
            ticks.append((height, option.name))
            height -= 1
        height -= 0.5
    axes.set_yticks([at for at, _ in ticks], [name for _, name in ticks], color=theme.ink, fontsize=SMALL_POINTS - 1)
    axes.set_xlim(0, 1.36)
    axes.set_ylim(height + 0.4, 1.6)
    axes.text(-0.72, 1.3, "bar: after the prices; stroke: before", color=theme.muted, fontsize=SMALL_POINTS)
