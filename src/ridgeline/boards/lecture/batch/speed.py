"""Speed against batch: what the opening offer sells, before anything is said of a step."""

from __future__ import annotations

from typing import Any

from ridgeline.boards.board import Term, Values
from ridgeline.boards.companions import Abreast
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.batch.latency import work
from ridgeline.boards.lecture.batch.modes import PRICE_RATIO, SPEED_RATIO
from ridgeline.boards.lecture.batch.step import StepTimes, read_fraction, shown_batches, step_times
from ridgeline.boards.lecture.batch.trains import full_batch
from ridgeline.boards.note import DIGITS
from ridgeline.boards.picture import Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.equations import modes, roofline

__all__ = ["BATCH_RATIO", "SPEED_EQUATION", "UNTIL_GUESSED", "offered_batches", "speed_picture"]

OFFER = {"price_ratio": float(PRICE_RATIO), "speed_ratio": float(SPEED_RATIO)}
BATCH_RATIO = float(modes.batch_ratio(**OFFER))
"""Ratio of the regular batch to that of the offer's fast mode."""
SLOWER, FASTER = 0.2, 1.3
"""Foot and top of the picture, of the slowest and the fastest in it: there is room for guesses that fall as the batch
grows.
"""

SPEED_EQUATION = (
    Term(tex=r"\dfrac{\mathrm{tokens}}{\mathrm{s}}", colour=Colour.BOUND),
    Term(tex=r"\;=\;\dfrac{1}{t}"),
    Term(tex=r",\quad t\;\geq\;\max(\;"),
    Term(tex=r"\dfrac{2\,B\,N_a}{n\,F}", colour=Colour.COMPUTE),
    Term(tex=r",\;\;\dfrac{\mathrm{bytes\ read}}{n\,W}\;)"),
)
"""Tokens a second of a sequence, which gains one in every step; that takes as long as its arithmetic or reading."""
UNTIL_GUESSED = 2
"""Terms of it that are shown before anything is turned."""


def offered_batches(times: StepTimes) -> tuple[float, float]:
    """Batches of the offer's fast and regular mode, in whole sequences: two points of the curve.

    That holds as far as both read all weights: where a fast batch wakes few experts, it is faster still.
    """
    found = modes.fast_batch(
        **OFFER,
        weight_time_s=times.weights_s,
        compute_time_per_sequence_s=times.compute_s,
        kv_time_per_sequence_s=times.kv_s,
    )
    fast = max(1.0, round(float(found)))
    return fast, BATCH_RATIO * fast


def speed_picture(values: Values) -> Curves:
    """Tokens a second of each sequence: one a step."""
    times = step_times(values)
    fast, regular = offered_batches(times)
    end = max(shown_batches(times), regular)

    def of_weights(batch: Any) -> Any:  # noqa: ANN401  a number or many
        return 1 / (times.weights_s * read_fraction(values, batch))

    def speed(batch: Any) -> Any:  # noqa: ANN401  a number or many
        return 1 / roofline.step_time_s(**work(values, batch))

    return curves(
        logarithmic(1.0, end),
        curve("weights alone", of_weights, Colour.WEIGHTS),
        curve("speed", speed, Colour.BOUND, is_bold=True),
        marks=[
            at(f"{name} mode", batch, on="speed", text=f"{name}: {count_text(batch, DIGITS)}")
            for name, batch in (("fast", fast), ("regular", regular))
        ],
        fits_to=full_batch(values),
        top=FASTER * float(speed(1.0)),
        bottom=SLOWER * float(speed(end)),
        companion=Abreast(
            line="speed",
            first=int(fast),
            things=("sequence", "sequences"),
            text="Sequences that share a step",
        ),
    )
