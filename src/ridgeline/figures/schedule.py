"""A pipeline schedule over time: a row for each stage, and below the activations that the stages keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ridgeline.boards.picture import Axis
from ridgeline.boards.scale import LINEAR
from ridgeline.boards.schedules import COLOURS, timeline
from ridgeline.figures.cells import GAP, draw_timeline
from ridgeline.figures.pen import SMALL_POINTS, TEXT_POINTS, Pen
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.training.schedules import Part, Schedule, Timeline

__all__ = ["REST", "schedule_figure"]

ROWS = (0.075, 0.37, 0.895, 0.43)
KEPT = (0.075, 0.165, 0.895, 0.12)
"""Left, bottom, width and height of the rows, and of what is kept, in parts of the picture."""
LEGEND_HEIGHT, LEGEND_LEFT, LEGEND_GAP = 0.835, 0.03, 0.025
ROOM_FOR_NUMBERS = (80, 50, 35)
"""Shortest tasks in a row whose numbers of one, two and three digits can be read."""
MOST_ROWS = 16
"""Largest number of rows that are all named; of more, every second, fourth, ... is."""
THIN = 1.8
REST = "rest of the step: messages, optimizer"
"""Name of the part of a step after its passes."""


def schedule_figure(
    played: Timeline, *, title: str, subtitle: str, foot: str, theme: Theme, step_s: float | None = None
) -> Figure:
    """A picture of slide size; a stage's second chunk, and every other one, is paler.

    Args:
        played: time line of the step.
        title: title of the picture.
        subtitle: summary of the time line.
        foot: how it was found.
        theme: colours of the picture.
        step_s: time of the whole step, s, its messages and its optimizer included; None for the passes alone.
    """
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        _name_parts(pen, played, has_rest=step_s is not None)
        rows = pen.figure.add_axes(ROWS)
        _draw_rows(pen, played, rows)
        if step_s is not None:
            _draw_rest(pen, played, step_s, rows)
        _draw_kept(pen, played, pen.figure.add_axes(KEPT, sharex=rows))
    return pen.figure


def _name_parts(pen: Pen, played: Timeline, *, has_rest: bool) -> None:
    """Write each kind of pass in its colour."""
    parts = [part for part in Part if any(run.part is part for run in played.runs)]
    words = [(part.text, getattr(pen.theme, COLOURS[part].value)) for part in parts]
    if has_rest:
        words.append((REST, pen.theme.links))
    if played.shape.virtual_stages > 1:
        words.append((_paler(played.schedule), pen.theme.muted))
    _name(pen, LEGEND_LEFT, LEGEND_HEIGHT, words)


def _paler(schedule: Schedule) -> str:
    if schedule.directions > 1:
        return "paler: from the other end"
    return f"paler: every other {'round' if schedule.is_forward_only else 'chunk'}"


def _name(pen: Pen, left: float, height: float, words: Sequence[tuple[str, str]]) -> None:
    """Write words in a line, each in its colour."""
    for text, colour in words:
        label = pen.figure.text(left, height, text, fontsize=TEXT_POINTS, fontweight="bold", color=colour)
        left += pen.size(label)[0] / pen.figure.bbox.width + LEGEND_GAP


def _draw_rows(pen: Pen, played: Timeline, axes: Axes) -> None:
    digits = min(len(str(played.shape.micro_batches - 1)), len(ROOM_FOR_NUMBERS))
    drawn = replace(timeline(played, room=ROOM_FOR_NUMBERS[digits - 1]), text="")
    along, upright = Axis(caption="", dimension="s"), Axis(caption="stage", dimension="count")
    pale = {number for number, run in enumerate(played.runs) if run.chunk // played.shape.stages % 2}
    draw_timeline(pen, drawn, axes, along=along, upright=upright, pale=pale)
    axes.tick_params(labelbottom=False)
    every = -(-played.shape.stages // MOST_ROWS)
    axes.set_yticks(
        [row + 0.5 for row in range(0, played.shape.stages, every)],
        [drawn.rows[row] for row in range(0, played.shape.stages, every)],
    )


def _draw_rest(pen: Pen, played: Timeline, step_s: float, axes: Axes) -> None:
    """Fill what the step takes after its passes, and lengthen the axis to the step's end."""
    rest_s = max(step_s - played.span_s, 0.0)
    axes.barh(
        [row + 0.5 for row in range(played.shape.stages)],
        rest_s,
        left=played.span_s,
        height=1 - 2 * GAP,
        color=pen.theme.links,
        linewidth=0,
    )
    axes.set_xlim(0, played.span_s + rest_s)
    axes.set_xticks(LINEAR.ticks(0.0, played.span_s + rest_s))
    axes.set_ylim(played.shape.stages, 0)


def _draw_kept(pen: Pen, played: Timeline, axes: Axes) -> None:
    """Draw the micro-batches whose activations the first and the last stage keep."""
    theme, last = pen.theme, played.shape.stages - 1
    top = 0.0
    axes.set_facecolor("none")
    stages = {last: theme.also} | {0: theme.estimate}
    _name(pen, KEPT[0], KEPT[1] + KEPT[3] + 0.02, [(f"stage {row + 1}", stages[row]) for row in sorted(stages)])
    for device, colour in stages.items():
        levels = [*played.kept(device), (played.span_s, 0.0)]
        times, kept = zip(*levels, strict=True)
        axes.step(times, kept, where="post", color=colour, linewidth=THIN, clip_on=False)
        top = max(top, *kept)
    axes.set_ylim(0, 1.1 * top)
    axes.set_yticks([0, top], ["0", f"{top:g}"])
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(length=0, labelcolor=theme.muted, labelsize=SMALL_POINTS)
    axes.tick_params(axis="x", pad=10)
    axes.set_ylabel("kept", fontsize=TEXT_POINTS, color=theme.muted, labelpad=8)
