"""Reading against writing: what a token costs, by how many of a sequence one pass takes."""

from __future__ import annotations

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.constant import filled_in
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import SHORT_TOKENS, STEP_TOKENS
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.equations import contexts, pricing
from ridgeline.numeric import maximum
from ridgeline.quantity_text import format_number

__all__ = ["BOARD"]

LIST_RATIO = 5.0
"""Price of a written token over the price of a read one, as the lecture takes it (D6)."""


def _prefill(values: Values) -> Curves:
    ratio = float(
        contexts.memory_over_compute(
            context_over_crossover=values["context_tokens"] / values["crossover_tokens"],
            batch_over_balance=values["balance_batches"],
        )
    )
    marks = [
        at(
            "decode",
            1.0,
            on="cost",
            text=lambda y: f"decode: {format_number(y, 2)} times" if y > 1 else "decode: just its arithmetic",
            colour=Colour.MONEY,
            is_fixed=True,
        )
    ]
    if ratio > 1:
        # The name comes first for those who read it; a mark without a crossing would say what is not there.
        marks.append(
            at(
                "bound by compute from here",
                ratio,
                on="cost",
                text=f"{format_number(ratio)} tokens a pass",
                colour=Colour.MONEY,
            )
        )
    most = max(100.0, 20 * ratio)
    return curves(
        logarithmic(1.0, most),
        curve("cost", lambda tokens: maximum(ratio / tokens, 1.0), Colour.MONEY, is_bold=True),
        curve("compute: prefill", 1.0, Colour.COMPUTE, is_floor=True),
        curve("memory", lambda tokens: ratio / tokens, Colour.ALSO),
        marks=marks,
        top=2 * max(2.0, ratio),
        bottom=0.5 * ratio / most,
    )


BOARD = Board(
    name="prefill",
    time_stamp="1:45:30",
    title="Prefill against decode",
    question="Why is an input token cheaper than an output token, and how does that depend on the tokens per pass?",
    caption="Cost of a token over the cost of its arithmetic. A pass reads weights and context once, for all its"
    " tokens. The lecture gives no batch, so one is filled in: with the crossover at its price step, decode is five"
    " times as expensive only at a fifth of a balance batch (D7).",
    formula=(
        Term(tex=r"\dfrac{\$_{tok}}{\$_{arith}}", colour=Colour.MONEY),
        Term(tex=r"\;=\;\max(\;"),
        Term(tex=r"1", colour=Colour.COMPUTE),
        Term(tex=r",\;\;"),
        Term(tex=r"\dfrac{1}{n_{new}}\,(\dfrac{B^{*}}{B}+\dfrac{L}{L^{*}})", colour=Colour.ALSO),
        Term(tex=r"\;)"),
    ),
    controls=(
        controls.context_tokens(lecture=SHORT_TOKENS, careful=fleet.MEAN_CONTEXT_TOKENS),
        controls.crossover_context(STEP_TOKENS),
        Control(
            name="balance_batches",
            meaning="balance batches",
            called="batch, in balance batches",
            short="batch",
            dimension="count",
            low=0.1,
            high=1e6,
            lecture=filled_in(
                float(
                    pricing.balance_batches_at_ratio(
                        ratio=LIST_RATIO, context_tokens=SHORT_TOKENS.value, crossover_tokens=STEP_TOKENS.value
                    )
                ),
                why="so that output costs five times as much as input",
            ),
            careful=lambda _: fleet.balance_batches(),
        ),
    ),
    views=(
        View(
            compute=_prefill,
            x=Axis(caption="tokens of a sequence per pass", dimension="count", is_logarithmic=True),
            y=Axis(caption="cost of a token, over its arithmetic", dimension="count", is_logarithmic=True),
        ),
    ),
    claims=("D6", "D22", "D7", "D8"),
    exercises=("prices-decode-over-prefill",),
)
