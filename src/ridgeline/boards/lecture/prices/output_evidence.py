"""Output over input as evidence: the batch before it, as he reads it twice, by itself, and by the whole list."""

from __future__ import annotations

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.constant import said
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import SHORT_TOKENS, STEP_TOKENS
from ridgeline.boards.lecture.prices.believed import (
    BEFORE,
    CACHE_LIST,
    by_list,
    chance_text,
    decades,
    machines,
    models_alike,
    number,
    rounding_of,
    row,
    rows_x,
    ticks,
)
from ridgeline.boards.picture import Axis, Colour
from ridgeline.boards.scene import Tick
from ridgeline.equations import pricing
from ridgeline.inversion.alone.belief import Belief
from ridgeline.inversion.alone.output import batches_before, batches_by_step, output_alone, output_pinned
from ridgeline.inversion.intervals import INFORMED_NATS
from ridgeline.inversion.priors import priors

__all__ = ["BOARD"]

ENDS = 0.003, 300.0
"""Ends of the axis, balance batches, unless a reading lies beyond."""
BATCHES = "balance_batches"
LIST_RATIO = said(5.0, "1:45:30", hedge="three to five times, as the market had it", claim="D6")
COUNT = "count"


def _beliefs(values: Values) -> Beliefs:
    known, listed = priors(), by_list(CACHE_LIST)
    ratio, rounding = values["price_ratio"], rounding_of(CACHE_LIST, "input", "output")
    lengths = {name: values[name] for name in ("context_tokens", "crossover_tokens")}
    of = machines(CACHE_LIST)
    before = batches_before(known, of)
    by_step = batches_by_step(known, before)
    by_output = output_pinned(before, price_ratio=ratio, rounding_log_sd=rounding, **lengths)
    alone = output_alone(
        known,
        of,
        price_ratio=ratio,
        rounding_log_sd=rounding,
        is_policy=values["models_alike"] > 1,
    )
    read = float(pricing.balance_batches_at_ratio(ratio=ratio, **lengths))
    ends = decades(*ENDS, by_output.interval())
    x = rows_x(ends)
    day = fleet.balance_batches()
    marks = [
        Tick(at=day, text=f"DeepSeek {number(day, COUNT)}"),
        Tick(at=ends[1], text="his step: no bound"),
    ]
    if ends[0] < read < ends[1]:
        marks.append(Tick(at=read, text=f"his {ratio:.3g} times: {number(read, COUNT)}"))
    return Beliefs(
        x=tuple(x.tolist()),
        is_whole=False,
        rows=(
            row(BEFORE, before, x, COUNT, Colour.ASIDE),
            row(
                "his reading of output over input",
                by_output,
                x,
                COUNT,
                Colour.BOUND,
                is_bold=True,
                more="one margin",
            ),
            row(
                "his reading of the step",
                by_step,
                x,
                COUNT,
                Colour.ALSO,
                is_bold=True,
                more="a large batch",
            ),
            row("output over input alone, nothing assumed", alone, x, COUNT, Colour.MONEY),
            row(
                f"all prices of {listed.name}",
                listed.unknowns[BATCHES],
                x,
                COUNT,
                Colour.MONEY,
                more=f"list of {listed.date}",
            ),
        ),
        marks=tuple(marks),
        x_ticks=ticks(ends, COUNT),
        text=f"{_verdict(values, by_output, by_step)}. {_left(before, alone)}",
    )


APART = 0.05
"""Largest overlap of two readings that exclude each other."""


def _verdict(values: Values, by_output: Belief, by_step: Belief) -> str:
    """Whether both readings can be true."""
    caches = values["context_tokens"] / values["crossover_tokens"]
    if caches > values["price_ratio"]:
        return f"No batch explains the ratio: reading caches alone takes {number(caches, COUNT)} times the arithmetic"
    output, step, shared = by_output.interval(), by_step.interval(), by_output.overlap(by_step)
    if shared > APART:
        return f"Here his two readings can both be true: they share {chance_text(shared)}"
    return (
        f"His two readings exclude each other: output takes {_span(output.p05, output.p95)} balance batches, the step"
        f" {number(step.p05, COUNT)} or more"
    )


def _left(before: Belief, alone: Belief) -> str:
    """Text on the information in the ratio without those assumptions."""
    now, then = alone.interval(), before.interval()
    spans = f"{_span(now.p05, now.p95)} with it, {_span(then.p05, then.p95)} before"
    if alone.learnt_nats(before) > INFORMED_NATS:
        return f"With nothing assumed the ratio says something of the batch: {spans}."
    return f"With nothing assumed the ratio tells next to nothing of the batch: {spans}."


def _span(low: float, high: float) -> str:
    return f"{number(low, COUNT)} to {number(high, COUNT)}"


BOARD = Board(
    name="output-evidence",
    title="What the price of output says",
    question="Which batch does the price of output imply, and does the price step imply the same one?",
    caption="Each curve says how likely each batch is, in balance batches: higher is likelier. See whether his two"
    " readings overlap. That of the output price assumes no losses and one margin for both prices; that of the step, a"
    " batch whose weights hardly count. With nothing assumed, margins and efficiencies explain the ratio as well. The"
    " chances before prices are ours.",
    formula=(
        Term(tex=r"\dfrac{\$_{out}}{\$_{in}}", colour=Colour.MONEY),
        Term(tex=r"\;=\;\dfrac{\psi_{out}}{\psi_{in}}\,\dfrac{\eta_{pre}}{\eta_{dec}}\,"),
        Term(tex=r"\max(1,\;\dfrac{B^{*}}{B}+\dfrac{L}{L^{*}})", colour=Colour.BOUND),
    ),
    controls=(
        Control(
            name="price_ratio",
            meaning="times input for output",
            called="price of output over input",
            short="price ratio",
            dimension=COUNT,
            low=1,
            high=20,
            lecture=LIST_RATIO,
            careful=by_list(CACHE_LIST).usd["output"] / by_list(CACHE_LIST).usd["input"],
        ),
        models_alike(by_list(CACHE_LIST).shared_by["output"]),
        controls.context_tokens(lecture=SHORT_TOKENS, careful=fleet.MEAN_CONTEXT_TOKENS),
        controls.crossover_context(STEP_TOKENS),
    ),
    views=(
        View(
            compute=_beliefs,
            x=Axis(caption="batch, in balance batches", dimension=COUNT, is_logarithmic=True),
            y=Axis(caption="chance (bars hold 90 %)", dimension="fraction"),
        ),
    ),
    claims=("D6", "D7"),
    exercises=("evidence-batch",),
    first_move=FirstMove(
        control="price_ratio",
        to=10.0,
        then="the batch that his reading gives moves left, to a smaller one",
        seen=(Moves(what="rows.1.middle", way=Way.LEFT),),
    ),
)
