"""The batch that learning wants against the one that a pipeline wants."""

from __future__ import annotations

from ridgeline.boards.board import Board, Control, Facts, Symbol, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.lecture.numbers import STAGES
from ridgeline.boards.lecture.training import model_facts
from ridgeline.boards.lecture.training.numbers import CRITICAL_LOSS
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.equations import pipelines, training
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD"]

LEARNING, PIPELINE, BOTH = "tokens: learning", "bubble: pipeline", "machine time"
MOST = 120.0
"""Batches drawn, over the smallest: the critical batch and those of real runs lie among them."""
HIGHEST = 12.0
"""Times the least machine time that is still drawn."""


def _tokens(values: Values, batch: Numeric) -> Numeric:
    """Over the fewest that reach the same loss."""
    return training.tokens_over_fewest(batch_tokens=batch, critical_batch_tokens=values["critical_batch_tokens"])


def _time(values: Values, batch: Numeric) -> Numeric:
    """Of a token, over that without a bubble."""
    idle = pipelines.training_bubble_fraction(
        stages=values["stages"], micro_batches=batch / values["micro_batch_tokens"]
    )
    return 1 / (1 - idle)


def _batches(values: Values) -> Curves:
    smallest, here = values["micro_batch_tokens"], values["batch_tokens"]
    best = float(
        training.best_batch_tokens(
            critical_batch_tokens=values["critical_batch_tokens"],
            stages=values["stages"],
            micro_batch_tokens=smallest,
        )
    )
    return curves(
        logarithmic(smallest, max(MOST * smallest, 2 * here)),
        curve(LEARNING, lambda batch: _tokens(values, batch), Colour.COMPUTE),
        curve(PIPELINE, lambda batch: _time(values, batch), Colour.KV),
        curve(BOTH, lambda batch: _tokens(values, batch) * _time(values, batch), Colour.BOUND, is_bold=True),
        marks=[
            at("critical batch", values["critical_batch_tokens"], on=LEARNING, text="critical", colour=Colour.COMPUTE),
            at("best batch", best, on=BOTH, text=lambda y: f"best, {format_quantity(best, 'count')}: {y:.3g}"),
            at("board", here, on=BOTH, text=lambda y: f"board: {y:.3g}", colour=Colour.ASIDE),
        ],
        top=HIGHEST * float(_tokens(values, max(best, smallest)) * _time(values, max(best, smallest))) / 2,
        bottom=0.8,
    )


def _batch_tokens(facts: Facts) -> float | None:
    run = model_facts.run_of(facts)
    return None if run is None else run.batch_tokens


def _stages(facts: Facts) -> float | None:
    run = model_facts.run_of(facts)
    return None if run is None else run.stages


def _micro_batch_tokens(facts: Facts) -> float | None:
    run = model_facts.run_of(facts)
    return None if run is None else run.micro_batch_tokens


MICRO_BATCH_TOKENS = 1e6
DRAWN = 4
"""Micro-batches in his drawing of a training step."""

BOARD = Board(
    name="training-batch",
    time_stamp="0:58:55",
    title="The batch that learning wants, and the one that a pipeline wants",
    question="How many tokens should a training step take, if small batches learn best and large ones fill a pipeline?",
    caption="Small batches reach a loss with the fewest tokens, large ones leave a pipeline's stages idle for less of"
    " the time; machine time is the product. The critical batch is Kaplan's fit on small models; later"
    " measurements (arXiv 2410.21676) have it grow with the tokens trained on, and runs use more than it.",
    formula=(
        Term(tex=r"\dfrac{t}{t_{min}}", colour=Colour.BOUND),
        Term(tex=r"\;=\;(\,"),
        Term(tex=r"1+\dfrac{B}{B_{crit}}", colour=Colour.COMPUTE),
        Term(tex=r"\,)\;\cdot\;(\,"),
        Term(tex=r"1+\dfrac{(p-1)\,b}{B}", colour=Colour.KV),
        Term(tex=r"\,),\qquad B^{*}=\sqrt{B_{crit}\,(p-1)\,b}"),
    ),
    symbols=(
        Symbol(tex=r"t_{min}", meaning="machine time of a run with the fewest tokens and without a bubble"),
        Symbol(tex=r"B", meaning="tokens of a training step"),
        Symbol(tex=r"B^{*}", meaning="the batch of least machine time"),
        Symbol(tex=r"B_{crit}", meaning="the batch at which twice the fewest tokens are needed"),
        Symbol(tex=r"b", meaning="tokens of one micro-batch, in all replicas together"),
    ),
    controls=(
        Control(
            name="batch_tokens",
            meaning="tokens a training step",
            dimension="count",
            low=1e5,
            high=1e9,
            lecture=filled_in(DRAWN * MICRO_BATCH_TOKENS),
            careful=_batch_tokens,
        ),
        Control(
            name="critical_batch_tokens",
            meaning="tokens of the critical batch",
            dimension="count",
            low=1e5,
            high=1e9,
            lecture=filled_in(float(training.critical_batch_tokens(loss=CRITICAL_LOSS))),
            careful=model_facts.critical_batch_tokens,
        ),
        Control(
            name="stages",
            meaning="stages of the pipeline",
            dimension="count",
            low=1,
            high=64,
            lecture=STAGES,
            careful=_stages,
            is_whole=True,
        ),
        Control(
            name="micro_batch_tokens",
            meaning="tokens of a micro-batch, in all replicas",
            dimension="count",
            low=1e3,
            high=1e8,
            lecture=filled_in(MICRO_BATCH_TOKENS),
            careful=_micro_batch_tokens,
        ),
    ),
    views=(
        View(
            compute=_batches,
            x=Axis(caption="tokens of a training step", dimension="count", is_logarithmic=True),
            y=Axis(caption="over the least possible", dimension="count", is_logarithmic=True),
        ),
    ),
    claims=("C14",),
    exercises=("training-batch",),
)
