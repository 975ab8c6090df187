"""Training through a pipeline: all forward, a hard stop, all backward; and the order that keeps less."""

from __future__ import annotations

from itertools import pairwise

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.bubble import Bubble
from ridgeline.boards.first_move import FirstMove, Moves, Says, Way
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import stages
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, whole
from ridgeline.boards.scene import Gantt
from ridgeline.boards.schedules import gantt
from ridgeline.equations import pipelines
from ridgeline.quantity_text import format_number, format_quantity
from ridgeline.training.schedules import SCHEDULES, Times, play
from ridgeline.training.schedules import Timeline as Step

__all__ = ["AS_DRAWN", "BOARD", "DELAYED", "DRAWN", "step_by"]

MOST_MICRO_BATCHES = 64
DRAWN = "gpipe", "1f1b", "zb-h1"
"""Schedules of one chunk a stage, in an order in which each builds on the one before."""

FULLER = 4
"""Micro-batches a stage up to which shares are drawn, unless the schedule has more."""
AS_DRAWN, *_, DELAYED = DRAWN
"""The schedule that the lecture draws, and the one that delays weight gradients."""

TRAINING = "training"


def step_by(values: Values, name: str) -> Step:
    """The step as a schedule plays it; where gradients are taken apart, each takes half of the backward pass."""
    half = values["backward_ratio"] / 2
    times = Times(forward_s=1.0, input_gradient_s=half, weight_gradient_s=half)
    count, micro_batches = int(values["stages"]), int(values["micro_batches"])
    return play(SCHEDULES[name], times, stages=count, micro_batches=micro_batches)


def _schedules(values: Values) -> Gantt:
    return gantt([step_by(values, name) for name in DRAWN])


def _as_drawn(values: Values) -> Bubble:
    count, micro_batches = int(values["stages"]), int(values["micro_batches"])
    step = step_by(values, AS_DRAWN)
    first = sorted((run.start_s, run.end_s) for run in step.runs if run.device == 0)
    start, end = max(((one[1], after[0]) for one, after in pairwise(first)), key=lambda gap: gap[1] - gap[0])
    counts = tuple(range(1, max(FULLER * count, micro_batches) + 1))
    idle = tuple(float(pipelines.training_bubble_fraction(stages=count, micro_batches=one)) for one in counts)
    shares = tuple(format_quantity(one, "fraction", 2) for one in idle)
    here = counts.index(micro_batches)
    return Bubble(
        gantt=gantt([step], keeps=False),
        gap_start=start,
        gap_end=end,
        gap_text=f"idle: {format_number(end - start)} of {format_number(step.span_s)}",
        counts=counts,
        idle=idle,
        idle_text=shares,
        here=here,
        text=f"each of {count} stages idles {shares[here]} of the time with {micro_batches} micro-batches,"
        f" {shares[-1]} with {counts[-1]}",
    )


def _bubble(values: Values) -> Curves:
    count, micro_batches = int(values["stages"]), int(values["micro_batches"])
    here = pipelines.training_bubble_fraction(stages=count, micro_batches=micro_batches)
    text = (
        f"{micro_batches} micro-batch{'es' if micro_batches > 1 else ''}: {format_quantity(float(here), 'fraction', 2)}"
    )
    return curves(
        whole(1, max(FULLER * count, micro_batches)),
        curve("decode in a loop", lambda m: pipelines.idle_fraction(stages=count, micro_batches=m), Colour.ALSO),
        curve(
            TRAINING,
            lambda m: pipelines.training_bubble_fraction(stages=count, micro_batches=m),
            Colour.BOUND,
            is_bold=True,
        ),
        marks=(at("training", micro_batches, on=TRAINING, text=text),),
        top=1.0,
    )


BOARD = Board(
    name="bubbles",
    time_stamp="0:59:00",
    title="The bubble of a training step",
    question="Why does training leave stages idle when inference does not, and what does the order of work change?",
    caption="Rows are stages, numbers are micro-batches. As he draws it (GPipe): all forward passes, then all"
    " backward passes, then the optimiser step (the bar). That needs every gradient, so the next batch cannot fill"
    " the gap. One forward and one backward in turn (1F1B) idles just as long, but stores the activations of no more"
    " micro-batches than stages. Weight gradients that may wait (ZB-H1) fill part of the gap.",
    formula=(
        Term(tex=r"\mathrm{idle}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\dfrac{p-1}{m+p-1}"),
    ),
    controls=(
        # DeepSeek-V3 was trained over 16 stages, says its report; two micro-batches a stage are a choice.
        stages(numbers.STAGES_DRAWN, 16),
        Control(
            name="micro_batches",
            meaning="micro-batches",
            dimension="count",
            low=1,
            high=MOST_MICRO_BATCHES,
            lecture=numbers.MICRO_BATCHES,
            careful=32,
            is_whole=True,
        ),
        Control(
            name="backward_ratio",
            meaning="times as long backward as forward",
            called="backward time over forward",
            short="backward time",
            dimension="count",
            low=0.5,
            high=4,
            lecture=numbers.BACKWARD_RATIO,
            careful=numbers.USUAL_BACKWARD_RATIO,
        ),
    ),
    views=(
        View(
            heading="Three schedules",
            x=Axis(caption="time, in forward passes", dimension="count"),
            y=Axis(caption="stage", dimension="count"),
            compute=_schedules,
        ),
        View(
            heading="Bubble",
            x=Axis(caption="micro-batches", dimension="count"),
            y=Axis(caption="share of time a stage idles", dimension="fraction"),
            compute=_bubble,
        ),
        View(
            heading="As he draws it",
            x=Axis(caption="time, in forward passes", dimension="count"),
            y=Axis(caption="stage", dimension="count"),
            compute=_as_drawn,
        ),
    ),
    claims=("B10", "B33"),
    exercises=("pipelines-bubble", "pipelines-kept", "pipelines-fill"),
    first_move=FirstMove(
        control="micro_batches",
        to=64.0,
        then="less of the step is idle, and GPipe keeps 64 micro-batches for it",
        seen=(
            Moves(what="played.0.idle_text", way=Way.DOWN),
            Says(text="keeps 64"),
        ),
    ),
)
