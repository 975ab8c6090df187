"""Inference through a pipeline: batches that follow one another, come round, and start again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.first_move import FirstMove, Says
from ridgeline.boards.journeys import Loop
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import stages
from ridgeline.boards.loops import loop
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, whole
from ridgeline.boards.scene import Cells
from ridgeline.equations import pipelines
from ridgeline.quantity_text import format_quantity
from ridgeline.training.schedules import Run

__all__ = ["BOARD", "IDLE_EQUATION"]

COLOURS = (Colour.ALSO, Colour.ASIDE, Colour.ALSO)
"""Colours of the tokens, so that they are seen to join."""
TOKENS = "a batch's odd tokens", "its even ones", "a batch's odd tokens"

MOST_MICRO_BATCHES = 32
IDLE = "idle"


def _loop(stages: int, micro_batches: int) -> Loop:
    """Every micro-batch through all stages, each of which takes a turn for it."""
    return loop(
        [1.0] * stages,
        batches=micro_batches,
        name=f"{micro_batches} batches in flight" if micro_batches > 1 else "one batch at a time",
        idle_fraction=float(pipelines.idle_fraction(stages=stages, micro_batches=micro_batches)),
        cells=partial(_tokens, stages=stages),
        colours=COLOURS,
        dimension="count",
    )


def _tokens(runs: Sequence[Run], *, stages: int) -> Iterator[Cells]:
    """The visits of each token, with the numbers of batches."""
    for token, colour in enumerate(COLOURS):
        own = [run for run in runs if run.chunk // stages == token]
        yield Cells(
            part=TOKENS[token],
            colour=colour,
            rows=tuple(run.device for run in own),
            starts=tuple(run.start_s for run in own),
            ends=tuple(run.end_s for run in own),
            numbers=tuple(run.micro_batch for run in own),
        )


def _alone(values: Values) -> Loop:
    return _loop(int(values["stages"]), 1)


def _round(values: Values) -> Loop:
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


IDLE_EQUATION = (
    Term(tex=r"\mathrm{idle}", colour=Colour.BOUND),
    Term(tex=r"\;=\;\max(\,1-\dfrac{m}{p},\;0\,)"),
)
"""Idle share of stages in a loop."""

BOARD = Board(
    name="inference-loop",
    time_stamp="0:57:01",
    title="Inference as a loop through the stages",
    question="How many batches must be in flight so that no stage of a decode pipeline idles?",
    caption="The ring is the pipeline: numbered batches go round it and start again at stage 1 with their next token,"
    " in another colour. A stage that idles is hatched. Beside it the same over time. With as many batches in flight as"
    " there are stages the loop closes without a gap, and a token takes as long as without a pipeline. Those beyond"
    " wait inside the ring.",
    formula=(
        *IDLE_EQUATION,
        Term(tex=r"\qquad\Rightarrow\qquad m\;\geq\;p"),
    ),
    controls=(
        stages(numbers.STAGES_DRAWN, 8),
        Control(
            name="micro_batches",
            meaning="batches in flight",
            lettered="batches in flight",
            dimension="count",
            low=1,
            high=MOST_MICRO_BATCHES,
            lecture=numbers.MICRO_BATCHES,
            careful=8,  # as many as stages, as in his
            is_whole=True,
        ),
    ),
    views=(
        View(
            equations=(0, 1, 2),
            heading="One batch at a time",
            x=Axis(caption="time, in a stage's turns", dimension="count"),
            y=Axis(caption="stage", dimension="count"),
            compute=_alone,
        ),
        View(
            equations=(0, 1, 2),
            heading="Batches round the loop",
            x=Axis(caption="time, in a stage's turns", dimension="count"),
            y=Axis(caption="stage", dimension="count"),
            compute=_round,
        ),
        View(
            equations=(0, 1, 2),
            heading="Idle time",
            x=Axis(caption="batches in flight", dimension="count"),
            y=Axis(caption="share of time a stage idles", dimension="fraction"),
            compute=_idle,
        ),
    ),
    claims=("B9", "B11", "B41", "B31"),
    exercises=("pipelines-idle", "pipelines-cached", "pipelines-loop"),
    first_move=FirstMove(
        control="stages",
        to=16.0,
        then="one batch leaves 93.8 % of the stages idle",
        seen=(Says(text="93.8 % idle once full"),),
    ),
)
