"""``ridgeline schedules``: pipeline schedules of a training step side by side, and one of them drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from ridgeline.cli.arguments import TIME, WHOLE, json_option
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.output import console, print_json, print_table, print_text
from ridgeline.quantity_text import format_quantity
from ridgeline.training.schedules import (
    SCHEDULES,
    Compared,
    Schedule,
    ScheduleError,
    Shape,
    StageTimes,
    compare,
    find_schedule,
    peaks,
    play,
)

__all__ = ["command"]

HEADERS = ("schedule", "chunks", "bubble", "if all wait", "keeps", "of 1F1B", "parameters", "sends")
LEGEND = (
    "chunks: parts of the layers a stage; bubble: part of the step in which a stage idles; if all wait: the same where"
    " no stage takes its optimizer step before all are done; keeps: micro-batches whose activations the fullest stage"
    " keeps; of 1F1B: the same over 1F1B's; parameters: held by a stage, over 1F1B's; sends: messages between stages"
    " for each micro-batch"
)
"""Meanings of the table's heads."""

MOST_DRAWN = 4096
"""Most passes of a picture, such as 16 parts of each of 16 stages for 16 micro-batches; more cannot be seen."""

Command = Callable[..., None]
Asked = dict[str, Any]
"""Options by the parameters' names of ``compare``."""


class _Part(click.ParamType[float]):
    """Time, or a number where nothing but ratios matters, taken as seconds."""

    name = "TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Time in seconds, from text or a number."""
        try:
            return float(value)
        except ValueError:
            return TIME.convert(value, param, ctx)


PART = _Part()


def _part_option(name: str, field: str, default: float, text: str) -> Callable[[Command], Command]:
    return click.option(name, field, type=PART, default=default, show_default=True, help=text)


@click.command("schedules")
@click.option("--stages", type=WHOLE, required=True, help="Devices of the pipeline.")
@click.option("--micro-batches", type=WHOLE, required=True, help="Of a step.")
@_part_option("--forward", "forward_s", 1, "Forward pass of a micro-batch through a stage: 12ms, or a number.")
@_part_option("--input-gradient", "input_gradient_s", 1, "The same of the gradient that goes back to the stage before.")
@_part_option("--weight-gradient", "weight_gradient_s", 1, "The same of that of the stage's own weights.")
@_part_option("--hop", "hop_s", 0, "Send from a stage to another; stages work on meanwhile.")
@click.option("--virtual-stages", type=WHOLE, help="Chunks a stage, of interleaved 1F1B.  [default: 2]")
@click.option("--schedule", "name", metavar="NAME", help=f"What --figure draws: {', '.join(SCHEDULES)}.")
@figure_options("--schedule, stage by stage,")
@json_option
def command(
    *,
    stages: float,
    micro_batches: float,
    forward_s: float,
    input_gradient_s: float,
    weight_gradient_s: float,
    hop_s: float,
    virtual_stages: float | None,
    name: str | None,
    figure: Path | None,
    theme: str | None,
    as_json: bool,
) -> None:
    """Compare pipeline schedules: how long stages idle, what they keep, hold and send.

    Zero bubble needs an optimizer step that waits for no other stage; "if all wait" is the bubble with one that does.
    """
    refuse_theme_alone(figure, theme)
    if (name is None) != (figure is None):
        add, hint = ("--schedule NAME", "--figure") if name is None else ("--figure FILE", "--schedule")
        raise click.BadParameter(f"the two go together; add {add}", param_hint=hint)
    asked: Asked = {
        "stages": int(stages),
        "micro_batches": int(micro_batches),
        "forward_s": forward_s,
        "input_gradient_s": input_gradient_s,
        "weight_gradient_s": weight_gradient_s,
        "hop_s": hop_s,
        "virtual_stages": None if virtual_stages is None else int(virtual_stages),
    }
    schedule = None if name is None else _found(name)
    shape = None if schedule is None else _to_draw(schedule, asked)
    found = compare(**asked)
    if as_json:
        print_json({"inputs": asked | {"schedule": schedule and schedule.id}, "schedules": list(map(asdict, found))})
    else:
        _print(found, asked)
    if schedule is not None and shape is not None and figure is not None:
        _draw(schedule, shape, asked, figure, theme)


def _found(name: str) -> Schedule:
    try:
        return find_schedule(name)
    except ScheduleError as error:
        raise click.BadParameter(str(error), param_hint="--schedule") from None


def _print(found: Sequence[Compared], asked: Asked) -> None:
    of = {"forward": "forward_s", "input gradient": "input_gradient_s", "weight gradient": "weight_gradient_s"}
    times = {words: asked[field] for words, field in (of | {"hop": "hop_s"}).items()}
    longest_s = max(*times.values()) or 1.0
    taken = ", ".join(f"{words} {time_s / longest_s:.3g}" for words, time_s in times.items())
    print_text(console(), f"times over the longest: {taken}")
    rows = [_row(one) for one in found if not one.refusal]
    print_table(console(), HEADERS, rows, spare=(3,))
    print_text(console(), LEGEND, style="dim")
    for one in found:
        if one.refusal:
            print_text(console(), one.refusal)


def _row(one: Compared) -> tuple[str, ...]:
    return (
        one.schedule,
        f"{one.virtual_stages}",
        format_quantity(one.bubble_fraction or 0.0, "fraction"),
        format_quantity(one.waiting_bubble_fraction or 0.0, "fraction"),
        f"{one.peak_micro_batches:g}",
        f"{one.peak_over_1f1b:.3g}x",
        f"{one.parameters_over_1f1b}x",
        f"{one.sends_per_micro_batch}",
    )


def _to_draw(schedule: Schedule, asked: Asked) -> Shape:
    """Shape to draw; refused where the picture would be too fine."""
    held = asked["virtual_stages"] if schedule.chooses_virtual_stages and not schedule.is_forward_only else None
    shape = schedule.shape(stages=asked["stages"], micro_batches=asked["micro_batches"], virtual_stages=held)
    if shape.chunks * shape.micro_batches > MOST_DRAWN:
        raise click.BadParameter(
            f"{shape.chunks * shape.micro_batches:,} passes are too fine to be seen; give at most"
            f" {MOST_DRAWN // shape.chunks:,} micro-batches",
            param_hint="--figure",
        )
    return shape


def _draw(schedule: Schedule, shape: Shape, asked: Asked, path: Path, theme: str | None) -> None:
    # The drawing library is an extra.
    from ridgeline.figures.schedule import schedule_figure  # noqa: PLC0415

    parts = StageTimes(*(asked[name] for name in StageTimes._fields))
    played = play(schedule, parts.of(schedule, shape.virtual_stages), **shape._asdict())
    own = 1 - sum(played.work_s) / (shape.stages * played.turnaround_s)
    title = f"{schedule.name}: {shape.stages} stages, {shape.micro_batches} micro-batches"
    subtitle = (
        f"{format_quantity(played.bubble_fraction, 'fraction')} idle where all stages wait for the last,"
        f" {format_quantity(own, 'fraction')} where none does; a stage keeps"
        f" {max(peaks(schedule, **shape._asdict())):g} micro-batches at most"
    )
    foot = f"Stages alike. {schedule.name}: {schedule.source}."
    draw_titled(partial(schedule_figure, played), words=(title, subtitle, foot), path=path, theme=theme)
