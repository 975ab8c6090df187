"""The board on pipelines: when stages idle, what they keep meanwhile, and the order of work that comes to it."""

from __future__ import annotations

import numpy as np

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.old_numbers import STAGES
from ridgeline.boards.picture import Axis, Block, Colour, Curves, Line, Mark, Timeline
from ridgeline.equations import pipelines
from ridgeline.quantity_text import format_quantity
from ridgeline.training.schedules import Pass, idle_fraction, one_forward_one_backward, play, span_s

__all__ = ["BOARDS"]

POINTS = 401
MOST_STAGES, MOST_MICRO_BATCHES = 16, 64
ROOM_FOR_NUMBERS = 24
"""Forward passes in a row whose numbers can be read in a picture."""

INFERENCE, TRAINING = "inference:\na loop", "GPipe and\n1F1B"
IN_TURN, ALL = "1F1B", "GPipe;\ncaches of\ninference"
COLOURS = {Pass.FORWARD: Colour.COMPUTE, Pass.BACKWARD: Colour.BOUND}


def _idle(at: Values) -> Curves:
    stages, micro_batches = at["stages"], at["micro_batches"]
    x = np.union1d(np.linspace(1.0, max(4 * stages, micro_batches), POINTS), [stages, micro_batches])
    training = np.asarray(pipelines.training_bubble_fraction(stages=stages, micro_batches=x))
    inference = np.asarray(pipelines.idle_fraction(stages=stages, micro_batches=x))
    bubble = float(pipelines.training_bubble_fraction(stages=stages, micro_batches=micro_batches))
    return Curves(
        x=x,
        lines=(
            Line(name=TRAINING, y=training, colour=Colour.BOUND, is_bold=True),
            Line(name=INFERENCE, y=inference, colour=Colour.COMPUTE),
        ),
        marks=(
            Mark(
                name="inference without micro-batches",
                x=1.0,
                y=float(inference[0]),
                line=INFERENCE,
                text=f"not split: {format_quantity(float(inference[0]), 'fraction')}",
                colour=Colour.COMPUTE,
            ),
            Mark(
                name="training",
                x=micro_batches,
                y=bubble,
                line=TRAINING,
                text=f"{format_quantity(micro_batches, 'count')}: {format_quantity(bubble, 'fraction')}",
                colour=Colour.BOUND,
            ),
        ),
        top=1.0,
    )


def _kept(at: Values) -> Curves:
    stages, micro_batches = at["stages"], at["micro_batches"]
    x = np.union1d(np.linspace(1.0, max(4 * stages, micro_batches), POINTS), [stages, micro_batches])
    in_turn = np.asarray(pipelines.peak_micro_batches(stages=stages, micro_batches=x))
    here = float(pipelines.peak_micro_batches(stages=stages, micro_batches=micro_batches))
    return Curves(
        x=x,
        lines=(
            Line(name=IN_TURN, y=in_turn, colour=Colour.BOUND, is_bold=True),
            Line(name=ALL, y=x, colour=Colour.KV),
        ),
        marks=(
            Mark(
                name="1F1B keeps",
                x=micro_batches,
                y=here,
                line=IN_TURN,
                text=f"{format_quantity(micro_batches, 'count')}: keeps {format_quantity(here, 'count')}",
                colour=Colour.BOUND,
            ),
        ),
        top=1.05 * float(x[-1]),
    )


def _schedule(at: Values) -> Timeline:
    stages, micro_batches = int(at["stages"]), int(at["micro_batches"])
    order = one_forward_one_backward(stages=stages, micro_batches=micro_batches)
    runs = play(order, forward_s=1.0, backward_s=at["backward_ratio"])
    has_room = span_s(runs) <= ROOM_FOR_NUMBERS
    return Timeline(
        rows=tuple(f"{stage + 1}" for stage in range(stages)),
        blocks=tuple(
            Block(
                row=run.stage,
                start=run.start_s,
                end=run.end_s,
                text=f"{run.task.micro_batch + 1}" if has_room else "",
                colour=COLOURS[run.task.kind],
            )
            for run in runs
        ),
        text=f"as played, {format_quantity(idle_fraction(runs), 'fraction')} idle",
    )


BOARDS: tuple[Board, ...] = (
    Board(
        name="bubbles",
        title="Idle time of a pipeline",
        question="Which part of the time do stages idle, and what do they keep, as micro-batches fill them?",
        caption="Inference goes round and idles no more from a micro-batch a stage on; a training step fills and drains"
        " the pipeline. GPipe runs all forward passes first, 1F1B one forward and one backward in turn: the same"
        " bubble, less to keep. Stages and micro-batches are alike.",
        formula=(
            Term(tex=r"1-\dfrac{m}{p}", colour=Colour.COMPUTE),
            Term(tex=r"\;\;\mathrm{or}\;\;0,\qquad"),
            Term(tex=r"\dfrac{p-1}{m+p-1}", colour=Colour.BOUND),
            Term(tex=r";\qquad\mathrm{keeps}\;\;"),
            Term(tex=r"m", colour=Colour.KV),
            Term(tex=r"\;\;\mathrm{or}\;\;"),
            Term(tex=r"\min(m,\,p)", colour=Colour.BOUND),
            Term(tex=r";\qquad"),
            Term(tex=r"\mathrm{forward}", colour=COLOURS[Pass.FORWARD]),
            Term(tex=r",\;\;"),
            Term(tex=r"\mathrm{backward}", colour=COLOURS[Pass.BACKWARD]),
        ),
        controls=(
            # DeepSeek-V3 was trained over 16 stages, says its report; two micro-batches a stage are a choice.
            Control(
                name="stages",
                meaning="stages",
                dimension="count",
                low=2,
                high=MOST_STAGES,
                lecture=STAGES,
                careful=16,
                is_whole=True,
            ),
            Control(
                name="micro_batches",
                meaning="micro-batches",
                dimension="count",
                low=1,
                high=MOST_MICRO_BATCHES,
                lecture=4,
                careful=32,
                is_whole=True,
            ),
            # Gradients take two products for each of the forward pass; the lecture drew both alike.
            Control(
                name="backward_ratio",
                meaning="times as long backward as forward",
                dimension="count",
                low=0.5,
                high=4,
                lecture=1,
                careful=2,
            ),
        ),
        views=(
            View(
                heading="Bubbles",
                x=Axis(caption="micro-batches", dimension="count"),
                y=Axis(caption="time that a stage idles", dimension="fraction"),
                compute=_idle,
            ),
            View(
                heading="Activations",
                x=Axis(caption="micro-batches", dimension="count"),
                y=Axis(caption="kept at once by stage 1", dimension="count"),
                compute=_kept,
            ),
            View(
                heading="1F1B, step by step",
                x=Axis(caption="time, in forward passes", dimension="count"),
                y=Axis(caption="stage", dimension="count"),
                compute=_schedule,
            ),
        ),
        claims=("B9", "B10", "B11"),
        exercises=(
            "pipelines-idle",
            "pipelines-bubble",
            "pipelines-kept",
            "pipelines-cached",
            "pipelines-loop",
            "pipelines-fill",
        ),
    ),
)
