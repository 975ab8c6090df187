"""Number of micro-batches of a training step: convergence wants few, a pipeline wants many."""

from __future__ import annotations

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import stages
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, whole
from ridgeline.equations import batches
from ridgeline.quantity_text import format_number

__all__ = ["BOARD", "LOSS", "MICRO_BATCH_TOKENS"]

MICRO_BATCH_TOKENS = 2e5
"""Tokens of a micro-batch: fifty sequences of 4,096, over the chips of a stage."""

LOSS = 1.9
"""Nats a token near which large models end: the irreducible loss of Chinchilla's fits is 1.7 to 1.8."""

WIDTH = 4
"""End of the picture, as a multiple of the best number of micro-batches."""
HIGHEST = 2.5
"""Top of the picture, as a multiple of the shortest time: what few micro-batches lose is more than any run would."""

TOGETHER = "time to\na given loss"


def _critical(values: Values) -> float:
    """Micro-batches that make up the critical batch."""
    return values["critical_batch_tokens"] / values["micro_batch_tokens"]


def _time(values: Values) -> Curves:
    count, critical = values["stages"], _critical(values)
    best = max(1, round(float(batches.fastest_micro_batches(stages=count, critical_micro_batches=critical))))
    first, least = (
        float(batches.training_time_ratio(micro_batches=m, stages=count, critical_micro_batches=critical))
        for m in (1, best)
    )
    return curves(
        whole(1, max(8, WIDTH * best)),
        curve(
            "less learned\nper token",
            lambda m: batches.token_ratio(batch_over_critical=m / critical),
            Colour.ASIDE,
        ),
        curve("idle in\nthe bubble", lambda m: 1 + (count - 1) / m, Colour.ALSO),
        curve(
            TOGETHER,
            lambda m: batches.training_time_ratio(micro_batches=m, stages=count, critical_micro_batches=critical),
            Colour.BOUND,
            is_bold=True,
        ),
        marks=(
            at("best", best, on=TOGETHER, text=lambda ratio: f"{best} micro-batches: {format_number(ratio)} times"),
        ),
        top=min(1.1 * first, HIGHEST * least),
    )


BOARD = Board(
    name="training-batch",
    time_stamp="0:59:50",
    title="The best batch for training",
    question="Smaller batches learn more from each token, larger ones fill the pipeline: which batch trains fastest?",
    caption="Time to reach a given loss on a fixed number of chips, relative to small batches without a bubble. The"
    " lecture names the two effects without numbers: the law of the critical batch is from McCandlish et al. (2018),"
    " and its value at a loss of 1.9 nats extrapolates Kaplan et al. (2020).",
    formula=(
        Term(tex=r"\dfrac{t_{run}}{t_{least}}", colour=Colour.BOUND),
        Term(tex=r"\;=\;"),
        Term(tex=r"\left(1+\dfrac{m\,B_m}{B_c}\right)", colour=Colour.ASIDE),
        Term(tex=r"\left(1+\dfrac{p-1}{m}\right)", colour=Colour.ALSO),
        Term(tex=r",\qquad m^{*}=\sqrt{(p-1)\,B_c/B_m}"),
    ),
    controls=(
        stages(numbers.STAGES_DRAWN, 16),
        Control(
            name="micro_batch_tokens",
            meaning="tokens per micro-batch",
            short="micro-batch",
            dimension="count",
            low=1e3,
            high=1e8,
            lecture=filled_in(MICRO_BATCH_TOKENS, why="fifty sequences of 4,096 tokens"),
            careful=MICRO_BATCH_TOKENS,
        ),
        Control(
            name="critical_batch_tokens",
            meaning="tokens of the critical batch",
            called="critical batch, in tokens",
            short="critical batch",
            dimension="count",
            low=1e5,
            high=1e9,
            lecture=filled_in(
                float(batches.critical_batch_tokens(loss=LOSS)), why="at the loss near which large models end"
            ),
            careful=float(batches.critical_batch_tokens(loss=LOSS)),
        ),
    ),
    views=(
        View(
            x=Axis(caption="micro-batches per step", dimension="count"),
            y=Axis(caption="time, relative to the shortest possible", dimension="count"),
            compute=_time,
        ),
    ),
    claims=("B32",),
    exercises=("pipelines-batch",),
    first_move=FirstMove(
        control="critical_batch_tokens",
        to=100e6,
        then="the best number of micro-batches moves right, and the curve falls",
        seen=(
            Moves(what="best", way=Way.RIGHT),
            Moves(what="", way=Way.DOWN),
        ),
    ),
)
