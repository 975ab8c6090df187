"""Utilisation of the arithmetic by context: the length at which computing and reading take equally long."""

from __future__ import annotations

from functools import partial

from ridgeline.boards.board import Board, Term, Values, View
from ridgeline.boards.companions import Batched
from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.equations import contexts
from ridgeline.numeric import INFINITY, Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD", "MFU_EQUATION"]

SHORTEST, LONGEST = 1 / 50, 50.0
"""Contexts of the picture, in crossovers."""
DOUBLE = 2.0
PEAK = "peak"
ENDLESS = "largest batches"

BEST_TOKENS = said(100e3, "0:11:00", hedge="supposed, in a question", name="best_context_tokens")
"""The context of the Goldilocks zone, by the question."""


def _busy(crossover_tokens: float, balance_batches: float, tokens: Numeric) -> Numeric:
    return contexts.compute_fraction(
        batch_over_balance=balance_batches, context_over_crossover=tokens / crossover_tokens
    )


def _utilisation(values: Values) -> Curves:
    crossover = values["crossover_tokens"]
    kept = (1 - 1 / values["balance_batches"]) * crossover
    run = f"this batch:\n{format_quantity(values['balance_batches'], 'count')} B*"
    shown = format_quantity(crossover, "count")
    marks = [
        at("crossover", crossover, on=PEAK, text=f"{shown}: both busy", crosses=ENDLESS),
        at("twice the crossover", DOUBLE * crossover, on=ENDLESS, text=lambda part: f"twice that: {100 * part:.0f} %"),
    ]
    if kept > 0:
        text = f"{format_quantity(kept, 'count')}, as weights are read as well"
        marks.append(at("crossover of the batch", kept, on=run, text=text, colour=Colour.ALSO, is_quiet=True))
    return curves(
        logarithmic(SHORTEST * crossover, LONGEST * crossover),
        curve(PEAK, 1.0, Colour.ASIDE, is_floor=True),
        curve(ENDLESS, partial(_busy, crossover, INFINITY), Colour.BOUND, is_bold=True),
        curve(run, partial(_busy, crossover, values["balance_batches"]), Colour.ALSO),
        marks=marks,
        top=1.15,
        companion=Batched(
            balance_batches=values["balance_batches"],
            crossover_tokens=crossover,
            price="",
            price_at_tokens=0.0,
            text="What a step of the batch reads while it computes",
        ),
    )


MFU_EQUATION = (
    Term(tex=r"\mathrm{MFU}", colour=Colour.BOUND),
    Term(tex=r"\;=\;\min(\,1,\;"),
    Term(tex=r"\dfrac{1}{B^{*}/B+L/L^{*}}", colour=Colour.ALSO),
    Term(tex=r"\,)"),
)
"""Share of the peak that a step reaches."""

BOARD = Board(
    name="utilisation",
    time_stamp="0:11:00",
    title="Utilisation against context",
    question="Which context length keeps both memory and compute busy, and what does twice that length cost?",
    caption="The best possible share of peak FLOP/s in decode (MFU). Shorter contexts leave memory idle, longer ones"
    " leave compute idle. With a batch so large that the weights take no time, twice the context halves MFU. With a"
    " real batch the weights take part of the memory time, and MFU falls sooner.",
    formula=(
        *MFU_EQUATION,
        Term(tex=r",\qquad L^{*}=\dfrac{2\,N_a\,W}{F\,\beta}"),
    ),
    controls=(
        controls.crossover_context(BEST_TOKENS),
        fleet.batch_over_balance(filled_in(3.0, why="a batch for the drawing, which he leaves open")),
    ),
    views=(
        View(
            compute=_utilisation,
            x=Axis(caption="context, tokens", dimension="count", is_logarithmic=True),
            y=Axis(caption="share of peak FLOP/s (MFU)", dimension="fraction"),
        ),
    ),
    claims=("A7", "A25", "A27"),
    exercises=("contexts-busy", "roofline-utilisation"),
    first_move=FirstMove(
        control="crossover_tokens",
        to=1e3,
        then="the curve moves left: from 1k tokens on, utilisation falls",
        seen=(Moves(what="crossover", way=Way.LEFT),),
    ),
)
