"""Inference through a pipeline: batches that follow one another, come round, and start again."""

from __future__ import annotations

import itertools
from functools import partial

from ridgeline.boards.board import Board, Control, Symbol, Term, Values, View
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import stages
from ridgeline.boards.picture import Axis, Block, Colour, Curves, Timeline
from ridgeline.boards.pictures import at, curve, curves, whole
from ridgeline.equations import pipelines
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD"]

ROUNDS = 3
"""Tokens of each sequence that are drawn."""

ROOM_FOR_NUMBERS = 18
"""Turns in a row whose numbers can be read."""

COLOURS = (Colour.COMPUTE, Colour.OTHER, Colour.ALSO)
"""Of the rounds, so that they are seen to join."""

MOST_MICRO_BATCHES = 32
IDLE = "idle"


def _loop(stages: int, micro_batches: int) -> Timeline:
    """Every micro-batch through all stages and from the last to the first again, as soon as that is free."""
    period = int(pipelines.loop_time_s(path_s=stages, slowest_s=1, micro_batches=micro_batches))
    turns = itertools.product(range(ROUNDS), range(micro_batches), range(stages))
    has_room = ROUNDS * period + stages <= ROOM_FOR_NUMBERS
    idle = float(pipelines.idle_fraction(stages=stages, micro_batches=micro_batches))
    return Timeline(
        rows=tuple(f"{stage + 1}" for stage in range(stages)),
        blocks=tuple(
            Block(
                row=stage,
                start=turn * period + number + stage,
                end=turn * period + number + stage + 1,
                text=f"{number}" if has_room else "",
                colour=COLOURS[turn % len(COLOURS)],
            )
            for turn, number, stage in turns
        ),
        text=f"once full, {format_quantity(idle, 'fraction')} idle",
    )


def _alone(values: Values) -> Timeline:
    return _loop(int(values["stages"]), 1)


def _round(values: Values) -> Timeline:
    return _loop(int(values["stages"]), int(values["micro_batches"]))


def _idle(values: Values) -> Curves:
    count, micro_batches = int(values["stages"]), int(values["micro_batches"])
    marks = [at("one batch at a time", 1, on=IDLE, text=partial(_text, "one batch"), is_fixed=True)]
    if micro_batches > 1:
        marks.append(at("micro-batches", micro_batches, on=IDLE, text=partial(_text, f"{micro_batches} batches")))
    return curves(
        whole(1, max(2 * count, micro_batches)),
        curve(IDLE, lambda m: pipelines.idle_fraction(stages=count, micro_batches=m), Colour.BOUND, is_bold=True),
        marks=marks,
        top=1.0,
    )


def _text(what: str, idle: float) -> str:
    return f"{what}: {format_quantity(idle, 'fraction')}"


BOARD = Board(
    name="inference-loop",
    time_stamp="0:57:01",
    title="Inference as a loop through the stages",
    question="How many batches must be in flight so that no stage of a decode pipeline idles?",
    caption="Rows are stages, numbered blocks are batches, and each new token has its own colour. A batch that leaves"
    " the last stage starts again at the first with its next token. With as many batches in flight as there are stages"
    " the loop closes without a gap, and a token takes as long as without a pipeline.",
    formula=(
        Term(tex=r"\mathrm{idle}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\max(\,1-\dfrac{m}{p},\;0\,)\qquad\Rightarrow\qquad m\;\geq\;p"),
    ),
    symbols=(Symbol(tex=r"m", meaning="batches under way, each with tokens of its own"),),
    controls=(
        stages(numbers.STAGES_DRAWN, 8),
        Control(
            name="micro_batches",
            meaning="batches in flight",
            dimension="count",
            low=1,
            high=MOST_MICRO_BATCHES,
            lecture=numbers.MICRO_BATCHES,
            careful=6,  # two too few, so that the gap is seen
            is_whole=True,
        ),
    ),
    views=(
        View(
            heading="One batch at a time",
            x=Axis(caption="time, in a stage's turns", dimension="count"),
            y=Axis(caption="stage", dimension="count"),
            compute=_alone,
        ),
        View(
            heading="Batches round the loop",
            x=Axis(caption="time, in a stage's turns", dimension="count"),
            y=Axis(caption="stage", dimension="count"),
            compute=_round,
        ),
        View(
            heading="Idle time",
            x=Axis(caption="batches in flight", dimension="count"),
            y=Axis(caption="share of time a stage idles", dimension="fraction"),
            compute=_idle,
        ),
    ),
    claims=("B9", "B11", "B41", "B31"),
    exercises=("pipelines-idle", "pipelines-cached", "pipelines-loop"),
)
