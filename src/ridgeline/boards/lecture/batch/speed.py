"""Speed against batch: what the opening offer sells, before anything is said of a step."""

from __future__ import annotations

from typing import Any

from ridgeline.boards.board import Term, Values
from ridgeline.boards.companions import Abreast
from ridgeline.boards.lecture.batch.latency import work
from ridgeline.boards.lecture.batch.step import read_fraction, shown_batches, step_times
from ridgeline.boards.lecture.batch.trains import full_batch
from ridgeline.boards.picture import Colour, Curves
from ridgeline.boards.pictures import curve, curves, logarithmic
from ridgeline.equations import roofline

__all__ = ["FIRST_BATCH", "SPEED_EQUATION", "UNTIL_GUESSED", "speed_picture"]

FIRST_BATCH = 32.0
"""Sequences that share a step on the first view, as it opens."""
SLOWER, FASTER = 0.05, 1.3
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


def speed_picture(values: Values) -> Curves:
    """Tokens a second of each sequence: one a step."""
    times = step_times(values)
    end = shown_batches(times)

    def of_weights(batch: Any) -> Any:  # noqa: ANN401  a number or many
        return 1 / (times.weights_s * read_fraction(values, batch))

    def speed(batch: Any) -> Any:  # noqa: ANN401  a number or many
        return 1 / roofline.step_time_s(**work(values, batch))

    return curves(
        logarithmic(1.0, end),
        curve("weights alone", of_weights, Colour.WEIGHTS),
        curve("speed", speed, Colour.BOUND, is_bold=True),
        fits_to=full_batch(values),
        top=FASTER * float(speed(1.0)),
        bottom=SLOWER * float(speed(end)),
        companion=Abreast(
            line="speed",
            first=int(FIRST_BATCH),
            things=("sequence", "sequences"),
            text="Sequences that share a step",
        ),
    )
