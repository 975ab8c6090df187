"""How busy the arithmetic is, against the context: the length at which chips do both at once."""

from __future__ import annotations

from functools import partial

from ridgeline.boards.board import Board, Control, Symbol, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import STEP_TOKENS
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.equations import contexts
from ridgeline.numeric import INFINITY, Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD"]

SHORTEST, LONGEST = 1 / 50, 50.0
"""Contexts of the picture, in crossovers."""
DOUBLE = 2.0
ENDLESS, RUN = "batch without end", "the batch that is run"


def _busy(crossover_tokens: float, balance_batches: float, tokens: Numeric) -> Numeric:
    return contexts.compute_fraction(
        batch_over_balance=balance_batches, context_over_crossover=tokens / crossover_tokens
    )


def _utilisation(values: Values) -> Curves:
    crossover = values["crossover_tokens"]
    kept = (1 - 1 / values["balance_batches"]) * crossover
    shown = format_quantity(crossover, "count")
    marks = [
        at("crossover", crossover, on=ENDLESS, text=f"{shown}: memory and\narithmetic both busy"),
        at("twice the crossover", DOUBLE * crossover, on=ENDLESS, text=lambda part: f"twice that: {part:.0%}"),
    ]
    if kept > 0:
        text = f"weights' share read:\n{format_quantity(kept, 'count')}"
        marks.append(at("where this batch is still busy", kept, on=RUN, text=text, colour=Colour.KV))
    return curves(
        logarithmic(SHORTEST * crossover, LONGEST * crossover),
        curve(ENDLESS, partial(_busy, crossover, INFINITY), Colour.BOUND, is_bold=True),
        curve(RUN, partial(_busy, crossover, values["balance_batches"]), Colour.KV),
        marks=marks,
        top=1.15,
    )


BOARD = Board(
    name="utilisation",
    time_stamp="0:11:00",
    title="Utilisation against context",
    question="How long may contexts be before chips wait for memory?",
    caption="Part of its peak at which arithmetic runs while tokens are written (MFU). Short contexts leave memory"
    " idle, long ones arithmetic; at the crossover both are busy, and doubling a context from there halves it.",
    formula=(
        Term(tex=r"\mathrm{MFU}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\min(\,1,\;"),
        Term(tex=r"\dfrac{1}{B^{*}/B+L/L^{*}}", colour=Colour.KV),
        Term(tex=r"\,),\qquad L^{*}=\dfrac{2\,N_a\,W}{F\,\beta}"),
    ),
    symbols=(
        Symbol(tex="B^{*}", meaning="balance batch: reading the weights takes as long as computing"),
        Symbol(tex="L^{*}", meaning="crossover: reading a context takes as long as computing a token, in tokens"),
    ),
    controls=(
        controls.crossover_context(STEP_TOKENS),
        Control(
            name="balance_batches",
            meaning="balance batches",
            dimension="count",
            low=0.2,
            high=1e6,
            lecture=filled_in(3.0),
            careful=lambda _: fleet.balance_batches(),
        ),
    ),
    views=(
        View(
            compute=_utilisation,
            x=Axis(caption="context, tokens", dimension="count", is_logarithmic=True),
            y=Axis(caption="part of the arithmetic's peak", dimension="fraction"),
        ),
    ),
    claims=("A7", "A25", "A27"),
    exercises=("contexts-busy", "roofline-utilisation"),
)
